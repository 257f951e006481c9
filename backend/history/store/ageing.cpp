// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/ageing.h"

#include "backend/history/store/codec/framereduce.h"
#include "backend/history/store/recordstore.h"

#include <QSqlQuery>
#include <QVariant>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace lk {

namespace {

constexpr qint64 settleMs = 3000; // a minute is whole so long after it
// Whole buckets: each while it is young, then one an hour, then one a day.
constexpr qint64 allWholeMs = 3 * Retention::hour;
constexpr qint64 hourlyWholeMs = 2 * Retention::day;
constexpr qint64 thinEveryMs = 10 * Retention::minute;
constexpr int streams[] = {StateBlocks, SampleBlocks};
constexpr qint64 never = std::numeric_limits<qint64>::max();

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

// Each ? has a value of its own: Qt counts numbered ones otherwise than SQLite does.
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
    constexpr qint64 longestLeaseMs = Retention::minute; // beyond it a clock was set back
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

// One look into the index for each place: their number does not grow with the file.
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

// A whole minute of everybody's seconds becomes a block for each bucket.
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
    if (window.toMs + settleMs > nowMs)
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
    return bucket >= 0 && transaction([&] {
               return stream == StateBlocks ? merge<StateFrame>(window, int(bucket), next.stepMs)
                                            : merge<SampleFrame>(window, int(bucket), next.stepMs);
           });
}

template<typename Frame> bool Ageing::merge(const Window& window, int bucket, qint64 stepMs)
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
        // One that is broken is lost, and nothing else.
        decodeBlock(query.value(2).toByteArray(), query.value(1).toLongLong(), frames);
    }
    query.finish();
    sortFrames(frames);
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
              QVariant(encodeBlock(part, window.fromMs))})
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

// Of each bucket the first of each hour or day is left. What was looked through is not looked
// through again.
bool Ageing::thinWhole(qint64 deployment, qint64 nowMs)
{
    const auto thin = [&](qint64 keepMs, qint64 stepMs) {
        qint64& fromMs = m_thinnedTo[{deployment, stepMs}];
        fromMs = std::min(fromMs, nowMs - keepMs);
        const bool some = changed(
            QStringLiteral("DELETE FROM block WHERE id IN (SELECT b.id FROM block b WHERE "
                           "b.deployment = ? AND b.stream = 2 AND b.tier = 0 AND b.from_ms >= ? "
                           "AND b.from_ms < ? AND EXISTS (SELECT 1 FROM block a WHERE a.deployment "
                           "= b.deployment AND a.stream = 2 AND a.tier = 0 AND a.bucket = b.bucket "
                           "AND a.from_ms < b.from_ms AND a.from_ms >= b.from_ms / ? * ?) LIMIT "
                           "500)"),
            {deployment, fromMs, nowMs - keepMs, stepMs, stepMs});
        if (!some && !m_error.isValid())
            fromMs = (nowMs - keepMs) / stepMs * stepMs; // which is not over yet
        return some;
    };
    return thin(allWholeMs, Retention::hour) || thin(hourlyWholeMs, Retention::day);
}

// The last of each hour is left. What was told last before a moment stays as long as that moment.
bool Ageing::thinServer(qint64 deployment, qint64 nowMs, qint64 beforeMs)
{
    constexpr const char* remove =
        "DELETE FROM server WHERE deployment = ? AND t_ms IN (SELECT s.t_ms FROM server s WHERE "
        "s.deployment = ? AND s.t_ms < ? AND EXISTS (SELECT 1 FROM server a WHERE a.deployment = "
        "s.deployment AND a.t_ms > s.t_ms AND a.t_ms < %1) LIMIT 1000)";
    return changed(
               QLatin1String(remove).arg(QLatin1String("(s.t_ms / ? + 1) * ?")),
               {deployment, deployment, nowMs - hourlyWholeMs, Retention::hour, Retention::hour}) ||
           changed(QLatin1String(remove).arg(QLatin1Char('?')),
                   {deployment, deployment, beforeMs, beforeMs});
}

bool Ageing::forgetOld(const Retention& retention, qint64 deployment, qint64 nowMs)
{
    const qint64 beforeMs = nowMs - retention.longestMs();
    const std::vector<qint64> before{deployment, beforeMs};
    const std::pair<const char*, std::vector<qint64>> statements[] = {
        {"DELETE FROM block WHERE id IN (SELECT id FROM block WHERE deployment = ? AND stream = 2 "
         "AND tier = 0 AND from_ms < ? LIMIT 200)",
         before},
        {"DELETE FROM event WHERE id IN (SELECT id FROM event WHERE deployment = ? AND t_ms < ? "
         "LIMIT 1000)",
         before},
        {"DELETE FROM hold WHERE id IN (SELECT id FROM hold WHERE deployment = ? AND to_ms < ? AND "
         "flags & 1 = 0 LIMIT 1000)",
         before},
        {"DELETE FROM finding WHERE id IN (SELECT id FROM finding WHERE deployment = ? AND "
         "opened_ms < ? AND closed_ms < ? LIMIT 1000)",
         {deployment, beforeMs, beforeMs}},
        {"DELETE FROM recording WHERE id IN (SELECT id FROM recording WHERE deployment = ? AND "
         "to_ms < ? LIMIT 1000)",
         before}};
    for (const auto& [sql, values] : statements) {
        if (changed(QLatin1String(sql), values))
            return true;
    }
    // A primitive that is gone is named as long as anything is told of it.
    const qint64 oldestMs = oldest(deployment).fromMs;
    return changed(QStringLiteral("DELETE FROM primitive WHERE id IN (SELECT id FROM primitive p "
                                  "WHERE deployment = ? AND gone_ms < ? AND NOT EXISTS (SELECT 1 "
                                  "FROM event e WHERE e.primitive = p.id) AND NOT EXISTS (SELECT 1 "
                                  "FROM hold h WHERE h.primitive = p.id) LIMIT 500)"),
                   {deployment, std::max(oldestMs, beforeMs)});
}

