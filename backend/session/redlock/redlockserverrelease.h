// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/topology/router.h"
#include "backend/session/redlock/redlockplan.h"

#include <QObject>

namespace lk {

class Layout;

/// One server of a group during an action on all of them. Plans on a connection that only reads,
/// and runs the plan on another, as an executor does: guarded, sent once, journaled, undone by its
/// receipt. For one plan and one run. Lives in the thread that made it.
class RedlockServerRelease final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockServerRelease(const ServerUrl& url, const Clock& clock, ActionFiles files,
                         QObject* parent);
    ~RedlockServerRelease() override;

    QString endpoint() const { return m_control.url().endpoint(); }
    void plan(const RedlockRequest& request);
    /// Returns the plan; null unless planning succeeded.
    const Plan* planned() const { return m_plan ? &*m_plan : nullptr; }
    /// Returns why there is no plan.
    const RedlockPlan::Left& left() const { return m_left; }

    /// group: the group's id in the journal. Write mode is on for the duration of the run only.
    void run(const QString& reason, const QByteArray& group);

signals:
    void planEnded();                     ///< once
    void ran(const lk::Receipt& receipt); ///< once; this was the last step on the server

private:
    enum class Step : quint8 { Idle, Connecting, Planning, Planned, Opening, Running, Ended };

    void onControlStatus(const ConnectionStatus& status);
    void onActingStatus(const ConnectionStatus& status);
    void readOwner();
    void takeOwner(qint64 sentMs, const BatchResult& result);
    void planUndo(qint64 serverMs);
    void planRelease(const Layout& layout);
    void keep(const Result<Plan>& plan);
    void leave(const Error& why, bool isFailure);
    void end(const Receipt& receipt);
    void refuse(const Error& why);

    const Clock& m_clock;
    const UndoStore m_undo;
    Router m_control; ///< reads
    Router m_acting;  ///< writes; open during the run
    ActionRunner m_runner;
    ServerClock m_serverClock;
    RedlockRequest m_request;
    std::optional<Plan> m_plan;
    RedlockPlan::Left m_left;
    QString m_reason;
    Step m_step = Step::Idle;
};

} // namespace lk
