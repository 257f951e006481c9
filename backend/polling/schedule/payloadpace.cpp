// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/payloadpace.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 leastApartMs = 2000;   // between two payload reads, if it is not selected
constexpr qint64 refreshMs = 30'000;    // if no feed covers it and nothing seems to have changed
constexpr qint64 probeApartMs = 1000;   // if it is not selected
constexpr qint64 refreshBytesPerMs = 4; // refreshes large payloads less often
constexpr qint64 mostRefreshMs = 600'000;
constexpr qint64 longNames = 8 * 1024; // bytes, the sum over all its keys
constexpr qint64 sentPerRead = 4;      // commands that name a key
constexpr qint64 longNamesApartMs = 5000;

qint64 nameBytes(const Primitive& primitive)
{
    qint64 bytes = 0;
    for (const KeyRole& key : primitive.keys)
        bytes += key.key.size();
    return bytes;
}

qint64 refreshAfterMs(qint64 bytes)
{
    return std::clamp(bytes / refreshBytesPerMs, refreshMs, mostRefreshMs);
}

bool hasLongNames(const ReadRequest& request)
{
    return nameBytes(*request.primitive) >= longNames;
}

PayloadFacts factsOf(const ReadRequest& request)
{
    const State* known = request.previous.get();
    return known && !known->problem ? *known->payloads : PayloadFacts();
}

// Estimates the bytes that the request would receive and send.
qint64 expectedBytes(const ReadRequest& request)
{
    return factsOf(request).bytes.value_or(0) + nameBytes(*request.primitive) * sentPerRead;
}

} // namespace

void PayloadPace::changed(Handle handle, const Primitive& primitive, const QByteArray& key)
{
    PayloadEntry* its = find(handle);
    if (!its) // it has not had a turn yet, which counts as changed
        return;
    const Layout* layout = findLayout(primitive.id.layout);
    for (const KeyRole& known : primitive.keys) {
        if (known.key != key)
            continue;
        const bool matters = !layout || layout->bearsOnPayloads(known.role);
        (matters ? its->changed : its->changedBeside) = true;
    }
}

PayloadEntry& PayloadPace::entry(Handle handle)
{
    std::unique_ptr<PayloadEntry>& its = m_table[handle].ownApart().payloads;
    if (!its)
        its = std::make_unique<PayloadEntry>();
    return *its;
}

PayloadEntry* PayloadPace::find(Handle handle) const
{
    Followed* followed = m_table.find(handle);
    return followed && followed->apart ? followed->apart->payloads.get() : nullptr;
}

void PayloadPace::refreshAll()
{
    for (const auto& [handle, followed] : m_table) {
        if (followed.apart && followed.apart->payloads)
            followed.apart->payloads->refresh = true;
    }
}

bool PayloadPace::isWaiting(Handle handle) const
{
    const PayloadEntry* its = find(handle);
    return its && its->waiting;
}

void PayloadPace::refill(qint64 localMs)
{
    const qint64 elapsed = std::clamp<qint64>(localMs - std::exchange(m_lastMs, localMs), 0, 1000);
    m_left = std::min(m_left + elapsed * m_rate / 1000, m_rate);
}

