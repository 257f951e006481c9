// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/statewords.h"

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
        return Text::tr("limit unknown", "limiter");
    if (s.algorithm == Algorithm::Gate)
        return s.remaining == 0 ? Text::tr("closed", "gate") : Text::tr("open", "gate");
    if (s.remaining == 0)
        return Text::tr("full", "limiter");
    return *s.occupancy * 2 >= *s.limit ? Text::tr("filling", "limiter")
                                        : Text::tr("normal", "limiter");
}

QString lockWord(const LockState& s)
{
    switch (s.phase) {
    case LockState::Phase::Held:
        return Text::tr("held", "lock");
    case LockState::Phase::Expired:
        return Text::tr("expired", "lock");
    case LockState::Phase::NoTtl:
        return Text::tr("no TTL", "lock");
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
        return Text::tr("in progress", "queue");
    return s.ready.value_or(0) > 0 ? Text::tr("waiting", "queue") : Text::tr("empty", "queue");
}

QString tokenWord(const TokenState& s)
{
    switch (s.phase) {
    case TokenState::Phase::Live:
        return Text::tr("live", "token");
    case TokenState::Phase::Used:
        return Text::tr("used", "token");
    case TokenState::Phase::NeverIssued:
        return Text::tr("never issued", "token");
    case TokenState::Phase::Gone:
        break;
    }
    switch (s.end) {
    case TokenState::End::Expired:
        return Text::tr("expired", "token");
    case TokenState::End::Removed:
        return Text::tr("cleaned up", "token");
    case TokenState::End::Consumed:
        return Text::tr("used", "token");
    case TokenState::End::Revoked:
        return Text::tr("revoked", "token");
    case TokenState::End::Gone:
        break;
    }
    return Text::tr("deleted", "token");
}

QString patternWord(const State& state, const PatternState& s)
{
    if (s.lock == LockState::Phase::NoTtl)
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
        return Text::tr("GCRA");
    case Algorithm::SlidingCounter:
        return Text::tr("sliding counter");
    case Algorithm::Concurrency:
        break;
    }
    return Text::tr("concurrency");
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
    return patternWord(state, state.body.get<PatternState>());
}

} // namespace lk
