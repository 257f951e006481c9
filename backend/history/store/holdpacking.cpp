// SPDX-License-Identifier: GPL-3.0-or-later
// Moves ended holds and counts of short holds from rows into blocks, which take a tenth of the
// space.
#include "backend/history/store/ageing.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/codec/holdcodec.h"
#include "backend/history/store/recordstore.h"

#include <QSet>
#include <QSqlQuery>
#include <QVariant>

#include <algorithm>

namespace lk {

namespace {

// A hold whose end was not seen stays a row, because the next recorder may find that it continues.
constexpr qint64 packAfterMs = 10 * Retention::minute;

} // namespace

// Packs one bucket's holds of one half hour at a time.
bool Ageing::packHolds(qint64 deployment, qint64 nowMs)
{
    const qint64 untilMs = (nowMs - packAfterMs) / holdBlockMs * holdBlockMs;
    qint64& packedToMs = m_packedTo[deployment];
    if (packedToMs >= untilMs)
        return false;
    QSqlQuery oldest(m_file.db());
    oldest.prepare(
        QStringLiteral("SELECT primitive, to_ms FROM hold WHERE deployment = ? AND to_ms >= ? AND "
                       "to_ms < ? AND flags & 9 = 8 AND to_ms - from_ms <= ? ORDER BY to_ms LIMIT "
                       "1"));
    for (const qint64 value : {deployment, packedToMs, untilMs, longestPackedMs})
        oldest.addBindValue(value);
    if (!exec(oldest))
        return false;
    if (!oldest.next()) {
        packedToMs = untilMs;
        return false;
    }
    const int bucket = bucketOf(oldest.value(0).toLongLong());
    const qint64 fromMs = oldest.value(1).toLongLong() / holdBlockMs * holdBlockMs;
    oldest.finish();
    packedToMs = std::max(packedToMs, fromMs);
    return transaction([&] { return packBucket(deployment, bucket, fromMs); });
}

bool Ageing::packBucket(qint64 deployment, int bucket, qint64 fromMs)
{
    const qint64 toMs = fromMs + holdBlockMs;
    std::vector<HoldFrame> frames;
    std::vector<qint64> holdIds;
    std::vector<qint64> eventIds;
    QSet<qint64> primitives;
    QSqlQuery holds(m_file.db());
    holds.prepare(QStringLiteral(
        "SELECT id, primitive, owner, from_ms, to_ms, lease_end_ms, flags, renewals FROM hold "
        "INDEXED BY hold_place WHERE primitive >= ? AND primitive < ? AND deployment = ? AND to_ms "
        ">= ? AND to_ms < ? AND flags & 9 = 8 AND to_ms - from_ms <= ?"));
    for (const qint64 value :
         {qint64(bucket) * primitivesPerBucket, qint64(bucket + 1) * primitivesPerBucket,
          deployment, fromMs, toMs, longestPackedMs})
        holds.addBindValue(value);
    if (!exec(holds))
        return false;
    while (holds.next()) {
        HoldFrame frame;
        frame.primitive = holds.value(1).toLongLong();
        frame.owner = holds.value(2).toByteArray();
        frame.fromMs = holds.value(3).toLongLong();
        frame.toMs = holds.value(4).toLongLong();
        if (!holds.isNull(5))
            frame.leaseEndMs = holds.value(5).toLongLong();
        frame.flags = quint8(holds.value(6).toInt());
        frame.count = holds.value(7).toLongLong();
        holdIds.push_back(holds.value(0).toLongLong());
        primitives.insert(frame.primitive);
        frames.push_back(std::move(frame));
    }
    holds.finish();
    QSqlQuery counted(m_file.db());
    counted.prepare(QStringLiteral(
        "SELECT id, t_ms, value, code, detail FROM event INDEXED BY event_primitive WHERE "
        "primitive = ? AND t_ms >= ? AND t_ms < ? AND type = ?"));
    for (const qint64 primitive : std::as_const(primitives)) {
        for (const QVariant& value : {QVariant(primitive), QVariant(fromMs), QVariant(toMs),
                                      QVariant(int(EventType::HoldsOmitted))})
            counted.addBindValue(value);
        if (!exec(counted))
            return false;
        while (counted.next()) {
            HoldFrame frame;
            frame.primitive = primitive;
            frame.fromMs = counted.value(1).toLongLong();
            frame.toMs = std::max(frame.fromMs, counted.value(4).toLongLong());
            frame.count = counted.value(2).toLongLong();
            frame.owner = counted.value(3).toByteArray();
            frame.flags = HoldFrame::Omitted;
            eventIds.push_back(counted.value(0).toLongLong());
            frames.push_back(std::move(frame));
        }
        counted.finish();
    }
    sortFrames(frames);
    const auto remove = [&](const QString& sql, const std::vector<qint64>& ids) {
        QSqlQuery query(m_file.db());
        query.prepare(sql);
        return std::ranges::all_of(ids, [&](qint64 id) {
            query.addBindValue(id);
            return exec(query);
        });
    };
    QSqlQuery insert(m_file.db());
    insert.prepare(QStringLiteral("INSERT INTO block (deployment, stream, tier, bucket, from_ms, "
                                  "to_ms, data) VALUES (?, ?, 0, ?, ?, ?, ?)"));
    for (const QVariant& value :
         {QVariant(deployment), QVariant(int(HoldBlocks)), QVariant(bucket), QVariant(fromMs),
          QVariant(toMs), QVariant(encodeHolds(frames, fromMs))})
        insert.addBindValue(value);
    return !frames.empty() && exec(insert) &&
           remove(QStringLiteral("DELETE FROM hold WHERE id = ?"), holdIds) &&
           remove(QStringLiteral("DELETE FROM event WHERE id = ?"), eventIds);
}

} // namespace lk
