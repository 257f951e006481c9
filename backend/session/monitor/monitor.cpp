// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/monitor/monitor.h"

#include "backend/acting/execution/takencheck.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t maxAttention = 200;
constexpr int infoEverySeconds = 5;
constexpr int slotsEverySeconds = 10;

Connection::Options controlOptions()
{
    Connection::Options options;
    options.clientName = QByteArrayLiteral("lockkeeper");
    return options;
}

} // namespace

Monitor::Monitor(const ServerUrl& url, const Config& config, const Clock& clock,
                 MonitorLimits limits, ActionFiles files)
    : m_clock(clock)
    , m_limits(limits)
    , m_control(url, controlOptions(), this)
    , m_discovery(config)
    , m_scan(url, m_discovery, clock, limits.scanCommandsPerSecond, this)
    , m_coverage(m_control, this)
    , m_server(m_control, clock, this)
    , m_nodes(m_control, this)
    , m_slots(m_control, clock, this)
    , m_feed(m_control, this)
    , m_queue(m_followed)
    , m_firstSeen(config.check.thresholds.stuckAfterMs)
    , m_executor(m_control, m_firstSeen, clock, std::move(files), this)
    , m_autoRequeues(m_executor, clock, limits.autoRequeue, this)
    , m_waiting(m_control, m_discovery.registry(), this)
    , m_workers(m_control, this)
    , m_payloads(m_followed, limits.payloadBytesPerSecond)
    , m_jobs(m_control, m_discovery.registry(), clock, this)
    , m_jobSearch(m_control, this)
    , m_failureCount(m_control, this)
    , m_jobLookup(m_control, this)
    , m_tick(this)
    , m_second(this)
    , m_tombstones(m_followed)
    , m_oversized(m_followed)
{
    m_tick.setInterval(limits.pollingIntervalMs);
    m_tick.setTimerType(Qt::PreciseTimer);
    m_second.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &Monitor::tick);
    connect(&m_second, &QTimer::timeout, this, &Monitor::everySecond);
    connect(&m_control, &Router::statusChanged, this, &Monitor::onControlStatus);
    connect(&m_scan, &BackgroundScan::discovered, this, &Monitor::onDiscovered);
    connect(&m_scan, &BackgroundScan::passFinished, this, [this] {
        m_prefixesStale |= std::exchange(m_hasDropped, false);
        refreshPrefixes(); // the sooner the feed covers new primitives, the less it misses
        m_scanChanged = true;
        publish();
    });
    connect(&m_coverage, &CoverageWatch::changed, this, [this] {
        m_scanChanged = true;
        publish();
    });
    // Keys that moved to another node, or came back with one, may have changed without notice.
    connect(&m_control, &Router::nodesChanged, this, [this] {
        if (!m_control.isReady() || !m_control.map())
            return;
        retryGivenUp();
        markAll();
        if (!m_scan.isStopped())
            m_scan.restart();
    });
    connect(&m_server, &ServerPoll::answered, this, &Monitor::onInfo);
    connect(&m_feed, &DeploymentFeed::epochBegan, this, &Monitor::onFeedBegan);
    connect(&m_feed, &DeploymentFeed::keysChanged, this, &Monitor::onKeysChanged);
    connect(&m_feed, &DeploymentFeed::everythingChanged, this, &Monitor::markAll);
    connect(&m_waiting, &WaitingPoll::found, this, &Monitor::waitingReady);
    connect(&m_executor, &ActionExecutor::touched, this, &Monitor::onKeysChanged);
    connect(&m_executor, &ActionExecutor::receiptReady, this,
            [this](quint64, const Receipt& receipt) { m_ownEnds.took(receipt); });
}

Monitor::~Monitor() = default;

void Monitor::watchTaken(const Plan& plan, const Receipt& receipt, const PrimitivePtr& queue)
{
    auto* check = new TakenCheck(m_control, plan, receipt, queue, m_clock, this);
    connect(check, &TakenCheck::finished, this,
            [this, check, id = receipt.id](const OutcomeSeen& seen) {
                check->deleteLater();
                emit takenSeen(id, seen.text);
            });
    check->start();
}

