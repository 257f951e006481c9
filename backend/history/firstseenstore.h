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
/// console. Lives in the worker thread: the disk may be slow.
/// Holds queue names, fingerprints and times; never a payload.
class FirstSeenStore final : public QObject
{
    Q_OBJECT

public:
    /// path: the recording's. endpoint: which server the records belong to.
    FirstSeenStore(QString path, QString endpoint);
    ~FirstSeenStore() override;

public slots:
    void load();
    /// Who held which lock when it was recorded last, and the holds before; since when the rest is
    /// as it is. names: of the deployment. Answers nothing where there is no recording of it.
    void loadRecorded(const QByteArrayList& names);
    /// All there is to know of that server.
    void save(const std::vector<lk::FirstSeenRecord>& firstSeen);
    /// Of one queue; what others have seen of other queues stays.
    void saveQueue(const QByteArray& queue, const std::vector<lk::FirstSeenRecord>& firstSeen);

signals:
    void loaded(const std::vector<lk::FirstSeenRecord>& firstSeen);
    void holdsLoaded(const std::vector<lk::RecordedHold>& holds);
    void pastHoldsLoaded(const std::vector<lk::RecordedHold>& holds); ///< the oldest first
    void agesLoaded(const lk::RecordedAges& ages);                    ///< after holdsLoaded()
    void failed(const lk::Error& error);

private:
    bool open();
    void replace(QSqlQuery& clear, const std::vector<FirstSeenRecord>& firstSeen);

    std::unique_ptr<RecordFile> m_file;
    QString m_endpoint;
};

} // namespace lk
