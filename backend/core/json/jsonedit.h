// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <optional>

namespace lk {

// Edits of a JSON text that preserve every other byte: the order of members, the notation of
// numbers. A queue's worker compares its job byte by byte.

/// The end of the value that begins at that index, after blanks. Empty if the text is not JSON.
std::optional<qsizetype> jsonValueEnd(QByteArrayView text, qsizetype at);

/// The value of an object's member, as written. Empty if there is none.
std::optional<QByteArray> jsonMember(const QByteArray& object, const QByteArray& name);

/// Returns the object with that member's value replaced, or inserted as the first member. A path of
/// several names descends into nested objects. All names but the last must exist; else the result
/// is empty.
std::optional<QByteArray> withJsonMember(const QByteArray& object, const QByteArrayList& path,
                                         const QByteArray& value);

} // namespace lk
