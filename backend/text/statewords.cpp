// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/statewords.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct StateText
{
    Q_DECLARE_TR_FUNCTIONS(lk::State)
};

} // namespace

QString algorithmTitle(Algorithm algorithm)
{
    switch (algorithm) {
    case Algorithm::SlidingLog:
        return StateText::tr("sliding log");
    case Algorithm::FixedWindow:
        return StateText::tr("fixed window");
    case Algorithm::Gate:
        return StateText::tr("gate");
    case Algorithm::PermitLog:
        return StateText::tr("permit log");
    case Algorithm::TokenBucket:
        return StateText::tr("token bucket");
    case Algorithm::Gcra:
        return StateText::tr("GCRA");
    case Algorithm::SlidingCounter:
        return StateText::tr("sliding counter");
    case Algorithm::Concurrency:
        break;
    }
    return StateText::tr("concurrency");
}

QString stateWord(StateId state)
{
    switch (state) {
    case StateId::Unreadable:
        return StateText::tr("unreadable", "any primitive");
    case StateId::LimiterIdle:
        return StateText::tr("idle", "limiter");
    case StateId::LimitUnknown:
        return StateText::tr("limit unknown", "limiter");
    case StateId::GateClosed:
        return StateText::tr("closed", "gate");
    case StateId::GateOpen:
        return StateText::tr("open", "gate");
    case StateId::Full:
        return StateText::tr("full", "limiter");
    case StateId::Filling:
        return StateText::tr("filling", "limiter");
    case StateId::Normal:
        return StateText::tr("normal", "limiter");
    case StateId::Held:
        return StateText::tr("held", "lock");
    case StateId::Vote:
        return StateText::tr("one vote", "lock");
    case StateId::LockExpired:
        return StateText::tr("expired", "lock");
    case StateId::NoTtl:
        return StateText::tr("no TTL", "lock");
    case StateId::Free:
        return StateText::tr("free", "lock");
    case StateId::Stuck:
        return StateText::tr("stuck", "queue");
    case StateId::QueuePaused:
        return StateText::tr("paused", "queue");
    case StateId::Overdue:
        return StateText::tr("overdue", "queue");
    case StateId::DeadLetters:
        return StateText::tr("dead letters", "queue");
    case StateId::InProgress:
        return StateText::tr("in progress", "queue");
    case StateId::Waiting:
        return StateText::tr("waiting", "queue");
    case StateId::Delayed:
        return StateText::tr("delayed", "queue");
    case StateId::Empty:
        return StateText::tr("empty", "queue");
    case StateId::TokenLive:
        return StateText::tr("live", "token");
    case StateId::TokenUsed:
        return StateText::tr("used", "token");
    case StateId::NeverIssued:
        return StateText::tr("never issued", "token");
    case StateId::TokenExpired:
        return StateText::tr("expired", "token");
    case StateId::CleanedUp:
        return StateText::tr("cleaned up", "token");
    case StateId::Revoked:
        return StateText::tr("revoked", "token");
    case StateId::Deleted:
        return StateText::tr("deleted", "token");
    case StateId::CacheBlocked:
        return StateText::tr("blocked", "cache");
    case StateId::CacheRebuilding:
        return StateText::tr("rebuilding", "cache");
    case StateId::Cached:
        return StateText::tr("cached", "cache");
    case StateId::NotCached:
        return StateText::tr("not cached", "cache");
    case StateId::SessionLive:
        return StateText::tr("live", "session");
    case StateId::SessionEnded:
        return StateText::tr("ended", "session");
    case StateId::Present:
        return StateText::tr("present", "pattern");
    case StateId::Absent:
        break;
    }
    return StateText::tr("absent", "pattern");
}

QString stateWord(const State& state)
{
    return stateWord(stateIdOf(state));
}

} // namespace lk
