// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/snapshottaker.h"

#include "backend/discovery/scan/memorylimit.h"
#include "backend/findings/findings.h"
#include "backend/polling/workers/namedworkers.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/topology/askclients.h"
#include "backend/redis/topology/askmap.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr size_t readChunk = 128;          // primitives in one batch
constexpr qint64 mostExpected = 1'000'000; // primitives that room is made for in advance
constexpr qint64 fewKeys = 500;          // shorter to read than to find out how busy the server is
constexpr qsizetype mostNames = 1000;    // asked for by name in one snapshot
constexpr int timeoutMs = 60'000;        // without progress
constexpr qint64 mostConnections = 5000; // whose list is asked for

Connection::Options connectionOptions(const ServerUrl& url, int tlsTimeoutMs)
{
    Connection::Options options;
    options.reconnect = true; // only after a reply that was too large; see onStatus()
    options.batchTimeoutMs = 10'000;
    if (url.scheme == ServerUrl::Scheme::Tls && tlsTimeoutMs > 0)
        options.connectTimeoutMs = std::min(options.connectTimeoutMs, tlsTimeoutMs);
    return options;
}

} // namespace

SnapshotTaker::SnapshotTaker(const ServerUrl& url, const Config& config, const Clock& clock,
                             SnapshotScope scope)
    : m_clock(clock)
    , m_findings(config.check)
    , m_router(url, connectionOptions(url, scope.tlsTimeoutMs))
    , m_nodes(m_router)
    , m_scope(std::move(scope))
    , m_discovery(config)
    , m_scan(m_router, m_discovery.classifier(), clock, scanOptions())
    , m_endpoint(url.endpoint())
{
    m_timeout.setSingleShot(true);
    m_timeout.setInterval(timeoutMs);
    connect(&m_timeout, &QTimer::timeout, this, [this] {
        fail({ErrorCode::Timeout, tr("reading %1: no progress for %2, %3 keys scanned")
                                      .arg(m_endpoint, formatDuration(m_timeout.interval()),
                                           QLocale().toString(m_snapshot.scan.scanned))});
    });
    connect(&m_router, &Router::statusChanged, this, &SnapshotTaker::onStatus);
    connect(&m_scan, &DeploymentScan::advanced, this, &SnapshotTaker::advance);
    connect(&m_scan, &DeploymentScan::sliceReady, this,
            [this](const std::shared_ptr<ScanSlice>& slice) { onSlice(*slice); });
    connect(&m_scan, &DeploymentScan::finished, this, &SnapshotTaker::onScanned);
    connect(&m_scan, &DeploymentScan::failed, this, &SnapshotTaker::onScanFailed);
}

SnapshotTaker::~SnapshotTaker() = default;

void SnapshotTaker::setPacked(size_t mostFindings)
{
    m_packed = true;
    m_findings.setMost(mostFindings);
    m_states = std::make_shared<PackedStates>();
}

KeyspaceScan::Options SnapshotTaker::scanOptions()
{
    using Knowledge = KeyspaceScan::Options::Knowledge;
    KeyspaceScan::Options options;
    options.count = m_scope.match.isEmpty() ? 500 : 5000; // few come back: fewer round trips
    options.match = m_scope.match;
    options.slicesUnderWay = 5;
    options.knowledge = [this](const QByteArray& name) {
        if (m_scope.wanted && !m_scope.wanted(name))
            return Knowledge::Known;
        return m_discovery.ownerOf(name) != noHandle ? Knowledge::Member : Knowledge::New;
    };
    options.bounds = [this](bool busy) {
        if (m_scope.pace)
            return boundsOf(*m_scope.pace, busy);
        return busy && !m_isShort ? boundsBesideOthers() : ScanBounds();
    };
    return options;
}

void SnapshotTaker::start()
{
    m_startedMs = m_clock.nowMs();
    advance();
    m_router.open();
}

void SnapshotTaker::advance()
{
    if (m_timeout.interval() > 0)
        m_timeout.start();
}

void SnapshotTaker::onStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Lost && m_patient && !m_greeted)
        return;
    if (status.phase == ConnectionStatus::Phase::Lost &&
        (!m_greeted || status.error.code != ErrorCode::ReplyTooLarge)) {
        return fail(status.error);
    }
    if (status.phase != ConnectionStatus::Phase::Ready)
        return;
    if (m_greeted) {
        if (std::exchange(m_resume, false))
            readRest();
        return;
    }
    m_router.send({Command{"TIME"}, Command{"INFO"}, Command{"DBSIZE"}}, this,
                  [this](const BatchResult& result) {
                      if (result)
                          onGreeting(*result);
                      else
                          fail(result.error());
                  });
}

