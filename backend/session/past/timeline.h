// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "backend/session/past/recordedlife.h"

#include <QString>

#include <vector>

namespace lk {

/// One line of a primitive's life: "held by worker-a for 4 m 0 s, renewed 8 times".
struct TimelineEntry
{
    qint64 fromMs = 0;
    qint64 toMs = 0;      ///< of what lasted; else fromMs
    bool lasting = false; ///< it had not ended when it was last seen
    TimeMark::Sort sort = TimeMark::Sort::Change;
    QString text; ///< without full stop, translated
    QString who;  ///< owner or operator; empty: nobody
};

/// Oldest first.
using Timeline = std::vector<TimelineEntry>;

/// What happened in one sentence without full stop. Translated.
QString eventText(const RecordedEvent& event);
/// As a mark on a time axis.
TimeMark markOf(const RecordedEvent& event);

/// Each hold is one line, from its beginning to its end, events in between; jobs that moved within
/// a minute are one line. All in the order in which they began.
Timeline lifeOf(const RecordedLife& life);

/// For a person: local time, a line each, with its zone in the first line.
QString lifeText(const QString& heading, const Timeline& life);
/// from_utc,to_utc,type,who,what
QString lifeCsv(const Timeline& life);
/// Its columns, and a row of it without an end: for tables that have more.
QString lifeCsvHead();
QString lifeCsvRow(const TimelineEntry& line);
QString csvTime(qint64 ms);
/// "03:10:02", or "2026-11-22 03:10:02 - 03:14:10" of what lasted. Local time.
QString lifeTimeText(const TimelineEntry& line, bool withDate);

} // namespace lk
