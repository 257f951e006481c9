// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/jobs.h"
#include "backend/discovery/registry.h"
#include "backend/libraries/api/layout.h"
#include "backend/redis/link.h"

#include <QObject>

#include <functional>

namespace lk {

/// Lists the page of jobs that the user looks at: jobs of one queue and one state. Reads nothing
/// while no page is wanted. Reads the page again when something changed or if no feed reports
/// changes, but no faster than bytesPerSecond. Lives in the I/O thread.
class JobListing final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 bytesPerSecond = 64 * 1024;

    JobListing(Link& control, const Registry& registry, const Clock& clock, QObject* parent);

    /// Requests a page. Another page of the same state is read as soon as the current read has
    /// finished. Reads nothing if the query has no state.
    void want(Handle handle, const JobQuery& query);
    /// isFed: whether a feed reports changes of the queue; if not, the list is read again to find
    /// them.
    void everySecond(const std::function<bool(const Primitive&)>& isFed);
    /// Call when the queue's keys were written to or its counts changed.
    void markChanged(Handle handle);
    void saw(Handle handle, const State& state);
    /// Reads everything about one listed job and emits opened(). query: the page that contains the
    /// job.
    void open(Handle handle, const JobQuery& query, const QueueJob& job);

signals:
    void listed(const lk::JobPagePtr& list);
    void opened(const lk::OpenedJobPtr& job);

private:
    void read();
    void take(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs);

    Link& m_control;
    const Registry& m_registry;
    const Clock& m_clock;
    Handle m_handle = noHandle;
    JobQuery m_query;
    std::vector<JobState> m_counts; ///< of m_handle, at its last read
    qint64 m_notBeforeMs = 0;       ///< local
    quint64 m_generation = 0;       ///< answers to an earlier request are dropped
    bool m_changed = false;
    bool m_underWay = false;
    bool m_moved = false;   ///< a page other than the one being read is wanted
    bool m_givenUp = false; ///< the reply was too large; is not requested again
};

} // namespace lk
