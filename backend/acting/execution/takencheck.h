// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/outcomecheck.h"
#include "backend/acting/receipt.h"
#include "backend/libraries/api/layout.h"

#include <QElapsedTimer>

#include <set>

namespace lk {

/// Checks whether a worker takes the requeued jobs: reads the queue until one is in progress or has
/// left it, or until it is clear that no worker takes them. Lives in the connection's thread.
class TakenCheck final : public QObject
{
    Q_OBJECT

public:
    /// True if the step queued jobs and their library names jobs by ids.
    static bool applies(const Plan& plan, const Receipt& receipt);
    /// queue: the plan's primitive. The connection, which only reads, and the clock must outlive
    /// this object.
    TakenCheck(Link& connection, const Plan& plan, const Receipt& receipt, PrimitivePtr queue,
               const Clock& clock, QObject* parent);

    void start();

signals:
    /// Emitted once, with a text like "taken by worker-9 after 0.4 s".
    void finished(const lk::OutcomeSeen& seen);

private:
    Task<OutcomeSeen> watch();
    Task<Result<bool>> waitsIn(std::vector<JobQuery> queries);
    bool isMoved(const JobFacts& job) const;
    OutcomeSeen takenBy(const QByteArray& worker) const;

    const Layout* m_layout;
    std::set<QByteArray> m_ids;
    qint64 m_addedMs = 0; ///< when stream entries, which get new ids, were added; else 0
    PrimitivePtr m_queue;
    const Clock& m_clock;
    Link& m_connection;
    QElapsedTimer m_since;
};

} // namespace lk
