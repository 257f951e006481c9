// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <string_view>

namespace lk {

// Hints from the name of a lock.

/// The position of the text in the name: at its start or behind a separator, since a prefix may
/// precede the library's part. -1 if there is none.
qsizetype segmentAt(QByteArrayView name, std::string_view text);

/// True if the name has a word for a lock.
bool isLockName(const QByteArray& name);

/// The library that acquires and releases this lock as part of something larger: a queue's lock of
/// a job, a scheduler's own lock. Empty if the lock is independent.
QByteArray lockPartOf(const QByteArray& name, const QByteArray& value);

} // namespace lk
