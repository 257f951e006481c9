// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordqueries.h"
#include "backend/session/monitor/sessionsource.h"

#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>

namespace lk {

/// Tells what was recorded as if it were read now: the states as of one moment, and as that moment
/// moves on while it plays. Waits for the disk: lives in a thread of its own or the recording's.
class Playback final : public SessionSource
{
    Q_OBJECT

public:
    /// In this and all places above are primitives that the live session does not know, which
    /// never has so many generations of one place.
    static constexpr quint32 pastGeneration = 0x8000'0000;

    /// What is played: the recording's file, the deployment by its id there, and from which moment
    /// of server time on.
    struct Setup
    {
        QString path;
        QByteArray deployment;
        qint64 atMs = 0;
        HandleTable<KeptState> known; ///< of the live session: the same primitives have its handles
    };

    explicit Playback(Setup setup);
    ~Playback() override;

public slots:
    void start() override;
    void stop() override;
    void consumed() override;
    /// Of several that wait, the last.
    void seek(qint64 tMs);
    /// So many times as fast as it was, until untilMs, and what has passed since this call. 0:
    /// stands still.
    void play(double speed, qint64 untilMs);

signals:
    /// What has been emitted is of that moment. blindSinceMs: nobody recorded then, and it is of
    /// that moment; 0: somebody did.
    void shown(qint64 tMs, qint64 blindSinceMs);
    /// It has played to its end.
    void ended();
    void failed(const lk::Error& error);

private:
    struct Shown
    {
        StatePtr recorded;
        qint64 atMs = 0;      ///< of the record
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
    QTimer m_soon{this};   ///< lets several seeks become one
    QByteArray m_info;     ///< what was emitted of the server last
    bool m_consumed = true;
    bool m_waiting = false; ///< for consumed(), with something to tell
};

} // namespace lk
