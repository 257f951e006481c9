// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/backgroundscan.h"

#include "backend/discovery/clustercoverage.h"

#include <algorithm>
#include <limits>

namespace lk {

namespace {

constexpr qint64 restMs = 1000; // between two scans. After the first the feed covers the keys that
                                // it found; the second finds keys that came in between
constexpr double namePauseMs = 0.3;   // for each name of a slice of a later scan: it runs all the
                                      // time, at a pace that hardly depends on the number of names
constexpr double leastPauseMs = 20;   // after a slice of a later scan
constexpr double laterSliceUs = 2100; // really a fifth: nearly all names cost only SCAN
constexpr int scansUntilForgetting = 40;  // then names not recognized are read again
constexpr qint64 leastMemoryMs = 600'000; // least time before that
constexpr qsizetype rememberedNames = 4'000'000;
constexpr size_t probesPerSecond = 100;
constexpr size_t mostReasons = 40;    // a hostile server may invent more
constexpr qint64 firstRetryMs = 1000; // after a scan that failed; doubles up to the next
constexpr qint64 longestRetryMs = 60'000;

Connection::Options connectionOptions()
{
    Connection::Options options;
    options.clientName = QByteArrayLiteral("lockkeeper-scan");
    return options;
}

quint64 hashOf(const QByteArray& name)
{
    return qHash(name, size_t(0x9E3779B97F4A7C15ull));
}

} // namespace

BackgroundScan::BackgroundScan(const ServerUrl& url, Discovery& discovery, const Clock& clock,
                               std::optional<qint64> commandsPerSecond, QObject* parent)
    : QObject(parent)
    , m_discovery(discovery)
    , m_clock(clock)
    , m_router(url, connectionOptions(), this)
    , m_commandsPerSecond(commandsPerSecond)
    , m_scan(m_router, discovery.classifier(), clock, scanOptions(), this)
{
    connect(&m_router, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        using Phase = ConnectionStatus::Phase;
        if (status.phase == Phase::Lost)
            m_lostBy = status.error; // set until it is back: each attempt has its own error
        else if (status.phase == Phase::Ready || status.phase == Phase::Closed)
            m_lostBy.reset();
        if (status.phase == Phase::Ready && !m_paused && !m_stopped && !m_scan.isRunning() &&
            m_failures <= 1)
            startPass();
    });
    connect(&m_scan, &DeploymentScan::sliceReady, this,
            [this](const std::shared_ptr<ScanSlice>& slice) { onSlice(*slice); });
    connect(&m_scan, &DeploymentScan::finished, this, &BackgroundScan::onFinished);
    connect(&m_scan, &DeploymentScan::failed, this, [this](const Error& error) {
        m_problem = namingNodes(error, m_router); // starts again once the connection is back
        const qint64 restMs = std::min(firstRetryMs << std::min(m_failures, 10), longestRetryMs);
        ++m_failures;
        m_nextMs = m_clock.nowMs() + restMs;
        if (error.code == ErrorCode::NoPerm) { // SCAN itself is denied
            Missing denied = missingFor(error);
            denied.detail = tr("no key can be scanned");
            m_pass.missing = {denied};
            m_shown = m_pass;
            // Retries are pointless. A rescan finds keys that are granted later.
            m_nextMs = std::numeric_limits<qint64>::max();
            emit passFinished();
        }
    });
}

void BackgroundScan::close()
{
    m_router.close();
}

void BackgroundScan::setPassword(const QString& user, const QString& password)
{
    m_router.setPassword(user, password);
}

void BackgroundScan::setSentinelPassword(const QString& user, const QString& password)
{
    m_router.setSentinelPassword(user, password);
}

void BackgroundScan::setPaused(bool paused)
{
    m_paused = paused;
    m_scan.setHeld(paused);
}

void BackgroundScan::setPace(ScanPace pace)
{
    m_pace = pace;
    m_commandsPerSecond.reset();
}

KeyspaceScan::Options BackgroundScan::scanOptions()
{
    KeyspaceScan::Options options;
    options.knowledge = [this](const QByteArray& name) { return knowledgeOf(name); };
    options.bounds = [this](bool busy) { return boundsOfSlice(busy); };
    options.countOthersMs = 250; // this console's own reads, too, come in bursts
    return options;
}