void SnapshotTaker::onGreeting(const std::vector<Reply>& replies)
{
    m_greeted = true;
    const qint64 localMs = m_clock.nowMs();
    const ServerInfo info = ServerInfo::fromReply(replies[1]); // empty where INFO is denied
    m_serverClock = clockFrom({}, m_startedMs, localMs, replies[0], info);
    m_snapshot.server = info.facts(m_endpoint);
    if (m_router.url().deployment == ServerUrl::Deployment::Sentinel)
        m_snapshot.server.mode = ServerMode::Sentinel; // itself it does not know of them
    m_nodes.askRest(info);
    m_connections = info.number("connected_clients").value_or(0);
    m_snapshot.server.timeMs = timeFromReply(replies[0]).value_or(m_serverClock.serverMs(localMs));
    m_snapshot.server.timeSource = m_serverClock.source;
    m_snapshot.server.leavesKeysUntouched = m_router.leavesKeysUntouched();
    // A server may hold far more keys than primitives, or say so.
    const qint64 expected =
        std::clamp<qint64>(replies[2].isInteger() ? replies[2].integer : 0, 0, mostExpected);
    m_discovery.registry().reserve(expected);
    m_states->reserve(size_t(expected));
    m_isShort = replies[2].isInteger() && expected <= fewKeys && !m_router.map();
    if (m_router.map() || !info.mayBeClusterNode())
        return startScan(info, {});
    launch(queryMap(m_router, this), [this, info](const BatchResult& result) {
        if (result)
            startScan(info, *result);
        else
            fail(result.error());
    });
}

void SnapshotTaker::startScan(const ServerInfo& info, std::span<const Reply> clusterReplies)
{
    advance();
    m_coverage = m_router.map() ? ClusterCoverage() : coverageOf(info, clusterReplies);
    const bool alone = m_router.url().deployment == ServerUrl::Deployment::Node;
    const auto replica = clusterReplica(m_router.greeting(), m_coverage.map);
    if (replica && !alone) // it redirects reads to its master
        return fail(*replica);
    for (const Missing& missing : m_coverage.missing)
        m_missing.add(missing);
    m_nodes.ask(); // in a cluster the answer arrives before those for the keys
    m_scan.setClock(m_serverClock);
    m_unread = m_discovery.addDeclared().toRead;
    m_asked = QSet<QByteArray>(m_scope.names.begin(), m_scope.names.end());
    if (m_scope.names.empty())
        m_scan.start();
    else
        m_scan.start(m_scope.names);
    m_discovery.classifier().wants(KeyType::String); // reads the layouts while the server answers
}

void SnapshotTaker::onScanned()
{
    // Not one key can be read. Where key patterns hide them all, how many is reported like of some.
    if (m_scope.names.empty() && m_skippedFor &&
        m_snapshot.scan.skipped == m_snapshot.scan.scanned &&
        missingFor(*m_skippedFor).cause != Missing::Cause::KeyPatterns)
        return fail(*m_skippedFor);
    if (!m_scope.names.empty()) {
        // Adds the other keys that the found primitives name; these may name further ones.
        std::vector<QByteArray> more;
        for (const QByteArray& key : m_discovery.registry().keys()) {
            if (!m_asked.contains(key)) {
                m_asked.insert(key);
                more.push_back(key);
            }
        }
        if (!more.empty() && m_asked.size() < mostNames)
            return m_scan.start(std::move(more));
    }
    if (m_enough) {
        const MemoryLimit limit(m_scope.mostBytes);
        Missing stopped;
        stopped.cause = Missing::Cause::Stopped;
        if (limit.isReached())
            stopped = limit.reason();
        m_missing.add(stopped);
    }
    if (m_scan.isEndless()) {
        Missing endless;
        endless.cause = Missing::Cause::Endless;
        m_missing.add(endless);
    }
    if (m_scan.slotsKeptMoving()) {
        Missing moving;
        moving.cause = Missing::Cause::Migrating;
        m_missing.add(moving);
    }
    for (const QString& node : m_scan.nodesDown())
        m_missing.add(missingFor({ErrorCode::NodeDown, node}));
    m_snapshot.scan.complete =
        !m_enough && !m_scan.isEndless() && m_scan.nodesDown().empty() && !m_scan.slotsKeptMoving();
    const Discovery::Found adopted = m_discovery.adopt();
    m_snapshot.scan.matched += adopted.recovered;
    m_snapshot.scan.notRecognized -= adopted.recovered;
    for (const Handle handle : adopted.removed)
        m_discovery.registry().remove(handle);
    std::sort(m_unread.begin(), m_unread.end());
    m_unread.erase(std::unique(m_unread.begin(), m_unread.end()), m_unread.end());
    readRest();
}

