// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk::test {

inline PrimitivePtr madePrimitive(Kind kind, const QByteArray& layout, const QByteArray& name)
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = kind;
    primitive->id = {layout, name};
    primitive->keys = {{"main", name}};
    primitive->confidence = certainFrom;
    return primitive;
}

inline State madeState(PrimitivePtr primitive, qint64 atMs)
{
    State state = problemState(std::move(primitive), atMs, {});
    state.problem.reset();
    state.health = Health::Ok;
    return state;
}

/// An empty owner is an unknown one; no lease with a phase of Held makes no sense, so it is
/// without a TTL.
inline State lockState(const QByteArray& owner, std::optional<qint64> leaseMs, qint64 atMs,
                       const PrimitivePtr& primitive = madePrimitive(Kind::Lock, "set-nx-px", "l"))
{
    State state = madeState(primitive, atMs);
    auto& lock = state.body.get<LockState>();
    lock.phase = leaseMs ? LockState::Phase::Held : LockState::Phase::NoTtl;
    lock.owner = owner;
    lock.ownerKnown = !owner.isEmpty();
    lock.leaseMs = leaseMs;
    state.ttlMs = leaseMs;
    return state;
}

/// Held by readers, each with what is left of its lease.
inline State sharedLock(const std::vector<std::pair<QByteArray, qint64>>& readers, qint64 atMs)
{
    State state = lockState({}, readers.back().second, atMs);
    auto& lock = state.body.get<LockState>();
    lock.shared = true;
    lock.holders = {};
    for (const auto& [name, leaseMs] : readers) {
        LockHolder holder;
        holder.name = name;
        holder.shared = true;
        holder.leaseMs = leaseMs;
        lock.holders.push_back(holder);
    }
    lock.holdersTotal = qint64(readers.size());
    lock.holds = lock.holdersTotal;
    lock.ownerKnown = readers.size() == 1;
    lock.owner = lock.ownerKnown ? readers[0].first : QByteArray();
    return state;
}

inline State freeLock(qint64 atMs)
{
    State state = madeState(madePrimitive(Kind::Lock, "set-nx-px", "l"), atMs);
    state.present = false;
    return state;
}

inline State expiredLock(qint64 atMs)
{
    State state = madeState(madePrimitive(Kind::Lock, "setnx-timestamp", "l"), atMs);
    auto& lock = state.body.get<LockState>();
    lock.phase = LockState::Phase::Expired;
    lock.leaseMs = 0;
    return state;
}

/// Items in processing are named by their fingerprints, oldest first.
inline State queueState(const std::vector<quint64>& items, qint64 atMs, qint64 ready = 0,
                        const QByteArray& name = "jobs")
{
    State state = madeState(madePrimitive(Kind::Queue, "reliable-list", name), atMs);
    auto& queue = state.body.get<QueueState>();
    queue.ready = ready;
    queue.processing = qint64(items.size());
    for (const quint64 fingerprint : items)
        queue.items.push_back({QByteArray::number(fingerprint), 8, fingerprint, std::nullopt});
    return state;
}

inline State tokenState(TokenState::Phase phase, std::optional<qint64> ttlMs, qint64 atMs,
                        std::optional<qint64> uses = 0)
{
    State state = madeState(madePrimitive(Kind::Token, "hash-token", "t"), atMs);
    auto& token = state.body.get<TokenState>();
    token.phase = phase;
    token.uses = uses;
    state.ttlMs = ttlMs;
    state.present = phase != TokenState::Phase::Gone;
    return state;
}

} // namespace lk::test
