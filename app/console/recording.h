// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"

#include <QObject>
#include <QThread>

#include <map>
#include <memory>

namespace lk {

class RecordWriter;
class Session;
class SessionRecorder;

/// Records sessions into one file. Owns the thread that waits for that file's disk. GUI thread.
class Recording final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives it; safe in every thread.
    Recording(const Clock& clock, const QString& path, QObject* parent = nullptr);
    ~Recording() override;

    /// journal: the file of the session's actions. Until remove(), before the session ends.
    void add(Session& session, const QString& journal);
    void remove(const Session& session);

private:
    QThread m_writing;
    RecordWriter* m_writer; ///< lives in m_writing
    std::map<const Session*, std::unique_ptr<SessionRecorder>> m_recorders;
};

} // namespace lk
