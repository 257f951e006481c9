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

Sweep::Sweep(const ServerUrl& url, Discovery& discovery, const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_discovery(discovery)
    , m_clock(clock)
    , m_connection(url, sweepOptions(), this)
    , m_scan(m_connection, discovery.classifier(), clock,
             {500, 1, {}, [this](const QByteArray& name) { return isKnown(name); },
              [this](qint64 tookMs) { return pauseAfter(tookMs); }},
             this)
{
    connect(&m_connection, &Connection::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionStatus::Phase::Ready && !m_paused && m_scan.isRunning() == false)
            startWalk();
    });
    connect(&m_scan, &KeyspaceScan::sliceReady, this,
            [this](const std::shared_ptr<ScanSlice>& slice) { onSlice(*slice); });
    connect(&m_scan, &KeyspaceScan::finished, this, &Sweep::onFinished);
    connect(&m_scan, &KeyspaceScan::failed, this, [this](const Error& error) {
        m_problem = error; // the next second starts again, once the connection is back
        m_nextMs = m_clock.nowMs() + 1000;
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

void Sweep::restart()
{
    m_unclaimed.clear();
    m_walks = 0;
    m_nextMs = 0;
    if (m_connection.isReady() && !m_paused)
        startWalk();
}

void Sweep::look(const QByteArray& name)
{
    if (m_toLook.size() < 4 * looksPerSecond && !isKnown(name))
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
    if (!m_scan.isRunning() && m_clock.nowMs() >= m_nextMs)
        startWalk();
}

void Sweep::startWalk()
{
    m_walk = {};
    m_problem.reset();
    m_startedMs = m_clock.nowMs();
    m_scan.start();
}

bool Sweep::isKnown(const QByteArray& name) const
{
    return m_discovery.registry().findKey(name) != noHandle || m_unclaimed.contains(hashOf(name));
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
    if (slice.firstError && !m_problem)
        m_problem = slice.firstError;
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
    m_walk.skipped += slice.skipped;
    m_walk.commands += slice.commands;
    m_walk.elapsedMs = m_clock.nowMs() - m_startedMs;
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
    m_walk.elapsedMs = m_clock.nowMs() - m_startedMs;
    m_walk.complete = true;
    m_shown = m_walk;
    m_nextMs = m_clock.nowMs() + (m_walks == 1 ? firstRestMs : restMs);
    if (m_walks % walksUntilForgetting == 0)
        m_unclaimed.clear();
    emit walkFinished();
}

} // namespace lk
