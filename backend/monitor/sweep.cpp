// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/sweep.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 firstRestMs = 3000;     // then the feed covers what the first walk found, and the
                                         // second finds what came in between
constexpr qint64 restMs = 15'000;        // between two later walks
constexpr int slicePauseMs = 100;        // between two slices of a later walk
constexpr int walksUntilForgetting = 40; // then unclaimed names are looked at again
constexpr qsizetype rememberedNames = 4'000'000;
constexpr size_t looksPerSecond = 100;
constexpr size_t mostReasons = 40;          // a hostile server may think of more
constexpr qint64 firstRetryMs = 1000;       // after a walk that failed; doubles up to
constexpr qint64 longestRetryMs = 60'000;

Connection::Options sweepOptions()
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

Sweep::Sweep(const ServerUrl& url, Discovery& discovery, const Clock& clock,
             qint64 commandsPerSecond, QObject* parent)
    : QObject(parent)
    , m_discovery(discovery)
    , m_clock(clock)
    , m_connection(url, sweepOptions(), this)
    , m_budget(commandsPerSecond, clock)
    , m_scan(m_connection, discovery.classifier(), clock, scanOptions(), this)
{
    connect(&m_connection, &Connection::statusChanged, this, [this](const ConnectionStatus& status) {
        using Phase = ConnectionStatus::Phase;
        if (status.phase == Phase::Lost)
            m_lostBy = status.error; // until it is back: each try is one more reason
        else if (status.phase == Phase::Ready || status.phase == Phase::Closed)
            m_lostBy.reset();
        if (status.phase == Phase::Ready && !m_paused && !m_stopped && !m_scan.isRunning()
            && m_failures <= 1)
            startWalk();
    });
    connect(&m_scan, &KeyspaceScan::sliceReady, this,
            [this](const std::shared_ptr<ScanSlice>& slice) { onSlice(*slice); });
    connect(&m_scan, &KeyspaceScan::finished, this, &Sweep::onFinished);
    connect(&m_scan, &KeyspaceScan::failed, this, [this](const Error& error) {
        m_problem = error; // it starts again, once the connection is back
        const qint64 restMs = std::min(firstRetryMs << std::min(m_failures, 10), longestRetryMs);
        ++m_failures;
        m_nextMs = m_clock.nowMs() + restMs;
        if (error.code == ErrorCode::NoPerm) { // of SCAN itself
            Missing denied = missingFor(error);
            denied.detail = tr("no key can be found");
            m_walk.missing = {denied};
            m_shown = m_walk;
            emit walkFinished();
        }
    });
}

void Sweep::close()
{
    m_connection.close();
}

void Sweep::setPassword(const QString& user, const QString& password)
{
    m_connection.setPassword(user, password);
}

void Sweep::setPaused(bool paused)
{
    m_paused = paused;
    m_scan.setHeld(paused);
}

KeyspaceScan::Options Sweep::scanOptions()
{
    KeyspaceScan::Options options;
    options.knowledge = [this](const QByteArray& name) { return knowledgeOf(name); };
    options.pause = [this](qint64 tookMs) { return pauseAfter(tookMs); };
    options.pace = [this](qint64 commands) { return m_budget.waitMs(commands); };
    return options;
}

void Sweep::restart()
{
    m_unclaimed.clear();
    m_unread.clear();
    m_reasons.clear();
    m_unreadFor.reset();
    m_walks = 0;
    m_failures = 0;
    m_nextMs = 0;
    m_stopped = false;
    if (m_connection.isReady() && !m_paused)
        startWalk();
}

void Sweep::stopWalk()
{
    m_stopped = true;
    if (!m_scan.isRunning())
        return;
    m_scan.stop();
    Missing stopped;
    stopped.cause = Missing::Cause::Stopped;
    m_walk.missing.push_back(stopped);
    m_shown = m_walk;
    emit walkFinished();
}

void Sweep::look(const QByteArray& name)
{
    if (m_toLook.size() < 4 * looksPerSecond && !isKnown(name) && !m_unread.contains(hashOf(name)))
        m_toLook.push_back(name);
}