void Monitor::start()
{
    m_control.open();
    m_second.start();
}

void Monitor::stop()
{
    m_tick.stop();
    m_second.stop();
    m_feed.stop();
    m_scan.close();
    m_executor.disableWriteMode(); // auto-requeue releases its locks
    m_control.close();
    if (m_firstSeen.takeChanged())
        emit firstSeenChanged(m_firstSeen.firstSeen());
}

void Monitor::setPassword(const QString& user, const QString& password)
{
    m_control.setPassword(user, password);
    m_scan.setPassword(user, password);
    m_feed.setPassword(user, password);
    m_executor.setPassword(user, password);
    retryNow();
}

void Monitor::setSentinelPassword(const QString& user, const QString& password)
{
    m_control.setSentinelPassword(user, password);
    m_scan.setSentinelPassword(user, password);
    m_executor.setSentinelPassword(user, password);
    retryNow();
}

void Monitor::retryNow()
{
    m_control.retryNow();
    m_scan.retryNow();
}

void Monitor::onControlStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Ready) {
        onReady();
    } else {
        m_tick.stop();
        if (status.phase == ConnectionStatus::Phase::Lost) {
            m_roundsUnderWay = 0;
            m_lostBy = status.error.code;
            // Open other connections only after the first one worked, so that a wrong password is
            // tried once, not three times.
            if (status.generation == 0)
                m_scan.close();
        }
    }
    emit statusChanged(status);
}

void Monitor::onReady()
{
    m_roundsUnderWay = 0;
    m_lastTickMs = m_clock.nowMs();
    m_server.forgetDenied();
    m_nodes.forgetDenied();
    m_slots.forgetDenied();
    if (m_control.status().generation <= 1) {
        m_scan.open();
        m_feed.start();
        onDiscovered(m_discovery.addDeclared());
    } else if (m_lostBy != ErrorCode::ReplyTooLarge) {
        m_scan.retryNow(); // a server that answers here answers there
        afterOutage();     // else this side closed it, because of a value not to be read again
    }
    m_server.ask();
    m_nodes.ask();
    m_slots.ask();
    if (!m_paused)
        m_tick.start();
}

// Changes during the outage were not reported, so everything is read again, at a low rate.
void Monitor::afterOutage()
{
    retryGivenUp();
    markAll();
    m_coverage.reset();
    if (!m_scan.isStopped())
        m_scan.restart();
}

void Monitor::retryGivenUp()
{
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        if (Followed* followed = m_followed.find(handle))
            followed->givenUp = false;
    }
}

void Monitor::markAll()
{
    m_payloads.refreshAll();
    for (const auto& [handle, primitive] : m_discovery.registry().all())
        m_queue.markDirty(handle);
}

void Monitor::onInfo(const ServerInfo& info, const Reply& time, qint64 sentMs)
{
    setServerClock(clockFrom(m_serverClock, sentMs, m_clock.nowMs(), time, info));
    m_evictsByUse = info.evictsByUse() || m_nodes.evictsByUse();
    m_waiting.setConnections(info.number("connected_clients").value_or(0));
    m_workers.setConnections(info.number("connected_clients").value_or(0));
    m_executor.setInfo(info); // first, as it ends write mode on a replica
    const NodeRole before =
        std::exchange(m_role, info.role() == NodeRole::Unknown ? m_role : info.role());
    m_coverage.onInfo(info);
    if (!m_control.map() && !m_control.nodes().empty())
        m_nodes.take(m_control.nodes().front()->endpoint(), info);
    emit infoReady(info);
    if (info.isReplica() && before == NodeRole::Master)
        emit demoted(info.masterEndpoint()); // a handler asks the session for more
}

