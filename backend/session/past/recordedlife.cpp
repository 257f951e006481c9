// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/recordedlife.h"

namespace lk {

namespace {
constexpr int mostEvents = 20'000;
} // namespace

RecordedLife readLife(RecordQueries& queries, const RecordedId& id, qint64 fromMs, qint64 toMs)
{
    RecordQueries::EventQuery query;
    query.deployment = id.deployment;
    query.primitive = id.primitive;
    query.fromMs = fromMs;
    query.toMs = toMs;
    query.limit = mostEvents;
    query.latest = true;
    return {queries.holds(id, fromMs, toMs), queries.events(query),
            queries.gaps(id.deployment, fromMs, toMs)};
}

} // namespace lk
