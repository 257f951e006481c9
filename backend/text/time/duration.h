// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>
#include <QStringList>

namespace lk {

/// Reads "250ms", "1s", "10m", "24h", "7d" into milliseconds. Refuses anything else, zero and
/// negatives included. Errors: BadArgument; the detail says what would be right.
Result<qint64> parseDuration(QStringView text);

/// At most two units: "594 ms", "1.2 s", "1 m 12 s", "3 d 4 h". Negative gets a minus sign.
QString formatDuration(qint64 ms);

/// The same without a space before the unit, for axes: "1s", "1m12s".
QString formatDurationShort(qint64 ms);

/// What formatDuration() made, also with a sign before it, in shorter forms: the smaller unit or
/// the fraction is dropped, never a digit of what is larger. The text itself first: "14 m 52 s",
/// "14 m".
QStringList shorterForms(const QString& duration);

/// When a delayed job is due: how long it is until then, "now" while it may be under way, then
/// "overdue 23 h 59 m".
QString dueText(qint64 dueMs, qint64 nowMs);

/// A moment that has passed as people name it: "03:10", "2026-03-01 03:10" where that was not
/// within the last day.
QString sinceText(qint64 ms, qint64 nowMs);

/// A moment in milliseconds since 1970, in local time and in UTC.
QString momentText(qint64 ms);

} // namespace lk
