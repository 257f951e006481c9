// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the states at a moment: the last whole bucket before it, and the changes since.
#include "backend/core/names/foreigntext.h"
#include "backend/history/reading/rows.h"
#include "backend/history/recordqueries.h"
#include "backend/history/retention.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/codec/serverfacts.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/history/store/recordstore.h"

#include <algorithm>
#include <unordered_map>

namespace lk {

namespace {

// A bucket is written as a whole at least once a day. Of old ones only the first of each day is
// kept, so two may lie nearly two days apart.
constexpr qint64 wholeWithinMs = 50LL * 3600 * 1000;

struct Known
{
    qint64 atMs = 0;
    QByteArray state; ///< empty if it was gone
};

/// Collects the last frame of each primitive up to a moment.
class LastFrames
{
public:
    LastFrames(RecordFile& file, qint64 deployment, qint64 fromMs, qint64 tMs)
        : m_file(file)
        , m_deployment(deployment)
        , m_fromMs(std::max(fromMs, tMs - wholeWithinMs))
        , m_tMs(tMs)
    {}

    /// primitive: 0 for all.
    std::unordered_map<qint64, Known> collect(qint64 primitive)
    {
        addWhole(primitive);
        addChanges(primitive);
        return std::move(m_known);
    }

private:
    void add(const QByteArray& block, qint64 blockMs, qint64 primitive)
    {
        m_frames.clear();
        decodeBlock(block, blockMs, m_frames, primitive);
        for (StateFrame& frame : m_frames) {
            if (frame.tMs > m_tMs || frame.tMs < m_fromMs)
                continue;
            Known& known = m_known[frame.primitive];
            if (frame.tMs >= known.atMs)
                known = {frame.tMs, std::move(frame.state)};
        }
    }
    /// Returns the buckets that have blocks in this stream and tier, by one index lookup each.
    std::vector<qint64> buckets(int stream, int tier) const
    {
        std::vector<qint64> found;
        Rows rows(m_file,
                  "WITH RECURSIVE own (bucket) AS (SELECT min(bucket) FROM block INDEXED BY "
                  "block_place WHERE deployment = ? AND stream = ? AND tier = ? UNION ALL SELECT "
                  "(SELECT min(bucket) FROM block INDEXED BY block_place WHERE deployment = ? AND "
                  "stream = ? AND tier = ? AND bucket > own.bucket) FROM own WHERE own.bucket IS "
                  "NOT NULL) SELECT bucket FROM own WHERE bucket IS NOT NULL",
                  {m_deployment, stream, tier, m_deployment, stream, tier});
        while (rows.next())
            found.push_back(rows.number(0));
        return found;
    }
    /// For a single primitive, returns only its own bucket.
    std::vector<qint64> buckets(int stream, int tier, qint64 primitive) const
    {
        if (primitive == 0)
            return buckets(stream, tier);
        return {tier == secondsTier ? everyBucket : bucketOf(primitive)};
    }
    void addWhole(qint64 primitive)
    {
        Rows last(m_file,
                  "SELECT from_ms, data FROM block INDEXED BY block_place WHERE deployment = "
                  "? AND stream = 2 AND tier = 0 AND bucket = ? AND from_ms >= ? AND from_ms "
                  "<= ? ORDER BY from_ms DESC LIMIT 1");
        for (const qint64 bucket : buckets(WholeBuckets, 0, primitive)) {
            last.ask({m_deployment, bucket, m_fromMs, m_tMs});
            if (!last.next())
                continue;
            m_wholeMs[bucket] = last.number(0);
            add(last.bytes(1), last.number(0), primitive);
        }
    }
    // Reads only changes that are newer than the whole bucket.
    void addChanges(qint64 primitive)
    {
        const Retention retention;
        Rows newer(m_file,
                   "SELECT from_ms, data FROM block INDEXED BY block_place WHERE deployment "
                   "= ? AND stream = 0 AND tier = ? AND bucket = ? AND from_ms >= ? AND "
                   "from_ms <= ? AND to_ms >= ?");
        for (int tier = secondsTier; tier < int(retention.tiers.size()); ++tier) {
            const qint64 longMs = retention.tiers[size_t(std::max(tier, 0))].blockMs;
            for (const qint64 bucket : buckets(StateBlocks, tier, primitive)) {
                const auto whole = m_wholeMs.find(bucket);
                const qint64 sinceMs = whole == m_wholeMs.end() ? m_fromMs : whole->second;
                newer.ask({m_deployment, tier, bucket, sinceMs - longMs, m_tMs, sinceMs});
                while (newer.next())
                    add(newer.bytes(1), newer.number(0), primitive);
            }
        }
    }
    RecordFile& m_file;
    qint64 m_deployment;
    qint64 m_fromMs;
    qint64 m_tMs;
    std::vector<StateFrame> m_frames;
    std::unordered_map<qint64, qint64> m_wholeMs; ///< by bucket
    std::unordered_map<qint64, Known> m_known;
};

} // namespace

RecordedMoment RecordQueries::momentAt(const QByteArray& deployment, qint64 tMs,
                                       MomentMemory* memory)
{
    constexpr qint64 beganMs = 2000; // initial states may be timed shortly before the span
    constexpr qint64 slackMs = 4000; // a recorder extends the span only every two seconds
    RecordedMoment moment;
    moment.deployment = deployment;
    moment.atMs = tMs;
    const qint64 number = deploymentNumber(deployment);
    readServer(number, moment);
    const std::optional<Stretch> stretch = stretchAt(number, tMs);
    if (!stretch) {
        moment.blind = RecordedGap{0, tMs, GapReason::None};
        return moment;
    }
    if (stretch->toMs + (stretch->ended.isEmpty() ? slackMs : 0) < tMs)
        moment.blind = RecordedGap{stretch->toMs, tMs, gapReasonOf(stretch->ended)};
    const qint64 untilMs = moment.blind ? stretch->toMs : tMs;
    const auto known = LastFrames(*m_file, number, stretch->fromMs - beganMs, untilMs).collect(0);
    std::vector<qint64> there;
    for (const auto& [primitive, last] : known) {
        if (!last.state.isEmpty())
            there.push_back(primitive);
    }
    std::ranges::sort(there);
    MomentMemory once;
    MomentMemory& before = memory ? *memory : once;
    if (before.deployment != deployment)
        before = {deployment, {}};
    // Many more primitives may have come and gone than existed at that moment.
    Rows info(*m_file, "SELECT info FROM primitive WHERE id = ?");
    moment.states.reserve(there.size());
    for (const qint64 id : there) {
        const Known& last = known.at(id);
        MomentMemory::Remembered& own = before.primitives[id];
        if (!own.state.primitive) {
            info.ask({id});
            own.state.primitive = info.next() ? decodePrimitive(info.bytes(0)) : nullptr;
        }
        if (!own.state.state || own.state.atMs != last.atMs || own.encoded != last.state) {
            own.state.atMs = last.atMs;
            own.state.state = decodeState(last.state, own.state.primitive, last.atMs);
            own.encoded = last.state;
        }
        if (own.state.state)
            moment.states.push_back(own.state);
    }
    if (before.primitives.size() > there.size()) {
        std::erase_if(before.primitives, [&](const auto& item) {
            return !std::ranges::binary_search(there, item.first);
        });
    }
    addFindings(number, moment);
    return moment;
}

void RecordQueries::readServer(qint64 deployment, RecordedMoment& moment)
{
    Rows then(*m_file,
              "SELECT facts FROM server WHERE deployment = ? AND t_ms <= ? ORDER BY t_ms DESC "
              "LIMIT 1",
              {deployment, moment.atMs});
    if (then.next())
        decodeServer(then.bytes(0), moment.server, moment.scan);
}

StatePtr RecordQueries::stateAt(const RecordedId& id, qint64 tMs)
{
    const qint64 number = primitiveNumber(id);
    const qint64 deployment = deploymentNumber(id.deployment);
    const std::optional<Stretch> stretch = stretchAt(deployment, tMs);
    if (number == 0 || !stretch)
        return nullptr;
    const auto known = LastFrames(*m_file, deployment, stretch->fromMs, tMs).collect(number);
    const auto it = known.find(number);
    return it == known.end() || it->second.state.isEmpty()
               ? nullptr
               : decodeState(it->second.state, primitive(id), it->second.atMs);
}

void RecordQueries::addFindings(qint64 deployment, RecordedMoment& moment)
{
    Rows rows(*m_file,
              "SELECT f.code, f.name, f.key, f.severity, f.kind, f.flags, f.message, f.action, "
              "f.opened_ms, p.layout, p.name FROM finding f LEFT JOIN primitive p ON p.id = "
              "f.primitive WHERE f.deployment = ? AND f.opened_ms <= ? AND (f.closed_ms IS NULL OR "
              "f.closed_ms > ?) ORDER BY f.severity DESC, f.opened_ms",
              {deployment, moment.atMs, moment.atMs});
    while (rows.next()) {
        RecordedFinding found;
        Finding& f = found.finding;
        f.code = rows.bytes(0);
        f.name = rows.bytes(1);
        f.key = rows.bytes(2);
        f.severity = Finding::Severity(std::clamp<qint64>(rows.number(3), 0, 2));
        f.kind = Kind(std::clamp<qint64>(rows.number(4), 0, qint64(Kind::Pattern)));
        const qint64 flags = rows.number(5);
        f.silenced = flags & 1;
        f.group = flags & 2;
        f.ofServer = flags & 4;
        f.message = foreignText(rows.text(6));
        f.action = rows.bytes(7);
        found.sinceMs = rows.number(8);
        found.primitive = {rows.bytes(9), rows.bytes(10)};
        moment.findings.push_back(std::move(found));
    }
}

} // namespace lk
