// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace lk {

/// An object as PHP's serialize() or igbinary writes it, if its properties are texts and numbers.
struct SerializedObject
{
    QByteArray name; ///< of its class
    /// One of its properties, by its name as PHP writes it.
    struct Property
    {
        QByteArray key;
        double number = 0; ///< 0 for a text
    };
    std::vector<Property> properties;
};

/// The class and the first property of one whose bytes are cut behind the first so many; a text
/// that is cut ends in an ellipsis. Nothing where not even that is there.
std::optional<SerializedObject> phpObjectStart(const QByteArray& bytes);

/// Nothing where the bytes are something else.
std::optional<SerializedObject> phpObject(const QByteArray& bytes);

} // namespace lk
