// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/polling/jobs/jobsbyid.h"
#include "backend/session/search/searchresults.h"

#include <QObject>

namespace lk {

class Monitor;
class PrimitiveSearch;
class SessionStates;

/// Finds anything of a session by its name. Owns a PrimitiveSearch in the worker thread. GUI
/// thread.
class SessionSearch final : public QObject
{
    Q_OBJECT

public:
    /// monitor: null in the past. states, monitor: they outlive it. searched: as for
    /// PrimitiveSearch.
    SessionSearch(const SessionStates& states, Monitor* monitor,
                  const HandleTable<KeptState>& searched, QThread* workerThread);
    ~SessionSearch() override;

public slots:
    /// Searches all primitives; found() returns the result.
    void find(const QString& text);
    /// Searches the queues for a job of that id; jobsFound() returns the result.
    void findJob(const QString& id);

signals:
    void found(const lk::SearchResultsPtr& results);
    void jobsFound(const lk::JobsByIdPtr& jobs);

private:
    const SessionStates& m_states;
    Monitor* m_monitor;
    PrimitiveSearch* m_search; ///< lives in the worker thread
};

} // namespace lk
