// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/statechange.h"

#include "backend/core/clock.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lk {

namespace {

bool sameEnd(const State& a, std::optional<qint64> leftOfA, const State& b,
             std::optional<qint64> leftOfB)
{
    if (!leftOfA || !leftOfB)
        return leftOfA.has_value() == leftOfB.has_value();
    return std::abs((a.asOfMs + *leftOfA) - (b.asOfMs + *leftOfB)) <= expiryToleranceMs;
}

// A lock may store its end in its value.
std::optional<qint64> leaseOf(const State& state)
{
    const auto* lock = state.as<LockState>();
    return lock ? lock->leaseMs : std::nullopt;
}

bool same(const LimiterState& a, const LimiterState& b)
{
    return a.limit == b.limit && a.windowMs == b.windowMs && a.occupancy == b.occupancy &&
           a.newestMs == b.newestMs && a.reserved == b.reserved && a.refused == b.refused &&
           a.permitDrift == b.permitDrift;
}

bool same(const LockState& a, const LockState& b)
{
    return a.phase == b.phase && a.owner == b.owner && a.holds == b.holds && a.limit == b.limit &&
           a.shared == b.shared && a.holdersTotal == b.holdersTotal && a.waiters == b.waiters &&
           std::equal(a.holders.begin(), a.holders.end(), b.holders.begin(), b.holders.end(),
                      [](const LockHolder& x, const LockHolder& y) {
                          return x.name == y.name && x.holds == y.holds;
                      }) &&
           std::equal(a.waiting.begin(), a.waiting.end(), b.waiting.begin(), b.waiting.end(),
                      [](const LockWaiter& x, const LockWaiter& y) { return x.name == y.name; });
}

bool same(const QueueState& a, const QueueState& b)
{
    return a.ready == b.ready && a.processing == b.processing && a.delayed == b.delayed &&
           a.dead == b.dead && a.states == b.states && a.paused == b.paused &&
           a.due.overdue == b.due.overdue && a.due.firstMs == b.due.firstMs &&
           std::equal(
               a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
               [](const QueueJob& x, const QueueJob& y) { return x.fingerprint == y.fingerprint; });
}

bool same(const TokenState& a, const TokenState& b)
{
    return a.phase == b.phase && a.uses == b.uses && a.bytes == b.bytes;
}

bool same(const PatternState& a, const PatternState& b)
{
    const auto sameValue = [](const auto& x, const auto& y) {
        return x.first == y.first &&
               (x.second == y.second || (std::isnan(x.second) && std::isnan(y.second)));
    };
    return a.lock == b.lock && a.lockHolder == b.lockHolder &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                      sameValue) &&
           std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                      [](const PatternRow& x, const PatternRow& y) {
                          return x.label == y.label && x.value == y.value && x.bytes == y.bytes;
                      });
}

} // namespace

bool isSameContent(const State& a, const State& b)
{
    if (a.present != b.present || a.problem != b.problem || a.body.index() != b.body.index() ||
        !sameEnd(a, a.ttlMs, b, b.ttlMs) || !sameEnd(a, leaseOf(a), b, leaseOf(b)))
        return false;
    return a.body.visit(
        [&](const auto& body) { return same(body, b.body.get<std::decay_t<decltype(body)>>()); });
}

} // namespace lk
