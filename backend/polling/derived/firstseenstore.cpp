// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/firstseenstore.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace lk {

QString firstSeenPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/firstseen.db");
}

FirstSeenStore::FirstSeenStore(QString path, QString endpoint)
    : m_path(std::move(path))
    , m_endpoint(std::move(endpoint))
    , m_connectionName(QUuid::createUuid().toString())
{}

FirstSeenStore::~FirstSeenStore()
{
    if (QSqlDatabase::contains(m_connectionName))
        QSqlDatabase::removeDatabase(m_connectionName);
}

bool FirstSeenStore::open()
{
    if (QSqlDatabase::contains(m_connectionName))
        return QSqlDatabase::database(m_connectionName).isOpen();
    QDir().mkpath(QFileInfo(m_path).absolutePath());
    QFile file(m_path);
    if (!file.exists() && file.open(QIODevice::WriteOnly))
        file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);

    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connectionName);
    db.setDatabaseName(m_path);
    db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
    if (!db.open())
        return fail(db.lastError());
    QSqlQuery query(db);
    if (!query.exec(QStringLiteral(
            "CREATE TABLE IF NOT EXISTS first_seen (endpoint TEXT NOT NULL, queue BLOB NOT NULL, "
            "fingerprint INTEGER NOT NULL, first_seen_ms INTEGER NOT NULL, "
            "PRIMARY KEY (endpoint, queue, fingerprint)) WITHOUT ROWID")))
        return fail(query.lastError());
    return true;
}

bool FirstSeenStore::fail(const QSqlError& error)
{
    emit failed({ErrorCode::FileError, QStringLiteral("%1: %2").arg(m_path, error.text())});
    return false;
}

void FirstSeenStore::load()
{
    std::vector<FirstSeenRecord> firstSeen;
    if (open()) {
        QSqlQuery query(QSqlDatabase::database(m_connectionName));
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
    QSqlQuery clear(QSqlDatabase::database(m_connectionName));
    clear.prepare(QStringLiteral("DELETE FROM first_seen WHERE endpoint = ?"));
    clear.addBindValue(m_endpoint);
    replace(clear, firstSeen);
}

void FirstSeenStore::saveQueue(const QByteArray& queue,
                               const std::vector<FirstSeenRecord>& firstSeen)
{
    if (!open())
        return;
    QSqlQuery clear(QSqlDatabase::database(m_connectionName));
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
    QSqlDatabase db = QSqlDatabase::database(m_connectionName);
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
        fail(error);
    }
}

} // namespace lk
