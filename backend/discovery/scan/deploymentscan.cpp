// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/deploymentscan.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int mostRescans = 20; // while slots move

// Whether the node has slots that others had, or is importing some.
bool tookSlots(const ClusterMap::Node& now, const ClusterMap& before)
{
    if (now.migratingSlots > 0)
        return true;
    const auto it = std::find_if(before.masters().begin(), before.masters().end(),
                                 [&now](const ClusterMap::Node& n) { return n.id == now.id; });
    if (it == before.masters().end())
        return !now.ranges.empty();
    if (now.epoch != it->epoch) // slots may have left and come back
        return !now.ranges.empty();
    return std::any_of(now.ranges.begin(), now.ranges.end(), [&](const std::pair<int, int>& range) {
        for (int slot = range.first; slot <= range.second; ++slot) {
            if (!it->owns(slot))
                return true;
        }
        return false;
    });
}

// Compares the slots of two maps. Maps from different nodes list the nodes in different orders.
bool hasSameSlots(const ClusterMap& a, const ClusterMap& b)
{
    return a.masters().size() == b.masters().size() &&
           std::all_of(a.masters().begin(), a.masters().end(), [&b](const ClusterMap::Node& node) {
               const auto it =
                   std::find_if(b.masters().begin(), b.masters().end(),
                                [&node](const ClusterMap::Node& n) { return n.id == node.id; });
               return it != b.masters().end() && it->ranges == node.ranges &&
                      it->epoch == node.epoch && it->migratingSlots == node.migratingSlots;
           });
}

} // namespace

DeploymentScan::DeploymentScan(Router& router, const Classifier& classifier, const Clock& local,
                               Options options, QObject* parent)
    : QObject(parent)
    , m_router(router)
    , m_classifier(classifier)
    , m_local(local)
    , m_options(std::move(options))
{}

DeploymentScan::~DeploymentScan() = default;

// A name that two nodes returned was migrating: it is one key.
DeploymentScan::Options DeploymentScan::optionsOf(const NodeLink* node)
{
    Options options = m_options;
    options.ofOther = [this, node] { return &m_router.home() != node; };
    options.seen = [this](const QByteArray& name) {
        if (!m_scannedBy)
            return false;
        const qsizetype before = m_seen.size();
        m_seen.insert(qHash(name, size_t(0x51ED270B)));
        return m_seen.size() == before;
    };
    return options;
}

DeploymentScan::NodeScan& DeploymentScan::scanOf(NodeLink* node)
{
    const auto it = std::find_if(m_scans.begin(), m_scans.end(),
                                 [node](const auto& scan) { return scan->node == node; });
    if (it != m_scans.end())
        return **it;
    auto fresh = std::make_unique<NodeScan>();
    fresh->node = node;
    fresh->scan =
        std::make_unique<KeyspaceScan>(*node, m_classifier, m_local, optionsOf(node), nullptr);
    KeyspaceScan* scan = fresh->scan.get();
    NodeScan* at = fresh.get();
    scan->setClock(m_clock);
    scan->setHeld(m_held);
    connect(scan, &KeyspaceScan::sliceReady, this,
            [this, at](const std::shared_ptr<ScanSlice>& slice) { onSlice(*at, slice); });
    connect(scan, &KeyspaceScan::advanced, this, &DeploymentScan::advanced);
    connect(scan, &KeyspaceScan::finished, this, [this, at] { onEnd(*at); });
    connect(scan, &KeyspaceScan::failed, this,
            [this, at](const Error& error) { onFailed(*at, error); });
    m_scans.push_back(std::move(fresh));
    return *at;
}

void DeploymentScan::setClock(const ServerClock& clock)
{
    m_clock = clock;
    for (const auto& at : m_scans)
        at->scan->setClock(clock);
}

void DeploymentScan::start()
{
    stop();
    m_running = true;
    m_slotsKeptMoving = false;
    m_rescans = 0;
    m_scannedBy = m_router.map();
    m_seen.clear();
    m_scanned.clear();
    m_down.clear();
    m_error.reset();
    for (const auto& at : m_scans) {
        at->expected = 0;
        at->scanned = false;
        at->failed.reset();
    }
    const std::vector<NodeLink*> nodes = m_router.nodes();
    for (NodeLink* node :
         nodes) // mark all first, so that one that fails at once is not taken for the last
        scanOf(node).scanning = true;
    for (NodeLink* node : nodes)
        scanNode(node);
}

void DeploymentScan::start(std::vector<QByteArray> names)
{
    stop();
    m_running = true;
    m_scannedBy.reset();
    m_down.clear();
    m_error.reset();
    for (const auto& at : m_scans)
        at->failed.reset();
    NodeScan& at = scanOf(m_router.nodes().front());
    at.scanning = true;
    at.scan->start(std::move(names));
}

