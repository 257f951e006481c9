// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/bodycodec.h"

#include "backend/history/store/codec/queuecodec.h"

#include <algorithm>

namespace lk {

namespace {

// The most recorded elements of lists. The first elements matter most.
constexpr size_t mostMarks = 32;
constexpr size_t mostConsumers = 16;
constexpr size_t mostHolders = 16;
constexpr size_t mostRows = 64;

// Writes the newest times, each relative to the previous one.
void writeTimes(ByteWriter& out, const std::vector<qint64>& times)
{
    const size_t n = writeCount(out, times.size(), mostMarks);
    qint64 before = 0;
    for (size_t i = times.size() - n; i < times.size(); ++i) {
        out.whole(times[i] - before);
        before = times[i];
    }
}

std::vector<qint64> readTimes(ByteReader& in)
{
    std::vector<qint64> times;
    qint64 before = 0;
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        before = in.after(before);
        times.push_back(before);
    }
    return times;
}

void write(ByteWriter& out, const LimiterState& s, qint64 asOfMs)
{
    out.byte(quint8(s.algorithm));
    out.byte(quint8(s.limitSource));
    out.byte(quint8(s.windowSource));
    out.flag(s.occupancyIsUpperBound);
    out.flag(s.acceptedTruncated || s.accepted.size() > mostMarks);
    out.maybe(s.limit);
    out.maybe(s.windowMs);
    out.maybe(s.occupancy);
    out.maybe(s.remaining);
    writeEnd(out, s.nextFreeMs, asOfMs);
    writeEnd(out, s.retryAfterMs, asOfMs);
    writeTimes(out, s.accepted);
    writeTimes(out, s.reserved);
    const size_t n = writeCount(out, s.consumers.size(), mostConsumers);
    for (size_t i = 0; i < n; ++i) {
        const Consumer& c = s.consumers[i];
        out.text(c.name);
        out.text(c.key);
        out.maybe(c.limit);
        out.whole(c.occupancy);
        writeEnd(out, c.nextFreeMs, asOfMs);
    }
    out.whole(s.consumersTotal);
    out.maybe(s.newestMs);
    out.maybe(s.refused);
    out.maybe(s.permitDrift);
}

LimiterState readLimiter(ByteReader& in, qint64 asOfMs)
{
    LimiterState s;
    s.algorithm = in.oneOf(Algorithm::Concurrency);
    s.limitSource = in.oneOf(Source::Stored);
    s.windowSource = in.oneOf(Source::Stored);
    s.occupancyIsUpperBound = in.flag();
    s.acceptedTruncated = in.flag();
    s.limit = in.maybe();
    s.windowMs = in.maybe();
    s.occupancy = in.maybe();
    s.remaining = in.maybe();
    s.nextFreeMs = readEnd(in, asOfMs);
    s.retryAfterMs = readEnd(in, asOfMs);
    s.accepted = readTimes(in);
    s.reserved = readTimes(in);
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        Consumer c;
        c.name = in.text();
        c.key = in.text();
        c.limit = in.maybe();
        c.occupancy = in.whole();
        c.nextFreeMs = readEnd(in, asOfMs);
        s.consumers.push_back(std::move(c));
    }
    s.consumersTotal = in.whole();
    s.newestMs = in.maybe();
    s.refused = in.maybe();
    s.permitDrift = in.maybe();
    return s;
}

void write(ByteWriter& out, const LockState& s, qint64 asOfMs)
{
    out.byte(quint8(s.phase));
    out.flag(s.ownerKnown);
    // A value that contains no owner may be anything.
    out.text(s.ownerKnown ? s.owner : QByteArray());
    out.text(s.ownerKnown ? *s.ownerLabel : QByteArray());
    writeEnd(out, s.leaseMs, asOfMs);
    out.whole(s.holds);
    out.maybe(s.limit);
    out.flag(s.shared);
    size_t n = writeCount(out, s.holders.size(), mostHolders);
    for (size_t i = 0; i < n; ++i) {
        const LockHolder& h = s.holders[i];
        out.text(h.name);
        out.text(h.label);
        out.whole(h.holds);
        out.flag(h.shared);
        writeEnd(out, h.leaseMs, asOfMs);
        out.maybe(h.sinceMs);
    }
    out.whole(s.holdersTotal);
    n = writeCount(out, s.waiting.size(), mostHolders);
    for (size_t i = 0; i < n; ++i) {
        out.text(s.waiting[i].name);
        writeEnd(out, s.waiting[i].leftMs, asOfMs);
    }
    out.maybe(s.waiters);
    out.text(*s.partOf);
}

