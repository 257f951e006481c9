// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>
#include <QTimeZone>

namespace lk {

/// Reads a moment as a person writes it into milliseconds since 1970, seen from nowMs:
///   2026-03-01T03:12[:00[.250]][Z|+01:00]   ISO 8601; a blank for the T; without a zone: in zone
///   2026-03-01                              its beginning
///   03:12[:30]                              the latest such time that is not after now
///   -2h, -90m, -1d                          so long ago, as parseDuration() has it
///   now
/// The error's detail says what would be right. A time that clocks leave out is the one after it.
Result<qint64> parseMoment(QStringView text, qint64 nowMs,
                           const QTimeZone& zone = QTimeZone::systemTimeZone());

} // namespace lk