// The oldest go first, whatever they are; what they leave goes back to the disk in pieces.
bool Ageing::shrink(const Retention& retention)
{
    const qint64 page = number(QStringLiteral("PRAGMA page_size"));
    const qint64 all = number(QStringLiteral("PRAGMA page_count"));
    const qint64 unused = number(QStringLiteral("PRAGMA freelist_count"));
    // The log beside the file counts, too, and grows with what is deleted.
    const qint64 roomBytes =
        retention.capBytes * 9 / 10 - std::min<qint64>(retention.capBytes / 4, 24 * 1024 * 1024);
    if ((all - unused) * page > roomBytes)
        return forgetOldest();
    // So few are used again before long.
    const qint64 spare = std::min<qint64>(512, roomBytes / page / 8);
    if (unused > spare && all * page > roomBytes) {
        QSqlQuery query(m_file.db());
        query.prepare(QStringLiteral("PRAGMA incremental_vacuum(512)"));
        if (!exec(query))
            return false;
        while (query.next()) {
        }
        query.finish();
        return number(QStringLiteral("PRAGMA freelist_count")) < unused;
    }
    return false;
}

// Of all deployments, whoever records them: the file is one.
bool Ageing::forgetOldest()
{
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral("SELECT id FROM deployment"));
    if (!exec(query))
        return false;
    Window place{0, 0, 0, -1, 0};
    std::vector<qint64> all;
    while (query.next())
        all.push_back(query.value(0).toLongLong());
    query.finish();
    for (const qint64 deployment : all) {
        const Window own = oldest(deployment);
        if (own.fromMs >= 0 && (place.fromMs < 0 || own.fromMs < place.fromMs))
            place = own;
    }
    // Events are small and tell most: they go with the blocks of their time.
    const qint64 beforeMs = place.fromMs >= 0 ? place.fromMs : never;
    for (const qint64 deployment : all) {
        if (thinServer(deployment, 0, beforeMs))
            return true;
        const std::vector<qint64> before{deployment, beforeMs};
        const std::vector<qint64> twiceBefore{deployment, beforeMs, beforeMs};
        const std::pair<const char*, std::vector<qint64>> statements[] = {
            // A whole bucket is needed as long as it is the last before what is left.
            {"DELETE FROM block WHERE id IN (SELECT b.id FROM block b WHERE b.deployment = ? AND "
             "b.stream = 2 AND b.tier = 0 AND b.from_ms < ? AND EXISTS (SELECT 1 FROM block a "
             "WHERE a.deployment = b.deployment AND a.stream = 2 AND a.tier = 0 AND a.bucket = "
             "b.bucket AND a.from_ms > b.from_ms AND a.from_ms <= ?) LIMIT 200)",
             twiceBefore},
            {"DELETE FROM event WHERE id IN (SELECT id FROM event WHERE deployment = ? AND t_ms < "
             "? ORDER BY t_ms LIMIT 2000)",
             before},
            {"DELETE FROM hold WHERE id IN (SELECT id FROM hold WHERE deployment = ? AND to_ms < "
             "? AND flags & 1 = 0 ORDER BY to_ms LIMIT 2000)",
             before},
            {"DELETE FROM finding WHERE id IN (SELECT id FROM finding WHERE deployment = ? AND "
             "opened_ms < ? AND closed_ms < ? ORDER BY opened_ms LIMIT 2000)",
             twiceBefore},
            {"DELETE FROM primitive WHERE id IN (SELECT id FROM primitive p WHERE deployment = ? "
             "AND gone_ms < ? AND NOT EXISTS (SELECT 1 FROM event e WHERE e.primitive = p.id) AND "
             "NOT EXISTS (SELECT 1 FROM hold h WHERE h.primitive = p.id) LIMIT 2000)",
             before}};
        for (const auto& [sql, values] : statements) {
            if (changed(QLatin1String(sql), values))
                return true;
        }
    }
    return place.fromMs >= 0 &&
           changed(QStringLiteral("DELETE FROM block WHERE id IN (SELECT id FROM block WHERE "
                                  "deployment = ? AND stream = ? AND tier = ? ORDER BY from_ms "
                                  "LIMIT 50)"),
                   {place.deployment, place.stream, place.tier});
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
