// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/firstseenstore.h"

#include "backend/history/recordqueries.h"
#include "backend/history/store/recordfile.h"

#include <QSqlQuery>
#include <QVariant>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostPastHolds = 50'000;
constexpr int mostPrimitives = 100'000; // whose age is loaded

} // namespace

FirstSeenStore::FirstSeenStore(QString path, QString endpoint)
    : m_file(std::make_unique<RecordFile>(std::move(path)))
    , m_endpoint(std::move(endpoint))
{}

FirstSeenStore::~FirstSeenStore() = default;

void FirstSeenStore::tell(const Error& error)
{
    if (!std::exchange(m_failed, true))
        emit failed(error);
}

bool FirstSeenStore::open()
{
    if (m_file->isOpen())
        return true;
    const Result<void> opened = m_file->open(RecordFile::Access::Write);
    if (!opened) {
        m_file->close();
        tell(opened.error());
    } else if (!m_file->setAside().isEmpty()) {
        emit failed(
            {ErrorCode::FileError,
             tr("%1 was corrupt and was renamed to %2").arg(m_file->path(), m_file->setAside())});
    }
    return opened.has_value();
}

void FirstSeenStore::loadRecorded(const QByteArrayList& names)
{
    RecordQueries queries(m_file->path());
    if (!queries.open())
        return;
    const QByteArray deployment = queries.find(names);
    if (deployment.isEmpty())
        return;
    emit holdsLoaded(queries.openHolds(deployment));
    emit agesLoaded(queries.ages(deployment, mostPrimitives));
    emit pastHoldsLoaded(queries.lastHolds(deployment, mostPastHolds));
}

void FirstSeenStore::load()
{
    std::vector<FirstSeenRecord> firstSeen;
    if (open()) {
        QSqlQuery query(m_file->db());
        query.prepare(QStringLiteral(
            "SELECT queue, fingerprint, first_seen_ms FROM first_seen WHERE endpoint = ?"));
        query.addBindValue(m_endpoint);
        query.exec();
        while (query.next()) {
            firstSeen.push_back({query.value(0).toByteArray(), quint64(query.value(1).toLongLong()),
                                 query.value(2).toLongLong()});
        }
    }
    emit loaded(firstSeen);
}

void FirstSeenStore::save(const std::vector<FirstSeenRecord>& firstSeen)
{
    if (!open())
        return;
    QSqlQuery clear(m_file->db());
    clear.prepare(QStringLiteral("DELETE FROM first_seen WHERE endpoint = ?"));
    clear.addBindValue(m_endpoint);
    replace(clear, firstSeen);
}

void FirstSeenStore::saveQueue(const QByteArray& queue,
                               const std::vector<FirstSeenRecord>& firstSeen)
{
    if (!open())
        return;
    QSqlQuery clear(m_file->db());
    clear.prepare(QStringLiteral("DELETE FROM first_seen WHERE endpoint = ? AND queue = ?"));
    clear.addBindValue(m_endpoint);
    clear.addBindValue(queue);
    std::vector<FirstSeenRecord> own;
    std::copy_if(firstSeen.begin(), firstSeen.end(), std::back_inserter(own),
                 [&](const FirstSeenRecord& record) { return record.queue == queue; });
    replace(clear, own);
}

void FirstSeenStore::replace(QSqlQuery& clear, const std::vector<FirstSeenRecord>& firstSeen)
{
    QSqlDatabase& db = m_file->db();
    db.transaction();
    bool ok = clear.exec();
    QSqlQuery insert(db);
    insert.prepare(QStringLiteral("INSERT OR REPLACE INTO first_seen VALUES (?, ?, ?, ?)"));
    for (const FirstSeenRecord& record : firstSeen) {
        insert.bindValue(0, m_endpoint);
        insert.bindValue(1, record.queue);
        insert.bindValue(2, qint64(record.fingerprint));
        insert.bindValue(3, record.firstSeenMs);
        ok = ok && insert.exec();
    }
    if (!ok || !db.commit()) {
        const QSqlError error = clear.lastError().isValid()    ? clear.lastError()
                                : insert.lastError().isValid() ? insert.lastError()
                                                               : db.lastError();
        db.rollback();
        tell(m_file->errorOf(error));
        return;
    }
    m_failed = false;
}

} // namespace lk