void DeploymentScan::scanNode(NodeLink* node)
{
    NodeScan& at = scanOf(node);
    at.scanning = true;
    at.scanned = true;
    at.failed.reset();
    if (m_router.map() && node->wasTried() && !node->isReady())
        return onFailed(at, {ErrorCode::NodeDown, node->endpoint()});
    at.scan->start();
}

void DeploymentScan::stop()
{
    ++m_run;
    m_running = false;
    for (const auto& at : m_scans) {
        at->scan->stop();
        at->scanning = false;
    }
}

void DeploymentScan::setHeld(bool held)
{
    m_held = held;
    for (const auto& at : m_scans)
        at->scan->setHeld(held);
}

void DeploymentScan::probe(std::vector<QByteArray> names)
{
    if (!m_router.nodes().empty())
        scanOf(m_router.nodes().front()).scan->probe(std::move(names));
}

bool DeploymentScan::isEndless() const
{
    return std::any_of(m_scans.begin(), m_scans.end(),
                       [](const auto& at) { return at->scan->isEndless(); });
}

void DeploymentScan::onSlice(NodeScan& at, const std::shared_ptr<ScanSlice>& slice)
{
    if (!slice->outside) {
        m_scanned[at.node->endpoint()] += slice->names;
        at.expected = slice->expected;
        slice->expected = 0;
        for (const auto& each : m_scans)
            slice->expected += each->expected;
    }
    emit sliceReady(slice);
}

void DeploymentScan::onEnd(NodeScan& at)
{
    at.scanning = false;
    onAllEnded();
}

void DeploymentScan::onFailed(NodeScan& at, const Error& error)
{
    at.scanning = false;
    at.failed = error;
    m_error = error;
    m_seen
        .clear(); // some of its names were not read: the nodes that have them now return them again
    if (error.code == ErrorCode::ClusterDown) { // every node reports the same
        stop();
        return giveUp();
    }
    onAllEnded();
}

void DeploymentScan::onAllEnded()
{
    if (!m_running ||
        std::any_of(m_scans.begin(), m_scans.end(), [](const auto& at) { return at->scanning; }))
        return;
    if (!m_router.map() || !m_scannedBy)
        return m_error && !m_router.map() ? giveUp() : finish();
    // A fresh map shows whether slots have moved since.
    m_router.refreshMap(this, [this, run = m_run] {
        if (run != m_run || !m_running || !m_router.map())
            return;
        std::vector<NodeLink*> again;
        const ClusterMap before = *std::exchange(m_scannedBy, m_router.map());
        // A slot may keep migrating for long, or forever if a reshard was aborted. Keys that moved
        // before their old node was scanned are on the new one, which has been scanned since.
        const bool same = m_rescans > 0 && hasSameSlots(before, *m_router.map());
        for (NodeLink* node : m_router.nodes()) {
            const ClusterMap::Node* facts = m_router.map()->named(node->endpoint());
            const NodeScan& at = scanOf(node);
            if (!at.scanned ||
                (at.failed && at.failed->code == ErrorCode::NodeDown && node->isReady()) ||
                (facts && !same && tookSlots(*facts, before)))
                again.push_back(node);
        }
        m_slotsKeptMoving = !again.empty() && ++m_rescans > mostRescans;
        // A node that did not answer may have given its slots to others; here those are all down as
        // well.
        const auto& nodes = m_router.nodes();
        if (again.empty() && std::all_of(nodes.begin(), nodes.end(), [this](NodeLink* node) {
                return scanOf(node).failed.has_value();
            }))
            return giveUp();
        if (again.empty() || m_slotsKeptMoving)
            return finish();
        for (NodeLink* node : again)
            scanOf(node).scanning = true;
        for (NodeLink* node : again)
            scanNode(node);
    });
}

void DeploymentScan::giveUp()
{
    m_running = false;
    emit failed(*m_error);
}

void DeploymentScan::finish()
{
    if (m_router.map()) {
        for (NodeLink* node : m_router.nodes()) {
            if (scanOf(node).failed)
                m_down.push_back(node->endpoint());
        }
    }
    // A node without slots has no keys, unless it is importing some.
    std::erase_if(m_down, [this](const QString& endpoint) {
        const auto& map = m_router.map();
        const ClusterMap::Node* facts = map ? map->named(endpoint) : nullptr;
        return facts && !map->counts(*facts) && !map->takesFirst(*facts);
    });
    // A master without a known address was not scanned either.
    const ClusterMap none;
    for (const ClusterMap::Node& node : (m_router.map() ? *m_router.map() : none).masters()) {
        if (!node.ranges.empty() && node.address.port == 0)
            m_down.push_back(node.endpoint);
    }
    m_running = false;
    m_seen.clear();
    emit finished();
}

} // namespace lk