void Monitor::setServerClock(const ServerClock& clock)
{
    m_serverClock = clock;
    m_scan.setClock(clock);
    m_executor.setClock(clock);
    m_autoRequeues.setClock(clock);
}

void Monitor::setAttention(const std::vector<Handle>& visible, Handle selected)
{
    std::vector<Handle> bounded = visible;
    if (bounded.size() > maxAttention)
        bounded.resize(maxAttention);
    m_queue.setAttention(std::move(bounded), selected);
    m_waiting.select(selected);
}

void Monitor::setPinned(const std::vector<Handle>& pinned)
{
    std::vector<Handle> bounded = pinned;
    if (bounded.size() > maxAttention)
        bounded.resize(maxAttention);
    m_queue.setPinned(std::move(bounded));
}

void Monitor::setPaused(bool paused)
{
    m_paused = paused;
    m_scan.setPaused(paused);
    if (paused)
        m_tick.stop();
    else if (m_control.isReady())
        m_tick.start();
    m_lastTickMs = m_clock.nowMs();
}

void Monitor::setPollingInterval(int ms)
{
    m_limits.pollingIntervalMs = ms;
    m_tick.setInterval(ms);
}

void Monitor::rescan()
{
    retryGivenUp();
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        const KeptState& kept = m_discovery.registry().keptState(handle);
        const StatePtr state = kept.isPacked() ? nullptr : kept.state(); // no problems if packed
        if (state && state->problem && isUnread(*state->problem))
            m_queue.markDirty(handle); // the permission may have been granted
    }
    m_coverage.reset();
    m_scan.restart();
}

void Monitor::drop(Handle handle)
{
    if (const PrimitivePtr primitive = m_discovery.registry().primitive(handle)) {
        if (primitive->kind == Kind::Queue) {
            m_firstSeen.forget(primitive->id.name);
            m_autoRequeues.stop(primitive->id, tr("the queue is gone"));
        }
    }
    m_discovery.registry().remove(handle);
    m_hasDropped = true;
    m_queue.forget(handle);
    m_followed.erase(handle);
    m_changes.forget(handle); // it is published, too
}

void Monitor::onDiscovered(const Discovery::Found& found)
{
    for (const PrimitivePtr& lost : found.lost)
        m_autoRequeues.stop(lost->id, tr("it is no longer detected as this queue"));
    for (Handle handle : found.removed)
        drop(handle);
    for (const ReadOutcome& outcome : found.decoded)
        keep(outcome);
    for (Handle handle : found.toRead) {
        if (m_discovery.registry().contains(handle)) // not lost to another claim in this slice
            m_queue.markDirty(handle);
    }
    if (!found.decoded.empty() || !found.toRead.empty())
        m_prefixesStale = true;
    if (!m_feed.hasPrefixes())
        refreshPrefixes(); // reads before the feed is on happen twice
    publish();
}

void Monitor::onKeysChanged(const QList<QByteArray>& keys)
{
    for (const QByteArray& key : keys) {
        Handle handle = m_discovery.registry().findKey(key);
        if (handle == noHandle)
            handle = m_discovery.ownerOf(key);
        if (handle == noHandle) {
            m_scan.probe(key);
            continue;
        }
        m_queue.markDirty(handle);
        m_jobs.markChanged(handle);
        m_payloads.changed(handle, *m_discovery.registry().primitive(handle), key);
    }
}

// Returns true if all of its keys are on nodes that report changes.
bool Monitor::isFed(const Primitive& primitive) const
{
    return m_feed.epoch() != 0 &&
           std::all_of(primitive.keys.begin(), primitive.keys.end(),
                       [this](const KeyRole& key) { return m_feed.isFed(key.key); });
}

RoundRobinRefresh::Fed Monitor::fedOnes() const
{
    if (m_feed.status().polled.isEmpty()) // all are fed alike
        return {};
    return [this](const Primitive& primitive) { return isFed(primitive); };
}

