// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QSqlDatabase>
#include <QSqlError>

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
    QSqlDatabase m_db;
    int m_schema = 0;
};

} // namespace lk