// Later scans skip nearly all names and put almost no load on the server.
ScanBounds BackgroundScan::boundsOfSlice(bool busy) const
{
    ScanBounds bounds = boundsOf(m_pace, busy);
    bounds.commandsPerSecond = m_commandsPerSecond.value_or(bounds.commandsPerSecond);
    if (m_passes > 0) {
        bounds.longestUs = laterSliceUs;
        bounds.leastPauseMs = leastPauseMs;
        bounds.namePauseMs = namePauseMs;
    }
    return bounds;
}

void BackgroundScan::restart()
{
    m_notRecognized.clear();
    m_unread.clear();
    m_reasons.clear();
    m_unreadFor.reset();
    m_passes = 0;
    m_remembered = 0;
    m_failures = 0;
    m_nextMs = 0;
    m_stopped = false;
    if (m_router.isReady() && !m_paused)
        startPass();
}

void BackgroundScan::stopPass()
{
    Missing byPerson;
    byPerson.cause = Missing::Cause::Stopped;
    stopPass(byPerson);
}

void BackgroundScan::stopPass(const Missing& why)
{
    m_stopped = true;
    if (!m_scan.isRunning())
        return;
    m_scan.stop();
    m_pass.missing.push_back(why);
    m_shown = m_pass;
    emit passFinished();
}

void BackgroundScan::probe(const QByteArray& name)
{
    if (m_toProbe.size() < 4 * probesPerSecond && !isKnown(name) &&
        !m_unread.contains(hashOf(name)))
        m_toProbe.push_back(name);
}

void BackgroundScan::everySecond()
{
    if (m_paused || !m_router.isReady())
        return;
    if (m_stopped && m_memory.isReached())
        m_toProbe.clear();
    if (!m_toProbe.empty()) {
        std::sort(m_toProbe.begin(), m_toProbe.end());
        m_toProbe.erase(std::unique(m_toProbe.begin(), m_toProbe.end()), m_toProbe.end());
        if (m_toProbe.size() > probesPerSecond)
            m_toProbe.resize(probesPerSecond);
        m_scan.probe(std::exchange(m_toProbe, {}));
    }
    if (!m_scan.isRunning() && !m_stopped && m_clock.nowMs() >= m_nextMs)
        startPass();
}

void BackgroundScan::startPass()
{
    m_pass = {};
    m_members = 0;
    m_problem = m_unreadFor;
    m_startedMs = m_clock.nowMs();
    if (m_remembered == 0)
        m_rememberedFromMs = m_startedMs;
    for (Missing& reason : m_reasons)
        reason.keys = 0;
    m_discovery.possible().beginPass();
    m_scan.start();
}

KeyspaceScan::Options::Knowledge BackgroundScan::knowledgeOf(const QByteArray& name)
{
    using Knowledge = KeyspaceScan::Options::Knowledge;
    if (!m_unread.isEmpty()) {
        if (const auto it = m_unread.constFind(hashOf(name)); it != m_unread.cend()) {
            ++m_reasons[*it].keys;
            return Knowledge::Denied;
        }
    }
    if (!m_discovery.isKnown(name)) {
        if (m_discovery.ownerOf(name) != noHandle)
            return Knowledge::Member; // even if it was not recognized before its owner was found
        if (!m_notRecognized.contains(hashOf(name)) || m_discovery.isWatched(name))
            return Knowledge::New;
    }
    m_discovery.possible().see(name);
    return Knowledge::Known;
}

// Repeated reads of a denied key fill the server's ACL LOG, and each read of a too large key costs
// the connection.
void BackgroundScan::remember(const UnreadKey& key, bool counted)
{
    const Missing reason = missingFor(key.error);
    auto it = std::find_if(m_reasons.begin(), m_reasons.end(),
                           [&reason](const Missing& m) { return isSameReason(m, reason); });
    if (it == m_reasons.end()) {
        if (m_reasons.size() < mostReasons)
            m_reasons.push_back(reason);
        it = m_reasons.end() - 1;
    }
    it->keys += counted ? 1 : 0;
    if (m_unread.size() < rememberedNames)
        m_unread.insert(hashOf(key.name), quint16(it - m_reasons.begin()));
}

