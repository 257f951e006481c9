// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/ageing.h"

#include "backend/history/store/codec/framereduce.h"
#include "backend/history/store/recordstore.h"

#include <QSqlQuery>
#include <QVariant>

#include <algorithm>
#include <functional>
#include <utility>

namespace lk {

namespace {

constexpr qint64 graceMs = 3000; // a minute is complete this long after its end
constexpr qint64 thinEveryMs = 10 * Retention::minute;
constexpr int streams[] = {StateBlocks, SampleBlocks};

QByteArray encoded(std::span<const StateFrame> frames, qint64 fromMs, qint64)
{
    return encodeBlock(frames, fromMs);
}

// Means of ten-second steps are stored less exactly, because they make up most of a point's size.
QByteArray encoded(std::span<const SampleFrame> frames, qint64 fromMs, qint64 stepMs)
{
    const bool fine = stepMs == 0 || stepMs >= Retention::minute;
    return encodeBlock(frames, fromMs, fine ? fineMeans : coarseMeans);
}

} // namespace

Ageing::Ageing(RecordFile& file, QByteArray recorder)
    : m_file(file)
    , m_recorder(std::move(recorder))
{}

bool Ageing::exec(QSqlQuery& query)
{
    if (query.exec())
        return true;
    m_error = query.lastError();
    return false;
}

qint64 Ageing::number(const QString& sql, std::initializer_list<qint64> values)
{
    QSqlQuery query(m_file.db());
    query.prepare(sql);
    for (const qint64 value : values)
        query.addBindValue(value);
    return exec(query) && query.next() && !query.isNull(0) ? query.value(0).toLongLong() : -1;
}

// Each ? has its own value: Qt counts numbered placeholders differently from SQLite.
bool Ageing::changed(const QString& sql, const std::vector<qint64>& values)
{
    QSqlQuery query(m_file.db());
    query.prepare(sql);
    for (const qint64 value : values)
        query.addBindValue(value);
    return exec(query) && query.numRowsAffected() > 0;
}

std::vector<Ageing::Deployment> Ageing::deployments(qint64 localMs)
{
    constexpr qint64 longestLeaseMs = Retention::minute; // a longer one: a clock was set back
    std::vector<Deployment> all;
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral("SELECT id, offset_ms FROM deployment WHERE recorder IS NULL OR "
                                 "recorder = ? OR lease_until_ms < ? OR lease_until_ms > ?"));
    query.addBindValue(m_recorder);
    query.addBindValue(localMs);
    query.addBindValue(localMs + longestLeaseMs);
    if (exec(query)) {
        while (query.next())
            all.push_back({query.value(0).toLongLong(), query.value(1).toLongLong()});
    }
    return all;
}

// One index lookup for each stream and tier; their number does not grow with the file.
Ageing::Window Ageing::oldest(qint64 deployment)
{
    Window found{deployment, 0, 0, -1, 0};
    for (const int stream : streams) {
        for (int tier = secondsTier; tier < int(Retention().tiers.size()); ++tier) {
            const qint64 fromMs =
                number(QStringLiteral("SELECT from_ms FROM block WHERE deployment = ? AND stream "
                                      "= ? AND tier = ? ORDER BY from_ms LIMIT 1"),
                       {deployment, stream, tier});
            if (fromMs >= 0 && (found.fromMs < 0 || fromMs < found.fromMs))
                found = {deployment, stream, tier, fromMs, 0};
        }
    }
    return found;
}

bool Ageing::transaction(const std::function<bool()>& work)
{
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral("BEGIN IMMEDIATE"));
    if (!exec(query))
        return false;
    if (work()) {
        query.prepare(QStringLiteral("COMMIT"));
        if (exec(query))
            return true;
    }
    QSqlQuery(m_file.db()).exec(QStringLiteral("ROLLBACK"));
    return false;
}

