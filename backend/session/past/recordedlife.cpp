// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/recordedlife.h"

#include <algorithm>

namespace lk {

namespace {
constexpr int mostEvents = 20'000;
constexpr qint64 recordedLifeSoonMs = 10'000;
} // namespace

RecordedLife readLife(RecordQueries& queries, const RecordedId& id, qint64 fromMs, qint64 toMs)
{
    RecordedLife life;
    life.holds = queries.holds(id, fromMs, toMs + recordedLifeSoonMs); // including the next owner
    qint64 endedMs = toMs;
    for (const RecordedHold& hold : life.holds) {
        if (!hold.open && hold.fromMs <= toMs)
            endedMs = std::max(endedMs, hold.toMs + recordedLifeSoonMs);
    }
    RecordQueries::EventQuery query;
    query.deployment = id.deployment;
    query.primitive = id.primitive;
    query.fromMs = fromMs;
    query.toMs = endedMs; // including who ended it
    query.limit = mostEvents;
    query.latest = true;
    life.events = queries.events(query);
    life.ends = holdEnds(life.holds, life.events);
    while (!life.holds.empty() && life.holds.back().fromMs > toMs) {
        life.holds.pop_back();
        life.ends.pop_back();
    }
    std::erase_if(life.events, [toMs](const RecordedEvent& event) { return event.tMs > toMs; });
    life.gaps = queries.gaps(id.deployment, fromMs, toMs);
    return life;
}

} // namespace lk
