// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers over time: from whichever tiers still have them, as one line.
#include "backend/history/reading/pointline.h"
#include "backend/history/reading/rows.h"
#include "backend/history/recordqueries.h"
#include "backend/history/retention.h"
#include "backend/history/store/blockcodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/history/store/recordstore.h"

#include <algorithm>

namespace lk {

namespace {

// What was so before the time that is asked for: looked for so far back at most.
constexpr qint64 beforeMs = 3LL * 3600 * 1000;

/// The blocks of samples that may have something of a primitive, each tier in its own time.
template<typename Take>
void readSamples(const QSqlDatabase& db, qint64 deployment, qint64 primitive, qint64 fromMs,
                 qint64 toMs, Take take)
{
    const Retention retention;
    for (int tier = int(retention.tiers.size()) - 1; tier >= secondsTier; --tier) {
        const qint64 longMs = retention.tiers[size_t(std::max(tier, 0))].blockMs;
        Rows rows(db,
                  "SELECT from_ms, data FROM block WHERE deployment = ? AND stream = 1 AND tier = "
                  "? AND bucket = ? AND from_ms >= ? AND from_ms <= ? AND to_ms >= ? ORDER BY "
                  "from_ms",
                  {deployment, tier, tier == secondsTier ? everyBucket : bucketOf(primitive),
                   fromMs - longMs, toMs, fromMs});
        while (rows.next())
            take(tier, rows.bytes(1), rows.number(0));
    }
}

} // namespace

RecordedSeries RecordQueries::series(const RecordedId& id, const QByteArray& metric, qint64 fromMs,
                                     qint64 toMs, int maxPoints, const NumberOf& numberOf)
{
    RecordedSeries series{id, metric, 0, {}};
    const qint64 primitive = primitiveNumber(id);
    Rows named(m_file->db(), "SELECT id FROM metric WHERE name = ?", {metric});
    if (primitive == 0 || !named.next())
        return series;
    const qint64 number = named.number(0);
    std::vector<SampleFrame> frames;
    const Retention retention;
    readSamples(m_file->db(), deploymentNumber(id.deployment), primitive, fromMs - beforeMs, toMs,
                [&](int tier, const QByteArray& block, qint64 blockMs) {
                    const size_t was = frames.size();
                    decodeBlock(block, blockMs, frames, primitive, number);
                    if (frames.size() > was && tier > 0)
                        series.stepMs =
                            std::max(series.stepMs, retention.tiers[size_t(tier)].stepMs);
                });
    std::vector<RecordedPoint> points;
    points.reserve(frames.size());
    for (const SampleFrame& frame : frames)
        points.push_back(frame.point);
    std::stable_sort(points.begin(), points.end(),
                     [](const auto& a, const auto& b) { return a.tMs < b.tMs; });
    if (numberOf && (points.empty() || points.front().tMs > fromMs)) {
        const StatePtr state = stateAt(id, fromMs);
        if (const auto value = state ? numberOf(*state, metric) : std::nullopt)
            points.insert(points.begin(), {state->asOfMs, *value, *value, *value, *value});
    }
    const RecordedSpan known = span(id.deployment);
    PointLine line(fromMs, toMs, std::min(toMs, known.lastMs));
    series.points = line.through(points, gaps(id.deployment, fromMs - beforeMs, toMs));
    series.points = thinned(std::move(series.points), maxPoints);
    return series;
}

QByteArrayList RecordQueries::metrics(const RecordedId& id, qint64 fromMs, qint64 toMs)
{
    const qint64 primitive = primitiveNumber(id);
    QSet<qint64> numbers;
    readSamples(m_file->db(), deploymentNumber(id.deployment), primitive, fromMs, toMs,
                [&](int, const QByteArray& block, qint64 blockMs) {
                    std::vector<SampleFrame> frames;
                    decodeBlock(block, blockMs, frames, primitive);
                    for (const SampleFrame& frame : frames)
                        numbers.insert(frame.metric);
                });
    QByteArrayList names;
    Rows rows(m_file->db(), "SELECT id, name FROM metric ORDER BY id", {});
    while (rows.next()) {
        if (numbers.contains(rows.number(0)))
            names << rows.bytes(1);
    }
    return names;
}

} // namespace lk
