// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/history/recordbatch.h"
#include "backend/history/retention.h"

#include <QObject>
#include <QTimer>

#include <map>

class QSqlError;

namespace lk {

class Ageing;
class RecordStore;

/// Writes the recording at most once a second, in one transaction. Lives in its own thread: the
/// disk may be slow, full or gone, and no other thread waits for it. Data that cannot be written
/// becomes a gap of the recording; only events are kept until they can be written.
///
/// Several programs may have the file open. Only one of them records a deployment at a time. The
/// others keep trying and take over when it has ended.
class RecordWriter final : public QObject
{
    Q_OBJECT

public:
    /// The parameters of the writer.
    struct Setup
    {
        QString path; ///< historyPath()
        Retention retention;
        const Clock* clock = nullptr; ///< this machine's clock; not owned
    };

    explicit RecordWriter(Setup setup);
    ~RecordWriter() override;

    const QString& path() const { return m_setup.path; }

    /// The limit for batches that wait to be written. Above it they are written at once; while that
    /// fails, new batches are dropped.
    static constexpr qint64 mostWaiting = 200'000; ///< states, samples and events

public slots:
    /// Starts the timer. Call in the writer's thread.
    void start();
    /// Writes all waiting data and releases all deployments.
    void stop();
    /// Begins to record a deployment. Emits recordingChanged(), and resumed() once this writer
    /// records it. atMs: server time from which on it is recorded.
    void begin(const lk::RecordedDeployment& deployment, qint64 atMs);
    void end(const QByteArray& deployment, GapReason reason);
    /// Adds a batch of a deployment that has begun. Drops it if another program records the
    /// deployment.
    void add(const lk::RecordBatchPtr& batch);
    /// Adds events that only this program knows. They are written even if another program records
    /// the deployment.
    void addOwnEvents(const QByteArray& deployment, const std::vector<lk::RecordedEvent>& events);
    /// Like addOwnEvents(), for a deployment that has not begun, found by one of its names. Does
    /// nothing if the file or the deployment does not exist. Writes at once.
    void addEventsTo(const QByteArrayList& names, const std::vector<lk::RecordedEvent>& events);
    void setRetention(const lk::Retention& retention);
    /// Writes all waiting data now, without waiting for the second to pass.
    void flush();
    /// Ages, prunes and shrinks the file until there is nothing to do. For tests; the timer does
    /// this in steps.
    void ageAll();

signals:
    /// This writer begins to record the deployment, or resumes after a gap. The receiver must add
    /// everything that is known again.
    void resumed(const QByteArray& deployment);
    /// here: true if this writer records the deployment, false if another program does.
    void recordingChanged(const QByteArray& deployment, bool here);
    /// The recording cannot be written. Emitted once per failure; writing is tried again.
    void problem(const lk::Error& error);
    void recovered();
    /// Emitted every few seconds after data was written.
    void measured(const lk::RecordingSize& size);

private:
    struct Live
    {
        RecordedDeployment deployment;
        std::vector<RecordBatchPtr> waiting;
        std::vector<RecordedEvent> kept; ///< events that could not be written yet
        std::vector<RecordedEvent> own; ///< events that are written even if another program records
        qint64 atMs = 0;                ///< server time; everything up to then was added
        qint64 offsetMs = 0;            ///< server time minus local, as of the last batch
        qint64 claimedMs = 0;           ///< when the claim was last tried
        bool claimed = false;           ///< by the current transaction
        bool here = false;
        bool begun = false;       ///< recordingChanged() was sent
        bool interrupted = false; ///< was recorded here until writing failed
    };

    void everySecond();
    bool ensureOpen();
    bool write();
    bool isClaimDue(const Live& live) const;
    bool isDue(const Live& live) const;
    bool claim(Live& live);
    bool writeEvents(qint64 deployment, const std::vector<RecordedEvent>& events);
    void fail(const Error& error);
    void failToAge(const QSqlError& why);
    void dropWaiting();
    void closeBroken();
    static void keepEvents(Live& live, const RecordBatch& batch);

    Setup m_setup;
    std::unique_ptr<RecordStore> m_store;
    std::unique_ptr<Ageing> m_ageing;  ///< for the same file
    std::map<QByteArray, Live> m_live; ///< by RecordedDeployment::key as passed to begin()
    QTimer m_second{this};
    quint64 m_broken = 0; ///< RecordFile::identity() of a broken file to be put aside
    qint64 m_waiting = 0;
    qint64 m_retryMs = 0; ///< no new attempt before that time
    qint64 m_measuredMs = 0;
    qint64 m_ageAtMs = 0; ///< no ageing before that time
    bool m_failing = false;
    bool m_full = false;    ///< the failure was a write
    bool m_growing = false; ///< ageing failed: nothing can be made coarser or deleted
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordedDeployment)
Q_DECLARE_METATYPE(lk::Retention)
