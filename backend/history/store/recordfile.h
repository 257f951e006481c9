// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QSqlDatabase>
#include <QSqlError>

#include <optional>

namespace lk {

/// A connection to the file, for the thread that created it. The destructor closes it.
class RecordFile
{
public:
    enum class Access : quint8 { Read, Write };

    explicit RecordFile(QString path);
    ~RecordFile();
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    /// Write: creates the folder, the file and the tables if they are missing. Renames a file that
    /// is broken or not a database; setAside() returns its new name. Fails if the schema is newer:
    /// such a file can only be read. Read: creates nothing.
    Result<void> open(Access access);
    void close();
    bool isOpen() const { return m_db.isOpen(); }

    QSqlDatabase& db() { return m_db; }
    const QString& path() const { return m_path; }
    const QString& setAside() const { return m_setAside; }
    int schema() const { return m_schema; }
    /// Returns the size on disk, including the files that SQLite keeps beside it.
    qint64 bytes() const;

    /// Identifies the file that was opened, because another program may have put it aside since; 0
    /// if none.
    quint64 identity() const { return m_identity; }
    /// Returns true if the path still names the opened file.
    bool isInPlace() const;
    /// Renames the file if it has that identity, after it was found to be broken in use.
    void putAside(quint64 identity);
    /// Keeps the error if it means that the file is broken.
    void noteDamage(const QSqlError& error);
    /// The noted error, if any: data read since may be incomplete.
    const std::optional<Error>& damage() const { return m_damage; }

    Error errorOf(const QSqlError& error) const;
    /// Returns true if the error means that the file itself is broken and must be replaced.
    static bool isBroken(const QSqlError& error);

private:
    Result<void> connect(Access access);
    bool looksBroken();
    void putAside();

    QString m_path;
    QString m_connection;
    QString m_setAside;
    quint64 m_identity = 0;
    std::optional<Error> m_damage;
    QSqlDatabase m_db;
    int m_schema = 0;
};

} // namespace lk
