// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/lockreading.h"

#include "backend/libraries/detect/probe.h"
#include "backend/libraries/detect/valueshape.h"

#include <algorithm>
#include <limits>

namespace lk {

namespace {

using Phase = LockState::Phase;
constexpr qsizetype mostNameBytes = 128;

bool isOver(const LockHolder& holder)
{
    return holder.leaseMs && *holder.leaseMs <= 0;
}

Health healthOf(Phase phase)
{
    switch (phase) {
    case Phase::Held:
        return Health::Ok;
    case Phase::Expired:
    case Phase::NoTtl:
        return Health::Error;
    case Phase::Free:
        break;
    }
    return Health::Idle;
}

} // namespace

QByteArray holderName(const QByteArray& stored)
{
    return stored.left(mostNameBytes);
}

std::vector<std::pair<QByteArray, QByteArray>> scannedFieldsOf(const Reply& reply)
{
    std::vector<std::pair<QByteArray, QByteArray>> fields;
    if (reply.items.size() != 2)
        return fields;
    const std::vector<Reply>& items = reply.items[1].items;
    for (size_t i = 0; i + 1 < items.size(); i += 2)
        fields.emplace_back(items[i].text, items[i + 1].text);
    return fields;
}

std::vector<QByteArray> scannedMembersOf(const Reply& reply)
{
    std::vector<QByteArray> members;
    if (reply.items.size() != 2)
        return members;
    for (const Reply& item : reply.items[1].items)
        members.push_back(item.text);
    return members;
}

void takeOwner(LockState& lock, const QByteArray& value, bool whole)
{
    lock.ownerKnown = whole && !value.isEmpty() && isPrintable(value) && !looksLikeJson(value);
    if (lock.ownerKnown)
        lock.owner = value;
}

void finalizeHolders(LockState& lock, std::vector<LockHolder> holders)
{
    static constexpr qint64 never = std::numeric_limits<qint64>::max();
    std::stable_sort(holders.begin(), holders.end(), [](const LockHolder& a, const LockHolder& b) {
        return a.leaseMs.value_or(never) < b.leaseMs.value_or(never);
    });
    lock.holds = 0;
    const LockHolder* last = nullptr;
    qint64 live = 0;
    for (const LockHolder& holder : holders) {
        if (isOver(holder))
            continue;
        last = &holder;
        ++live;
        lock.holds += holder.holds;
    }
    lock.holdersTotal = std::max<qint64>(lock.holdersTotal, qint64(holders.size()));
    lock.phase = holders.empty() ? Phase::Free : last ? Phase::Held : Phase::Expired;
    lock.ownerKnown = live == 1 && isPrintable(last->name);
    if (lock.ownerKnown) {
        lock.owner = last->name;
        lock.ownerLabel = last->label;
    }
    // The lock is held until the last lease ends.
    lock.leaseMs = last ? last->leaseMs : holders.empty() ? std::nullopt : std::optional<qint64>(0);
    if (holders.size() > size_t(mostLockHolders))
        holders.resize(size_t(mostLockHolders));
    lock.holders = std::move(holders);
}

std::optional<qint64> declaredLimit(const Primitive& primitive)
{
    return primitive.declaration ? primitive.declaration->limit : std::nullopt;
}

std::vector<ConfigField> limitField()
{
    return {{QByteArrayLiteral("limit"), FieldShape::Count, &Declaration::limit}};
}

void finalizeLock(State& state, LockState lock, const Ttl& ttl, qint64 nowMs)
{
    state.present = ttl.exists;
    state.ttlMs = ttl.ms;
    if (!ttl.exists) {
        const std::optional<qint64> limit = lock.limit;
        lock = {};
        lock.limit = limit;
    }
    state.health = healthOf(lock.phase);
    state.urgency = lock.leaseMs ? double(*lock.leaseMs) / 1000 : 0; // the longest lease first
    std::optional<qint64> nextMs = lock.phase == Phase::Held ? lock.leaseMs : std::nullopt;
    for (const LockHolder& holder : lock.holders) {
        if (holder.leaseMs && *holder.leaseMs > 0)
            nextMs = nextMs ? std::min(*nextMs, *holder.leaseMs) : holder.leaseMs;
    }
    if (ttl.ms)
        nextMs = nextMs ? std::min(*nextMs, *ttl.ms) : ttl.ms;
    if (nextMs)
        state.revisitAtMs = nowMs + *nextMs + 1;
    state.body = std::move(lock);
}

} // namespace lk