bool Ageing::step(const Retention& retention, qint64 localMs)
{
    m_error = {};
    if (shrink(retention))
        return true;
    const bool thins = localMs - m_thinnedMs >= thinEveryMs;
    for (const Deployment& deployment : deployments(localMs)) {
        const qint64 nowMs = localMs + deployment.offsetMs;
        for (const int stream : streams) {
            if (ageSeconds(deployment.id, stream, nowMs))
                return true;
            for (int tier = 0; tier < int(retention.tiers.size()); ++tier) {
                if (ageTier(retention, deployment.id, stream, tier, nowMs))
                    return true;
            }
        }
        if (packHolds(deployment.id, nowMs))
            return true;
        if (thins && (thinWhole(deployment.id, nowMs) ||
                      thinServer(deployment.id, nowMs, nowMs - retention.longestMs()) ||
                      forgetOld(retention, deployment.id, nowMs)))
            return true;
        if (m_error.isValid())
            return false;
    }
    if (thins)
        m_thinnedMs = localMs;
    return false;
}

// Merges the blocks of seconds of a complete minute into one block for each bucket.
bool Ageing::ageSeconds(qint64 deployment, int stream, qint64 nowMs)
{
    const qint64 oldestMs =
        number(QStringLiteral("SELECT from_ms FROM block WHERE deployment = ? AND stream = ? AND "
                              "tier = -1 ORDER BY from_ms LIMIT 1"),
               {deployment, stream});
    if (oldestMs < 0)
        return false;
    const qint64 startMs = oldestMs / Retention::minute * Retention::minute;
    const Window window{deployment, stream, secondsTier, startMs, startMs + Retention::minute};
    if (window.toMs + graceMs > nowMs)
        return false;
    return transaction([&] {
        return stream == StateBlocks ? merge<StateFrame>(window, everyBucket, 0)
                                     : merge<SampleFrame>(window, everyBucket, 0);
    });
}

bool Ageing::ageTier(const Retention& retention, qint64 deployment, int stream, int tier,
                     qint64 nowMs)
{
    const qint64 oldestMs =
        number(QStringLiteral("SELECT from_ms FROM block WHERE deployment = ? AND stream = ? AND "
                              "tier = ? ORDER BY from_ms LIMIT 1"),
               {deployment, stream, tier});
    if (oldestMs < 0)
        return false;
    const RecordingTier& own = retention.tiers[size_t(tier)];
    if (size_t(tier) + 1 == retention.tiers.size()) {
        return oldestMs + own.blockMs + own.keepMs < nowMs &&
               changed(QStringLiteral("DELETE FROM block WHERE id IN (SELECT id FROM block WHERE "
                                      "deployment = ? AND stream = ? AND tier = ? AND to_ms < ? "
                                      "ORDER BY from_ms LIMIT 200)"),
                       {deployment, stream, tier, nowMs - own.keepMs});
    }
    const RecordingTier& next = retention.tiers[size_t(tier) + 1];
    const qint64 startMs = oldestMs / next.blockMs * next.blockMs;
    const Window window{deployment, stream, tier, startMs, startMs + next.blockMs};
    if (window.toMs + own.keepMs > nowMs)
        return false;
    const qint64 bucket =
        number(QStringLiteral("SELECT bucket FROM block WHERE deployment = ? AND stream = ? AND "
                              "tier = ? AND from_ms >= ? AND from_ms < ? ORDER BY from_ms LIMIT 1"),
               {deployment, stream, tier, window.fromMs, window.toMs});
    if (bucket < 0)
        return false;
    const size_t mostStates =
        stream == StateBlocks && tier == 0 ? mostStatesOf(retention, window) : 0;
    return transaction([&] {
        return stream == StateBlocks
                   ? merge<StateFrame>(window, int(bucket), next.stepMs, mostStates)
                   : merge<SampleFrame>(window, int(bucket), next.stepMs);
    });
}

