// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/server/slotload.h"
#include "backend/core/snapshot.h"
#include "backend/discovery/feed/changefeed.h"
#include "backend/findings/livefindings.h"
#include "backend/polling/costmeter.h"
#include "backend/redis/link.h"
#include "backend/redis/topology/clustermap.h"

#include <QObject>

namespace lk {

/// The console's report about itself and its server, once a second.
struct MonitorReport
{
    Cost cost;
    FeedStatus feed;
    ScanCounts scan; ///< the scan under way, or the last complete one
    bool scanning = false;
    bool firstScan = true; ///< no scan has been completed yet: Stop makes sense
    QString coverage;      ///< for a cluster: "3 of 3 masters, 16,384 of 16,384 slots"; else empty
    std::vector<NodeFacts> nodes;  ///< masters, then replicas; one entry for a single server
    std::optional<ClusterMap> map; ///< the map of a followed cluster
    SlotLoads slotLoads;           ///< its slot loads, if its servers report them
    qint64 primitives = 0;
    qint64 backlog = 0; ///< changed primitives that wait to be read
    /// More than can be read within moments, so totals over all primitives are estimates.
    bool isBehind() const { return backlog > 100; }
    qint64 payloadBudget = 0; ///< payload bytes per second that are read at most
    int payloadsWaiting = 0;  ///< primitives whose payloads wait for that budget
    /// The current interval; longer than requested while the server is slow.
    int pollingIntervalMs = 250;
    ServerClock clock;
    qint64 atMs = 0;                  ///< the server's time
    std::optional<Error> scanProblem; ///< the first error that kept a key from being read
    std::optional<Error> scanLost;    ///< why the scan has no connection; it reconnects
    bool leavesKeysUntouched = false; ///< reading does not make keys recently used
};

/// The source of a session's states: a live server or its recording. Lives in a thread other than
/// the session's; its slots are called through the event loop.
///
/// Sends one delta at a time. The next one waits until consumed() reports that the window has
/// processed the last.
class SessionSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~SessionSource() override;

public slots:
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void consumed() = 0;

signals:
    void statusChanged(const lk::ConnectionStatus& status);
    void deltaReady(const lk::DeltaPtr& delta);
    /// The findings of a recorded moment, emitted before its delta.
    void findingsRecorded(const lk::PastFindings& findings);
    /// Emitted about once a second, and when the source's own time jumps.
    void reported(const lk::MonitorReport& report);
    void infoReady(const lk::ServerInfo& info);
};

} // namespace lk

Q_DECLARE_METATYPE(lk::MonitorReport)
Q_DECLARE_METATYPE(lk::ServerInfo)
