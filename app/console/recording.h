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

/// False if the recording exists but is not writable: this program may only show it.
bool isWritable(const QString& recordingPath);

/// Gives sessions the recordings of their deployments in one file, by any program, and records the
/// sessions that are added. Owns the two threads that wait for that file's disk. GUI thread.
class Recording final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives it; safe in every thread.
    Recording(const Clock& clock, const QString& path, const Retention& retention,
              QObject* parent = nullptr);
    ~Recording() override;

    /// Gives the session its deployment's recording. Adds events of its alerts to the file if the
    /// file is writable and contains its deployment. Lasts as long as this object; the session
    /// outlives it. Call it once per session.
    void show(Session& session);
    /// Records the session until remove(), which must come before the session ends. journal: the
    /// file of the session's actions.
    void add(Session& session, const QString& journal);
    void remove(const Session& session);
    /// Sets the recording's resolution, its duration and the file's maximum size from now on.
    void setRetention(const Retention& retention);

signals:
    /// The alerts of a session that is only shown could not be added.
    void notRecorded(const lk::Error& error);
    /// The file exists and some of it cannot be read.
    void notRead(const lk::Error& error);

private:
    const QString m_path;
    QThread m_writing;
    QThread m_reading;
    RecordWriter* m_writer; ///< lives in m_writing
    RecordReader* m_reader; ///< lives in m_reading
    std::map<const Session*, std::unique_ptr<SessionRecorder>> m_recorders;
    bool m_started = false; ///< the writer, which creates the file
};

} // namespace lk