// Forgets unread keys whose cause may have passed. Denied keys stay until the permissions change
// and the user scans again.
void BackgroundScan::forgetMoved()
{
    m_unread.removeIf([this](QHash<quint64, quint16>::iterator it) {
        const Missing::Cause cause = m_reasons[*it].cause;
        return cause != Missing::Cause::Command && cause != Missing::Cause::Database &&
               cause != Missing::Cause::KeyPatterns;
    });
}

bool BackgroundScan::isKnown(const QByteArray& name) const
{
    return m_discovery.isKnown(name) || m_notRecognized.contains(hashOf(name));
}

void BackgroundScan::onSlice(ScanSlice& slice)
{
    if (!slice.unread.empty() && !m_unreadFor)
        m_problem = m_unreadFor = slice.unread.front().error;
    for (const UnreadKey& key : slice.unread)
        remember(key, !slice.outside);
    const Discovery::Found found = m_discovery.take(slice);
    if (found.rereads)
        m_notRecognized.clear();
    if (m_notRecognized.size() < rememberedNames) {
        for (const QByteArray& name : found.notRecognized)
            m_notRecognized.insert(hashOf(name));
    }
    if (!slice.outside) {
        m_members += slice.members + found.members;
        count(slice);
    }
    emit discovered(found);
    const bool grew = m_passes == 0 || !found.decoded.empty() || !found.toRead.empty();
    if (grew && !slice.outside && m_memory.isReached())
        QMetaObject::invokeMethod(
            this, [this] { m_stopped ? void() : stopPass(m_memory.reason()); },
            Qt::QueuedConnection); // by then the caller is done with the slice
}

void BackgroundScan::count(const ScanSlice& slice)
{
    m_pass.scanned += slice.scanned();
    m_pass.skipped += slice.skipped();
    m_pass.commands += slice.commands;
    m_pass.elapsedMs = m_clock.nowMs() - m_startedMs;
    m_pass.expected = slice.expected;
    m_pass.missing.clear();
    for (const Missing& reason : m_reasons) {
        if (reason.keys > 0)
            m_pass.missing.push_back(reason);
    }
    // Known keys were not read again, so the matched keys are those of the registry.
    const qint64 readable = m_pass.scanned - m_pass.skipped;
    m_pass.matched = std::min(readable, m_discovery.registry().keyCount() + m_members);
    m_pass.notRecognized = readable - m_pass.matched;
    m_pass.possible = m_discovery.possible().total();
    if (m_passes == 0)
        m_shown = m_pass;
}

void BackgroundScan::onFinished()
{
    ++m_passes;
    m_failures = 0;
    m_pass.elapsedMs = m_clock.nowMs() - m_startedMs;
    m_pass.complete = m_scan.nodesDown().empty() && !m_scan.slotsKeptMoving();
    for (const QString& node : m_scan.nodesDown())
        m_pass.missing.push_back(missingFor({ErrorCode::NodeDown, node}));
    if (m_scan.isEndless()) {
        Missing endless;
        endless.cause = Missing::Cause::Endless;
        m_pass.missing.push_back(endless);
    }
    if (m_scan.slotsKeptMoving()) {
        Missing moving;
        moving.cause = Missing::Cause::Migrating;
        m_pass.missing.push_back(moving);
    }
    const Discovery::Found adopted = m_discovery.adopt();
    m_pass.matched = std::min(m_pass.scanned - m_pass.skipped, m_pass.matched + adopted.recovered);
    m_pass.notRecognized = m_pass.scanned - m_pass.skipped - m_pass.matched;
    if (!adopted.removed.empty())
        emit discovered(adopted);
    m_discovery.possible().endPass();
    m_pass.possible = m_discovery.possible().total();
    m_shown = m_pass;
    if (const Discovery::Found left = m_discovery.judgeDoubted();
        !left.removed.empty() || !left.toRead.empty())
        emit discovered(left);
    m_nextMs = m_clock.nowMs() + restMs;
    if (++m_remembered >= scansUntilForgetting &&
        m_clock.nowMs() - m_rememberedFromMs >= leastMemoryMs) {
        m_notRecognized.clear();
        forgetMoved();
        m_remembered = 0;
    }
    emit passFinished();
}

} // namespace lk