TrafficCounts Monitor::totals() const
{
    TrafficCounts sum = m_control.traffic();
    for (const TrafficCounts& t : {m_scan.traffic(), m_feed.traffic(), m_executor.traffic()}) {
        sum.commands += t.commands;
        sum.bytesSent += t.bytesSent;
        sum.bytesReceived += t.bytesReceived;
    }
    return sum;
}

ScanCounts Monitor::scanCounts() const
{
    ScanCounts counts = m_scan.counts();
    for (const Missing& missing : m_coverage.coverage().missing) {
        const bool told = std::any_of(counts.missing.begin(), counts.missing.end(),
                                      [&](const Missing& m) { return isSameReason(m, missing); });
        if (!told)
            counts.missing.push_back(missing);
    }
    return counts;
}

void Monitor::everySecond()
{
    ++m_seconds;
    if (m_control.isReady() && !m_paused) {
        m_scan.everySecond();
        for (Handle handle : m_tombstones.takeDue(m_serverClock.serverMs(m_clock.nowMs()))) {
            const PrimitivePtr primitive = m_discovery.registry().primitive(handle);
            if (!primitive || !m_autoRequeues.isOn(primitive->id)) // an empty queue has no keys
                drop(handle);
        }
        m_refresh.everySecond(m_discovery.registry(), m_feed.epoch(),
                              m_serverClock.serverMs(m_clock.nowMs()), m_queue, fedOnes());
        if (m_seconds % infoEverySeconds == 0) {
            m_server.ask();
            m_nodes.ask();
            refreshPrefixes();
        }
        if (m_seconds % slotsEverySeconds == 0)
            m_slots.ask();
        m_waiting.everySecond();
        m_workers.everySecond();
        m_jobs.everySecond([this](const Primitive& queue) { return isFed(queue); });
        if (m_seconds % infoEverySeconds == 1 && m_firstSeen.takeChanged())
            emit firstSeenChanged(m_firstSeen.firstSeen());
    }
    MonitorReport report;
    report.cost = m_cost.measure(totals(), m_clock.nowMs());
    report.cost.roundTripMs = m_control.roundTripMs();
    report.feed = m_feed.status();
    report.scan = scanCounts();
    report.scanning = m_scan.isRunning();
    report.firstScan = m_scan.isFirst();
    report.coverage = m_coverage.coverage().text;
    report.map = m_control.map();
    report.nodes = nodesOf(m_control);
    m_nodes.addTo(report.nodes);
    report.slotLoads = m_slots.loads();
    for (NodeFacts& node : report.nodes)
        node.keysScanned = m_scan.scannedAt(node.endpoint);
    report.primitives = m_discovery.registry().size();
    report.backlog = m_queue.backlog(m_serverClock.serverMs(m_clock.nowMs()));
    report.payloadBudget = m_payloads.bytesPerSecond();
    report.payloadsWaiting = m_payloads.waiting();
    report.pollingIntervalMs = m_tick.interval();
    report.clock = m_serverClock;
    report.atMs = m_serverClock.serverMs(m_clock.nowMs());
    report.scanProblem = m_scan.problem();
    report.scanLost = m_scan.lostBy();
    report.leavesKeysUntouched = m_control.leavesKeysUntouched();
    emit reported(report);
    publish();
}

void Monitor::consumed()
{
    m_consumed = true;
    publish();
}

void Monitor::publish()
{
    if (!m_consumed || (m_changes.isEmpty() && !m_scanChanged))
        return;
    m_scanChanged = false;
    auto delta = std::make_shared<Delta>();
    delta->generation = m_control.status().generation;
    delta->atMs = m_serverClock.serverMs(m_clock.nowMs());
    delta->changes = m_changes.take();
    delta->scan = scanCounts();
    if (PossiblePtr possible = m_discovery.possible().published(); possible != m_possible)
        delta->possible = m_possible = std::move(possible);
    m_consumed = false;
    emit deltaReady(std::move(delta));
}

} // namespace lk
