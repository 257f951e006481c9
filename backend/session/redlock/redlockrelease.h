// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/redlock/redlockgroup.h"
#include "backend/session/redlock/redlockplan.h"

#include <QObject>

namespace lk {

class RedlockServerRelease;

/// Takes a lock from its owner on all servers of a group, or takes that back: planned on each side
/// by side, run one server after the other, all in one group of the journal. A server that fails
/// does not keep the others from it. For one plan and one run; lives in the thread in which plan()
/// is called first.
class RedlockRelease final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockRelease(RedlockGroup group, const Clock& clock, ActionFiles files,
                   QObject* parent = nullptr);
    ~RedlockRelease() override;

    /// planned() brings it. Only reads.
    void plan(const RedlockRequest& request);
    /// receiptReady() comes for each plan in their order, then finished().
    void run(const QString& reason);
    /// The step under way is finished; the rest is left undone.
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
    std::vector<RedlockServerRelease*> m_waiting; ///< to be run, the next last
    size_t m_planning = 0;
    QString m_reason;
    QByteArray m_run; ///< the group's id in the journal
};

} // namespace lk
