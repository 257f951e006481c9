// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>
#include <QStringList>

namespace lk {

/// Parses "250ms", "1s", "10m", "24h", "7d" into milliseconds. Refuses anything else, including
/// zero and negative values. Errors: BadArgument; the detail contains the valid form.
Result<qint64> parseDuration(QStringView text);

/// At most two units: "594 ms", "1.2 s", "1 m 12 s", "3 d 4 h". Negative gets a minus sign.
QString formatDuration(qint64 ms);

/// The same without a space before the unit, for axes: "1s", "1m12s".
QString formatDurationShort(qint64 ms);

/// Shorter forms of a text from formatDuration(), which may have a sign before it. Drops the
/// smaller unit or the fraction, never a digit of the larger unit. Begins with the text itself: "14
/// m 52 s", "14 m".
QStringList shorterForms(const QString& duration);

/// When a delayed job is due: the time until then, "now" while it may be moving, then "overdue 23 h
/// 59 m".
QString dueText(qint64 dueMs, qint64 nowMs);

/// A past moment in local time: "03:10" within the last day, else "2026-03-01 03:10".
QString sinceText(qint64 ms, qint64 nowMs);

/// A moment in milliseconds since 1970, in local time and in UTC.
QString momentText(qint64 ms);

} // namespace lk
