// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/store/alertdatabase.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace lk {

namespace {

struct AlertDatabaseText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Alert)
};

constexpr const char* statements[] = {
    "CREATE TABLE alert (id TEXT PRIMARY KEY, deployment TEXT NOT NULL, "
    "rule BLOB NOT NULL, severity INTEGER NOT NULL, kind INTEGER, layout BLOB NOT NULL, "
    "primitive BLOB NOT NULL, name BLOB NOT NULL, text TEXT NOT NULL, since_ms INTEGER NOT "
    "NULL, "
    "fired_ms INTEGER NOT NULL, resolved_ms INTEGER NOT NULL DEFAULT 0, "
    "acknowledged_ms INTEGER NOT NULL DEFAULT 0, acknowledged_by TEXT NOT NULL DEFAULT '')",
    "CREATE INDEX alert_time ON alert (deployment, resolved_ms)",
    "CREATE TABLE told (alert TEXT NOT NULL, target TEXT NOT NULL, "
    "PRIMARY KEY (alert, target)) WITHOUT ROWID",
    "CREATE TABLE silence (id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "deployment TEXT NOT NULL, rule BLOB NOT NULL, match BLOB NOT NULL, until_ms INTEGER NOT "
    "NULL, "
    "at_ms INTEGER NOT NULL, by_whom TEXT NOT NULL, reason TEXT NOT NULL)",
    // state: 0 queued, 1 delivered, 2 given up.
    "CREATE TABLE outbox (id TEXT PRIMARY KEY, deployment TEXT NOT NULL, "
    "target TEXT NOT NULL, body BLOB NOT NULL, at_ms INTEGER NOT NULL, state INTEGER NOT NULL, "
    "attempts INTEGER NOT NULL, next_ms INTEGER NOT NULL, claimed_by TEXT NOT NULL, "
    "claimed_until_ms INTEGER NOT NULL, problem TEXT NOT NULL, done_ms INTEGER NOT NULL)",
    "CREATE INDEX outbox_due ON outbox (deployment, state, next_ms)",
    // One deployment is entered by several names, as in the recording; what was kept by an
    // endpoint is found by it until it is known which deployment that is.
    "CREATE TABLE alias (alias TEXT PRIMARY KEY, deployment TEXT NOT NULL) WITHOUT ROWID"};

} // namespace

AlertDatabase::AlertDatabase(QString path)
    : m_path(std::move(path))
    , m_name(QUuid::createUuid().toString())
{}

AlertDatabase::~AlertDatabase()
{
    QSqlDatabase::removeDatabase(m_name);
}

tl::unexpected<Error> AlertDatabase::failed(const QString& why) const
{
    return failure(ErrorCode::FileError, QStringLiteral("%1: %2").arg(m_path, why));
}

Result<void> AlertDatabase::open()
{
    QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    const Result<void> opened = openFile();
    if (opened)
        return opened;
    QSqlDatabase db = connection();
    db.close();
    db.setDatabaseName(QStringLiteral(":memory:"));
    db.open();
    if (const Result<void> made = makeTables(); !made)
        return made;
    return opened;
}

Result<void> AlertDatabase::openFile()
{
    QDir().mkpath(QFileInfo(m_path).absolutePath());
    QFile file(m_path);
    if (!file.open(QIODevice::ReadWrite))
        return failed(file.errorString());
    file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    QSqlDatabase db = connection();
    db.setDatabaseName(m_path);
    db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    if (!db.open())
        return failed(db.lastError().text());
    const Result<int> found = schema();
    if (!found)
        return tl::unexpected(found.error());
    if (*found != 0 && *found != alertSchema)
        return failed(AlertDatabaseText::tr("was written by another version of Lockkeeper; move it "
                                            "away or use that version"));
    if (const auto wal = run("PRAGMA journal_mode = WAL"); !wal)
        return tl::unexpected(wal.error());
    if (const auto durable = run("PRAGMA synchronous = FULL"); !durable)
        return tl::unexpected(durable.error());
    return makeTables();
}

Result<int> AlertDatabase::schema() const
{
    Result<QSqlQuery> version = run("PRAGMA user_version");
    if (!version)
        return tl::unexpected(version.error());
    return version->next() ? version->value(0).toInt() : 0;
}

Result<void> AlertDatabase::makeTables()
{
    // Another program may be at it: who has the lock sees what is still to be done.
    return whole([this]() -> Result<void> {
        const Result<int> found = schema();
        if (!found || *found > 0)
            return found ? Result<void>() : tl::unexpected(found.error());
        for (const char* sql : statements) {
            if (const auto made = run(sql); !made)
                return tl::unexpected(made.error());
        }
        const QByteArray version = "PRAGMA user_version = " + QByteArray::number(alertSchema);
        const auto set = run(version.constData());
        return set ? Result<void>() : Result<void>(tl::unexpected(set.error()));
    });
}

Result<QSqlQuery> AlertDatabase::run(const char* statement, const QVariantList& values) const
{
    QSqlQuery query(connection());
    query.setForwardOnly(true);
    if (!query.prepare(QLatin1String(statement)))
        return failed(query.lastError().text());
    for (const QVariant& value : values)
        query.addBindValue(value);
    if (!query.exec())
        return failed(query.lastError().text());
    return query;
}

Result<void> AlertDatabase::whole(const std::function<Result<void>()>& work) const
{
    // IMMEDIATE: two programs that read first and then write would refuse each other.
    if (const auto begun = run("BEGIN IMMEDIATE"); !begun)
        return tl::unexpected(begun.error());
    Result<void> done = work();
    if (done) {
        if (const auto committed = run("COMMIT"); !committed)
            done = tl::unexpected(committed.error());
    }
    if (!done)
        (void)run("ROLLBACK");
    return done;
}

bool AlertDatabase::isChangedByOthers()
{
    Result<QSqlQuery> query = run("PRAGMA data_version");
    if (!query || !query->next())
        return false;
    const qint64 version = query->value(0).toLongLong();
    return std::exchange(m_version, version) != version;
}

} // namespace lk
