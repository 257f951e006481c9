// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/statepacking.h"

#include "backend/core/compact/packednumbers.h"
#include "backend/core/compact/packedtext.h"

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

std::optional<qint64> unlessZero(qint64 number)
{
    return number == 0 ? std::nullopt : std::optional(number);
}

// The fields that all states have.
struct Head
{
    // The urgency of most locks and tokens is their TTL in seconds, and the TTL follows.
    static constexpr unsigned asTtl = unsigned(Real::Whole) + 1;

    Health health = Health::Idle;
    bool present = true;
    unsigned urgency = 0; ///< a Real, or asTtl
    bool ttl = false;
    bool bytes = false;
    bool observedMore = false;

    static Head of(const State& s)
    {
        const Observed& o = s.observed;
        Head head;
        head.health = s.health;
        head.present = s.present;
        head.urgency = s.ttlMs && s.urgency == secondsOf(*s.ttlMs) && s.urgency != 0
                           ? asTtl
                           : unsigned(formOf(s.urgency));
        head.ttl = s.ttlMs.has_value();
        head.bytes = s.bytes.has_value();
        head.observedMore =
            o.leastLeftMs != 0 || o.renewals != 0 || o.fullSinceMs != 0 || o.fullSamples != 0;
        return head;
    }
    static double secondsOf(qint64 ms) { return double(ms) / 1000; }
    void to(ByteWriter& out) const
    {
        BitWriter()
            .add(2, unsigned(health))
            .flag(present)
            .add(2, urgency)
            .flag(ttl)
            .flag(bytes)
            .flag(observedMore)
            .to(out);
    }
    static Head from(ByteReader& in)
    {
        BitReader bits(in);
        Head head;
        head.health = bits.oneOf(2, Health::Error);
        head.present = bits.flag();
        head.urgency = bits.take(2);
        head.ttl = bits.flag();
        head.bytes = bits.flag();
        head.observedMore = bits.flag();
        return head;
    }
};

// The start of a packed state: its rank and the time it was read.
struct Beginning
{
    Head head;
    double urgency = 0;
    qint64 asOfMs = 0;
    std::optional<qint64> ttlMs;
};

void write(ByteWriter& out, const State& state, const Head& head)
{
    head.to(out);
    if (head.urgency != Head::asTtl)
        writeReal(out, state.urgency, Real(head.urgency));
    out.whole(state.asOfMs);
    if (state.ttlMs)
        out.whole(*state.ttlMs);
}

Beginning readBeginning(ByteReader& in)
{
    Beginning s;
    s.head = Head::from(in);
    if (s.head.urgency != Head::asTtl)
        s.urgency = readReal(in, Real(s.head.urgency));
    s.asOfMs = in.whole();
    if (s.head.ttl)
        s.ttlMs = in.whole();
    if (s.head.urgency == Head::asTtl)
        s.urgency = Head::secondsOf(s.ttlMs.value_or(0));
    return s;
}

// Writes the times relative to each other: usually firstSeenMs equals sinceMs, and largestTtlMs is
// near the TTL.
void write(ByteWriter& out, const Observed& o, const State& s, bool more)
{
    writeTime(out, o.firstSeenMs, s.asOfMs);
    writeTime(out, o.sinceMs, o.firstSeenMs == 0 ? s.asOfMs : o.firstSeenMs);
    writeTime(out, o.largestTtlMs, s.ttlMs.value_or(0));
    if (!more)
        return;
    out.whole(o.leastLeftMs);
    out.whole(o.renewals);
    writeTime(out, o.fullSinceMs, s.asOfMs);
    out.whole(o.fullSamples);
}

void read(ByteReader& in, Observed& o, const State& s, bool more)
{
    o.firstSeenMs = readTime(in, s.asOfMs);
    o.sinceMs = readTime(in, o.firstSeenMs == 0 ? s.asOfMs : o.firstSeenMs);
    o.largestTtlMs = readTime(in, s.ttlMs.value_or(0));
    if (!more)
        return;
    o.leastLeftMs = in.whole();
    o.renewals = qint32(in.whole());
    o.fullSinceMs = readTime(in, s.asOfMs);
    o.fullSamples = qint32(in.whole());
}

