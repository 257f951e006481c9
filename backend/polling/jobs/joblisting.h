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

/// Lists those jobs of one queue that a person looks at, a page of one state, and nothing while
/// nobody does. Reads again when something changed, or where no feed tells, and no faster than
/// bytesPerSecond. Lives in the I/O thread.
class JobListing final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 bytesPerSecond = 64 * 1024;

    JobListing(Link& control, const Registry& registry, const Clock& clock, QObject* parent);

    /// Another page of the same state is read as soon as the one under way has come. Without a
    /// state none is read.
    void want(Handle handle, const JobQuery& query);
    /// Of a queue that is fed changes are told; else the list is read again to find them.
    void everySecond(const std::function<bool(const Primitive&)>& isFed);
    /// The queue's keys were written to, or its state says other numbers.
    void markChanged(Handle handle);
    void saw(Handle handle, const State& state);
    /// Reads everything of one listed job; opened() brings it. query: the page that it stands in.
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
    std::vector<JobState> m_counts; ///< of m_handle when it was seen last
    qint64 m_notBeforeMs = 0;       ///< local
    quint64 m_generation = 0;       ///< answers to an earlier request are dropped
    bool m_changed = false;
    bool m_underWay = false;
    bool m_moved = false;   ///< another page is wanted than the one under way
    bool m_givenUp = false; ///< its reply is too large: not asked for again
};

} // namespace lk
