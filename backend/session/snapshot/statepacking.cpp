// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/snapshot/statepacking.h"

#include "backend/history/store/bytes.h"

namespace lk {

namespace {

bool packs(const LimiterState& s)
{
    return s.consumers.empty() && s.reserved.empty() && s.driftKey->isEmpty();
}

bool packs(const LockState& s)
{
    return s.holders.empty() && s.waiting.empty();
}

bool packs(const TokenState&)
{
    return true;
}

bool packs(const PatternState& s)
{
    return s.rows.empty();
}

void write(ByteWriter& out, const Observed& o)
{
    out.whole(o.firstSeenMs);
    out.whole(o.sinceMs);
    out.whole(o.largestTtlMs);
    out.whole(o.leastLeftMs);
    out.whole(o.renewals);
    out.whole(o.fullSinceMs);
    out.whole(o.fullSamples);
}

void read(ByteReader& in, Observed& o)
{
    for (qint64* value : {&o.firstSeenMs, &o.sinceMs, &o.largestTtlMs, &o.leastLeftMs})
        *value = in.whole();
    o.renewals = qint32(in.whole());
    o.fullSinceMs = in.whole();
    o.fullSamples = qint32(in.whole());
}

void write(ByteWriter& out, const LimiterState& s)
{
    out.byte(quint8(s.algorithm));
    out.byte(quint8(s.limitSource));
    out.byte(quint8(s.windowSource));
    out.flag(s.occupancyIsUpperBound);
    out.maybe(s.limit);
    out.maybe(s.windowMs);
    out.maybe(s.occupancy);
    out.maybe(s.remaining);
    out.maybe(s.nextFreeMs);
    out.maybe(s.retryAfterMs);
    out.whole(s.consumersTotal);
    out.maybe(s.newestMs);
    out.byte(s.bareMembers ? quint8(*s.bareMembers) + 1 : 0);
    out.maybe(s.refused);
    out.maybe(s.permitDrift);
}

LimiterState readLimiter(ByteReader& in)
{
    LimiterState s;
    s.algorithm = in.oneOf(Algorithm::Concurrency);
    s.limitSource = in.oneOf(Source::Stored);
    s.windowSource = in.oneOf(Source::Stored);
    s.occupancyIsUpperBound = in.flag();
    s.limit = in.maybe();
    s.windowMs = in.maybe();
    s.occupancy = in.maybe();
    s.remaining = in.maybe();
    s.nextFreeMs = in.maybe();
    s.retryAfterMs = in.maybe();
    s.consumersTotal = in.whole();
    s.newestMs = in.maybe();
    if (const quint8 unit = in.byte(); unit > 0)
        s.bareMembers = TimeUnit(unit - 1);
    s.refused = in.maybe();
    s.permitDrift = in.maybe();
    return s;
}

void write(ByteWriter& out, const LockState& s)
{
    out.byte(quint8(s.phase));
    out.flag(s.ownerKnown);
    out.text(s.owner);
    out.text(*s.ownerLabel);
    out.maybe(s.leaseMs);
    out.whole(s.holds);
    out.maybe(s.limit);
    out.flag(s.shared);
    out.whole(s.holdersTotal);
    out.maybe(s.waiters);
    out.text(*s.partOf);
}

LockState readLock(ByteReader& in)
{
    LockState s;
    s.phase = in.oneOf(LockState::Phase::NoTtl);
    s.ownerKnown = in.flag();
    s.owner = in.text();
    s.ownerLabel = in.text();
    s.leaseMs = in.maybe();
    s.holds = in.whole();
    s.limit = in.maybe();
    s.shared = in.flag();
    s.holdersTotal = in.whole();
    s.waiters = in.maybe();
    s.partOf = in.text();
    return s;
}

void write(ByteWriter& out, const TokenState& s)
{
    out.byte(quint8(s.phase));
    out.byte(quint8(s.end));
    out.maybe(s.uses);
    out.maybe(s.bytes);
}

TokenState readToken(ByteReader& in)
{
    TokenState s;
    s.phase = in.oneOf(TokenState::Phase::Gone);
    s.end = in.oneOf(TokenState::End::Removed);
    s.uses = in.maybe();
    s.bytes = in.maybe();
    return s;
}

void write(ByteWriter& out, const PatternState& s)
{
    out.number(s.values.size());
    for (const auto& [name, value] : s.values) {
        out.text(name);
        out.real(value);
    }
    out.byte(quint8(s.rowsAre));
    out.flag(s.rowsTruncated);
    out.maybe(s.itemBytes);
    out.byte(s.lock ? quint8(*s.lock) + 1 : 0);
    out.maybe(s.lockLeaseMs);
    out.number(s.lockHolder);
    out.flag(s.perMinute.has_value());
    out.real(s.perMinute.value_or(0));
}

PatternState readPattern(ByteReader& in)
{
    PatternState s;
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        QByteArray name = in.text();
        s.values.emplace_back(std::move(name), in.real());
    }
    s.rowsAre = in.oneOf(PatternState::Rows::Records);
    s.rowsTruncated = in.flag();
    s.itemBytes = in.maybe();
    if (const quint8 phase = in.byte(); phase > 0)
        s.lock = LockState::Phase(phase - 1);
    s.lockLeaseMs = in.maybe();
    s.lockHolder = in.number();
    const bool paced = in.flag();
    const double perMinute = in.real();
    if (paced)
        s.perMinute = perMinute;
    return s;
}

template<typename Body> bool pack(ByteWriter& out, const State& state)
{
    const Body* body = state.as<Body>();
    if (!body || !packs(*body))
        return false;
    write(out, *body);
    return true;
}

} // namespace

QByteArray packState(const State& state)
{
    if (state.problem || !state.bytesKey->isEmpty())
        return {};
    ByteWriter out;
    out.reserve(96);
    out.byte(quint8(state.health)); // these two first: see rankOf()
    out.real(state.urgency);
    out.flag(state.present);
    out.whole(state.asOfMs);
    out.maybe(state.ttlMs);
    out.maybe(state.bytes);
    write(out, state.observed);
    const bool packed = pack<LimiterState>(out, state) || pack<LockState>(out, state) ||
                        pack<TokenState>(out, state) || pack<PatternState>(out, state);
    return packed ? out.take() : QByteArray();
}

StatePtr unpackState(QByteArrayView bytes, PrimitivePtr primitive)
{
    ByteReader in(bytes);
    const auto state = std::make_shared<State>();
    state->health = in.oneOf(Health::Error);
    state->urgency = in.real();
    state->present = in.flag();
    state->asOfMs = in.whole();
    state->ttlMs = in.maybe();
    state->bytes = in.maybe();
    read(in, state->observed);
    switch (primitive->kind) {
    case Kind::Limiter:
        state->body = readLimiter(in);
        break;
    case Kind::Lock:
        state->body = readLock(in);
        break;
    case Kind::Token:
        state->body = readToken(in);
        break;
    case Kind::Pattern:
        state->body = readPattern(in);
        break;
    case Kind::Queue:
        return nullptr;
    }
    state->primitive = std::move(primitive);
    return in.ok() && in.atEnd() ? state : nullptr;
}

StateSequence::Rank rankOf(QByteArrayView bytes)
{
    ByteReader in(bytes);
    const Health health = in.oneOf(Health::Error);
    return {health, in.real()};
}

} // namespace lk
