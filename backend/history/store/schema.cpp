// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/schema.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

namespace lk {

namespace {

constexpr const char* statements[] = {
    // The recorded deployments and their current recorders. offset_ms: by how much the server's
    // clock is ahead of this machine's; all times are the server's.
    "CREATE TABLE deployment (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, "
    "title TEXT NOT NULL, recorder TEXT, lease_until_ms INTEGER NOT NULL DEFAULT 0, "
    "offset_ms INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE alias (alias BLOB PRIMARY KEY, deployment INTEGER NOT NULL) WITHOUT ROWID",
    // The spans in which a program recorded; the time between them is a gap.
    "CREATE TABLE recording (id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, "
    "from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, recorder TEXT NOT NULL, ended BLOB)",
    "CREATE INDEX recording_place ON recording (deployment, from_ms)",
    "CREATE TABLE primitive (id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, "
    "layout BLOB NOT NULL, name BLOB NOT NULL, kind INTEGER NOT NULL, info BLOB NOT NULL, "
    "first_ms INTEGER NOT NULL, gone_ms INTEGER, UNIQUE (deployment, layout, name))",
    "CREATE INDEX primitive_gone ON primitive (gone_ms) WHERE gone_ms IS NOT NULL",
    "CREATE TABLE metric (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE)",
    // stream: 0 states, 1 samples, 2 whole buckets, 3 holds. tier: -1 one second of all buckets,
    // others as in Retention.
    "CREATE TABLE block (id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, "
    "stream INTEGER NOT NULL, tier INTEGER NOT NULL, bucket INTEGER NOT NULL, "
    "from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE INDEX block_place ON block (deployment, stream, tier, bucket, from_ms, to_ms)",
    "CREATE INDEX block_age ON block (deployment, stream, tier, from_ms)",
    "CREATE TABLE event (id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, "
    "t_ms INTEGER NOT NULL, type INTEGER NOT NULL, primitive INTEGER, severity INTEGER NOT NULL, "
    "code BLOB, who TEXT, text TEXT, detail TEXT, ref BLOB, value REAL)",
    "CREATE INDEX event_time ON event (deployment, t_ms)",
    "CREATE INDEX event_primitive ON event (primitive, t_ms) WHERE primitive IS NOT NULL",
    "CREATE TABLE hold (id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, "
    "primitive INTEGER NOT NULL, owner BLOB, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, "
    "lease_end_ms INTEGER, flags INTEGER NOT NULL, renewals INTEGER NOT NULL)",
    "CREATE UNIQUE INDEX hold_place ON hold (primitive, from_ms, owner)",
    "CREATE INDEX hold_age ON hold (deployment, to_ms)",
    "CREATE TABLE finding (id INTEGER PRIMARY KEY, deployment INTEGER NOT NULL, "
    "primitive INTEGER, code BLOB NOT NULL, name BLOB, key BLOB, severity INTEGER NOT NULL, "
    "kind INTEGER NOT NULL, flags INTEGER NOT NULL, message TEXT, action BLOB, "
    "opened_ms INTEGER NOT NULL, closed_ms INTEGER)",
    "CREATE INDEX finding_place ON finding (deployment, opened_ms)",
    "CREATE INDEX finding_open ON finding (deployment, code) WHERE closed_ms IS NULL",
    // When each job was first seen in processing, because jobs in a list have no time of their own.
    "CREATE TABLE first_seen (endpoint TEXT NOT NULL, queue BLOB NOT NULL, "
    "fingerprint INTEGER NOT NULL, first_seen_ms INTEGER NOT NULL, "
    "PRIMARY KEY (endpoint, queue, fingerprint)) WITHOUT ROWID",
    // Finds open holds when a console begins to watch.
    "CREATE INDEX hold_open ON hold (deployment) WHERE flags & 1 = 1",
    // Facts of the server and counts of the scan at a time.
    "CREATE TABLE server (deployment INTEGER NOT NULL, t_ms INTEGER NOT NULL, "
    "facts BLOB NOT NULL, PRIMARY KEY (deployment, t_ms)) WITHOUT ROWID"};

tl::unexpected<Error> failed(const QSqlDatabase& db, const QSqlError& error)
{
    return failure(ErrorCode::FileError,
                   QStringLiteral("%1: %2").arg(db.databaseName(), error.text()));
}

Result<void> exec(QSqlDatabase& db, const QString& sql)
{
    QSqlQuery query(db);
    if (!query.exec(sql))
        return failed(db, query.lastError());
    return {};
}

} // namespace

Result<int> schemaOf(const QSqlDatabase& db)
{
    QSqlQuery query(db);
    if (!query.exec(QStringLiteral("PRAGMA user_version")) || !query.next())
        return failed(db, query.lastError());
    return query.value(0).toInt();
}

Result<void> makeSchema(QSqlDatabase& db)
{
    // Another program may be creating the tables; checks again under the lock.
    if (const Result<void> begun = exec(db, QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun;
    const Result<int> at = schemaOf(db);
    if (!at || *at > 0) {
        const Result<void> ended = exec(db, QStringLiteral("ROLLBACK"));
        return at ? ended : tl::unexpected(at.error());
    }
    Result<void> done;
    for (const char* sql : statements) {
        if (done)
            done = exec(db, QLatin1String(sql));
    }
    if (done)
        done = exec(db, QStringLiteral("PRAGMA user_version = %1").arg(recordingSchema));
    if (done)
        done = exec(db, QStringLiteral("COMMIT"));
    if (!done)
        (void)exec(db, QStringLiteral("ROLLBACK"));
    return done;
}

} // namespace lk
