// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/redlock/redlockgroup.h"
#include "backend/session/redlock/redlockplan.h"

#include <QObject>

namespace lk {

class RedlockServerRelease;

/// Releases a lock on all servers of a group, or undoes that. Plans on all servers side by side,
/// and runs on one after the other, all in one group of the journal. A server that fails does not
/// stop the others. For one plan and one run. Lives in the thread that first calls plan().
class RedlockRelease final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockRelease(RedlockGroup group, const Clock& clock, ActionFiles files,
                   QObject* parent = nullptr);
    ~RedlockRelease() override;

    /// Plans the request; planned() returns the plan. Only reads.
    void plan(const RedlockRequest& request);
    /// Runs the plans. receiptReady() is emitted for each in their order, then finished().
    void run(const QString& reason);
    /// Stops after the step under way; the remaining steps do not run.
    void stop();

signals:
    void planned(const lk::RedlockPlan& plan);
    void receiptReady(const lk::Receipt& receipt);
    void finished();

private:
    void onPlanEnded();
    void runNext();

    const RedlockGroup m_group;
    const Clock& m_clock;
    const ActionFiles m_files;
    std::vector<RedlockServerRelease*> m_servers; ///< children, in the group's order
    std::vector<RedlockServerRelease*> m_waiting; ///< servers still to run on, the next one last
    size_t m_planning = 0;
    QString m_reason;
    QByteArray m_run; ///< the group's id in the journal
};

} // namespace lk
