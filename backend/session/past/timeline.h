// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "backend/session/past/recordedlife.h"

#include <QString>

#include <vector>

namespace lk {

/// One line of a primitive's history: "held by worker-a for 4 m 0 s, renewed 8 times".
struct TimelineEntry
{
    qint64 fromMs = 0;
    qint64 toMs = 0;      ///< the end of a span; else fromMs
    bool lasting = false; ///< it had not ended when it was last seen
    TimeMark::Sort sort = TimeMark::Sort::Change;
    QString text; ///< without full stop, translated
    QString who;  ///< owner or operator; empty if there is none
};

/// Oldest first.
using Timeline = std::vector<TimelineEntry>;

/// Describes the event in one sentence without full stop. Translated.
QString eventText(const RecordedEvent& event);
/// Returns the event as a mark on a time axis.
TimeMark markOf(const RecordedEvent& event);

/// Returns the lines of a life, ordered by their beginning. Each hold is one line, from its
/// beginning to its end, with events in between. Jobs that moved within a minute are one line.
Timeline lifeOf(const RecordedLife& life);

/// Text for people: local time, one line per entry, with the time zone in the first line.
QString lifeText(const QString& heading, const Timeline& life);
/// from_utc,to_utc,type,who,what
QString lifeCsv(const Timeline& life);
/// The columns of lifeCsv(), and one row without a line end, for tables that have more columns.
QString lifeCsvHead();
QString lifeCsvRow(const TimelineEntry& line);
QString csvTime(qint64 ms);
/// "03:10:02", or "2026-11-22 03:10:02 - 03:14:10" for a span. Local time.
QString lifeTimeText(const TimelineEntry& line, bool withDate);

} // namespace lk
