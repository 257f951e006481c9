// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace lk {

/// An object as PHP's serialize() or igbinary writes it, if its properties are texts and numbers.
struct SerializedObject
{
    QByteArray name; ///< the name of its class
    /// A property, with its name as PHP writes it.
    struct Property
    {
        QByteArray key;
        double number = 0; ///< 0 for a text
    };
    std::vector<Property> properties;
};

/// Reads the class and the first property from bytes that were cut. A text that was cut ends in an
/// ellipsis. Returns nothing if the bytes end before that or are something else.
std::optional<SerializedObject> phpObjectStart(const QByteArray& bytes);

/// Returns nothing if the bytes are not such an object.
std::optional<SerializedObject> phpObject(const QByteArray& bytes);

} // namespace lk
