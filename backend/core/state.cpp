// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/state.h"

namespace lk {

QByteArray algorithmId(Algorithm algorithm)
{
    switch (algorithm) {
    case Algorithm::SlidingLog:
        return QByteArrayLiteral("sliding-log");
    case Algorithm::FixedWindow:
        return QByteArrayLiteral("fixed-window");
    case Algorithm::Gate:
        return QByteArrayLiteral("gate");
    case Algorithm::PermitLog:
        return QByteArrayLiteral("permit-log");
    case Algorithm::TokenBucket:
        return QByteArrayLiteral("token-bucket");
    case Algorithm::Gcra:
        return QByteArrayLiteral("gcra");
    case Algorithm::SlidingCounter:
        return QByteArrayLiteral("sliding-counter");
    case Algorithm::Concurrency:
        break;
    }
    return QByteArrayLiteral("concurrency");
}

std::optional<qint64> waitingJobs(const QueueState& queue)
{
    std::optional<qint64> sum = queue.ready;
    for (const JobState& state : queue.states) {
        if (state.role == JobRole::Paused)
            sum = sum && state.count ? std::optional(*sum + *state.count) : std::nullopt;
    }
    return sum;
}

std::optional<qint64> overdueMs(const QueueState& queue, qint64 nowMs)
{
    return queue.due.overdue.value_or(0) > 0 && queue.due.firstMs
               ? std::optional(std::max<qint64>(0, nowMs - *queue.due.firstMs))
               : std::nullopt;
}

Health atMost(Health health, const Primitive& primitive)
{
    const bool isSure = primitive.certainty() >= Certainty::Certain;
    return health == Health::Error && !isSure ? Health::Warning : health;
}

State problemState(PrimitivePtr primitive, qint64 asOfMs, Error problem)
{
    State state;
    switch (primitive->kind) {
    case Kind::Limiter:
        state.body = LimiterState{};
        break;
    case Kind::Lock:
        state.body = LockState{};
        break;
    case Kind::Queue:
        state.body = QueueState{};
        break;
    case Kind::Token:
        state.body = TokenState{};
        break;
    case Kind::Pattern:
        state.body = PatternState{};
        break;
    }
    state.primitive = std::move(primitive);
    state.asOfMs = asOfMs;
    state.health = Health::Error;
    state.problem = std::move(problem);
    return state;
}

QByteArray stateId(const State& state)
{
    if (const auto* s = state.as<LockState>()) {
        switch (s->phase) {
        case LockState::Phase::Held:
            return QByteArrayLiteral("held");
        case LockState::Phase::Expired:
            return QByteArrayLiteral("expired");
        case LockState::Phase::NoTtl:
            return QByteArrayLiteral("immortal");
        case LockState::Phase::Free:
            return QByteArrayLiteral("free");
        }
    }
    if (const auto* s = state.as<TokenState>()) {
        switch (s->phase) {
        case TokenState::Phase::Live:
            return QByteArrayLiteral("live");
        case TokenState::Phase::Used:
            return QByteArrayLiteral("used");
        case TokenState::Phase::NeverIssued:
            return QByteArrayLiteral("ghost");
        case TokenState::Phase::Gone:
            return QByteArrayLiteral("gone");
        }
    }
    return {};
}

} // namespace lk
