// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeuestatus.h"
#include "backend/acting/executor/actionexecutor.h"

namespace lk {

/// Auto-requeue of one queue: every few seconds it requeues jobs that
/// have been in processing for too long, as a person would with the same action, through the
/// executor: planned, guarded, journaled. One at a time: by a lock of its own on the server, which
/// is taken or prolonged before each round. A console that loses the lock stops. Lives in the I/O
/// thread beside the executor, no longer than write mode is on.
class AutoRequeue final : public QObject
{
    Q_OBJECT

public:
    /// reason: the user's reason, for the journal; may be empty.
    AutoRequeue(ActionExecutor& executor, const Clock& clock, PrimitivePtr queue,
                qint64 olderThanMs, AutoRequeuePace pace, QObject* parent,
                const QString& reason = {});

    void start();
    /// Releases the lock. Does not wait for steps that were already sent; they count when their
    /// answers arrive, as long as this object lives.
    void stop(const QString& why);
    /// Replaces the queue with a newer reading of the same queue.
    void setQueue(PrimitivePtr queue) { m_queue = std::move(queue); }
    void setClock(const ServerClock& clock) { m_serverClock = clock; }
    const AutoRequeueStatus& status() const { return m_status; }

    /// Returns why auto-requeue is not available for the queue, as a sentence without full stop.
    /// Empty if it is available. Pure.
    static QString unavailable(const Primitive& queue);
    /// Returns the lock's key, which is in the queue's cluster slot. Pure.
    static QByteArray lockKey(const Primitive& queue);
    /// Returns how long a job may be in processing: the queue's declared value, else the preset,
    /// else (preset 0) the default of all queues. Pure.
    static qint64 thresholdOf(const Primitive& queue, qint64 presetMs);
    /// Describes the auto-requeue to the user before it starts, as pairs of label and text.
    /// Translated.
    static std::vector<std::pair<QString, QString>>
    describe(const Primitive& queue, qint64 olderThanMs, AutoRequeuePace pace);

signals:
    void changed(const lk::AutoRequeueStatus& status);

private:
    void runRound();
    Task<> round();
    bool isHeld(const Result<Reply>& answer);
    Task<bool> begin();
    Task<> requeueStuck();
    void onPlanned(const PlanSet& set);
    void onReceipt(quint64 ticket, const Receipt& receipt);
    void onFinished(quint64 ticket);
    void note(const QString& text);
    Task<Result<void>> journal(const QString& text, QObject* context);
    void release();
    void setPhase(AutoRequeueStatus::Phase phase);
    bool isFresh() const;

    ActionExecutor& m_executor;
    const Clock& m_clock;
    PrimitivePtr m_queue;
    AutoRequeuePace m_pace;
    QString m_reason; ///< distinguishes its steps in the journal from the user's
    ServerClock m_serverClock;
    QByteArray m_token;
    AutoRequeueStatus m_status;
    QTimer m_timer;
    std::unique_ptr<QObject> m_round; ///< context of a round's requests; null between rounds
    std::function<void(PlanSet)> m_whenPlanned; ///< continues the round
    std::function<void(Passed)> m_whenFinished; ///< continues the round
    quint64 m_ticket = 0;                       ///< of the current plan or run; 0 if there is none
    bool m_begun = false;     ///< its start is in the journal, or is being written
    bool m_underWay = false;  ///< a step was sent and its receipt is outstanding
    qint64 m_left = 0;        ///< jobs that this round may still requeue
    ServerMoment m_server;    ///< the last round's server time; 0 before the first
    qint64 m_heldAtMs = 0;    ///< local time of the last request for the lock
    qint64 m_restUntilMs = 0; ///< local; see begin()
};

} // namespace lk
