// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/statepacking.h"

#include "backend/core/compact/bytes.h"

#include <array>

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

// A time, or 0 for none, by its distance from when the state was read: most are near, and take a
// byte or two instead of six.
void writeTime(ByteWriter& out, qint64 ms, qint64 asOfMs)
{
    const auto away = qint64(quint64(asOfMs) - quint64(ms));
    out.number(ms == 0 ? 0 : ((quint64(away) << 1) ^ quint64(away >> 63)) + 1);
}

qint64 readTime(ByteReader& in, qint64 asOfMs)
{
    const quint64 coded = in.number();
    if (coded == 0)
        return 0;
    const auto away = qint64((coded - 1) >> 1) ^ -qint64((coded - 1) & 1);
    return qint64(quint64(asOfMs) - quint64(away));
}

// Which of them are there, then these.
template<size_t count> using Numbers = std::array<std::optional<qint64>, count>;

template<size_t count> void writeNumbers(ByteWriter& out, const Numbers<count>& numbers)
{
    quint64 there = 0;
    for (size_t i = 0; i < count; ++i)
        there |= quint64(numbers[i] ? 1 : 0) << i;
    out.number(there);
    for (const std::optional<qint64>& number : numbers) {
        if (number)
            out.whole(*number);
    }
}

template<size_t count> Numbers<count> readNumbers(ByteReader& in)
{
    const quint64 there = in.number();
    Numbers<count> numbers;
    for (size_t i = 0; i < count; ++i) {
        if ((there >> i) & 1)
            numbers[i] = in.whole();
    }
    return numbers;
}

void write(ByteWriter& out, const Observed& o, qint64 asOfMs)
{
    writeTime(out, o.firstSeenMs, asOfMs);
    writeTime(out, o.sinceMs, asOfMs);
    out.whole(o.largestTtlMs);
    out.whole(o.leastLeftMs);
    out.whole(o.renewals);
    writeTime(out, o.fullSinceMs, asOfMs);
    out.whole(o.fullSamples);
}

void read(ByteReader& in, Observed& o, qint64 asOfMs)
{
    o.firstSeenMs = readTime(in, asOfMs);
    o.sinceMs = readTime(in, asOfMs);
    o.largestTtlMs = in.whole();
    o.leastLeftMs = in.whole();
    o.renewals = qint32(in.whole());
    o.fullSinceMs = readTime(in, asOfMs);
    o.fullSamples = qint32(in.whole());
}

void write(ByteWriter& out, const LimiterState& s)
{
    out.byte(quint8(s.algorithm));
    out.byte(quint8(s.limitSource));
    out.byte(quint8(s.windowSource));
    out.flag(s.occupancyIsUpperBound);
    out.byte(s.bareMembers ? quint8(*s.bareMembers) + 1 : 0);
    out.whole(s.consumersTotal);
    writeNumbers<9>(out, {s.limit, s.windowMs, s.occupancy, s.remaining, s.nextFreeMs,
                          s.retryAfterMs, s.newestMs, s.refused, s.permitDrift});
}

LimiterState readLimiter(ByteReader& in)
{
    LimiterState s;
    s.algorithm = in.oneOf(Algorithm::Concurrency);
    s.limitSource = in.oneOf(Source::Stored);
    s.windowSource = in.oneOf(Source::Stored);
    s.occupancyIsUpperBound = in.flag();
    if (const quint8 unit = in.byte(); unit > 0)
        s.bareMembers = TimeUnit(unit - 1);
    s.consumersTotal = in.whole();
    const Numbers<9> numbers = readNumbers<9>(in);
    s.limit = numbers[0];
    s.windowMs = numbers[1];
    s.occupancy = numbers[2];
    s.remaining = numbers[3];
    s.nextFreeMs = numbers[4];
    s.retryAfterMs = numbers[5];
    s.newestMs = numbers[6];
    s.refused = numbers[7];
    s.permitDrift = numbers[8];
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
    out.byte(quint8(state.health)); // these three first: see rankOf() and asOfMsOf()
    out.real(state.urgency);
    out.whole(state.asOfMs);
    out.flag(state.present);
    out.maybe(state.ttlMs);
    out.maybe(state.bytes);
    write(out, state.observed, state.asOfMs);
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
    state->asOfMs = in.whole();
    state->present = in.flag();
    state->ttlMs = in.maybe();
    state->bytes = in.maybe();
    read(in, state->observed, state->asOfMs);
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

StateRank rankOf(QByteArrayView bytes)
{
    ByteReader in(bytes);
    const Health health = in.oneOf(Health::Error);
    return {health, in.real()};
}

qint64 asOfMsOf(QByteArrayView bytes)
{
    ByteReader in(bytes);
    in.byte();
    in.real();
    return in.whole();
}

} // namespace lk
