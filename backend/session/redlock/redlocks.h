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

/// The locks that groups of servers hold together, declared with a session: as widgets see them,
/// and once followed for the session's findings. Read often while somebody looks, and if followed
/// now and then otherwise; not while the session is paused. Lives in the GUI thread; what reads and
/// acts lives in the I/O thread and ends with this. Never blocks.
class Redlocks final : public QObject
{
    Q_OBJECT

public:
    static constexpr int backgroundMs = 10'000; ///< between two reads while nobody looks

    /// A child of the session.
    explicit Redlocks(Session& session);
    ~Redlocks() override;
    /// Those that were given a session as their parent. Null: there are none.
    static Redlocks* of(const QObject& session);

    /// What is declared from now on. What was planned of the ones before can no longer be run.
    void setGroups(std::vector<RedlockGroup> groups);
    /// One a group, in the order of the configuration; null before the first.
    const std::vector<RedlockReportPtr>& reports() const { return m_reports; }
    bool canAct() const { return !m_files.journal.isEmpty(); }

    /// Read also while nobody looks, and told among the session's findings, from now on.
    void follow();
    /// Somebody looks and wants it read so often; 0: nobody does.
    void watch(int intervalMs);
    void readNow();

    /// planned() brings the ticket that this returns. Only reads.
    quint64 plan(size_t group, const RedlockRequest& request);
    /// What was planned under that ticket, once: receiptReady() for each, then finished().
    void run(quint64 ticket, const QString& reason);
    void stop(quint64 ticket); ///< after the step under way
    /// It is not going to be run, or has ended: its connections are closed.
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
    std::vector<std::vector<Finding>> m_findings; ///< of each group: those that last
    quint64 m_lastTicket = 0;
    bool m_isFollowed = false;
    int m_watchMs = 0; ///< 0: nobody looks
    int m_paceMs = 0;  ///< as the watch has it; 0: stopped
};

} // namespace lk
