// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QSqlDatabase>
#include <QSqlError>

#include <optional>

namespace lk {

/// One connection to the file, for the thread that made it. Ends with it.
class RecordFile
{
public:
    enum class Access : quint8 { Read, Write };

    explicit RecordFile(QString path);
    ~RecordFile();
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    /// Write: makes folder and file where they are missing, and brings an older schema to this
    /// one. What is no database, or a broken one, is put aside under another name, which
    /// setAside() tells. Refused if the schema is newer: such a file can only be read.
    /// Read: makes nothing; an older schema is read as far as it goes.
    Result<void> open(Access access);
    void close();
    bool isOpen() const { return m_db.isOpen(); }

    QSqlDatabase& db() { return m_db; }
    const QString& path() const { return m_path; }
    const QString& setAside() const { return m_setAside; }
    int schema() const { return m_schema; }
    /// As this file's user and folder see it, with what was just written beside it.
    qint64 bytes() const;

    /// Which file it was when it was opened: another program may have put it aside since. 0: none.
    quint64 identity() const { return m_identity; }
    /// Still the file that has this name.
    bool isInPlace() const;
    /// Gives the file another name if it is that one: it was found to be broken in use.
    void putAside(quint64 identity);
    /// Keeps the error if it says that the file is broken.
    void noteDamage(const QSqlError& error);
    /// What was read since may not be all.
    const std::optional<Error>& damage() const { return m_damage; }

    Error errorOf(const QSqlError& error) const;
    /// The file itself is broken: nothing but another file helps.
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