// A user who may not SCAN still gets what the configuration names.
void SnapshotTaker::onScanFailed(const Error& error)
{
    if (error.code != ErrorCode::NoPerm || m_unread.empty())
        return fail(error);
    Missing denied = missingFor(error);
    denied.detail = tr("no key can be scanned");
    m_missing.add(denied);
    m_snapshot.scan.complete = false;
    readRest();
}

void SnapshotTaker::onSlice(ScanSlice& slice)
{
    if (!m_skippedFor && !slice.unread.empty())
        m_skippedFor = slice.unread.front().error;
    for (const UnreadKey& key : slice.unread) {
        if (!m_scope.names.empty() && key.name == m_scope.names.front())
            return fail(key.error); // the very one that was asked for
        m_missing.addKeys(key.error);
    }
    for (const Probe& probe : m_scope.probed ? slice.probes : std::vector<Probe>())
        m_scope.probed(probe);
    Discovery::Found found = m_discovery.take(slice);
    m_snapshot.scan.scanned += slice.scanned();
    m_snapshot.scan.skipped += slice.skipped();
    m_snapshot.scan.expected = slice.expected;
    m_snapshot.scan.matched +=
        qint64(slice.probes.size() - found.notRecognized.size()) + slice.members;
    m_snapshot.scan.notRecognized +=
        slice.unwanted + slice.known + qint64(found.notRecognized.size());
    m_snapshot.scan.matched += found.recovered;
    m_snapshot.scan.notRecognized -= found.recovered;
    emit progressed(m_snapshot.scan.scanned, m_snapshot.scan.expected);
    for (ReadOutcome& outcome : found.decoded)
        keep(std::move(outcome));
    m_unread.insert(m_unread.end(), found.toRead.begin(), found.toRead.end());
    if (!m_enough && isEnough()) {
        m_enough = true;
        m_scan.stop();
        QMetaObject::invokeMethod(this, &SnapshotTaker::onScanned, Qt::QueuedConnection);
    }
}

bool SnapshotTaker::isEnough() const
{
    const ScanCounts& scan = m_snapshot.scan;
    if (scan.expected > 0 && scan.scanned >= scan.expected)
        return false; // the scan is about to end by itself
    return (m_scope.mostKeys > 0 && scan.scanned >= m_scope.mostKeys) ||
           MemoryLimit(m_scope.mostBytes).isReached();
}

void SnapshotTaker::keep(ReadOutcome outcome)
{
    const Handle handle = outcome.handle;
    if (!m_discovery.registry().primitive(handle))
        return;
    if (m_firstSeen)
        m_firstSeen->apply(outcome.state);
    m_states->keep(handle, std::move(outcome.state));
}

void SnapshotTaker::readRest()
{
    std::vector<ReadRequest> requests;
    bool alone = false;
    while (!m_unread.empty() && requests.size() < readChunk && !alone) {
        const Handle handle = m_unread.back();
        if (m_oversized.isSuspect(handle) && !requests.empty())
            break;
        m_unread.pop_back();
        if (!m_discovery.registry().contains(handle))
            continue;
        alone = m_oversized.takeSuspect(handle);
        ReadRequest request = m_discovery.request(handle, Depth::Detail);
        request.previous.reset(); // one snapshot: nothing was observed before
        requests.push_back(std::move(request));
    }
    if (requests.empty())
        return readWorkers();
    readPrimitives(m_router, std::move(requests), m_serverClock, m_clock, this,
                   [this](ReadRound round) { onRound(std::move(round)); });
}

