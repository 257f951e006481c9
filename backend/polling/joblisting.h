// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/jobs.h"
#include "backend/discovery/registry.h"
#include "backend/layouts/layout.h"
#include "backend/redis/connection.h"

#include <QObject>

namespace lk {

/// Lists the jobs of the one state of the one queue that a person looks at, and nothing while
/// nobody does. Reads again when something changed, or where no feed tells, and no faster than
/// bytesPerSecond. Lives in the I/O thread.
class JobListing final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 bytesPerSecond = 64 * 1024;

    JobListing(Connection& control, const Registry& registry, const Clock& clock, QObject* parent);

    /// state: JobState::name; empty: none is read.
    void want(Handle handle, const QByteArray& state);
    /// fed: changes are told; else the list is read again to find them.
    void everySecond(bool fed);
    /// The queue's keys were written to, or its state says other numbers.
    void markChanged(Handle handle);
    void saw(Handle handle, const State& state);
    /// Reads the list again for the whole payload of one job; opened() brings it.
    void open(Handle handle, const QByteArray& state, quint64 fingerprint);

signals:
    void listed(const lk::JobPagePtr& list);
    void opened(const lk::JobPayloadPtr& payload);

private:
    using Handler = std::function<void(Result<std::vector<StoredJob>>)>;
    void read();
    void start(Handle handle, const QByteArray& state, Handler handler);

    Connection& m_control;
    const Registry& m_registry;
    const Clock& m_clock;
    Handle m_handle = noHandle;
    QByteArray m_state;
    std::vector<JobState> m_counts; ///< of m_handle when it was seen last
    qint64 m_notBeforeMs = 0;       ///< local
    quint64 m_turn = 0;             ///< answers to an earlier request are dropped
    bool m_changed = false;
    bool m_underWay = false;
    bool m_tooLarge = false; ///< one reply passed the cap: not asked for again
};

} // namespace lk
