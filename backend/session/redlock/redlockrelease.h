// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/redlock/redlock.h"

#include <QMap>
#include <QStringList>

namespace lk {

/// An action on all servers of a group.
struct RedlockRequest
{
    QByteArray name;  ///< the lock's name
    QByteArray owner; ///< the expected owner; locks of other owners are left alone
    /// The receipts to undo instead, for each server by its endpoint, the last step first.
    QMap<QString, QByteArrayList> receipts = {};
};

/// A planned RedlockRequest: one guarded step on each server that has the lock, and why the other
/// servers are left out.
struct RedlockPlan
{
    /// A server on which no step will run.
    struct Left
    {
        QString endpoint;
        Error why;
        bool isFailure = false; ///< the lock may be there: the server is unreachable or refuses
    };

    PlanSet set;              ///< in the group's order; servers left out are among the refused
    QStringList endpoints;    ///< the endpoints of set.plans
    std::vector<Left> left;   ///< in the same order as set.refused
    int failures() const;     ///< the number of failures in left
    QStringList rows() const; ///< all endpoints: those of the plans, then those in left
};

/// Releases a lock on all servers of a group, or undoes that. Each server has an executor of its
/// own. Plans on all servers side by side, and runs on one after the other, each in write mode for
/// its step only, all in one group of the journal. A server that fails does not stop the others.
/// For one plan and one run. Its functions may be called in every thread.
class RedlockRelease final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockRelease(RedlockGroup group, const Clock& clock, ActionFiles files);
    ~RedlockRelease() override;

    /// Plans the request; planned() returns the plan. Only reads.
    void plan(const RedlockRequest& request)
    {
        QMetaObject::invokeMethod(this, [this, request] { planAll(request); });
    }
    /// Runs the plans. receiptReady() is emitted for each in their order, then finished().
    void run(const QString& reason)
    {
        QMetaObject::invokeMethod(this, [this, reason] { runAll(reason); });
    }
    /// Stops after the step under way; the remaining steps do not run.
    void stop()
    {
        QMetaObject::invokeMethod(this, [this] { m_waiting.clear(); });
    }

signals:
    void planned(const lk::RedlockPlan& plan);
    void receiptReady(const lk::Receipt& receipt);
    void finished();

private:
    struct Server;

    void planAll(const RedlockRequest& request);
    void runAll(const QString& reason);
    void onControlStatus(Server& server, const ConnectionStatus& status);
    void readOwner(Server& server);
    void takeOwner(Server& server, qint64 sentMs, const BatchResult& result);
    void planRelease(Server& server, KeyType type);
    void planUndo(Server& server);
    void keep(Server& server, const PlanSet& set);
    void leave(Server& server, const Error& why, bool isFailure);
    void endPlanning();
    void runNext();
    void refuse(Server& server, const Error& why);
    void end(Server& server);

    const RedlockGroup m_group;
    const Clock& m_clock;
    const ActionFiles m_files;
    RedlockRequest m_request;
    std::vector<std::unique_ptr<Server>> m_servers; ///< in the group's order
    std::deque<Server*> m_waiting;                  ///< servers still to run on
    size_t m_planning = 0;
    QString m_reason;
    QByteArray m_run; ///< the group's id in the journal
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RedlockPlan)
