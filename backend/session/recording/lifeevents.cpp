// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/lifeevents.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lk {

namespace {

constexpr qint64 clearAfterMs = 10'000;

void addEvent(RecordBatch& batch, EventType type, const PrimitiveId& id, Kind kind, qint64 tMs,
              double value, const QByteArray& code = {})
{
    RecordedEvent event;
    event.tMs = tMs;
    event.type = type;
    event.primitive = id;
    event.kind = kind;
    event.value = value;
    event.code = code;
    batch.events.push_back(std::move(event));
}

void addLimiter(Life& life, const PrimitiveId& id, const State& now, const LimiterState& limiter,
                RecordBatch& batch)
{
    const bool full = now.present && limiter.remaining == 0;
    if (full) {
        life.clearMs = 0;
        if (life.fullMs == 0) {
            life.fullMs = now.observed.fullSinceMs > 0 ? now.observed.fullSinceMs : now.asOfMs;
            addEvent(batch, EventType::FullBegan, id, Kind::Limiter, life.fullMs,
                     double(limiter.limit.value_or(0)));
        }
    } else if (life.fullMs > 0 && life.clearMs == 0) {
        life.clearMs = now.asOfMs;
    }
}

void addMoves(JobMoves& moves, std::optional<qint64> count, const PrimitiveId& id, qint64 atMs,
              JobRole role, RecordBatch& batch)
{
    constexpr qint64 tellEveryMs = 60'000;
    if (!count)
        return;
    if (moves.count >= 0)
        moves.untold += *count - moves.count;
    moves.count = *count;
    if (moves.untold == 0 || (moves.toldMs > 0 && atMs - moves.toldMs < tellEveryMs))
        return;
    addEvent(batch, EventType::JobsMoved, id, Kind::Queue, atMs, double(moves.untold),
             jobRoleId(role));
    moves.untold = 0;
    moves.toldMs = atMs;
}

void addQueue(Life& life, const PrimitiveId& id, const State& now, const QueueState& queue,
              RecordBatch& batch)
{
    const auto span = [&](qint64& sinceMs, bool on, EventType began, EventType ended, double value,
                          const QByteArray& code = {}) {
        if (on == (sinceMs > 0))
            return;
        addEvent(batch, on ? began : ended, id, Kind::Queue, now.asOfMs,
                 on ? value : double(now.asOfMs - sinceMs), code);
        sinceMs = on ? now.asOfMs : 0;
    };
    span(life.stuckMs, queue.stuck > 0, EventType::StuckBegan, EventType::StuckEnded,
         double(queue.stuck));
    if (life.readMs == 0 && life.pausedMs == 0)
        life.pausedBefore = queue.paused;
    span(life.pausedMs, queue.paused, EventType::PausedBegan, EventType::PausedEnded, 0,
         life.pausedBefore ? eventCodeId(EventCode::Before) : QByteArray());
    life.pausedBefore = life.pausedBefore && queue.paused;
    addMoves(life.delayed, queue.delayed, id, now.asOfMs, JobRole::Delayed, batch);
    std::optional<qint64> done;
    for (const JobState& state : queue.states) {
        if (state.role == JobRole::Done && state.count)
            done = done.value_or(0) + *state.count;
    }
    addMoves(life.done, done, id, now.asOfMs, JobRole::Done, batch);
    // Only failed jobs have events with counts. Other moves are in the numbers over time.
    if (queue.dead && life.dead && *queue.dead != *life.dead)
        addEvent(batch, EventType::JobsMoved, id, Kind::Queue, now.asOfMs,
                 double(*queue.dead - *life.dead), jobRoleId(JobRole::Dead));
    if (queue.dead)
        life.dead = queue.dead;
}

EventCode endCode(const TokenState& token)
{
    using End = TokenState::End;
    if (token.phase == TokenState::Phase::Used)
        return EventCode::Consumed;
    switch (token.end) {
    case End::Consumed:
        return EventCode::Consumed;
    case End::Expired:
        return EventCode::Expired;
    case End::Revoked:
        return EventCode::Revoked;
    case End::Removed:
        return EventCode::Removed;
    case End::Gone:
        break;
    }
    return EventCode::Gone;
}

// Adds a token's end once, however it is read afterwards. A token that has already ended when first
// seen has no recorded end.
void addToken(Life& life, const PrimitiveId& id, const State& now, const TokenState& token,
              RecordBatch& batch)
{
    using Phase = TokenState::Phase;
    const bool live = token.phase == Phase::Live || token.phase == Phase::NeverIssued;
    if (std::exchange(life.live, live) && !live)
        addEvent(batch, EventType::TokenEnded, id, Kind::Token, now.asOfMs, 0,
                 eventCodeId(endCode(token)));
}

} // namespace

void addLife(Life& life, const PrimitiveId& id, const State& now, RecordBatch& batch)
{
    if (now.problem)
        return;
    if (const auto* lock = now.as<LockState>())
        life.holds.read(id, now, *lock, life.readMs, batch);
    else if (const auto* limiter = now.as<LimiterState>())
        addLimiter(life, id, now, *limiter, batch);
    else if (const auto* queue = now.as<QueueState>())
        addQueue(life, id, now, *queue, batch);
    else if (const auto* token = now.as<TokenState>())
        addToken(life, id, now, *token, batch);
    if (now.present)
        life.vanishedMs = 0;
    else if (life.vanishedMs == 0)
        life.vanishedMs = now.asOfMs;
    life.readMs = now.asOfMs;
}

void endLife(Life& life, const PrimitiveId& id, Kind kind, qint64 atMs, RecordBatch& batch)
{
    life.holds.end(id, atMs, batch);
    const auto end = [&](qint64& sinceMs, EventType type, const QByteArray& code = {}) {
        if (sinceMs > 0)
            addEvent(batch, type, id, kind, atMs, double(atMs - sinceMs), code);
        sinceMs = 0;
    };
    end(life.fullMs, EventType::FullEnded);
    end(life.stuckMs, EventType::StuckEnded);
    end(life.pausedMs, EventType::PausedEnded, eventCodeId(EventCode::Gone));
    life = {};
}

bool advanceLife(Life& life, const PrimitiveId& id, qint64 nowMs, RecordBatch& batch)
{
    life.holds.advance(id, nowMs, batch);
    if (life.clearMs > 0 && nowMs - life.clearMs >= clearAfterMs) {
        addEvent(batch, EventType::FullEnded, id, Kind::Limiter, life.clearMs,
                 double(life.clearMs - life.fullMs));
        life.fullMs = life.clearMs = 0;
    }
    return isPending(life);
}

bool isPending(const Life& life)
{
    return life.clearMs > 0 || life.holds.isPending();
}

} // namespace lk