void write(ByteWriter& out, const LimiterState& s, const State& state)
{
    BitWriter()
        .add(3, unsigned(s.algorithm))
        .flag(s.occupancyIsUpperBound)
        .add(3, s.bareMembers ? unsigned(*s.bareMembers) + 1 : 0)
        .to(out);
    BitWriter().add(2, unsigned(s.limitSource)).add(2, unsigned(s.windowSource)).to(out);
    std::optional<qint64> newestAgoMs;
    if (s.newestMs)
        newestAgoMs = qint64(quint64(state.asOfMs) - quint64(*s.newestMs));
    writeNumbers<10>(out, {s.limit, s.windowMs, s.occupancy, s.remaining, s.nextFreeMs, newestAgoMs,
                           s.retryAfterMs, s.refused, s.permitDrift, unlessZero(s.consumersTotal)});
}

LimiterState readLimiter(ByteReader& in, const State& state)
{
    LimiterState s;
    BitReader bits(in);
    s.algorithm = bits.oneOf(3, Algorithm::Concurrency);
    s.occupancyIsUpperBound = bits.flag();
    if (const unsigned unit = bits.take(3); unit > 0)
        s.bareMembers = TimeUnit(unit - 1);
    BitReader sources(in);
    s.limitSource = sources.oneOf(2, Source::Stored);
    s.windowSource = sources.oneOf(2, Source::Stored);
    const Numbers<10> numbers = readNumbers<10>(in);
    s.limit = numbers[0];
    s.windowMs = numbers[1];
    s.occupancy = numbers[2];
    s.remaining = numbers[3];
    s.nextFreeMs = numbers[4];
    if (numbers[5])
        s.newestMs = qint64(quint64(state.asOfMs) - quint64(*numbers[5]));
    s.retryAfterMs = numbers[6];
    s.refused = numbers[7];
    s.permitDrift = numbers[8];
    s.consumersTotal = numbers[9].value_or(0);
    return s;
}

// The number is missing, has its usual value, or follows.
enum class Usual : quint8 { None, Usual, Other };

Usual usualOf(std::optional<qint64> number, std::optional<qint64> usual)
{
    return !number ? Usual::None : number == usual ? Usual::Usual : Usual::Other;
}

std::optional<qint64> readUsual(ByteReader& in, Usual form, std::optional<qint64> usual)
{
    return form == Usual::None ? std::nullopt : form == Usual::Usual ? usual : in.whole();
}

void write(ByteWriter& out, const LockState& s, const State& state)
{
    const Usual lease = usualOf(s.leaseMs, state.ttlMs);
    const Usual limit = usualOf(s.limit, 1);
    BitWriter()
        .add(2, unsigned(s.phase))
        .flag(s.ownerKnown)
        .flag(s.shared)
        .add(2, unsigned(lease))
        .add(2, unsigned(limit))
        .to(out);
    BitWriter()
        .flag(s.holds != 1)
        .flag(s.holdersTotal != 0)
        .flag(s.waiters.has_value())
        .flag(!s.ownerLabel->isEmpty())
        .flag(!s.partOf->isEmpty())
        .to(out);
    writePacked(out, s.owner);
    if (lease == Usual::Other)
        out.whole(*s.leaseMs);
    if (limit == Usual::Other)
        out.whole(*s.limit);
    if (s.holds != 1)
        out.whole(s.holds);
    if (s.holdersTotal != 0)
        out.whole(s.holdersTotal);
    if (s.waiters)
        out.whole(*s.waiters);
    if (!s.ownerLabel->isEmpty())
        out.text(*s.ownerLabel);
    if (!s.partOf->isEmpty())
        out.text(*s.partOf);
}

LockState readLock(ByteReader& in, const State& state)
{
    LockState s;
    BitReader bits(in);
    s.phase = bits.oneOf(2, LockState::Phase::NoTtl);
    s.ownerKnown = bits.flag();
    s.shared = bits.flag();
    const auto lease = bits.oneOf(2, Usual::Other);
    const auto limit = bits.oneOf(2, Usual::Other);
    BitReader more(in);
    const bool holds = more.flag();
    const bool holders = more.flag();
    const bool waiters = more.flag();
    const bool label = more.flag();
    const bool partOf = more.flag();
    s.owner = readPacked(in);
    s.leaseMs = readUsual(in, lease, state.ttlMs);
    s.limit = readUsual(in, limit, 1);
    s.holds = holds ? in.whole() : 1;
    s.holdersTotal = holders ? in.whole() : 0;
    if (waiters)
        s.waiters = in.whole();
    if (label)
        s.ownerLabel = in.text();
    if (partOf)
        s.partOf = in.text();
    return s;
}

