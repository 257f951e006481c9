// SPDX-License-Identifier: GPL-3.0-or-later
// How a RecordStore keeps events and holds.
#include "backend/history/store/codec/holdcodec.h"
#include "backend/history/store/recordstore.h"

#include <QSqlQuery>
#include <QVariant>

#include <algorithm>

namespace lk {

// The times when a primitive was first and last seen are in its row; returns in between are events.
bool RecordStore::tellReturn(qint64 deployment, Live& live, qint64 primitive, qint64 goneMs,
                             qint64 atMs)
{
    if (atMs <= goneMs || !live.returns.take(atMs))
        return true;
    RecordedEvent gone;
    gone.type = EventType::PrimitiveGone;
    gone.tMs = goneMs;
    RecordedEvent again;
    again.type = EventType::PrimitiveSeen;
    again.tMs = atMs;
    again.code = eventCodeId(EventCode::Again);
    return insertEvent(deployment, primitive, gone) && insertEvent(deployment, primitive, again);
}

bool RecordStore::writeEvent(qint64 deployment, Live& live, const RecordedEvent& event)
{
    const qint64 number = primitive(deployment, live, event.primitive, event.tMs, nullptr);
    return !m_error.isValid() && insertEvent(deployment, number, event);
}

// The journal is read from its beginning whenever a program begins to record, and each program that
// receives an alert may report it.
bool RecordStore::isRecorded(qint64 deployment, const RecordedEvent& event, bool& told)
{
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral(
        "SELECT 1 FROM event WHERE deployment = ? AND t_ms = ? AND type = ? AND ref = ?"));
    for (const QVariant& value : {QVariant(deployment), QVariant(event.tMs),
                                  QVariant(int(event.type)), QVariant(event.ref)})
        query.addBindValue(value);
    if (!exec(query))
        return false;
    told = query.next();
    return true;
}

bool RecordStore::insertEvent(qint64 deployment, qint64 primitive, const RecordedEvent& event)
{
    bool told = false;
    if (!event.ref.isEmpty() && !isRecorded(deployment, event, told))
        return false;
    if (told)
        return true;
    return exec(QStringLiteral("INSERT INTO event (deployment, t_ms, type, primitive, severity, "
                               "code, who, text, detail, ref, value) VALUES (?, ?, ?, ?, ?, ?, ?, "
                               "?, ?, ?, ?)"),
                {deployment, event.tMs, int(event.type),
                 primitive > 0 ? QVariant(primitive) : QVariant(), int(event.severity), event.code,
                 event.who, event.text, event.detail, event.ref, event.value});
}

bool RecordStore::writeEvents(qint64 deployment, Live& live, const RecordBatch& batch)
{
    return std::all_of(batch.events.begin(), batch.events.end(), [&](const RecordedEvent& event) {
        return writeEvent(deployment, live, event);
    });
}

bool RecordStore::writeHolds(qint64 deployment, Live& live, const RecordBatch& batch)
{
    for (const RecordedHold& hold : batch.holds) {
        const qint64 number = primitive(deployment, live, hold.primitive, hold.fromMs, nullptr);
        if (m_error.isValid())
            return false;
        using Frame = HoldFrame;
        const int flags =
            (hold.open ? Frame::Open : 0) | (hold.noTtl ? Frame::NoTtl : 0) |
            (hold.fromKnown ? Frame::FromKnown : 0) | (hold.endKnown ? Frame::EndKnown : 0) |
            (hold.takenOver ? Frame::TakenOver : 0) | (hold.shared ? Frame::Shared : 0);
        const QByteArray owner = hold.owner.isNull() ? QByteArray("") : hold.owner; // never NULL
        const QVariant leaseEnd = hold.leaseEndMs ? QVariant(*hold.leaseEndMs) : QVariant();
        if (number > 0 &&
            !exec(QStringLiteral("INSERT INTO hold (deployment, primitive, owner, from_ms, to_ms, "
                                 "lease_end_ms, flags, renewals) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                                 "ON CONFLICT (primitive, from_ms, owner) DO UPDATE SET to_ms = "
                                 "excluded.to_ms, lease_end_ms = excluded.lease_end_ms, flags = "
                                 "excluded.flags, renewals = excluded.renewals"),
                  {deployment, number, owner, hold.fromMs, hold.toMs, leaseEnd, flags,
                   hold.renewals}))
            return false;
    }
    return true;
}

} // namespace lk
