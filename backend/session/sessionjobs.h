// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/polling/workers/waitingworkers.h"

#include <QObject>

namespace lk {

class Monitor;
class SessionPolling;
class SessionStates;

/// The jobs and the waiting workers of the selected queue. GUI thread.
class SessionJobs final : public QObject
{
    Q_OBJECT

public:
    /// monitor: null in the past. All outlive it.
    SessionJobs(SessionStates& states, SessionPolling& polling, Monitor* monitor);

    /// The page last requested by want(), or the previous page of the same state while that one is
    /// being read. Null before the first answer.
    const JobPagePtr& page() const { return m_page; }
    /// The result of the last search() so far. Null if there is no search.
    const JobsFoundPtr& found() const { return m_found; }
    /// The result of the last countFailures() so far. Null before its first answer.
    const FailuresCountedPtr& failures() const { return m_failures; }
    /// Null before the first answer. Requested while a queue is selected.
    const WaitingWorkersPtr& waitingWorkers() const { return m_waiting; }

public slots:
    /// Requests the jobs of that queue that are on screen; none without a state. Ends when another
    /// primitive is selected.
    void want(lk::Handle handle, const lk::JobQuery& query);
    /// Reads all details of one listed job; opened() returns them. query: the page that lists it.
    void open(lk::Handle handle, const lk::JobQuery& query, const lk::QueueJob& job);
    /// Searches the jobs of that state; emits foundChanged(). An empty text ends the search.
    void search(lk::Handle handle, const QByteArray& state, const QString& text);
    void searchMore(); ///< continues a search that has stopped
    /// Counts the failed jobs of that queue by error and name. Counts again only if their number
    /// has changed by more than a tenth; noHandle ends it.
    void countFailures(lk::Handle handle);

signals:
    void pageChanged();
    void opened(const lk::OpenedJobPtr& job);
    void foundChanged();
    void waitingWorkersChanged();

private:
    void connectMonitor();
    void onSelected(Handle selected);

    SessionStates& m_states;
    Monitor* m_monitor;
    Handle m_selected = noHandle;
    std::pair<Handle, JobQuery> m_wanted{noHandle, JobQuery()};
    JobPagePtr m_page;
    JobsFoundPtr m_found;
    Handle m_failuresOf = noHandle; ///< the queue whose failed jobs are counted
    qint64 m_failuresTotal = 0;     ///< their number when the count began
    FailuresCountedPtr m_failures;
    WaitingWorkersPtr m_waiting;
};

} // namespace lk
