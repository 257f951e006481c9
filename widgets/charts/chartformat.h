// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

namespace lk {

/// "1,204", "594 ms", "12.5": as beside a title or in a box.
QString valueText(double value, Metric::Unit unit);
/// "1.2k", "500ms", "1m30s": as on an axis.
QString axisText(double value, Metric::Unit unit);
/// Returns the smallest round step that divides 0 to top into at most `most` parts: 1, 2, 5 times a
/// power of ten, or a round duration. Never below 1.
double roundStep(double top, int most, Metric::Unit unit);
/// A number for a CSV table: whole ones in full, others to seven digits, which is as exact as they
/// are kept.
QString numberCell(double value);
/// "2026-01-31T10:20:30.123Z"
QString utcText(qint64 tMs);
/// "10:20:30", with the date where it is another day than today's at nowMs.
QString clockText(qint64 tMs, qint64 nowMs);
/// "UTC+01:00", as it is at that moment where this program runs; "UTC" without an offset.
QString zoneText(qint64 tMs);
/// "12 s ago", "now", "in 3 s".
QString relativeText(qint64 tMs, qint64 nowMs);

} // namespace lk
