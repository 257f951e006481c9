// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

#include <functional>

namespace lk {

/// What this program writes. A file of a newer one is left alone.
inline constexpr int alertSchema = 1;

/// The file in which alerts are kept for all programs of a user: its connection and its tables.
/// Blocks for the disk; lives in one thread.
class AlertDatabase
{
public:
    explicit AlertDatabase(QString path);
    ~AlertDatabase();
    AlertDatabase(const AlertDatabase&) = delete;
    AlertDatabase& operator=(const AlertDatabase&) = delete;

    /// What cannot be opened is replaced by memory: alerts are raised and sent all the same, and
    /// forgotten with the program. The error says why. Errors: FileError.
    Result<void> open();
    const QString& path() const { return m_path; }
    QSqlDatabase connection() const { return QSqlDatabase::database(m_name); }

    /// Runs one statement with these values. Errors: FileError.
    Result<QSqlQuery> run(const char* statement, const QVariantList& values = {}) const;
    /// All of it or nothing. Errors: FileError.
    Result<void> whole(const std::function<Result<void>()>& work) const;
    /// Another program, or another connection, has written since this was asked last.
    bool isChangedByOthers();

private:
    Result<void> openFile();
    Result<void> makeTables();
    Result<int> schema() const;
    tl::unexpected<Error> failed(const QString& why) const;

    QString m_path;
    QString m_name;
    qint64 m_version = -1;
};

} // namespace lk
