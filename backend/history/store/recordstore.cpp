// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/recordstore.h"

#include "backend/history/store/codec/serverfacts.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/history/store/recorderid.h"

#include <QSqlQuery>
#include <QVariant>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 leaseMs = 6000;
constexpr qint64 absurdLeaseMs = 60'000;      // a longer lease means that a clock was set back
constexpr qint64 extendEveryMs = 1500;        // every other write, if they are a second apart
constexpr qint64 wholeEveryMs = 600'000;      // for a bucket that changes
constexpr qint64 wholeAtLeastMs = 86'400'000; // for one that does not
constexpr qint64 findAgainMs = 60'000;        // time for this recorder to find it again, too

} // namespace

RecordStore::RecordStore(const QString& path)
    : m_file(path)
    , m_recorder(newRecorderId())
{}

RecordStore::~RecordStore() = default;

Result<void> RecordStore::open()
{
    m_live.clear();
    m_metrics.clear();
    return m_file.open(RecordFile::Access::Write);
}

bool RecordStore::exec(QSqlQuery& query)
{
    if (query.exec())
        return true;
    m_error = query.lastError();
    return false;
}

bool RecordStore::exec(const QString& sql, std::initializer_list<QVariant> values)
{
    QSqlQuery query(m_file.db());
    if (!query.prepare(sql)) {
        m_error = query.lastError();
        return false;
    }
    for (const QVariant& value : values)
        query.addBindValue(value);
    return exec(query);
}

bool RecordStore::beginTransaction()
{
    m_error = {};
    return exec(QStringLiteral("BEGIN IMMEDIATE"), {});
}

bool RecordStore::commit()
{
    return exec(QStringLiteral("COMMIT"), {});
}

// Numbers that were assigned in the transaction are void.
void RecordStore::rollback()
{
    const QSqlError why = m_error;
    exec(QStringLiteral("ROLLBACK"), {});
    m_error = why;
    m_live.clear();
    m_metrics.clear();
}

qint64 RecordStore::deployment(const RecordedDeployment& deployment)
{
    QByteArrayList names{deployment.key};
    names += deployment.aliases;
    qint64 id = 0;
    for (const QByteArray& name : names) {
        QSqlQuery query(m_file.db());
        query.prepare(QStringLiteral("SELECT deployment FROM alias WHERE alias = ?"));
        query.addBindValue(name);
        if (!exec(query))
            return 0;
        if (query.next()) {
            id = query.value(0).toLongLong();
            break;
        }
    }
    if (id == 0) {
        QSqlQuery query(m_file.db());
        query.prepare(QStringLiteral("INSERT INTO deployment (key, title) VALUES (?, ?)"));
        query.addBindValue(deployment.key);
        query.addBindValue(deployment.title);
        if (!exec(query))
            return 0;
        id = query.lastInsertId().toLongLong();
    } else if (!exec(QStringLiteral("UPDATE deployment SET title = ? WHERE id = ? AND title <> ?"),
                     {deployment.title, id, deployment.title})) {
        return 0;
    }
    for (const QByteArray& name : names) {
        if (!exec(QStringLiteral("INSERT OR IGNORE INTO alias (alias, deployment) VALUES (?, ?)"),
                  {name, id}))
            return 0;
    }
    return id;
}

bool RecordStore::claim(qint64 deployment, qint64 localMs, qint64 offsetMs, bool& worked)
{
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral(
        "UPDATE deployment SET recorder = ?, lease_until_ms = ?, offset_ms = ? WHERE id = ? AND "
        "(recorder IS NULL OR recorder = ? OR lease_until_ms < ? OR lease_until_ms > ?)"));
    for (const QVariant& value : {QVariant(m_recorder), QVariant(localMs + leaseMs),
                                  QVariant(offsetMs), QVariant(deployment), QVariant(m_recorder),
                                  QVariant(localMs), QVariant(localMs + absurdLeaseMs)})
        query.addBindValue(value);
    worked = exec(query);
    if (!worked || query.numRowsAffected() == 1)
        return worked;
    query.prepare(QStringLiteral("SELECT recorder FROM deployment WHERE id = ?"));
    query.addBindValue(deployment);
    worked = exec(query);
    const QByteArray other = worked && query.next() ? query.value(0).toByteArray() : QByteArray();
    query.finish();
    if (!isDeadRecorder(other))
        return false;
    worked = exec(QStringLiteral("UPDATE deployment SET recorder = ?, lease_until_ms = ?, "
                                 "offset_ms = ? WHERE id = ?"),
                  {m_recorder, localMs + leaseMs, offsetMs, deployment});
    return worked;
}

bool RecordStore::release(qint64 deployment, GapReason reason)
{
    const auto live = m_live.find(deployment);
    const bool ended =
        live == m_live.end() ||
        exec(QStringLiteral("UPDATE recording SET ended = ?, to_ms = max(to_ms, ?) WHERE id = ?"),
             {gapReasonId(reason), live->second.reachesMs, live->second.stretch});
    m_live.erase(deployment);
    return ended && exec(QStringLiteral("UPDATE deployment SET recorder = NULL, lease_until_ms = 0 "
                                        "WHERE id = ? AND recorder = ?"),
                         {deployment, m_recorder});
}