void SnapshotTaker::onRoundFailed(const std::vector<ReadRequest>& requests, const Error& error)
{
    using Verdict = OversizedReads::Verdict;
    const qint64 nowMs = m_serverClock.serverMs(m_clock.nowMs());
    auto judged = m_oversized.failed(requests, requests.size() == 1, error, nowMs);
    if (judged.verdict == Verdict::Other || judged.verdict == Verdict::TooMany)
        return fail(error);
    if (judged.givenUp)
        keep(std::move(*judged.givenUp));
    for (const ReadRequest& request : requests) {
        if (judged.verdict == Verdict::AskAlone)
            m_unread.push_back(request.handle);
    }
    if (m_router.isReady())
        readRest();
    else
        m_resume = true;
}

void SnapshotTaker::onRound(ReadRound round)
{
    advance();
    for (ReadOutcome& outcome : round.outcomes)
        keep(std::move(outcome));
    if (round.error)
        onRoundFailed(round.unread, *round.error);
    else
        readRest();
}

// Reads the listeners of queues whose libraries show them only by the names of connections.
void SnapshotTaker::readWorkers()
{
    std::vector<Handle> queues;
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        if (primitive->kind != Kind::Queue)
            continue;
        const StatePtr state = m_states->find(handle, primitive);
        if (state && hasNamedWorkers(*state))
            queues.push_back(handle);
    }
    if (queues.empty() || m_connections > mostConnections)
        return collect();
    launch(queryClients(m_router, this), [this,
                                          queues](const Result<std::vector<ClientEntry>>& clients) {
        advance();
        const Registry& registry = m_discovery.registry();
        for (const Handle handle : clients ? queues : std::vector<Handle>()) { // else: not allowed
            State state = *m_states->find(handle, registry.primitive(handle));
            takeNamedWorkers(state, *clients);
            m_states->keep(handle, std::move(state));
        }
        collect();
    });
}

void SnapshotTaker::collect()
{
    m_discovery.endLookups(); // room for the list
    m_findings.begin(m_snapshot.server);
    for (const auto& [handle, primitive] : m_discovery.registry().all()) {
        const StatePtr state = m_states->find(handle, primitive);
        if (!state || !isReported(*state))
            continue;
        m_states->list(handle, primitive);
        m_findings.take(*state);
    }
    m_states->sort(m_order);
    const std::optional<ClusterMap>& map = m_router.map() ? m_router.map() : m_coverage.map;
    if (map || m_snapshot.server.mode == ServerMode::Cluster)
        m_states->setOwners(SlotOwners(map ? &*map : nullptr));
    if (!m_packed) {
        m_snapshot.states.reserve(m_states->size());
        for (size_t at = 0; at < m_states->size(); ++at)
            m_snapshot.states.push_back(m_states->state(at));
    }
    finish();
}

void SnapshotTaker::finish()
{
    if (std::exchange(m_done, true))
        return;
    ScanCounts& scan = m_snapshot.scan;
    scan.missing = missingOf(m_states->problems(), m_missing.all());
    m_snapshot.possible = m_discovery.possible().published();
    scan.possible = m_snapshot.possible->total();
    if (m_router.map()) {
        m_snapshot.server.nodes = nodesOf(m_router);
        m_snapshot.server.unserved = m_router.map()->unserved();
        m_snapshot.server.openSlots = m_router.map()->openSlots();
        for (NodeFacts& node : m_snapshot.server.nodes)
            node.keysScanned = m_scan.scannedAt(node.endpoint);
    } else {
        const bool group = m_router.url().deployment == ServerUrl::Deployment::Sentinel;
        m_snapshot.server.nodes =
            group ? nodesOf(m_router)
                  : nodesOf(m_coverage, m_snapshot.server, m_router.nodes().front()->endpoint());
        m_snapshot.server.nodes.front().keysScanned = scan.scanned;
    }
    m_nodes.addTo(m_snapshot.server.nodes);
    m_snapshot.server.evictsByUse = m_snapshot.server.evictsByUse || m_nodes.evictsByUse();
    m_snapshot.findings = m_findings.end(m_snapshot.server, scan);
    m_states->setJudge(m_findings.judge());
    scan.commands = m_router.traffic().commands;
    scan.elapsedMs = m_clock.nowMs() - m_startedMs;
    m_timeout.stop();
    m_router.disconnect(this);
    m_router.close();
    emit finished(std::make_shared<const Snapshot>(std::move(m_snapshot)));
}

void SnapshotTaker::fail(const Error& error)
{
    if (std::exchange(m_done, true))
        return;
    const Error told = namingNodes(error, m_router);
    m_timeout.stop();
    m_scan.stop();
    m_router.disconnect(this);
    m_router.close();
    emit failed(told);
}

} // namespace lk
