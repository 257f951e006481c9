// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/cli/ownthread.h"
#include "app/cli/record/recordservices.h"
#include "backend/history/recordwriter.h"
#include "backend/platform/endsignals.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/session.h"

#include <QTimer>

#include <memory>

namespace lk {

/// Watches several deployments without a display and records them, until its time is up or a signal
/// ends it: then everything is written. SIGHUP reads the configuration again. Lives in the main
/// thread.
class RecordRun final : public QObject
{
    Q_OBJECT

public:
    /// The objects that watch one deployment.
    struct Watched
    {
        std::unique_ptr<Session> session; ///< the first one has a Redlocks
        std::unique_ptr<SessionRecorder> recorder;
        QString told; ///< the last line about it
        bool wasReady = false;
    };

    /// passwordVariable: for servers of declared groups whose URL has no password.
    RecordRun(const Invocation& invocation, Config config, QString passwordVariable);
    ~RecordRun() override;

    Result<void> start(); ///< errors: what is asked for cannot be served
    const std::vector<Watched>& watched() const { return m_watched; }

signals:
    /// Emitted once all is written. code: the program's exit code.
    void ended(int code);

private:
    QString storePath() const;
    RecordWriter& makeWriter();
    void open(const ServerUrl& url);
    void followGroups();
    void onStatus(Watched& watched);
    void onRecording(Watched& watched);
    void tellOnce(Watched& watched, const QString& line);
    void onSignal(EndSignal signal);
    void reload();
    void finish(int code);

    Invocation m_invocation;
    Config m_config;
    const QString m_passwordVariable;
    SystemClock m_clock;
    OwnThread m_ioThread{QStringLiteral("io")};
    OwnThread m_workerThread{QStringLiteral("worker")};
    OwnThread m_recordThread{QStringLiteral("record")};
    std::vector<RecordWriter*> m_writers; ///< live in the record thread
    RecordServices m_services;            ///< ends after the sessions
    std::vector<Watched> m_watched;
    EndSignals m_signals{EndSignals::Hangup::Reloads};
    QTimer m_until{this};
    bool m_failing = false; ///< the disk fails
    bool m_ending = false;
};

} // namespace lk
