// SPDX-License-Identifier: GPL-3.0-or-later
// Deletes data that is too old, and the oldest data if there is too much.
#include "backend/history/store/ageing.h"

#include <QSqlQuery>
#include <QVariant>

#include <algorithm>
#include <limits>
#include <utility>

namespace lk {

namespace {

// Whole buckets: all while they are young, then one an hour, then one a day.
constexpr qint64 allWholeMs = Retention::hour; // as long as states are kept as read
constexpr qint64 hourlyWholeMs = 2 * Retention::day;
constexpr qint64 never = std::numeric_limits<qint64>::max();

} // namespace

// Keeps the first block of each bucket in each hour or day. Time that was searched is not searched
// again.
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
            fromMs = (nowMs - keepMs) / stepMs * stepMs; // begin of the unfinished step
        return some;
    };
    return thin(allWholeMs, Retention::hour) || thin(hourlyWholeMs, Retention::day);
}

// Keeps the last record of each hour. Of the records before beforeMs, keeps only the last, which is
// valid at beforeMs.
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
        {"DELETE FROM block WHERE id IN (SELECT id FROM block WHERE deployment = ? AND stream IN "
         "(2, 3) AND tier = 0 AND from_ms < ? LIMIT 200)",
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
    // Keeps the row of a primitive that is gone as long as any data refers to it.
    const qint64 oldestMs = oldest(deployment).fromMs;
    return changed(QStringLiteral("DELETE FROM primitive WHERE id IN (SELECT id FROM primitive p "
                                  "WHERE deployment = ? AND gone_ms < ? AND NOT EXISTS (SELECT 1 "
                                  "FROM event e WHERE e.primitive = p.id) AND NOT EXISTS (SELECT 1 "
                                  "FROM hold h WHERE h.primitive = p.id) LIMIT 500)"),
                   {deployment, std::max(oldestMs, beforeMs)});
}

// Deletes the oldest data first, whatever it is. Returns the freed space to the disk in pieces.
bool Ageing::shrink(const Retention& retention)
{
    const qint64 page = number(QStringLiteral("PRAGMA page_size"));
    const qint64 all = number(QStringLiteral("PRAGMA page_count"));
    const qint64 unused = number(QStringLiteral("PRAGMA freelist_count"));
    // The log beside the file counts, too, and grows with deletions.
    const qint64 roomBytes =
        retention.capBytes * 9 / 10 - std::min<qint64>(retention.capBytes / 4, 24 * 1024 * 1024);
    if ((all - unused) * page > roomBytes)
        return forgetOldest();
    // So few free pages are soon used again.
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

// Covers all deployments, even those that other programs record, because they share the file.
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
    // Events are small and the most useful, so they are deleted only with the blocks of their time.
    const qint64 beforeMs = place.fromMs >= 0 ? place.fromMs : never;
    for (const qint64 deployment : all) {
        if (thinServer(deployment, 0, beforeMs))
            return true;
        const std::vector<qint64> before{deployment, beforeMs};
        const std::vector<qint64> twiceBefore{deployment, beforeMs, beforeMs};
        const std::pair<const char*, std::vector<qint64>> statements[] = {
            // A whole bucket is needed as long as it is the last one before the remaining data.
            {"DELETE FROM block WHERE id IN (SELECT b.id FROM block b WHERE b.deployment = ? AND "
             "b.stream = 2 AND b.tier = 0 AND b.from_ms < ? AND EXISTS (SELECT 1 FROM block a "
             "WHERE a.deployment = b.deployment AND a.stream = 2 AND a.tier = 0 AND a.bucket = "
             "b.bucket AND a.from_ms > b.from_ms AND a.from_ms <= ?) LIMIT 200)",
             twiceBefore},
            {"DELETE FROM event WHERE id IN (SELECT id FROM event WHERE deployment = ? AND t_ms < "
             "? ORDER BY t_ms LIMIT 2000)",
             before},
            {"DELETE FROM block WHERE id IN (SELECT id FROM block WHERE deployment = ? AND stream "
             "= 3 AND tier = 0 AND from_ms < ? ORDER BY from_ms LIMIT 200)",
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

} // namespace lk
