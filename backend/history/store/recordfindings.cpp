// SPDX-License-Identifier: GPL-3.0-or-later
// How a RecordStore keeps findings: when each was opened and closed, across recorders.
#include "backend/history/store/recordstore.h"

#include <QSqlQuery>
#include <QVariant>

namespace lk {

namespace {

RecordedEvent findingEvent(const FindingChange& change, qint64 openedMs)
{
    const Finding& f = change.finding.finding;
    RecordedEvent event;
    event.tMs = change.closedMs.value_or(openedMs);
    event.type = change.closedMs ? EventType::FindingClosed : EventType::FindingOpened;
    event.primitive = change.finding.primitive;
    event.code = f.code;
    event.severity = f.severity;
    event.text = f.message;
    event.value = change.closedMs ? double(*change.closedMs - openedMs) : 0;
    return event;
}

} // namespace

bool RecordStore::writeFindings(qint64 deployment, Live& live, const RecordBatch& batch)
{
    for (const FindingChange& change : batch.findings) {
        const Finding& f = change.finding.finding;
        const qint64 number =
            primitive(deployment, live, change.finding.primitive, change.finding.sinceMs, nullptr);
        if (m_error.isValid())
            return false;
        if (change.closedMs) {
            if (!closeFinding(deployment, live, change))
                return false;
            continue;
        }
        // A finding that was open when the last recorder ended is continued.
        QSqlQuery again(m_file.db());
        again.prepare(QStringLiteral("UPDATE finding SET flags = ? WHERE deployment = ? AND "
                                     "code = ? AND name IS ? AND key IS ? AND closed_ms IS NULL "
                                     "AND flags >= ?"));
        const int flags = (f.silenced ? 1 : 0) | (f.group ? 2 : 0) | (f.ofServer ? 4 : 0);
        for (const QVariant& value : {QVariant(flags), QVariant(deployment), QVariant(f.code),
                                      QVariant(f.name), QVariant(f.key), QVariant(leftOpen)})
            again.addBindValue(value);
        if (!exec(again))
            return false;
        if (again.numRowsAffected() > 0)
            continue;
        if (!exec(QStringLiteral("INSERT INTO finding (deployment, primitive, code, name, key, "
                                 "severity, kind, flags, message, action, opened_ms) VALUES (?, ?, "
                                 "?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                  {deployment, number > 0 ? QVariant(number) : QVariant(), f.code, f.name, f.key,
                   int(f.severity), int(f.kind), flags, f.message, f.action,
                   change.finding.sinceMs}) ||
            !writeEvent(deployment, live, findingEvent(change, change.finding.sinceMs)))
            return false;
    }
    return true;
}

bool RecordStore::closeFinding(qint64 deployment, Live& live, const FindingChange& change)
{
    const Finding& f = change.finding.finding;
    QSqlQuery query(m_file.db());
    query.prepare(QStringLiteral("SELECT id, opened_ms FROM finding WHERE deployment = ? AND "
                                 "code = ? AND name IS ? AND key IS ? AND closed_ms IS NULL"));
    for (const QVariant& value :
         {QVariant(deployment), QVariant(f.code), QVariant(f.name), QVariant(f.key)})
        query.addBindValue(value);
    if (!exec(query))
        return false;
    if (!query.next())
        return true;
    const qint64 id = query.value(0).toLongLong();
    const qint64 openedMs = query.value(1).toLongLong();
    query.finish();
    return exec(QStringLiteral("UPDATE finding SET closed_ms = ? WHERE id = ?"),
                {*change.closedMs, id}) &&
           writeEvent(deployment, live, findingEvent(change, openedMs));
}

} // namespace lk
