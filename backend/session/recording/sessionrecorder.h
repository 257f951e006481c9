// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordwriter.h"
#include "backend/session/recording/recordfeed.h"
#include "backend/session/recording/serverevents.h"

#include <QObject>
#include <QTimer>

#include <unordered_map>

namespace lk {

class Session;

/// Records a session for as long as this object lives: states, numbers, holds, findings, server
/// events, actions with their operator, and gaps without watching. Lives in the session's thread
/// and never waits for the disk. A slow disk receives fewer states and does not slow down the
/// window.
class SessionRecorder final : public QObject
{
    Q_OBJECT

public:
    /// The recorder's status, for one unobtrusive line of text.
    struct Status
    {
        QByteArray deployment;  ///< RecordedDeployment::key; empty: not known yet
        bool here = false;      ///< this program records it
        bool elsewhere = false; ///< another program does
        RecordingSize size;
        std::optional<Error> problem; ///< error of the disk; it retries
    };

    /// Session and writer must outlive it, and the writer's thread must be running. journal: the
    /// file that records actions; empty: none.
    SessionRecorder(Session& session, RecordWriter& writer, const QString& journal,
                    QObject* parent = nullptr);
    ~SessionRecorder() override;

    const Status& status() const { return m_status; }

public slots:
    /// Adds an event from outside of the session, such as an alert that fired. tMs: server time; 0:
    /// now.
    void addEvent(lk::RecordedEvent event);
    void addEvents(std::vector<lk::RecordedEvent> events);

signals:
    void statusChanged();

private:
    void begin();
    void end(GapReason reason);
    void onStatus();
    void onChanged(const DeltaPtr& delta);
    void sendChanges();
    void onReport();
    void everySecond();
    void sendEvents(std::vector<RecordedEvent> events);
    void sendTotals();

    Session& m_session;
    RecordFeed* m_feed;                 ///< lives in the writer's thread
    JournalReader* m_journal = nullptr; ///< lives in the writer's thread; null if there is none
    ServerEvents m_events;
    Status m_status;
    std::unordered_map<Handle, StateChange> m_waiting; ///< while the feed takes earlier changes
    QHash<QByteArray, double> m_steady; ///< the server's own numbers as last recorded
    QTimer m_second{this};
    QString m_journalPath;
    qint64 m_journalMs = -1; ///< when it was written last
    int m_inFlight = 0;
    int m_reports = 0; ///< reports since it connected
    bool m_begun = false;
};

/// Returns the recorder of that session or of its live one; null if this program does not record
/// it.
SessionRecorder* recorderOf(const Session& session);

} // namespace lk
