// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <string_view>

namespace lk {

// What the name of a lock tells.

/// Where the text stands in the name: at its start, or behind a separator, since a prefix may stand
/// before what a library writes; -1: nowhere.
qsizetype segmentAt(QByteArrayView name, std::string_view text);

/// A word of the name says that it locks something.
bool isLockName(const QByteArray& name);

/// The library that takes and releases this lock by itself, as a part of something larger: a
/// queue's lock of a job, a scheduler's of itself. Empty: it stands for itself.
QByteArray lockPartOf(const QByteArray& name, const QByteArray& value);

} // namespace lk
