// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeuestatus.h"
#include "backend/acting/executor/actionexecutor.h"

namespace lk {

/// Auto-requeue of one queue: every few seconds it requeues jobs that
/// have been in processing for too long, as a person would with the same action, through the
/// executor: planned, guarded, journaled. One at a time: by a lock of its own on the server, which
/// is taken or prolonged before each round; whoever loses it stops. Lives in the I/O thread beside
/// the executor, no longer than write mode is on.
class AutoRequeue final : public QObject
{
    Q_OBJECT

public:
    /// reason: a person's, for the journal; may be empty.
    AutoRequeue(ActionExecutor& executor, const Clock& clock, PrimitivePtr queue,
                qint64 olderThanMs, AutoRequeuePace pace, QObject* parent,
                const QString& reason = {});

    void start();
    /// Gives the lock back; what has left for the server already is not waited for, but counts
    /// when its answer comes, as long as this lives.
    void stop(const QString& why);
    /// The same queue, known better.
    void setQueue(PrimitivePtr queue) { m_queue = std::move(queue); }
    void setClock(const ServerClock& clock) { m_serverClock = clock; }
    const AutoRequeueStatus& status() const { return m_status; }

    /// Why that queue has no auto-requeue, a sentence without full stop; empty: it has. Pure.
    static QString unavailable(const Primitive& queue);
    /// The lock's key: in the cluster's slot of the queue. Pure.
    static QByteArray lockKey(const Primitive& queue);
    /// How long an item may be in processing: as the queue declares it, else the preset, else (0)
    /// as all queues have it. Pure.
    static qint64 thresholdOf(const Primitive& queue, qint64 presetMs);
    /// What it is going to do, label and text, as a person is told before. Translated.
    static std::vector<std::pair<QString, QString>>
    describe(const Primitive& queue, qint64 olderThanMs, AutoRequeuePace pace);

signals:
    void changed(const lk::AutoRequeueStatus& status);

private:
    void runRound();
    void onHeld(const Result<Reply>& answer);
    void onHolding();
    void readNextList();
    void onPlanned(const PlanSet& set);
    void onReceipt(quint64 ticket, const Receipt& receipt);
    void onFinished(quint64 ticket);
    void note(const QString& text);
    void begin();
    void findStuck();
    void journal(const QString& text, QObject* context, JournalWriter::Handler handler);
    void release();
    void setPhase(AutoRequeueStatus::Phase phase);
    bool isFresh() const;

    ActionExecutor& m_executor;
    const Clock& m_clock;
    PrimitivePtr m_queue;
    AutoRequeuePace m_pace;
    QString m_reason; ///< by which the journal tells its steps from those of a person
    ServerClock m_serverClock;
    QByteArray m_token;
    AutoRequeueStatus m_status;
    QTimer m_timer;
    std::unique_ptr<QObject> m_round; ///< context of what a round asks; null between rounds
    std::vector<QByteArray> m_lists;  ///< processing lists that this round has yet to look at
    quint64 m_ticket = 0;             ///< of the plan or run under way; 0: none
    bool m_begun = false;             ///< that it puts back is in the journal, or on its way there
    bool m_underWay = false;          ///< a step was sent, its receipt has not come
    qint64 m_left = 0;                ///< items that this round may yet requeue
    ServerMoment m_server;            ///< of the last round; 0 before the first
    qint64 m_heldAtMs = 0;            ///< local: when the lock's lease was last asked for
    qint64 m_restUntilMs = 0;         ///< local; see onHolding()
};

} // namespace lk
