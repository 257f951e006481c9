// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/derived/firstseen.h"

#include <QObject>

class QSqlError;
class QSqlQuery;

namespace lk {

/// Where first-seen records are kept: private to the user.
QString firstSeenPath();

/// Keeps first-seen records on disk, so that an item's age survives a restart of the console. One
/// SQLite file, private to the user. Lives in the worker thread: the disk may be slow.
/// Holds queue names, fingerprints and times; never a payload.
class FirstSeenStore final : public QObject
{
    Q_OBJECT

public:
    /// endpoint: which server the records belong to. Makes the file's folder where it is missing.
    FirstSeenStore(QString path, QString endpoint);
    ~FirstSeenStore() override;

public slots:
    void load();
    /// All there is to know of that server.
    void save(const std::vector<lk::FirstSeenRecord>& firstSeen);
    /// Of one queue; what others have seen of other queues stays.
    void saveQueue(const QByteArray& queue, const std::vector<lk::FirstSeenRecord>& firstSeen);

signals:
    void loaded(const std::vector<lk::FirstSeenRecord>& firstSeen);
    void failed(const lk::Error& error);

private:
    bool open();
    bool fail(const QSqlError& error);
    void replace(QSqlQuery& clear, const std::vector<FirstSeenRecord>& firstSeen);

    QString m_path;
    QString m_endpoint;
    QString m_connectionName;
};

} // namespace lk

Q_DECLARE_METATYPE(std::vector<lk::FirstSeenRecord>)
