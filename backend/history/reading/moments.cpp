// SPDX-License-Identifier: GPL-3.0-or-later
// What was there at a moment: the last whole bucket before it, and what changed since.
#include "backend/core/names/foreigntext.h"
#include "backend/history/reading/rows.h"
#include "backend/history/recordqueries.h"
#include "backend/history/retention.h"
#include "backend/history/store/blockcodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/history/store/recordstore.h"
#include "backend/history/store/serverfacts.h"
#include "backend/history/store/statecodec.h"

#include <algorithm>
#include <unordered_map>

namespace lk {

namespace {

// A bucket is written as a whole once a day at least.
constexpr qint64 wholeWithinMs = 26LL * 3600 * 1000;

struct Known
{
    qint64 atMs = 0;
    QByteArray state; ///< empty: it was gone
};

/// Collects the last frame of each primitive up to a moment.
class LastFrames
{
public:
    LastFrames(const QSqlDatabase& db, qint64 deployment, qint64 fromMs, qint64 tMs)
        : m_db(db)
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
    void addWhole(qint64 primitive)
    {
        Rows rows(m_db,
                  "SELECT bucket, max(from_ms), data FROM block WHERE deployment = ? AND stream = "
                  "2 AND tier = 0 AND from_ms >= ? AND from_ms <= ? AND (? < 0 OR bucket = ?) "
                  "GROUP BY bucket",
                  {m_deployment, m_fromMs, m_tMs, bucketFor(primitive), bucketFor(primitive)});
        while (rows.next()) {
            m_wholeMs[rows.number(0)] = rows.number(1);
            add(rows.bytes(2), rows.number(1), primitive);
        }
    }
    // The blocks themselves are read only where something in them is newer than their bucket.
    void addChanges(qint64 primitive)
    {
        const Retention retention;
        for (int tier = secondsTier; tier < int(retention.tiers.size()); ++tier) {
            const qint64 longMs = retention.tiers[size_t(std::max(tier, 0))].blockMs;
            Rows rows(
                m_db,
                "SELECT id, bucket, from_ms, to_ms FROM block WHERE deployment = ? AND stream "
                "= 0 AND tier = ? AND from_ms <= ? AND from_ms >= ? AND to_ms >= ? AND "
                "(? < 0 OR bucket = ? OR bucket = -1)",
                {m_deployment, tier, m_tMs, m_fromMs - longMs, m_fromMs, bucketFor(primitive),
                 bucketFor(primitive)});
            while (rows.next()) {
                const auto whole = m_wholeMs.find(rows.number(1));
                if (whole != m_wholeMs.end() && rows.number(3) < whole->second)
                    continue;
                Rows block(m_db, "SELECT data FROM block WHERE id = ?", {rows.number(0)});
                if (block.next())
                    add(block.bytes(0), rows.number(2), primitive);
            }
        }
    }
    static qint64 bucketFor(qint64 primitive) { return primitive > 0 ? bucketOf(primitive) : -1; }

    QSqlDatabase m_db;
    qint64 m_deployment;
    qint64 m_fromMs;
    qint64 m_tMs;
    std::vector<StateFrame> m_frames;
    std::unordered_map<qint64, qint64> m_wholeMs; ///< by bucket
    std::unordered_map<qint64, Known> m_known;
};

} // namespace

RecordedMoment RecordQueries::momentAt(const QByteArray& deployment, qint64 tMs)
{
    constexpr qint64 beganMs = 2000; // what was known then is told with the time of the last second
    constexpr qint64 slackMs = 4000; // a recorder says only so often that it is still there
    RecordedMoment moment;
    moment.deployment = deployment;
    moment.atMs = tMs;
    const qint64 number = deploymentNumber(deployment);
    Rows server(m_file->db(), "SELECT server FROM deployment WHERE id = ?", {number});
    if (server.next())
        decodeServer(server.bytes(0), moment.server, moment.scan);
    const std::optional<Stretch> stretch = stretchAt(number, tMs);
    if (!stretch) {
        moment.blind = RecordedGap{0, tMs, QByteArrayLiteral("none")};
        return moment;
    }
    if (stretch->toMs + (stretch->ended.isEmpty() ? slackMs : 0) < tMs)
        moment.blind =
            RecordedGap{stretch->toMs, tMs,
                        stretch->ended.isEmpty() ? QByteArrayLiteral("crash") : stretch->ended};
    const qint64 untilMs = moment.blind ? stretch->toMs : tMs;
    const auto known =
        LastFrames(m_file->db(), number, stretch->fromMs - beganMs, untilMs).collect(0);
    Rows rows(m_file->db(), "SELECT id, info FROM primitive WHERE deployment = ?", {number});
    while (rows.next()) {
        const auto it = known.find(rows.number(0));
        if (it == known.end() || it->second.state.isEmpty())
            continue;
        PrimitivePtr primitive = decodePrimitive(rows.bytes(1));
        if (StatePtr state = decodeState(it->second.state, primitive, it->second.atMs))
            moment.states.push_back({std::move(primitive), it->second.atMs, std::move(state)});
    }
    addFindings(number, moment);
    return moment;
}

StatePtr RecordQueries::stateAt(const RecordedId& id, qint64 tMs)
{
    const qint64 number = primitiveNumber(id);
    const qint64 deployment = deploymentNumber(id.deployment);
    const std::optional<Stretch> stretch = stretchAt(deployment, tMs);
    if (number == 0 || !stretch)
        return nullptr;
    const auto known = LastFrames(m_file->db(), deployment, stretch->fromMs, tMs).collect(number);
    const auto it = known.find(number);
    return it == known.end() || it->second.state.isEmpty()
               ? nullptr
               : decodeState(it->second.state, primitive(id), it->second.atMs);
}

void RecordQueries::addFindings(qint64 deployment, RecordedMoment& moment)
{
    Rows rows(m_file->db(),
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
