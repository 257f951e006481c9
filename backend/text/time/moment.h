// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>
#include <QTimeZone>

namespace lk {

/// Parses a moment that the user writes into milliseconds since 1970, relative to nowMs:
///   2026-03-01T03:12[:00[.250]][Z|+01:00]   ISO 8601; a blank for the T; without a zone: in zone
///   2026-03-01                              its beginning
///   03:12[:30]                              the latest such time that is not after now
///   -2h, -90m, -1d                          that long ago; durations as in parseDuration()
///   now
/// The error's detail contains the valid forms. A local time that clocks skip becomes the next one.
Result<qint64> parseMoment(QStringView text, qint64 nowMs,
                           const QTimeZone& zone = QTimeZone::systemTimeZone());

/// The same for a future moment:
///   +2h, 90m, 1d     after that time
///   06:00[:30]       the next such time after now
///   2026-03-01T06:00, 2026-03-01 as above, after now
Result<qint64> parseMomentAhead(QStringView text, qint64 nowMs,
                                const QTimeZone& zone = QTimeZone::systemTimeZone());

} // namespace lk
