// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/lockholds.h"

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr qint64 rewriteEveryMs = 10'000; // of a hold that continues and is renewed
constexpr qint64 tellOmittedEveryMs = 60'000;
constexpr qint64 leaseJitterMs = 1000; // two reads of one lease differ by up to this

} // namespace

void LockHolds::read(const PrimitiveId& id, const State& now, const LockState& lock,
                     qint64 lastReadMs, RecordBatch& batch)
{
    const std::vector<PresentHolder> holders = presentHolders(lock);
    endOthers(holders, now, lock, lastReadMs, batch);
    for (const PresentHolder& holder : holders) {
        auto known = std::ranges::find(m_open, holder.owner,
                                       [](const Open& open) { return open.hold.owner; });
        const bool isNew = known == m_open.end();
        if (isNew)
            known = m_open.insert(known, {begun(id, holder, now, lock, holders.size() == 1), 0});
        RecordedHold& hold = known->hold;
        const qint32 renewals = hold.renewals;
        hold.see(holder, now, lock, leaseJitterMs);
        hold.shared = !isExclusive(lock);
        const bool renewed = hold.renewals != renewals;
        const bool told = known->writtenMs > 0;
        if (told ? renewed && now.asOfMs - known->writtenMs >= rewriteEveryMs
                 : now.asOfMs - hold.fromMs >= alwaysRecordedMs || (isNew && mayRecord(now.asOfMs)))
            write(*known, now.asOfMs, batch);
    }
    m_known = true;
    m_before.clear();
    if (m_omitted.count > 0 && now.asOfMs - m_omitted.toldMs >= tellOmittedEveryMs)
        tellOmitted(id, now.asOfMs, batch);
}

// Ends the holds of clients that no longer hold the lock.
void LockHolds::endOthers(const std::vector<PresentHolder>& holders, const State& now,
                          const LockState& lock, qint64 lastReadMs, RecordBatch& batch)
{
    const bool exclusive = isExclusive(lock);
    // It changed hands since, possibly back to the same owner.
    const bool changed = (exclusive || holders.empty()) && now.observed.sinceMs > lastReadMs;
    const qint64 seenMs = changed ? std::min(now.observed.sinceMs, now.asOfMs) : now.asOfMs;
    std::erase_if(m_open, [&](const Open& open) {
        const bool held =
            std::ranges::find(holders, open.hold.owner, &PresentHolder::owner) != holders.end();
        if (held && !(changed && open.hold.fromMs < now.observed.sinceMs))
            return false;
        RecordedHold hold = open.hold;
        hold.takenOver = exclusive && !holders.empty() && !held;
        hold.endKnown = !hasMoreHolders(lock);
        close(std::move(hold), open.writtenMs > 0, seenMs, batch);
        return true;
    });
}

RecordedHold LockHolds::begun(const PrimitiveId& id, const PresentHolder& holder, const State& now,
                              const LockState& lock, bool alone) const
{
    RecordedHold hold;
    hold.primitive = id;
    hold.owner = holder.owner;
    hold.fromMs = alone && now.observed.sinceMs > 0 ? now.observed.sinceMs : now.asOfMs;
    hold.fromKnown = m_known && !hasMoreHolders(lock);
    hold.open = true;
    if (isExclusive(lock))
        hold.renewals = now.observed.renewals;
    const auto left = std::ranges::find_if(m_before, [&](const RecordedHold& known) {
        return known.goesOn(holder, now, lock, now.asOfMs);
    });
    if (left != m_before.end()) {
        hold.fromMs = left->fromMs;
        hold.fromKnown = left->fromKnown;
        hold.renewals = left->renewals;
        hold.leaseEndMs = left->leaseEndMs;
    }
    return hold;
}

void LockHolds::close(RecordedHold hold, bool told, qint64 seenMs, RecordBatch& batch)
{
    hold.close(seenMs);
    if (told || hold.toMs - hold.fromMs >= alwaysRecordedMs) {
        batch.holds.push_back(std::move(hold));
        return;
    }
    if (m_omitted.count++ == 0) {
        m_omitted.fromMs = hold.fromMs;
        m_omitted.first = hold.owner;
    }
    m_omitted.toMs = std::max(m_omitted.toMs, hold.toMs);
}

// The first hold that is omitted afterwards is reported at once, as it shows who took this one
// over.
void LockHolds::write(Open& open, qint64 nowMs, RecordBatch& batch)
{
    if (open.writtenMs == 0) {
        tellOmitted(open.hold.primitive, nowMs, batch);
        m_omitted.toldMs = 0;
    }
    open.writtenMs = nowMs;
    batch.holds.push_back(open.hold);
}

void LockHolds::tellOmitted(const PrimitiveId& id, qint64 nowMs, RecordBatch& batch)
{
    if (m_omitted.count == 0)
        return;
    RecordedEvent event;
    event.tMs = m_omitted.fromMs;
    event.type = EventType::HoldsOmitted;
    event.primitive = id;
    event.kind = Kind::Lock;
    event.value = double(m_omitted.count);
    event.code = m_omitted.first;
    event.detail = QString::number(m_omitted.toMs);
    batch.events.push_back(std::move(event));
    m_omitted = {};
    m_omitted.toldMs = nowMs;
}

bool LockHolds::mayRecord(qint64 nowMs)
{
    const qint64 given = (nowMs - m_givenMs) / shortOneEveryMs;
    if (given > 0) {
        m_left = qint8(std::min<qint64>(shortInARow, m_left + given));
        m_givenMs = nowMs;
    }
    if (m_left == 0)
        return false;
    --m_left;
    return true;
}

void LockHolds::end(const PrimitiveId& id, qint64 atMs, RecordBatch& batch)
{
    for (const Open& open : m_open)
        close(open.hold, open.writtenMs > 0, atMs, batch);
    m_open.clear();
    tellOmitted(id, atMs, batch);
}

bool LockHolds::advance(const PrimitiveId& id, qint64 nowMs, RecordBatch& batch)
{
    for (Open& open : m_open) {
        if (open.writtenMs == 0 && nowMs - open.hold.fromMs >= alwaysRecordedMs)
            write(open, nowMs, batch);
    }
    if (nowMs - m_omitted.toldMs >= tellOmittedEveryMs)
        tellOmitted(id, nowMs, batch);
    return isPending();
}

void LockHolds::tellAll(const PrimitiveId& id, RecordBatch& batch)
{
    for (Open& open : m_open) {
        if (open.writtenMs == 0)
            write(open, open.hold.toMs, batch);
    }
    tellOmitted(id, batch.atMs, batch);
}

bool LockHolds::isPending() const
{
    return m_omitted.count > 0 ||
           std::ranges::any_of(m_open, [](const Open& open) { return open.writtenMs == 0; });
}

} // namespace lk
