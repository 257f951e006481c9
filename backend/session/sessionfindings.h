// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"

#include <QObject>

namespace lk {

class FindingTracker;
class FirstSeenStore;
class Session;
class SessionSource;

/// The findings of a session. Owns a FindingTracker in the worker thread. GUI thread.
class SessionFindings final : public QObject
{
    Q_OBJECT

public:
    SessionFindings(Session& session, SessionSource& source);
    ~SessionFindings() override;

    void start();
    void applySettings(); ///< call it after the session's configuration has changed
    /// Findings that were open at the end of the last recording keep their start times.
    void continueFrom(FirstSeenStore& store);

    const LiveFindingsPtr& latest() const { return m_latest; } ///< null before the first
    /// Returns the findings of one primitive, worst first, without the silenced ones.
    std::vector<LiveFindingPtr> of(Handle handle) const;
    /// All states as the tracker knows them, for objects in the worker thread that end before this.
    const HandleTable<KeptState>& trackedStates() const;

public slots:
    /// Sets the findings of the server groups that are declared with the session. They join its own
    /// findings.
    void setRedlock(const std::vector<lk::Finding>& findings);

signals:
    void changed(const lk::LiveFindingsPtr& findings);

private:
    void sendServer();

    Session& m_session;
    FindingTracker* m_tracker; ///< lives in the worker thread
    LiveFindingsPtr m_latest;
};

} // namespace lk
