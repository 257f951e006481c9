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

/// What the console knows about itself and its server, once a second.
struct MonitorReport
{
    Cost cost;
    FeedStatus feed;
    ScanCounts scan; ///< of the scan under way, or of the last whole one
    bool scanning = false;
    bool firstScan = true; ///< it has not come to its end once: Stop makes sense
    QString coverage;      ///< of a cluster: "3 of 3 masters, 16,384 of 16,384 slots"; else empty
    std::vector<NodeFacts> nodes;  ///< masters, then replicas; a server alone is one
    std::optional<ClusterMap> map; ///< of a cluster that is followed
    SlotLoads slotLoads;           ///< of such a one, where its servers tell
    qint64 primitives = 0;
    qint64 backlog = 0; ///< changed primitives that wait to be read
    /// More than is read within moments: what is told of all of them together is an estimate.
    bool isBehind() const { return backlog > 100; }
    qint64 payloadBudget = 0; ///< bytes of payloads a second that are read at most
    int payloadsWaiting = 0;  ///< primitives whose payloads wait for that
    /// The present one; longer than asked for while the server is slow.
    int pollingIntervalMs = 250;
    ServerClock clock;
    qint64 atMs = 0;                  ///< the server's time
    std::optional<Error> scanProblem; ///< the first thing that kept a key from being read
    std::optional<Error> scanLost;    ///< the scan has no connection: why; it is tried again
    bool leavesKeysUntouched = false; ///< reading makes no key recently used
};

/// Where a session's states come from: a live server, or the recording of one. Lives in a thread
/// that is not the session's; its slots are called through the event loop.
///
/// One delta at a time: the next one waits until consumed() says that the window is done with the
/// last.
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
    /// Of a moment that was recorded, before its delta.
    void findingsRecorded(const lk::PastFindings& findings);
    /// About once a second, and whenever the source's own time jumps.
    void reported(const lk::MonitorReport& report);
    void infoReady(const lk::ServerInfo& info);
};

} // namespace lk

Q_DECLARE_METATYPE(lk::MonitorReport)
Q_DECLARE_METATYPE(lk::ServerInfo)
