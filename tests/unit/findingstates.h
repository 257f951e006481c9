// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <functional>

// States that show one hazard, or nearly.
namespace lk::findingstates {

inline constexpr qint64 day = 24LL * 3600 * 1000;

inline State stateOf(Kind kind, decltype(State::body) body, std::optional<qint64> ttlMs = {},
                     std::optional<qint64> maxTtlMs = {})
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = kind;
    primitive->id = {"layout", "name"};
    primitive->keys = {{"role", "key"}};
    primitive->confidence = certainFrom;
    if (maxTtlMs) {
        auto declaration = std::make_shared<Declaration>();
        declaration->maxTtlMs = maxTtlMs;
        primitive->declaration = declaration;
    }
    State state;
    state.primitive = primitive;
    state.body = std::move(body);
    state.ttlMs = ttlMs;
    return state;
}

inline LockState lock(LockState::Phase phase)
{
    LockState l;
    l.phase = phase;
    return l;
}

inline TokenState token(TokenState::Phase phase, qint64 uses = 0)
{
    TokenState t;
    t.phase = phase;
    t.uses = uses;
    return t;
}

inline LimiterState limiter(Algorithm algorithm, qint64 used, qint64 limit, bool upperBound = false)
{
    LimiterState l;
    l.algorithm = algorithm;
    l.occupancy = used;
    l.limit = limit;
    l.occupancyIsUpperBound = upperBound;
    return l;
}

inline QueueState queue(qint64 stuck)
{
    QueueState q;
    q.stuck = stuck;
    return q;
}

inline constexpr qint64 now = 1'795'000'000'000;

inline State at(State state, std::function<void(State&)> change)
{
    state.asOfMs = now;
    change(state);
    return state;
}

// Held, with so much left of a lease of ten seconds that was renewed so often.
inline State renewedLock(qint64 leftMs, int renewals, const QByteArray& owner = "worker-1",
                         qint64 leastLeftMs = 5000)
{
    LockState l = lock(LockState::Phase::Held);
    l.leaseMs = leftMs;
    l.ownerKnown = !owner.isEmpty();
    l.owner = owner;
    return at(stateOf(Kind::Lock, l, leftMs), [&](State& s) {
        s.observed.renewals = renewals;
        s.observed.largestTtlMs = 10'000;
        s.observed.leastLeftMs = leastLeftMs;
    });
}

// One that holds its end, which is so far off.
inline State endingLock(qint64 leftMs, bool ttl = false)
{
    LockState l = lock(LockState::Phase::Held);
    l.leaseMs = leftMs;
    return stateOf(Kind::Lock, l, ttl ? std::optional(leftMs) : std::nullopt);
}

inline State log(std::function<void(LimiterState&)> change, std::optional<qint64> ttlMs = 1000)
{
    LimiterState l = limiter(Algorithm::SlidingLog, 1, 5);
    l.windowMs = 10'000;
    change(l);
    return at(stateOf(Kind::Limiter, l, ttlMs), [](State&) {});
}

inline State horizon(qint64 retryMs, std::optional<qint64> windowMs)
{
    return log([&](LimiterState& l) {
        l.retryAfterMs = retryMs;
        l.windowMs = windowMs;
        l.reserved = {now + retryMs};
    });
}

inline State permits(std::optional<qint64> drift)
{
    LimiterState l = limiter(Algorithm::PermitLog, 1, 5);
    l.permitDrift = drift;
    return stateOf(Kind::Limiter, l);
}

inline State full(int looks, qint64 forMs)
{
    return at(log([](LimiterState& l) { l.occupancy = 5; }), [&](State& s) {
        s.observed.fullSamples = looks;
        s.observed.fullSinceMs = now - forMs;
    });
}

inline State gate(int renewals)
{
    LimiterState l = limiter(Algorithm::Gate, 1, 1);
    l.refused = 4;
    return at(stateOf(Kind::Limiter, l, 1000), [&](State& s) { s.observed.renewals = renewals; });
}

inline State flow(qint64 ready, std::optional<double> in, std::optional<double> out,
                  qint64 stuck = 0)
{
    QueueState q = queue(stuck);
    q.ready = ready;
    q.processing = 3;
    q.inPerSecond = in;
    q.outPerSecond = out;
    return stateOf(Kind::Queue, q);
}

inline State events(qint64 waiting, std::optional<qint64> wakeUps)
{
    QueueState q;
    q.ready = waiting;
    q.wakeUps = wakeUps;
    return stateOf(Kind::Queue, q);
}

inline State duplicates(std::optional<qint64> n)
{
    QueueState q;
    q.duplicates = n;
    return stateOf(Kind::Queue, q);
}

inline State pattern(std::optional<LockState::Phase> phase)
{
    PatternState p;
    p.lock = phase;
    return stateOf(Kind::Pattern, p);
}

inline State problem(ErrorCode code)
{
    State state = stateOf(Kind::Token, token(TokenState::Phase::Live));
    state.problem = Error{code, QStringLiteral("key must be a hash and is a list")};
    return state;
}

} // namespace lk::findingstates
