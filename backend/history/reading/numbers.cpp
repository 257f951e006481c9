// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers over time from the tiers that still contain them, as one line.
#include "backend/history/reading/pointline.h"
#include "backend/history/reading/rows.h"
#include "backend/history/recordqueries.h"
#include "backend/history/retention.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/history/store/recordstore.h"

#include <algorithm>

namespace lk {

namespace {

// The greatest distance at which a value before the time range is looked up.
constexpr qint64 beforeMs = 3LL * 3600 * 1000;

/// Reads the sample blocks that may contain a primitive, each tier in its own time.
template<typename Take>
void readSamples(RecordFile& file, qint64 deployment, qint64 primitive, qint64 fromMs, qint64 toMs,
                 Take take)
{
    const Retention retention;
    for (int tier = int(retention.tiers.size()) - 1; tier >= secondsTier; --tier) {
        const qint64 longMs = retention.tiers[size_t(std::max(tier, 0))].blockMs;
        Rows rows(file,
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
                                     qint64 toMs, int maxPoints, const NumberOf& numberOf,
                                     int drift)
{
    RecordedSeries series{id, metric, 0, {}};
    const qint64 primitive = primitiveNumber(id);
    Rows named(*m_file, "SELECT id FROM metric WHERE name = ?", {metric});
    if (primitive == 0 || !named.next())
        return series;
    const qint64 number = named.number(0);
    std::vector<PointChange> changes;
    std::vector<SampleFrame> frames;
    const Retention retention;
    readSamples(*m_file, deploymentNumber(id.deployment), primitive, fromMs - beforeMs, toMs,
                [&](int tier, const QByteArray& block, qint64 blockMs) {
                    frames.clear();
                    decodeBlock(block, blockMs, frames, primitive, number);
                    const qint64 stepMs = tier > 0 ? retention.tiers[size_t(tier)].stepMs : 0;
                    if (!frames.empty())
                        series.stepMs = std::max(series.stepMs, stepMs);
                    for (const SampleFrame& frame : frames)
                        changes.push_back({frame.point, stepMs});
                });
    std::ranges::stable_sort(changes, {},
                             [](const PointChange& change) { return change.point.tMs; });
    if (numberOf && (changes.empty() || changes.front().point.tMs > fromMs)) {
        const StatePtr state = stateAt(id, fromMs);
        if (const auto value = state ? numberOf(*state, metric) : std::nullopt)
            changes.insert(changes.begin(), {{state->asOfMs, *value, *value, *value, *value}, 0});
    }
    const RecordedSpan known = span(id.deployment);
    PointLine line(fromMs, toMs, std::min(toMs, known.lastMs),
                   {drift, std::max<qint64>(1000, (toMs - fromMs) / std::max(maxPoints, 4))});
    // While a program records, the time after the last record is no gap.
    const qint64 gapsToMs = known.recordedNow ? std::min(toMs, known.lastMs) : toMs;
    series.points = line.through(changes, gaps(id.deployment, fromMs - beforeMs, gapsToMs));
    series.points = thinned(std::move(series.points), maxPoints);
    return series;
}

QByteArrayList RecordQueries::metrics(const RecordedId& id, qint64 fromMs, qint64 toMs)
{
    const qint64 primitive = primitiveNumber(id);
    QSet<qint64> numbers;
    readSamples(*m_file, deploymentNumber(id.deployment), primitive, fromMs, toMs,
                [&](int, const QByteArray& block, qint64 blockMs) {
                    std::vector<SampleFrame> frames;
                    decodeBlock(block, blockMs, frames, primitive);
                    for (const SampleFrame& frame : frames)
                        numbers.insert(frame.metric);
                });
    QByteArrayList names;
    Rows rows(*m_file, "SELECT id, name FROM metric ORDER BY id", {});
    while (rows.next()) {
        if (numbers.contains(rows.number(0)))
            names << rows.bytes(1);
    }
    return names;
}

} // namespace lk