LockState readLock(ByteReader& in, qint64 asOfMs)
{
    LockState s;
    s.phase = in.oneOf(LockState::Phase::NoTtl);
    s.ownerKnown = in.flag();
    s.owner = in.text();
    s.ownerLabel = in.text();
    s.leaseMs = readEnd(in, asOfMs);
    s.holds = in.whole();
    s.limit = in.maybe();
    s.shared = in.flag();
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        LockHolder h;
        h.name = in.text();
        h.label = in.text();
        h.holds = in.whole();
        h.shared = in.flag();
        h.leaseMs = readEnd(in, asOfMs);
        h.sinceMs = in.maybe();
        s.holders.push_back(std::move(h));
    }
    s.holdersTotal = in.whole();
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        LockWaiter w;
        w.name = in.text();
        w.leftMs = readEnd(in, asOfMs);
        s.waiting.push_back(std::move(w));
    }
    s.waiters = in.maybe();
    s.partOf = in.text();
    return s;
}

// Omits the preview, which is the payload, and the error, which may quote it.
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

// Writes rows only if they are keys, with the amount set in each. Members and items are stored
// data, which a snapshot does not print either.
void write(ByteWriter& out, const PatternState& s, qint64 asOfMs)
{
    out.number(s.values.size());
    for (const auto& [name, value] : s.values) {
        out.text(name);
        out.real(value);
    }
    out.maybe(s.itemBytes);
    out.flag(s.lock.has_value());
    if (s.lock)
        out.byte(quint8(*s.lock));
    writeEnd(out, s.lockLeaseMs, asOfMs);
    writeReal(out, s.perMinute);
    out.byte(quint8(s.rowsAre));
    const bool keys = s.rowsAre == PatternState::Rows::Counts;
    const size_t n = writeCount(out, keys ? s.rows.size() : 0, mostRows);
    out.flag(s.rowsTruncated || n < s.rows.size());
    // The newest rows are the last.
    for (size_t i = s.rows.size() - n; keys && i < s.rows.size(); ++i) {
        out.text(s.rows[i].label);
        writeReal(out, s.rows[i].value);
        out.whole(s.rows[i].bytes);
    }
}

PatternState readPattern(ByteReader& in, qint64 asOfMs)
{
    PatternState s;
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        QByteArray name = in.text();
        s.values.emplace_back(std::move(name), in.real());
    }
    s.itemBytes = in.maybe();
    if (in.flag())
        s.lock = in.oneOf(LockState::Phase::NoTtl);
    s.lockLeaseMs = readEnd(in, asOfMs);
    s.perMinute = readReal(in);
    if (in.atEnd())
        return s; // was written by a version that did not record rows
    s.rowsAre = in.oneOf(PatternState::Rows::Records);
    const size_t rows = in.count();
    s.rowsTruncated = in.flag();
    for (size_t n = rows; n > 0 && in.ok(); --n) {
        PatternRow row;
        row.label = in.text();
        row.value = readReal(in);
        row.bytes = in.whole();
        s.rows.push_back(std::move(row));
    }
    return s;
}

} // namespace

void writeBody(ByteWriter& out, const State& state)
{
    if (const auto* limiter = state.as<LimiterState>())
        write(out, *limiter, state.asOfMs);
    else if (const auto* lock = state.as<LockState>())
        write(out, *lock, state.asOfMs);
    else if (const auto* queue = state.as<QueueState>())
        write(out, *queue, state.asOfMs);
    else if (const auto* token = state.as<TokenState>())
        write(out, *token);
    else if (const auto* pattern = state.as<PatternState>())
        write(out, *pattern, state.asOfMs);
}

void readBody(ByteReader& in, State& state)
{
    switch (state.kind()) {
    case Kind::Limiter:
        state.body = readLimiter(in, state.asOfMs);
        break;
    case Kind::Lock:
        state.body = readLock(in, state.asOfMs);
        break;
    case Kind::Queue:
        state.body = readQueue(in, state.asOfMs);
        break;
    case Kind::Token:
        state.body = readToken(in);
        break;
    case Kind::Pattern:
        state.body = readPattern(in, state.asOfMs);
        break;
    }
}

} // namespace lk
