// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/statewords.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::State)
};

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

QString stateWord(StateId state)
{
    switch (state) {
    case StateId::Unreadable:
        return Text::tr("unreadable", "any primitive");
    case StateId::LimiterIdle:
        return Text::tr("idle", "limiter");
    case StateId::LimitUnknown:
        return Text::tr("limit unknown", "limiter");
    case StateId::GateClosed:
        return Text::tr("closed", "gate");
    case StateId::GateOpen:
        return Text::tr("open", "gate");
    case StateId::Full:
        return Text::tr("full", "limiter");
    case StateId::Filling:
        return Text::tr("filling", "limiter");
    case StateId::Normal:
        return Text::tr("normal", "limiter");
    case StateId::Held:
        return Text::tr("held", "lock");
    case StateId::LockExpired:
        return Text::tr("expired", "lock");
    case StateId::NoTtl:
        return Text::tr("no TTL", "lock");
    case StateId::Free:
        return Text::tr("free", "lock");
    case StateId::Stuck:
        return Text::tr("stuck", "queue");
    case StateId::DeadLetters:
        return Text::tr("dead letters", "queue");
    case StateId::InProgress:
        return Text::tr("in progress", "queue");
    case StateId::Waiting:
        return Text::tr("waiting", "queue");
    case StateId::Empty:
        return Text::tr("empty", "queue");
    case StateId::TokenLive:
        return Text::tr("live", "token");
    case StateId::TokenUsed:
        return Text::tr("used", "token");
    case StateId::NeverIssued:
        return Text::tr("never issued", "token");
    case StateId::TokenExpired:
        return Text::tr("expired", "token");
    case StateId::CleanedUp:
        return Text::tr("cleaned up", "token");
    case StateId::Revoked:
        return Text::tr("revoked", "token");
    case StateId::Deleted:
        return Text::tr("deleted", "token");
    case StateId::CacheBlocked:
        return Text::tr("blocked", "cache");
    case StateId::CacheRebuilding:
        return Text::tr("rebuilding", "cache");
    case StateId::Cached:
        return Text::tr("cached", "cache");
    case StateId::NotCached:
        return Text::tr("not cached", "cache");
    case StateId::SessionLive:
        return Text::tr("live", "session");
    case StateId::SessionEnded:
        return Text::tr("ended", "session");
    case StateId::Present:
        return Text::tr("present", "pattern");
    case StateId::Absent:
        break;
    }
    return Text::tr("absent", "pattern");
}

QString stateWord(const State& state)
{
    return stateWord(stateIdOf(state));
}

} // namespace lk