// If many states change all the time, fewer are kept; numbers and holds stay exact. Each bucket
// that has data in the window gets an equal share.
size_t Ageing::mostStatesOf(const Retention& retention, const Window& window)
{
    auto& [fromMs, most] = m_mostStates[window.deployment];
    if (std::exchange(fromMs, window.fromMs) != window.fromMs) {
        const qint64 buckets =
            number(QStringLiteral("SELECT count(DISTINCT bucket) FROM block WHERE deployment = ? "
                                  "AND stream = ? AND tier = ? AND from_ms >= ? AND from_ms < ?"),
                   {window.deployment, window.stream, window.tier, window.fromMs, window.toMs});
        const qint64 all =
            retention.statesAMinute * (window.toMs - window.fromMs) / Retention::minute;
        most = size_t(std::max<qint64>(all / std::max<qint64>(buckets, 1), 1));
    }
    return most;
}

template<typename Frame>
bool Ageing::merge(const Window& window, int bucket, qint64 stepMs, size_t mostStates)
{
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral("SELECT id, from_ms, data FROM block WHERE deployment = ? AND "
                                 "stream = ? AND tier = ? AND bucket = ? AND from_ms >= ? AND "
                                 "from_ms < ? ORDER BY from_ms"));
    for (const qint64 value : {window.deployment, qint64(window.stream), qint64(window.tier),
                               qint64(bucket), window.fromMs, window.toMs})
        query.addBindValue(value);
    if (!exec(query))
        return false;
    std::vector<Frame> frames;
    std::vector<qint64> ids;
    while (query.next()) {
        ids.push_back(query.value(0).toLongLong());
        // A broken block is lost, but no other.
        decodeBlock(query.value(2).toByteArray(), query.value(1).toLongLong(), frames);
    }
    query.finish();
    sortFrames(frames);
    if constexpr (std::is_same_v<Frame, StateFrame>) {
        if (mostStates > 0)
            stepMs = stepFor(frames, stepMs, mostStates);
    }
    if (stepMs > 0)
        frames = reduced(std::move(frames), stepMs);
    QSqlQuery insert(m_file.db());
    insert.prepare(QStringLiteral("INSERT INTO block (deployment, stream, tier, bucket, from_ms, "
                                  "to_ms, data) VALUES (?, ?, ?, ?, ?, ?, ?)"));
    const auto timeOf = [](const Frame& f) {
        if constexpr (std::is_same_v<Frame, StateFrame>)
            return f.tMs;
        else
            return f.point.tMs;
    };
    for (size_t at = 0; at < frames.size();) {
        const int own = bucketOf(frames[at].primitive);
        size_t end = at;
        qint64 lastMs = 0;
        for (; end < frames.size() && bucketOf(frames[end].primitive) == own; ++end)
            lastMs = std::max(lastMs, timeOf(frames[end]));
        const std::span part(std::as_const(frames).data() + at, end - at);
        for (const QVariant& value :
             {QVariant(window.deployment), QVariant(window.stream), QVariant(window.tier + 1),
              QVariant(own), QVariant(window.fromMs), QVariant(lastMs),
              QVariant(encoded(part, window.fromMs, stepMs))})
            insert.addBindValue(value);
        if (!exec(insert))
            return false;
        at = end;
    }
    QSqlQuery remove(m_file.db());
    remove.prepare(QStringLiteral("DELETE FROM block WHERE id = ?"));
    return std::all_of(ids.begin(), ids.end(), [&](qint64 id) {
        remove.addBindValue(id);
        return exec(remove);
    });
}

RecordingSize Ageing::measure(const Retention& retention)
{
    RecordingSize size;
    size.path = m_file.path();
    size.bytes = m_file.bytes();
    size.capBytes = retention.capBytes;
    size.firstMs =
        std::max<qint64>(0, number(QStringLiteral("SELECT min(from_ms) FROM recording")));
    size.lastMs = std::max<qint64>(0, number(QStringLiteral("SELECT max(to_ms) FROM recording")));
    return size;
}

} // namespace lk
