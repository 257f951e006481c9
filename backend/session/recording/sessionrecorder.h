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

/// Records a session, for as long as this lives: states, numbers, holds, findings, what happens to
/// the server, what was done by whom, and when nobody watched. Lives in the session's thread and
/// never waits for the disk; a disk that is slow sees fewer states, never a window that waits.
class SessionRecorder final : public QObject
{
    Q_OBJECT

public:
    /// How it stands, for one quiet line of text.
    struct Status
    {
        QByteArray deployment;  ///< RecordedDeployment::key; empty: not known yet
        bool here = false;      ///< this program records it
        bool elsewhere = false; ///< another program does
        RecordingSize size;
        std::optional<Error> problem; ///< of the disk; it is tried again
    };

    /// Both must outlive it, and the writer's thread must be running. journal: the file that tells
    /// of actions; empty: none.
    SessionRecorder(Session& session, RecordWriter& writer, const QString& journal,
                    QObject* parent = nullptr);
    ~SessionRecorder() override;

    const Status& status() const { return m_status; }

public slots:
    /// What is not of the session itself: an alert that fired. tMs: server time; 0: now.
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
    template<typename Function> void ask(Function function)
    {
        QMetaObject::invokeMethod(m_feed, [feed = m_feed, function] { function(*feed); });
    }

    Session& m_session;
    RecordFeed* m_feed;                 ///< lives in the writer's thread
    JournalReader* m_journal = nullptr; ///< the same; null: there is none
    ServerEvents m_events;
    Status m_status;
    std::unordered_map<Handle, StateChange> m_waiting; ///< while the feed is at the ones before
    QHash<QByteArray, double> m_steady; ///< the server's own numbers as they were told last
    QTimer m_second{this};
    QString m_journalPath;
    qint64 m_journalMs = -1; ///< when it was written last
    int m_inFlight = 0;
    int m_reports = 0; ///< since it is connected
    bool m_begun = false;
};

/// Who records that session, or the live one of it; null: nobody in this program.
SessionRecorder* recorderOf(const Session& session);

} // namespace lk