bool RecordStore::beginStretch(qint64 deployment, qint64 atMs)
{
    // A span of this recorder that has no end was interrupted by a failed write.
    if (!exec(QStringLiteral("UPDATE recording SET ended = ? WHERE deployment = ? AND recorder = ? "
                             "AND ended IS NULL"),
              {gapReasonId(GapReason::Disk), deployment, QString::fromUtf8(m_recorder)}))
        return false;
    // Holds that are still open are recorded again with the same begin. The others lasted as long
    // as they were recorded or until their lease ended.
    if (!exec(QStringLiteral("UPDATE hold SET flags = flags & ~9, to_ms = max(to_ms, "
                             "min(coalesce(lease_end_ms, 1 << 62), (SELECT coalesce(max(to_ms), 0) "
                             "FROM recording WHERE deployment = hold.deployment))) WHERE "
                             "deployment = ? AND flags & 1 = 1"),
              {deployment}))
        return false;
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral(
        "INSERT INTO recording (deployment, from_ms, to_ms, recorder) VALUES (?, ?, ?, ?)"));
    for (const QVariant& value : {QVariant(deployment), QVariant(atMs), QVariant(atMs),
                                  QVariant(QString::fromUtf8(m_recorder))})
        query.addBindValue(value);
    if (!exec(query))
        return false;
    Live live;
    live.stretch = query.lastInsertId().toLongLong();
    live.beganMs = live.extendedMs = atMs;
    m_live[deployment] = std::move(live);
    return exec(QStringLiteral("UPDATE finding SET flags = flags | ? WHERE deployment = ? AND "
                               "closed_ms IS NULL"),
                {leftOpen, deployment});
}

bool RecordStore::extend(qint64 deployment, qint64 atMs)
{
    Live& live = m_live[deployment];
    live.reachesMs = atMs;
    if (atMs - live.extendedMs < extendEveryMs)
        return true;
    live.extendedMs = atMs;
    if (!live.checkedLeft && atMs - live.beganMs > findAgainMs) {
        live.checkedLeft = true;
        if (!exec(QStringLiteral("UPDATE finding SET closed_ms = ? WHERE deployment = ? AND "
                                 "closed_ms IS NULL AND flags >= ?"),
                  {live.beganMs, deployment, leftOpen}))
            return false;
    }
    return exec(QStringLiteral("UPDATE recording SET to_ms = max(to_ms, ?) WHERE id = ?"),
                {atMs, live.stretch});
}

void RecordStore::forget(qint64 deployment)
{
    m_live.erase(deployment);
}

qint64 RecordStore::primitive(qint64 deployment, Live& live, const PrimitiveId& id, qint64 atMs,
                              const Primitive* known)
{
    if (id.name.isEmpty())
        return 0;
    if (const qint64 number = live.primitives.value(id))
        return number;
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral(
        "SELECT id, gone_ms FROM primitive WHERE deployment = ? AND layout = ? AND name = ?"));
    query.addBindValue(deployment);
    query.addBindValue(id.layout.text());
    query.addBindValue(id.name);
    if (!exec(query))
        return 0;
    const bool there = query.next();
    qint64 number = there ? query.value(0).toLongLong() : 0;
    const qint64 goneMs = there ? query.value(1).toLongLong() : 0; // null: 0
    query.finish();
    if (number == 0 && !known)
        return 0; // only its name is known
    if (number == 0) {
        query.prepare(QStringLiteral("INSERT INTO primitive (deployment, layout, name, kind, info, "
                                     "first_ms) VALUES (?, ?, ?, ?, ?, ?)"));
        for (const QVariant& value :
             {QVariant(deployment), QVariant(id.layout.text()), QVariant(id.name),
              QVariant(int(known->kind)), QVariant(encodePrimitive(*known)), QVariant(atMs)})
            query.addBindValue(value);
        if (!exec(query))
            return 0;
        number = query.lastInsertId().toLongLong();
    } else if (known && !exec(QStringLiteral("UPDATE primitive SET info = ?, gone_ms = NULL WHERE "
                                             "id = ? AND (info <> ? OR gone_ms IS NOT NULL)"),
                              {encodePrimitive(*known), number, encodePrimitive(*known)})) {
        return 0;
    }
    if (known && goneMs > 0 && !tellReturn(deployment, live, number, goneMs, atMs))
        return 0;
    // Data of a primitive that is gone may still arrive; its return is recorded with its state.
    if (known || goneMs == 0)
        live.primitives.insert(id, number);
    return number;
}

qint64 RecordStore::metric(const QByteArray& name)
{
    if (const qint64 number = m_metrics.value(name))
        return number;
    if (!exec(QStringLiteral("INSERT OR IGNORE INTO metric (name) VALUES (?)"), {name}))
        return 0;
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral("SELECT id FROM metric WHERE name = ?"));
    query.addBindValue(name);
    if (!exec(query) || !query.next())
        return 0;
    const qint64 number = query.value(0).toLongLong();
    m_metrics.insert(name, number);
    return number;
}

