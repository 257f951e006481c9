// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/state.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::State)
};

QString limiterWord(const State& state, const LimiterState& s)
{
    if (!state.present || s.occupancy == 0)
        return Text::tr("idle", "limiter");
    if (!s.limit)
        return Text::tr("no limit known", "limiter");
    if (s.algorithm == Algorithm::Gate)
        return s.remaining == 0 ? Text::tr("closed", "gate") : Text::tr("open", "gate");
    if (s.remaining == 0)
        return Text::tr("full", "limiter");
    return *s.occupancy * 2 >= *s.limit ? Text::tr("filling", "limiter")
                                        : Text::tr("flowing", "limiter");
}

QString lockWord(const LockState& s)
{
    switch (s.phase) {
    case LockState::Phase::Held:
        return Text::tr("held", "lock");
    case LockState::Phase::Expired:
        return Text::tr("expired", "lock");
    case LockState::Phase::Immortal:
        return Text::tr("immortal", "lock");
    case LockState::Phase::Free:
        break;
    }
    return Text::tr("free", "lock");
}

QString queueWord(const QueueState& s)
{
    if (s.stuck > 0)
        return Text::tr("stuck", "queue");
    if (s.dead.value_or(0) > 0)
        return Text::tr("dead letters", "queue");
    if (s.processing.value_or(0) > 0)
        return Text::tr("working", "queue");
    return s.ready.value_or(0) > 0 ? Text::tr("waiting", "queue") : Text::tr("empty", "queue");
}

QString tokenWord(const TokenState& s)
{
    switch (s.phase) {
    case TokenState::Phase::Live:
        return Text::tr("live", "token");
    case TokenState::Phase::Used:
        return Text::tr("used", "token");
    case TokenState::Phase::Ghost:
        return Text::tr("ghost", "token");
    case TokenState::Phase::Gone:
        break;
    }
    switch (s.end) {
    case TokenState::End::Expired:
        return Text::tr("expired", "token");
    case TokenState::End::Removed:
        return Text::tr("removed", "token");
    case TokenState::End::Consumed:
        return Text::tr("consumed", "token");
    case TokenState::End::Revoked:
        return Text::tr("revoked", "token");
    case TokenState::End::Gone:
        break;
    }
    return Text::tr("gone", "token");
}

QString patternWord(const State& state, const PatternState& s)
{
    if (s.lock == LockState::Phase::Immortal)
        return Text::tr("blocked", "cache");
    if (s.lock == LockState::Phase::Held)
        return Text::tr("rebuilding", "cache");
    switch (s.rowsAre) {
    case PatternState::Rows::Results:
        return state.present ? Text::tr("cached", "cache") : Text::tr("not cached", "cache");
    case PatternState::Rows::Trail:
        return state.present ? Text::tr("live", "session") : Text::tr("ended", "session");
    default:
        return state.present ? Text::tr("present", "pattern") : Text::tr("absent", "pattern");
    }
}

} // namespace

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
        break;
    }
    return QByteArrayLiteral("sliding-counter");
}

QString algorithmTitle(Algorithm algorithm)
{
    switch (algorithm) {
    case Algorithm::SlidingLog:
        return Text::tr("sliding log");
    case Algorithm::FixedWindow:
        return Text::tr("fixed window");
    case Algorithm::Gate:
        return Text::tr("gate");
    case Algorithm::PermitLog:
        return Text::tr("permit log");
    case Algorithm::TokenBucket:
        return Text::tr("token bucket");
    case Algorithm::Gcra:
        return Text::tr("generic cell rate");
    case Algorithm::SlidingCounter:
        break;
    }
    return Text::tr("sliding counter");
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
    state.health = Health::Bad;
    state.problem = std::move(problem);
    return state;
}

QString stateWord(const State& state)
{
    if (state.problem)
        return Text::tr("unreadable", "any primitive");
    if (const auto* s = state.as<LimiterState>())
        return limiterWord(state, *s);
    if (const auto* s = state.as<LockState>())
        return lockWord(*s);
    if (const auto* s = state.as<QueueState>())
        return queueWord(*s);
    if (const auto* s = state.as<TokenState>())
        return tokenWord(*s);
    return patternWord(state, std::get<PatternState>(state.body));
}

QByteArray stateId(const State& state)
{
    if (const auto* s = state.as<LockState>()) {
        switch (s->phase) {
        case LockState::Phase::Held:
            return QByteArrayLiteral("held");
        case LockState::Phase::Expired:
            return QByteArrayLiteral("expired");
        case LockState::Phase::Immortal:
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
        case TokenState::Phase::Ghost:
            return QByteArrayLiteral("ghost");
        case TokenState::Phase::Gone:
            return QByteArrayLiteral("gone");
        }
    }
    return {};
}

} // namespace lk
