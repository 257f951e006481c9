// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/redlock/redlockrelease.h"

#include <QObject>

class QThread;

namespace lk {

class RedlockReader;
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

    /// Returns a new release of a lock of that group. It ends with this, or by discard().
    RedlockRelease* makeRelease(size_t group);
    void discard(RedlockRelease* release); ///< may be null

signals:
    void groupsChanged();
    void changed(int group);

private:
    void endAll();
    void endReading();
    void pace();
    void publishFindings();

    Session& m_session;
    std::vector<RedlockGroup> m_groups;
    QThread& m_ioThread;
    const Clock& m_clock;
    const ActionFiles m_files;
    std::vector<RedlockReader*> m_readers;   ///< live in the I/O thread; empty: nothing is read
    std::vector<RedlockRelease*> m_releases; ///< live in the I/O thread
    std::vector<RedlockReportPtr> m_reports;
    std::vector<std::vector<Finding>> m_findings; ///< for each group the findings that persist
    bool m_isFollowed = false;
    int m_watchMs = 0; ///< 0: not on screen
    int m_paceMs = 0;  ///< the interval of the readers; 0: nothing is read
};

} // namespace lk