PayloadPace::Rank PayloadPace::rankOfPayloads(ReadRequest& request, PayloadEntry& entry,
                                              const Tick& tick)
{
    const bool selected = request.handle == tick.selected;
    const bool isQueue = request.primitive->kind == Kind::Queue;
    const PayloadFacts facts = factsOf(request);
    request.payloads = PayloadRead::None;
    if (entry.reserved >= 0 || (!isQueue && !selected))
        return Rank::None; // a read is in progress, or only the detail pane needs it
    if (isQueue && !facts.bytes) {
        request.payloads = PayloadRead::Probe; // its size is read first
        return Rank::None;
    }
    const quint64 epoch = tick.feedEpoch(*request.primitive);
    const qint64 apartMs = tick.localMs - entry.readMs;
    const bool differs = entry.readMs == 0 || !facts.asOfMs || facts.changed || entry.changed ||
                         entry.refresh || (epoch != 0 && epoch != entry.epoch);
    const bool vouched = !differs && epoch != 0;
    request.unchanged = vouched;
    // Reads items that become stuck about now: only items that were seen again count as stuck.
    const bool due = !vouched && facts.dueMs > 0 && facts.dueMs <= tick.serverMs;
    // A rotated list has the same length and size.
    const bool turned = !isQueue && epoch == 0;
    const qint64 oldMs =
        vouched && !entry.changedBeside ? mostRefreshMs : refreshAfterMs(facts.bytes.value_or(0));
    const bool old = turned || apartMs >= oldMs;
    entry.waiting = differs || due;
    const bool soon = entry.readMs > 0 && !selected && apartMs < leastApartMs;
    if (!soon && (differs || due || old))
        return selected ? Rank::Selected : differs || due ? Rank::Changed : Rank::Old;
    if (!differs && epoch == 0 && (selected || tick.localMs - entry.probedMs >= probeApartMs)) {
        request.payloads = PayloadRead::Probe;
        entry.probedMs = tick.localMs;
    }
    return Rank::None;
}

PayloadPace::Rank PayloadPace::rank(ReadRequest& request, PayloadEntry& entry, const Tick& tick)
{
    Rank rank = Rank::None;
    if (!hasLongNames(request))
        rank = rankOfPayloads(request, entry, tick);
    else if (entry.reserved < 0 &&
             (entry.readMs == 0 || tick.localMs - entry.readMs >= longNamesApartMs))
        rank = request.handle == tick.selected ? Rank::Selected : Rank::Changed;
    return rank;
}

std::vector<Handle> PayloadPace::choose(std::vector<ReadRequest>& requests, const Tick& tick)
{
    struct Candidate
    {
        Rank rank;
        qint64 readMs;
        ReadRequest* request;
    };
    refill(tick.localMs);
    std::vector<Candidate> candidates;
    for (ReadRequest& request : requests) {
        const bool paced =
            request.primitive->kind == Kind::Queue ||
            (request.primitive->kind == Kind::Pattern && request.depth == Depth::Detail);
        if (!paced && !hasLongNames(request))
            continue;
        PayloadEntry& its = entry(request.handle);
        its.waiting = false;
        const Rank ranked = rank(request, its, tick);
        if (ranked != Rank::None)
            candidates.push_back({ranked, its.readMs, &request});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.readMs < b.readMs;
    });
    for (const Candidate& candidate : candidates) {
        if (m_left <= 0)
            break;
        ReadRequest& request = *candidate.request;
        PayloadEntry& its = entry(request.handle);
        request.payloads = PayloadRead::Full;
        its.reserved = expectedBytes(request);
        its.epoch = tick.feedEpoch(*request.primitive);
        its.changed = its.changedBeside = its.refresh = its.waiting = false;
        m_left -= its.reserved;
        its.granted = true;
    }
    std::vector<ReadRequest> read;
    std::vector<Handle> putOff;
    m_waiting = int(candidates.size());
    for (ReadRequest& request : requests) {
        PayloadEntry* its = find(request.handle);
        const bool granted = its && std::exchange(its->granted, false);
        m_waiting -= granted ? 1 : 0;
        if (granted || !hasLongNames(request))
            read.push_back(std::move(request));
        else
            putOff.push_back(request.handle);
    }
    requests = std::move(read);
    return putOff;
}

void PayloadPace::took(Handle handle, const ReadOutcome& outcome, qint64 localMs)
{
    PayloadEntry* its = find(handle);
    if (outcome.payloads != PayloadRead::Full || !its || its->reserved < 0)
        return;
    const qint64 sent =
        outcome.state.primitive ? nameBytes(*outcome.state.primitive) * sentPerRead : 0;
    m_left += std::exchange(its->reserved, -1) - outcome.bytes - sent;
    its->readMs = localMs;
}

void PayloadPace::failed(Handle handle)
{
    PayloadEntry* its = find(handle);
    if (!its || its->reserved < 0)
        return;
    m_left += std::exchange(its->reserved, -1);
    its->refresh = true;
}

} // namespace lk
