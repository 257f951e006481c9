// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <optional>

namespace lk {

// Changes of a JSON text that leave every other byte of it as it is: the order of its members,
// numbers as they were written. A queue's worker compares what it holds byte by byte.

/// Where the value ends that begins there, past blanks; nothing where the text is no JSON.
std::optional<qsizetype> jsonValueEnd(QByteArrayView text, qsizetype at);

/// The value of an object's member as it is written; nothing if there is none.
std::optional<QByteArray> jsonMember(const QByteArray& object, const QByteArray& name);

/// The object with that member's value in the place of the old one, or as its first member. A path
/// of several names goes into objects, all of which but the last are there. Nothing where they are
/// not.
std::optional<QByteArray> withJsonMember(const QByteArray& object, const QByteArrayList& path,
                                         const QByteArray& value);

} // namespace lk