bool RecordStore::write(qint64 deployment, const RecordBatch& batch)
{
    Live& live = m_live[deployment];
    if (batch.server && !exec(QStringLiteral("INSERT OR REPLACE INTO server (deployment, t_ms, "
                                             "facts) VALUES (?, ?, ?)"),
                              {deployment, batch.atMs, encodeServer(*batch.server, batch.scan)}))
        return false;
    if (!writeStates(deployment, live, batch) || !writeHolds(deployment, live, batch) ||
        !writeFindings(deployment, live, batch) || !writeEvents(deployment, live, batch))
        return false;
    // The writes above needed the numbers of primitives that are gone; they are no longer needed.
    for (const RecordedState& told : batch.states) {
        if (!told.state)
            live.primitives.remove(recordedId(*told.primitive));
    }
    return true;
}

bool RecordStore::writeStates(qint64 deployment, Live& live, const RecordBatch& batch)
{
    for (const RecordedState& told : batch.states) {
        const PrimitiveId id = recordedId(*told.primitive);
        const qint64 number = primitive(deployment, live, id, told.atMs, told.primitive.get());
        if (number == 0)
            return false;
        Bucket& bucket = live.buckets[bucketOf(number)];
        if (bucket.dueMs == 0) // spreads the buckets over different seconds
            bucket.dueMs = live.beganMs + wholeEveryMs + bucketOf(number) * 7 % 600 * 1000;
        if (!told.state) {
            if (bucket.states.erase(number) == 0)
                continue;
            bucket.changed = true;
            live.states.push_back({number, told.atMs, {}});
            if (!exec(QStringLiteral("UPDATE primitive SET gone_ms = ? WHERE id = ?"),
                      {told.vanishedMs > 0 ? told.vanishedMs : told.atMs, number}))
                return false;
            continue;
        }
        QByteArray encoded = encodeState(*told.state);
        QByteArray& last = bucket.states[number];
        if (last == encoded)
            continue;
        bucket.changed = true;
        last = encoded;
        // A state that was read before the recording began is still valid when it begins.
        live.states.push_back({number, std::max(told.atMs, live.beganMs), std::move(encoded)});
    }
    for (const RecordedSample& sample : batch.samples) {
        const qint64 number = primitive(deployment, live, sample.primitive, sample.tMs, nullptr);
        const qint64 of = metric(sample.metric);
        if (of == 0 || m_error.isValid())
            return false;
        if (number == 0)
            continue;
        const double value = sample.value;
        const qint64 tMs = std::max(sample.tMs, live.beganMs); // as for a state
        live.samples.push_back({number, of, {tMs, value, value, value, value}});
    }
    return true;
}

bool RecordStore::writeBlock(qint64 deployment, int stream, int tier, int bucket, qint64 fromMs,
                             qint64 toMs, const QByteArray& data)
{
    return exec(QStringLiteral("INSERT INTO block (deployment, stream, tier, bucket, from_ms, "
                               "to_ms, data) VALUES (?, ?, ?, ?, ?, ?, ?)"),
                {deployment, stream, tier, bucket, fromMs, toMs, data});
}

bool RecordStore::writeBlocks(qint64 deployment, qint64 atMs)
{
    Live& live = m_live[deployment];
    const auto writeAll = [&](auto& frames, int stream, auto timeOf) {
        if (frames.empty())
            return true;
        sortFrames(frames);
        const auto [first, last] =
            std::minmax_element(frames.begin(), frames.end(), [&](const auto& a, const auto& b) {
                return timeOf(a) < timeOf(b);
            });
        const qint64 fromMs = timeOf(*first);
        const bool written =
            writeBlock(deployment, stream, secondsTier, everyBucket, fromMs, timeOf(*last),
                       encodeBlock(std::span(std::as_const(frames)), fromMs));
        frames.clear();
        return written;
    };
    if (!writeAll(live.states, StateBlocks, [](const StateFrame& f) { return f.tMs; }) ||
        !writeAll(live.samples, SampleBlocks, [](const SampleFrame& f) { return f.point.tMs; }))
        return false;
    for (auto& [number, bucket] : live.buckets) {
        if (bucket.dueMs <= atMs && !writeBucket(deployment, number, bucket, atMs))
            return false;
    }
    std::erase_if(live.buckets, [](const auto& item) { return item.second.states.empty(); });
    return true;
}

bool RecordStore::writeBucket(qint64 deployment, int number, Bucket& bucket, qint64 atMs)
{
    if (!bucket.changed && atMs - bucket.dueMs < wholeAtLeastMs - wholeEveryMs)
        return true;
    bucket.changed = false;
    bucket.dueMs = atMs + wholeEveryMs;
    std::vector<StateFrame> frames;
    for (const auto& [primitive, state] : bucket.states)
        frames.push_back({primitive, atMs, state});
    return frames.empty() || writeBlock(deployment, WholeBuckets, 0, number, atMs, atMs,
                                        encodeBlock(std::span(std::as_const(frames)), atMs));
}

} // namespace lk
