// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/act/targetsearch.h"
#include "app/cli/invocation.h"
#include "backend/polling/jobs/jobsearch.h"
#include "backend/redis/topology/router.h"
#include "backend/report/jobs/jobsreport.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace lk {

/// Finds a queue by its name and reads its jobs: counts, then state by state, then payloads where
/// they are wanted. Only reads, and bounded in everything. Works in the thread it was made in.
class JobsReading final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostScanned = 100'000;   ///< jobs of a state that --grep goes through
    static constexpr qint64 mostPayload = 64 * 1024; ///< bytes of each

    /// The clock outlives this.
    JobsReading(const Invocation& invocation, const Config& config, const Clock& clock);

    void start();

signals:
    void finished(const lk::JobsReport& report);
    /// Also if there is no such queue or state: NotFound.
    void failed(const lk::Error& error);

private:
    void onFound(const PrimitivePtr& queue);
    void readQueue();
    void chooseStates(const StatePtr& state);
    void readNextState();
    void readPage();
    void takePage(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs);
    void takeFound(const JobsFound& found);
    void endState();
    void readPayloads(size_t next);
    void fail(const Error& error);

    ReportedState& current() { return m_report.states[m_at]; }

    const JobsWanted m_wanted;
    const Clock& m_clock;
    TargetSearch m_target;
    Router m_router;
    JobSearch m_search;
    PrimitivePtr m_queue;
    JobsReport m_report;
    std::vector<qint64> m_places;        ///< the current state's jobs, counted from 0
    QHash<QByteArray, qint64> m_numbers; ///< the number of jobs read from each key
    size_t m_at = 0;                     ///< the state that is being read
    QTimer m_timeout;
    bool m_done = false;
};

} // namespace lk