void write(ByteWriter& out, const TokenState& s, const State&)
{
    BitWriter()
        .add(2, unsigned(s.phase))
        .add(3, unsigned(s.end))
        .flag(s.uses.has_value())
        .flag(s.bytes.has_value())
        .to(out);
    if (s.uses)
        out.whole(*s.uses);
    if (s.bytes)
        out.whole(*s.bytes);
}

TokenState readToken(ByteReader& in)
{
    TokenState s;
    BitReader bits(in);
    s.phase = bits.oneOf(2, TokenState::Phase::Gone);
    s.end = bits.oneOf(3, TokenState::End::Removed);
    const bool uses = bits.flag();
    const bool bytes = bits.flag();
    if (uses)
        s.uses = in.whole();
    if (bytes)
        s.bytes = in.whole();
    return s;
}

void write(ByteWriter& out, const PatternState& s, const State&)
{
    out.number(s.values.size());
    for (const auto& [name, value] : s.values) {
        const Real form = formOf(value);
        out.text(name);
        out.byte(quint8(form));
        writeReal(out, value, form);
    }
    BitWriter()
        .add(3, unsigned(s.rowsAre))
        .flag(s.rowsTruncated)
        .flag(s.itemBytes.has_value())
        .flag(s.lockLeaseMs.has_value())
        .flag(s.perMinute.has_value())
        .to(out);
    out.byte(s.lock ? quint8(*s.lock) + 1 : 0);
    out.number(s.lockHolder);
    if (s.itemBytes)
        out.whole(*s.itemBytes);
    if (s.lockLeaseMs)
        out.whole(*s.lockLeaseMs);
    if (s.perMinute)
        out.real(*s.perMinute);
}

PatternState readPattern(ByteReader& in)
{
    PatternState s;
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        QByteArray name = in.text();
        const auto form = in.oneOf(Real::Whole);
        s.values.emplace_back(std::move(name), readReal(in, form));
    }
    BitReader bits(in);
    s.rowsAre = bits.oneOf(3, PatternState::Rows::Records);
    s.rowsTruncated = bits.flag();
    const bool itemBytes = bits.flag();
    const bool lease = bits.flag();
    const bool paced = bits.flag();
    if (const quint8 phase = in.byte(); phase > 0)
        s.lock = LockState::Phase(phase - 1);
    s.lockHolder = in.number();
    if (itemBytes)
        s.itemBytes = in.whole();
    if (lease)
        s.lockLeaseMs = in.whole();
    if (paced)
        s.perMinute = in.real();
    return s;
}

template<typename Body> bool pack(ByteWriter& out, const State& state)
{
    const Body* body = state.as<Body>();
    if (!body || !packs(*body))
        return false;
    write(out, *body, state);
    return true;
}

} // namespace

QByteArray packState(const State& state)
{
    if (state.problem || !state.bytesKey->isEmpty())
        return {};
    ByteWriter out;
    const Head head = Head::of(state);
    write(out, state, head);
    if (state.bytes)
        out.whole(*state.bytes);
    write(out, state.observed, state, head.observedMore);
    const bool packed = pack<LimiterState>(out, state) || pack<LockState>(out, state) ||
                        pack<TokenState>(out, state) || pack<PatternState>(out, state);
    return packed ? out.take() : QByteArray();
}

StatePtr unpackState(QByteArrayView bytes, PrimitivePtr primitive)
{
    ByteReader in(bytes);
    const auto state = std::make_shared<State>();
    const Beginning begin = readBeginning(in);
    state->health = begin.head.health;
    state->present = begin.head.present;
    state->urgency = begin.urgency;
    state->asOfMs = begin.asOfMs;
    state->ttlMs = begin.ttlMs;
    if (begin.head.bytes)
        state->bytes = in.whole();
    read(in, state->observed, *state, begin.head.observedMore);
    switch (primitive->kind) {
    case Kind::Limiter:
        state->body = readLimiter(in, *state);
        break;
    case Kind::Lock:
        state->body = readLock(in, *state);
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
    const Beginning begin = readBeginning(in);
    return {begin.head.health, begin.urgency};
}

qint64 asOfMsOf(QByteArrayView bytes)
{
    ByteReader in(bytes);
    return readBeginning(in).asOfMs;
}

} // namespace lk