void Sweep::everySecond()
{
    if (m_paused || !m_connection.isReady())
        return;
    if (!m_toLook.empty()) {
        std::sort(m_toLook.begin(), m_toLook.end());
        m_toLook.erase(std::unique(m_toLook.begin(), m_toLook.end()), m_toLook.end());
        if (m_toLook.size() > looksPerSecond)
            m_toLook.resize(looksPerSecond);
        m_scan.look(std::exchange(m_toLook, {}));
    }
    if (!m_scan.isRunning() && !m_stopped && m_clock.nowMs() >= m_nextMs)
        startWalk();
}

void Sweep::startWalk()
{
    m_walk = {};
    m_problem = m_unreadFor;
    m_startedMs = m_clock.nowMs();
    for (Missing& reason : m_reasons)
        reason.keys = 0;
    m_scan.start();
}

KeyspaceScan::Options::Knowledge Sweep::knowledgeOf(const QByteArray& name)
{
    using Knowledge = KeyspaceScan::Options::Knowledge;
    if (const auto it = m_unread.constFind(hashOf(name)); it != m_unread.cend()) {
        ++m_reasons[*it].keys;
        return Knowledge::Denied;
    }
    return isKnown(name) ? Knowledge::Known : Knowledge::New;
}

// Asked again and again, a denied key fills the server's ACL LOG, and one that is too large costs
// the connection each time.
void Sweep::remember(const UnreadKey& key, bool counted)
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

// What a user may not read stays so until somebody changes that, and scans again; all else may have
// passed.
void Sweep::forgetMoved()
{
    m_unread.removeIf([this](QHash<quint64, quint16>::iterator it) {
        const Missing::Cause cause = m_reasons[*it].cause;
        return cause != Missing::Cause::Command && cause != Missing::Cause::KeyPatterns;
    });
}

bool Sweep::isKnown(const QByteArray& name) const
{
    return m_discovery.isKnown(name) || m_unclaimed.contains(hashOf(name));
}

// The first walk takes about a third of one core of the server at the most, later ones next to
// nothing. A server that answers slowly gets longer pauses by itself.
int Sweep::pauseAfter(qint64 tookMs) const
{
    const int share = int(std::min<qint64>(tookMs * 2, 2000));
    return m_walks == 0 ? share : std::max(slicePauseMs, share);
}

void Sweep::onSlice(const ScanSlice& slice)
{
    if (!slice.unread.empty() && !m_unreadFor)
        m_problem = m_unreadFor = slice.unread.front().error;
    for (const UnreadKey& key : slice.unread)
        remember(key, !slice.outside);
    const Discovery::Found found = m_discovery.take(slice);
    if (m_unclaimed.size() < rememberedNames) {
        for (const QByteArray& name : found.unclaimed)
            m_unclaimed.insert(hashOf(name));
    }
    if (!slice.outside)
        count(slice);
    emit discovered(found);
}

void Sweep::count(const ScanSlice& slice)
{
    m_walk.scanned += slice.names;
    m_walk.skipped += slice.skipped();
    m_walk.commands += slice.commands;
    m_walk.elapsedMs = m_clock.nowMs() - m_startedMs;
    m_walk.expected = slice.expected;
    m_walk.missing.clear();
    for (const Missing& reason : m_reasons) {
        if (reason.keys > 0)
            m_walk.missing.push_back(reason);
    }
    // What was known was not looked at again: the claimed keys are those of the registry.
    const qint64 readable = m_walk.scanned - m_walk.skipped;
    m_walk.matched = std::min(readable, qint64(m_discovery.registry().keyCount()));
    m_walk.unclaimed = readable - m_walk.matched;
    if (m_walks == 0)
        m_shown = m_walk;
}

void Sweep::onFinished()
{
    ++m_walks;
    m_failures = 0;
    m_walk.elapsedMs = m_clock.nowMs() - m_startedMs;
    m_walk.complete = true;
    if (m_scan.isEndless()) {
        Missing endless;
        endless.cause = Missing::Cause::Endless;
        m_walk.missing.push_back(endless);
    }
    m_shown = m_walk;
    if (const Discovery::Found left = m_discovery.settle(); !left.removed.empty() || !left.toRead.empty())
        emit discovered(left);
    m_nextMs = m_clock.nowMs() + (m_walks == 1 ? firstRestMs : restMs);
    if (m_walks % walksUntilForgetting == 0) {
        m_unclaimed.clear();
        forgetMoved();
    }
    emit walkFinished();
}

} // namespace lk
