// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/recordfile.h"

#include "backend/history/historypath.h"
#include "backend/history/store/schema.h"
#include "backend/platform/files.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QUrl>
#include <QUuid>

#include <algorithm>
#include <iterator>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::RecordFile)
};

// Suffixes of the files that SQLite keeps beside a file in use.
constexpr const char* besides[] = {"-wal", "-shm"};

void makePrivate(const QString& path)
{
    const QFileInfo info(path);
    QDir().mkpath(info.absolutePath());
    QFile file(path);
    if (!file.exists() && file.open(QIODevice::WriteOnly))
        file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
}

// Returns true if the folder is not writable and no program has the file open. SQLite would have to
// create its files beside it even to read.
bool liesStill(const QString& path)
{
    const QFileInfo info(path);
    return !QFileInfo(info.absolutePath()).isWritable() &&
           std::none_of(std::begin(besides), std::end(besides), [&](const char* beside) {
               return QFileInfo::exists(path + QLatin1String(beside));
           });
}

} // namespace

QString historyPath()
{
    // QStandardPaths supports it from Qt 6.7 on.
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (state.isEmpty() || !QDir::isAbsolutePath(state))
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/lockkeeper/history.db");
}

RecordFile::RecordFile(QString path)
    : m_path(std::move(path))
    , m_connection(QUuid::createUuid().toString())
{}

RecordFile::~RecordFile()
{
    close();
}

void RecordFile::close()
{
    m_db = {};
    if (QSqlDatabase::contains(m_connection))
        QSqlDatabase::removeDatabase(m_connection);
}

Result<void> RecordFile::open(Access access)
{
    Result<void> opened = connect(access);
    if (opened || access == Access::Read || m_schema > recordingSchema || !looksBroken())
        return opened;
    // The file's header shows that it is not a recording or is damaged.
    close();
    putAside();
    return connect(access);
}

Result<void> RecordFile::connect(Access access)
{
    const bool writes = access == Access::Write;
    close();
    if (writes)
        makePrivate(m_path);
    else if (!QFileInfo::exists(m_path))
        return failure(ErrorCode::FileError, Text::tr("%1: no recording found").arg(m_path));
    m_db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    m_db.setDatabaseName(m_path);
    m_db.setConnectOptions(writes
                               ? QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000")
                               : QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000;QSQLITE_OPEN_READONLY"));
    if (!writes && liesStill(m_path)) {
        const QUrl file = QUrl::fromLocalFile(QFileInfo(m_path).absoluteFilePath());
        m_db.setDatabaseName(file.toString(QUrl::FullyEncoded) + QStringLiteral("?immutable=1"));
        m_db.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI"));
    }
    if (!m_db.open())
        return tl::unexpected(errorOf(m_db.lastError()));
    const Result<int> schema = schemaOf(m_db);
    if (!schema)
        return tl::unexpected(schema.error());
    m_schema = *schema;
    m_identity = fileIdentity(m_path);
    if (!writes)
        return {};
    if (*schema > recordingSchema)
        return failure(ErrorCode::FileError,
                       Text::tr("%1 was written by another version of Lockkeeper; opened read-only")
                           .arg(m_path));
    QSqlQuery query(m_db);
    // These apply only to a file without tables. The file shrinks in steps as old blocks are
    // deleted. Blocks have one to twenty kilobytes; larger pages would leave more space unused.
    if (*schema == 0) {
        query.exec(QStringLiteral("PRAGMA page_size = 2048"));
        query.exec(QStringLiteral("PRAGMA auto_vacuum = INCREMENTAL"));
    }
    for (const char* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
                               "PRAGMA journal_size_limit = 16777216", "PRAGMA cache_size = -8192",
                               "PRAGMA temp_store = MEMORY"}) {
        if (!query.exec(QLatin1String(pragma)))
            return tl::unexpected(errorOf(query.lastError()));
    }
    query.finish();
    if (const Result<void> made = makeSchema(m_db); !made)
        return made;
    m_schema = recordingSchema;
    return {};
}

bool RecordFile::looksBroken()
{
    QSqlQuery query(m_db);
    return m_db.isOpen() && !query.exec(QStringLiteral("SELECT count(*) FROM sqlite_master")) &&
           isBroken(query.lastError());
}

bool RecordFile::isInPlace() const
{
    return fileIdentity(m_path) == m_identity;
}

void RecordFile::putAside(quint64 identity)
{
    if (identity != 0 && fileIdentity(m_path) == identity)
        putAside();
}

void RecordFile::noteDamage(const QSqlError& error)
{
    if (!m_damage && isBroken(error))
        m_damage = errorOf(error);
}

void RecordFile::putAside()
{
    m_setAside = m_path + QStringLiteral(".broken-") +
                 QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMddThhmmsszzz"));
    QFile::rename(m_path, m_setAside);
    for (const char* end : besides) {
        QFile::remove(m_setAside + QLatin1String(end));
        QFile::rename(m_path + QLatin1String(end), m_setAside + QLatin1String(end));
    }
}

qint64 RecordFile::bytes() const
{
    qint64 bytes = QFileInfo(m_path).size();
    for (const char* end : besides)
        bytes += QFileInfo(m_path + QLatin1String(end)).size();
    return bytes;
}

Error RecordFile::errorOf(const QSqlError& error) const
{
    const QString text =
        error.driverText().isEmpty() ? error.databaseText()
        : error.databaseText().isEmpty()
            ? error.driverText()
            : QStringLiteral("%1 (%2)").arg(error.databaseText(), error.driverText());
    return {ErrorCode::FileError, QStringLiteral("%1: %2").arg(m_path, text)};
}

bool RecordFile::isBroken(const QSqlError& error)
{
    const int code = error.nativeErrorCode().toInt() & 0xff;
    return code == 11 || code == 26; // SQLITE_CORRUPT, SQLITE_NOTADB
}

} // namespace lk
