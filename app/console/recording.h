// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/error.h"
#include "backend/history/retention.h"

#include <QObject>
#include <QThread>

#include <map>
#include <memory>

namespace lk {

class RecordReader;
class RecordWriter;
class Session;
class SessionRecorder;

/// False for a recording that this program may only show: it is there, and not writable.
bool isWritable(const QString& recordingPath);

/// Gives sessions what was recorded of their deployments in one file, by whomever, and records
/// those that it is to record. Owns the two threads that wait for that file's disk. GUI thread.
class Recording final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives it; safe in every thread.
    Recording(const Clock& clock, const QString& path, const Retention& retention,
              QObject* parent = nullptr);
    ~Recording() override;

    /// What was recorded is given to it, and what happens to its alerts is added to the file if
    /// its deployment is in there and it is writable. For as long as this lives, which the session
    /// outlives. Once.
    void show(Session& session);
    /// journal: the file of the session's actions. Until remove(), before the session ends.
    void add(Session& session, const QString& journal);
    void remove(const Session& session);
    /// How fine, for how long, and how large the file may become from now on.
    void setRetention(const Retention& retention);

signals:
    /// Of sessions that are only shown: why their alerts could not be added.
    void notRecorded(const lk::Error& error);

private:
    const QString m_path;
    QThread m_writing;
    QThread m_reading;
    RecordWriter* m_writer; ///< lives in m_writing
    RecordReader* m_reader; ///< lives in m_reading
    std::map<const Session*, std::unique_ptr<SessionRecorder>> m_recorders;
    bool m_started = false; ///< the writer, which makes the file
};

} // namespace lk
