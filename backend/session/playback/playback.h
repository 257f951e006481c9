// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "backend/session/monitor/sessionsource.h"

#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>

namespace lk {

/// Emits recorded states as if they were read now: as of one moment, which advances while it plays.
/// Waits for the disk, so it lives in a thread of its own or in the recording's.
class Playback final : public SessionSource
{
    Q_OBJECT

public:
    /// Generations from this one on are for primitives that the live session does not know. The
    /// live session never has so many generations of one place.
    static constexpr quint32 pastGeneration = 0x8000'0000;

    /// The recording to play: the file, the deployment's id in it, and the first moment in server
    /// time.
    struct Setup
    {
        QString path;
        QByteArray deployment;
        qint64 atMs = 0;
        HandleTable<KeptState> known; ///< the live session's; the same primitives keep its handles
    };

    explicit Playback(Setup setup);
    ~Playback() override;

public slots:
    void start() override;
    void stop() override;
    void consumed() override;
    /// Moves to a moment. If several calls wait, only the last one counts.
    void seek(qint64 tMs);
    /// Plays at that multiple of the recorded speed, until untilMs plus the time that has passed
    /// since this call. 0: stands still.
    void play(double speed, qint64 untilMs);

signals:
    /// The emitted states are of that moment. blindSinceMs: the deployment was not recorded at tMs,
    /// and the states are of blindSinceMs; 0: it was recorded.
    void shown(qint64 tMs, qint64 blindSinceMs);
    /// Playback has reached its end.
    void ended();
    void failed(const lk::Error& error);

private:
    struct Shown
    {
        StatePtr recorded;
        qint64 atMs = 0;      ///< the record's time
        qint64 emittedMs = 0; ///< the moment for which it was emitted
    };
    void advance();
    void present();
    void emitMoment(const RecordedMoment& moment);
    Handle handleOf(const Primitive& primitive);
    PastFindings findingsOf(const RecordedMoment& moment, const QSet<Handle>& there) const;
    void report(const RecordedMoment& moment);

    Setup m_setup;
    MomentMemory m_memory;
    std::unique_ptr<RecordQueries> m_queries; ///< made in this object's thread
    QHash<PrimitiveId, Handle> m_handles;     ///< by the name in the recording
    QHash<PrimitiveId, PrimitivePtr> m_known; ///< the live session's, which have their real names
    QHash<Handle, Shown> m_shown;
    quint32 m_places = 0;
    qint64 m_atMs = 0;
    qint64 m_untilMs = 0;
    double m_speed = 0;
    QElapsedTimer m_since; ///< the last step
    QTimer m_step{this};   ///< while it plays
    QTimer m_soon{this};   ///< merges several seeks into one
    QByteArray m_info;     ///< the server INFO emitted last
    bool m_consumed = true;
    bool m_waiting = false; ///< waits for consumed() with a change to emit
};

} // namespace lk
