// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

#include <functional>

namespace lk {

/// The schema version that this program writes. A file with another one is left unchanged.
inline constexpr int alertSchema = 1;

/// The connection and the tables of the file with the alerts of all programs of a user. Blocks for
/// the disk; lives in one thread.
class AlertDatabase
{
public:
    explicit AlertDatabase(QString path);
    ~AlertDatabase();
    AlertDatabase(const AlertDatabase&) = delete;
    AlertDatabase& operator=(const AlertDatabase&) = delete;

    /// Opens the file. If that fails, uses memory instead: alerts are still raised and sent, and
    /// are lost when the program ends. The error contains the reason. Errors: FileError.
    Result<void> open();
    const QString& path() const { return m_path; }
    QSqlDatabase connection() const { return QSqlDatabase::database(m_name); }

    /// Runs one statement with these values. Errors: FileError.
    Result<QSqlQuery> run(const char* statement, const QVariantList& values = {}) const;
    /// Runs work as one transaction. Errors: FileError.
    Result<void> whole(const std::function<Result<void>()>& work) const;
    /// True if another program, or another connection, has written since the last call.
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
