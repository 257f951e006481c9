// SPDX-License-Identifier: GPL-3.0-or-later
// The reading half of Monitor: which primitives a polling interval reads, and how it handles the
// replies.
#include "backend/core/names/glob.h"
#include "backend/session/monitor/monitor.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t readChunk = 128;    // primitives in one batch
constexpr int maxRoundsUnderWay = 6; // a slow server receives no more
constexpr qint64 putOffMs = 3000;    // delay of off-screen payloads without byte budget

} // namespace

void Monitor::tick()
{
    const qint64 nowMs = m_clock.nowMs();
    const double elapsed = double(nowMs - std::exchange(m_lastTickMs, nowMs)) / 1000.0;
    // Unanswered rounds mean a slow server: wait until they are answered.
    if (m_roundsUnderWay >= maxRoundsUnderWay)
        return;
    // Read less if reads make keys recently used and thereby affect evictions.
    const bool disturbs = m_evictsByUse && !m_control.leavesKeysUntouched();
    const qint64 serverMs = m_serverClock.serverMs(nowMs);
    m_budget.refill(elapsed, m_queue.takeChanged(), m_queue.backlog(serverMs), disturbs);
    const int others = m_roundsUnderWay > 1 ? 0 : m_budget.reads();

    std::vector<ReadRequest> wanted;
    const auto items = m_queue.take(serverMs, others);
    for (const PollQueue::Item& item : items) {
        const Followed* followed = m_followed.find(item.handle);
        if (!m_discovery.registry().contains(item.handle) || (followed && followed->givenUp))
            continue;
        ReadRequest request = m_discovery.request(item.handle, item.depth);
        request.large = followed && followed->large;
        wanted.push_back(std::move(request));
    }
    pacePayloads(wanted, nowMs);
    std::vector<ReadRequest> requests;
    for (ReadRequest& request : wanted) {
        if (m_oversized.takeSuspect(request.handle)) {
            read({std::move(request)});
            continue;
        }
        requests.push_back(std::move(request));
        if (requests.size() >= readChunk)
            read(std::exchange(requests, {}));
    }
    if (!requests.empty())
        read(std::move(requests));
}

void Monitor::pacePayloads(std::vector<ReadRequest>& requests, qint64 nowMs)
{
    const qint64 serverMs = m_serverClock.serverMs(nowMs);
    const auto feedEpoch = [this](const Primitive& primitive) {
        quint64 epoch = 0;
        for (const KeyRole& key : primitive.keys) {
            epoch = m_feed.epochOf(key.key);
            if (epoch == 0)
                break;
        }
        return epoch;
    };
    for (const Handle handle :
         m_payloads.choose(requests, {nowMs, serverMs, m_queue.selected(), feedEpoch})) {
        if (!m_queue.hasAttention(handle)) // others are read at the next interval anyway
            m_queue.setDue(handle, serverMs + putOffMs);
    }
}

void Monitor::read(std::vector<ReadRequest> requests)
{
    ++m_roundsUnderWay;
    readPrimitives(m_control, std::move(requests), m_serverClock, m_clock, this,
                   [this](ReadRound round) {
                       m_roundsUnderWay = std::max(0, m_roundsUnderWay - 1);
                       if (round.error)
                           onReadFailed(std::move(round.unread), *round.error);
                       onRound(std::move(round));
                   });
}

void Monitor::onReadFailed(std::vector<ReadRequest> requests, const Error& error)
{
    const bool alone = requests.size() == 1;
    std::erase_if(requests, [&](const ReadRequest& request) { // forgotten meanwhile
        return !m_discovery.registry().contains(request.handle);
    });
    for (const ReadRequest& request : requests) {
        m_queue.markDirty(request.handle);
        m_payloads.failed(request.handle);
    }
    const qint64 nowMs = m_serverClock.serverMs(m_clock.nowMs());
    if (auto outcome = m_oversized.failed(requests, alone, error, nowMs).givenUp) {
        m_followed[outcome->handle].givenUp = true;
        keep(std::move(*outcome));
    }
}

void Monitor::onRound(ReadRound round)
{
    if (round.timed) {
        m_serverClock = betterClock(m_serverClock, round.sentMs, round.receivedMs, round.serverMs);
    }
    double spent = 0;
    for (const ReadOutcome& outcome : round.outcomes)
        spent += m_queue.hasAttention(outcome.handle) ? 0 : 1;
    if (!round.outcomes.empty())
        m_budget.spent(double(round.commands) * spent / double(round.outcomes.size()), spent);
    for (ReadOutcome& outcome : round.outcomes) {
        m_payloads.took(outcome.handle, outcome, round.receivedMs);
        keep(std::move(outcome));
    }
    publish();
}

// Also uses the scan's expected count, so that the first of a million are packed too.
bool Monitor::arePacked() const
{
    const qsizetype known = m_discovery.registry().size();
    return std::max(known, qsizetype(m_scan.counts().expected)) > m_limits.packFrom;
}

void Monitor::markVote(State& state) const
{
    if (m_redlocks.isEmpty() || state.kind() != Kind::Lock || state.primitive->keys.empty())
        return;
    const QByteArray& key = state.primitive->keys.front().key;
    if (std::any_of(m_redlocks.begin(), m_redlocks.end(),
                    [&](const QByteArray& glob) { return globMatches(glob, key); }))
        state.body.get<LockState>().partOf = QByteArray(redlockPart);
}

void Monitor::keep(ReadOutcome outcome)
{
    const Handle handle = outcome.handle;
    Registry& registry = m_discovery.registry();
    if (registry.primitive(handle) != outcome.state.primitive)
        return; // forgotten or changed since the request: it is read again
    m_ownEnds.apply(outcome.state);
    m_firstSeen.apply(outcome.state);
    m_earlier.apply(outcome.state);
    m_workers.apply(outcome.state);
    m_jobs.saw(handle, outcome.state);
    markVote(outcome.state);
    Followed& followed = m_followed[handle];
    followed.apply(outcome.state);
    if (m_payloads.isWaiting(handle)) { // only primitives on screen are read again without this
        qint64& againMs = outcome.state.revisitAtMs;
        const qint64 soonMs = outcome.state.asOfMs + putOffMs;
        againMs = againMs > 0 ? std::min(againMs, soonMs) : soonMs;
    }
    followed.large = outcome.large;
    if (outcome.state.kind() == Kind::Queue)
        m_autoRequeues.know(outcome.state.primitive);
    // Repeated denied reads would fill the server's ACL LOG.
    if (outcome.state.problem && outcome.state.problem->code == ErrorCode::NoPerm)
        followed.givenUp = true;
    m_queue.setDue(handle, outcome.state.revisitAtMs);
    m_tombstones.saw(handle, outcome.state);
    const StatePtr state = std::make_shared<State>(std::move(outcome.state));
    const bool packs = arePacked() && !m_queue.hasAttention(handle);
    const KeptState kept = packs ? KeptState::packed(state) : KeptState(state);
    registry.setState(handle, kept);
    m_changes.set(handle, state, kept);
}

} // namespace lk
