// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/firstseenrecord.h"
#include "backend/core/error.h"
#include "backend/history/recordedages.h"

#include <QObject>

#include <memory>

class QSqlError;
class QSqlQuery;

namespace lk {

class RecordFile;

/// Keeps first-seen records in the recording, so that an item's age survives a restart of the
/// console. Stores queue names, fingerprints and times, never a payload. Lives in the worker
/// thread, because the disk may be slow.
class FirstSeenStore final : public QObject
{
    Q_OBJECT

public:
    /// path: the recording's path. endpoint: the server that the records belong to.
    FirstSeenStore(QString path, QString endpoint);
    ~FirstSeenStore() override;

public slots:
    void load();
    /// Loads the open holds of the last record, the holds before them, and since when the other
    /// primitives are in their state. names: the deployment's names. Emits nothing if there is no
    /// recording of it.
    void loadRecorded(const QByteArrayList& names);
    /// Replaces all records of the server.
    void save(const std::vector<lk::FirstSeenRecord>& firstSeen);
    /// Replaces the records of one queue. Records of other queues stay.
    void saveQueue(const QByteArray& queue, const std::vector<lk::FirstSeenRecord>& firstSeen);

signals:
    void loaded(const std::vector<lk::FirstSeenRecord>& firstSeen);
    void holdsLoaded(const std::vector<lk::RecordedHold>& holds);
    void pastHoldsLoaded(const std::vector<lk::RecordedHold>& holds); ///< oldest first
    void agesLoaded(const lk::RecordedAges& ages);                    ///< after holdsLoaded()
    /// The file cannot be opened or written. Emitted once until it can be written again.
    void failed(const lk::Error& error);

private:
    bool open();
    void tell(const Error& error);
    void replace(QSqlQuery& clear, const std::vector<FirstSeenRecord>& firstSeen);

    std::unique_ptr<RecordFile> m_file;
    QString m_endpoint;
    bool m_failed = false; ///< emitted
};

} // namespace lk
