// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/redlock/redlockreport.h"
#include "backend/session/redlock/redlockplan.h"

#include <QHash>
#include <QObject>

class QThread;

namespace lk {

class RedlockRelease;
class RedlockWatch;
class Session;

/// The locks of a session's declared server groups, for the widgets and, once followed, for the
/// session's findings. Reads often while they are on screen, and now and then if followed. Does not
/// read while the session is paused. Lives in the GUI thread. The objects that read and act live in
/// the I/O thread and end with this. Never blocks.
class Redlocks final : public QObject
{
    Q_OBJECT

public:
    static constexpr int backgroundMs = 10'000; ///< between two reads while off screen

    /// Becomes a child of the session.
    explicit Redlocks(Session& session);
    ~Redlocks() override;
    /// Returns the Redlocks child of that session; null if there is none.
    static Redlocks* of(const QObject& session);

    /// Applies new declarations. Plans for the previous groups can no longer run.
    void setGroups(std::vector<RedlockGroup> groups);
    /// One report per group, in the order of the configuration; null before the first read.
    const std::vector<RedlockReportPtr>& reports() const { return m_reports; }
    bool canAct() const { return !m_files.journal.isEmpty(); }

    /// From now on also reads off screen, and adds to the session's findings.
    void follow();
    /// Requests reads at that interval while the locks are on screen; 0: they no longer are.
    void watch(int intervalMs);
    void readNow();

    /// Plans a request and returns a ticket, with which planned() is emitted. Only reads.
    quint64 plan(size_t group, const RedlockRequest& request);
    /// Runs the plan of that ticket, once. receiptReady() is emitted for each step, then
    /// finished().
    void run(quint64 ticket, const QString& reason);
    void stop(quint64 ticket); ///< after the step under way
    /// Discards a plan that will not run or has ended, and closes its connections.
    void discard(quint64 ticket);

signals:
    void groupsChanged();
    void changed(int group);
    void planned(quint64 ticket, const lk::RedlockPlan& plan);
    void receiptReady(quint64 ticket, const lk::Receipt& receipt);
    void finished(quint64 ticket);

private:
    template<typename Function> void ask(quint64 ticket, Function function);
    void endAll();
    void pace();
    void onRead(int group, const RedlockReportPtr& report, const std::vector<Finding>& lasting);
    void publishFindings();

    Session& m_session;
    std::vector<RedlockGroup> m_groups;
    QThread& m_ioThread;
    const Clock& m_clock;
    const ActionFiles m_files;
    RedlockWatch* m_watch = nullptr;            ///< lives in the I/O thread; null: no groups
    QHash<quint64, RedlockRelease*> m_releases; ///< live in the I/O thread; by ticket
    std::vector<RedlockReportPtr> m_reports;
    std::vector<std::vector<Finding>> m_findings; ///< for each group the findings that persist
    quint64 m_lastTicket = 0;
    bool m_isFollowed = false;
    int m_watchMs = 0; ///< 0: not on screen
    int m_paceMs = 0;  ///< the interval of the watch; 0: stopped
};

} // namespace lk
