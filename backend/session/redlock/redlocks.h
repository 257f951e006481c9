// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/actionexecutor.h"
#include "backend/redis/redlock/redlockreport.h"
#include "backend/session/redlock/redlockplan.h"

#include <QHash>
#include <QObject>

class QThread;

namespace lk {

class RedlockRelease;
class RedlockWatch;

/// The locks that groups of servers hold together, as widgets see them: values that arrive while
/// somebody looks, and what is asked for. Lives in the GUI thread; what reads and acts lives in the
/// I/O thread and ends with this. Never blocks.
class Redlocks final : public QObject
{
    Q_OBJECT

public:
    /// The thread runs, and it and the clock outlive this. files: empty: nothing can be released.
    Redlocks(QThread& ioThread, const Clock& clock, ActionExecutor::Files files, QObject* parent);
    ~Redlocks() override;
    /// Those that were given a session as their parent. Null: there are none.
    static Redlocks* of(const QObject& session);

    /// What is declared from now on. What was planned of the ones before can no longer be run.
    void setGroups(std::vector<RedlockGroup> groups);
    /// One a group, in the order of the configuration; null before the first.
    const std::vector<RedlockReportPtr>& reports() const { return m_reports; }
    bool canAct() const { return !m_files.journal.isEmpty(); }

    /// 0: nobody looks, and nothing is read.
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

    std::vector<RedlockGroup> m_groups;
    QThread& m_ioThread;
    const Clock& m_clock;
    const ActionExecutor::Files m_files;
    RedlockWatch* m_watch = nullptr;            ///< lives in the I/O thread; null: no groups
    QHash<quint64, RedlockRelease*> m_releases; ///< live in the I/O thread; by ticket
    std::vector<RedlockReportPtr> m_reports;
    quint64 m_lastTicket = 0;
    int m_intervalMs = 0;
};

} // namespace lk
