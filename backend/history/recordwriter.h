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

/// Writes the recording, once a second at most and in one transaction, in a thread of its own: the
/// disk may be slow, full or gone, and nobody waits for it. What could not be written is a gap of
/// the recording; only events are kept until it can be.
///
/// Several programs may have the file open. One of them records a deployment at a time; the others
/// try again as long as they are there, and take over when it has ended.
class RecordWriter final : public QObject
{
    Q_OBJECT

public:
    /// What it starts with.
    struct Setup
    {
        QString path; ///< historyPath()
        Retention retention;
        const Clock* clock = nullptr; ///< of this machine; not owned
    };

    explicit RecordWriter(Setup setup);
    ~RecordWriter() override;

    const QString& path() const { return m_setup.path; }

    /// Of the batches that wait to be written: above it they are written at once, and while that
    /// fails new ones are dropped.
    static constexpr qint64 mostWaiting = 200'000; ///< states, samples and events

public slots:
    /// By its timer, from its own thread on.
    void start();
    /// Writes what is left, and gives up what it records.
    void stop();
    /// Answered by recordingChanged(), and, once it is this one who records, by resumed().
    /// atMs: server time, from which on it is recorded.
    void begin(const lk::RecordedDeployment& deployment, qint64 atMs);
    void end(const QByteArray& deployment, GapReason reason);
    /// Of a deployment that is begun; what another program records is dropped.
    void add(const lk::RecordBatchPtr& batch);
    /// The same, but of what only this program knows: it is written whoever records.
    void addOwnEvents(const QByteArray& deployment, const std::vector<lk::RecordedEvent>& events);
    /// The same of a deployment that is not begun, by its names: if it is in the file, and that is
    /// there. Written at once.
    void addEventsTo(const QByteArrayList& names, const std::vector<lk::RecordedEvent>& events);
    void setRetention(const lk::Retention& retention);
    /// Writes now; also what a second has not passed for.
    void flush();
    /// Ages, prunes and shrinks until there is nothing to do. For tests; the timer does it in
    /// steps.
    void ageAll();

signals:
    /// This writer begins to record it, or again after a gap: all that is known is to be added
    /// anew.
    void resumed(const QByteArray& deployment);
    /// here: this writer records it; else another program does.
    void recordingChanged(const QByteArray& deployment, bool here);
    /// It cannot be written: why. Once for as long as it lasts; it is tried again.
    void problem(const lk::Error& error);
    void recovered();
    /// After something was written, every few seconds.
    void measured(const lk::RecordingSize& size);

private:
    struct Live
    {
        RecordedDeployment deployment;
        std::vector<RecordBatchPtr> waiting;
        std::vector<RecordedEvent> kept; ///< that could not be written yet
        std::vector<RecordedEvent> own;  ///< that are written whoever records
        qint64 atMs = 0;                 ///< server time: everything until then was added
        qint64 offsetMs = 0;             ///< server time minus local, as of the last batch
        qint64 claimedMs = 0;            ///< when it was tried last
        bool claimed = false;            ///< by the transaction under way
        bool here = false;
        bool begun = false;       ///< recordingChanged() was sent
        bool interrupted = false; ///< it was recorded here until it could not be written
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
    std::unique_ptr<Ageing> m_ageing;  ///< of the same file
    std::map<QByteArray, Live> m_live; ///< by RecordedDeployment::key as it was given
    QTimer m_second{this};
    quint64 m_broken = 0; ///< RecordFile::identity() of one that is put aside
    qint64 m_waiting = 0;
    qint64 m_retryMs = 0; ///< not before that moment
    qint64 m_measuredMs = 0;
    qint64 m_ageAtMs = 0; ///< there is nothing to make coarser before
    bool m_failing = false;
    bool m_full = false;    ///< it failed when it was written to
    bool m_growing = false; ///< nothing can be made coarser, or deleted
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordedDeployment)
Q_DECLARE_METATYPE(lk::Retention)
