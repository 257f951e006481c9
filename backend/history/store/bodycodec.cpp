// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/bodycodec.h"

#include <algorithm>

namespace lk {

namespace {

// Of lists no more than these are recorded: what comes first matters most.
constexpr size_t mostMarks = 32;
constexpr size_t mostConsumers = 16;
constexpr size_t mostHolders = 16;
constexpr size_t mostItems = 16;
constexpr size_t mostWorkers = 32;
constexpr size_t mostFailures = 8;
constexpr size_t mostRows = 64;

size_t some(ByteWriter& out, size_t all, size_t most)
{
    const size_t n = std::min(all, most);
    out.number(n);
    return n;
}

void writeReal(ByteWriter& out, std::optional<double> value)
{
    out.flag(value.has_value());
    if (value)
        out.real(*value);
}

std::optional<double> readReal(ByteReader& in)
{
    return in.flag() ? std::optional(in.real()) : std::nullopt;
}

// The newest of them, each against the one before.
void writeTimes(ByteWriter& out, const std::vector<qint64>& times)
{
    const size_t n = some(out, times.size(), mostMarks);
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
    const size_t n = some(out, s.consumers.size(), mostConsumers);
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
    // A value that tells no owner may be anything.
    out.text(s.ownerKnown ? s.owner : QByteArray());
    out.text(s.ownerKnown ? *s.ownerLabel : QByteArray());
    writeEnd(out, s.leaseMs, asOfMs);
    out.whole(s.holds);
    out.maybe(s.limit);
    out.flag(s.shared);
    size_t n = some(out, s.holders.size(), mostHolders);
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
    n = some(out, s.waiting.size(), mostHolders);
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

// Without preview: it is the payload. The error may quote it.
void writeItem(ByteWriter& out, const QueueItem& item)
{
    out.whole(item.size);
    out.number(item.fingerprint);
    out.maybe(item.firstSeenMs);
    out.text(item.key);
    out.text(item.facts.id);
    out.text(item.facts.name);
    out.text(item.facts.worker);
    out.maybe(item.facts.enqueuedMs);
    out.maybe(item.facts.startedMs);
    out.maybe(item.facts.attempts);
    out.maybe(item.facts.mostAttempts);
}

QueueItem readItem(ByteReader& in)
{
    QueueItem item;
    item.size = in.whole();
    item.fingerprint = in.number();
    item.firstSeenMs = in.maybe();
    item.key = in.text();
    item.facts.id = in.text();
    item.facts.name = in.text();
    item.facts.worker = in.text();
    item.facts.enqueuedMs = in.maybe();
    item.facts.startedMs = in.maybe();
    item.facts.attempts = in.maybe();
    item.facts.mostAttempts = in.maybe();
    return item;
}

void writeSpread(ByteWriter& out, const std::optional<DurationSpread>& spread)
{
    out.flag(spread.has_value());
    if (!spread)
        return;
    for (const qint64 value : {spread->p50, spread->p95, spread->p99, spread->jobs})
        out.whole(value);
}

std::optional<DurationSpread> readSpread(ByteReader& in)
{
    if (!in.flag())
        return std::nullopt;
    DurationSpread spread;
    for (qint64* value : {&spread.p50, &spread.p95, &spread.p99, &spread.jobs})
        *value = in.whole();
    return spread;
}

void writeWorkers(ByteWriter& out, const QueueState& s)
{
    const size_t n = some(out, s.workers.size(), mostWorkers);
    for (size_t i = 0; i < n; ++i) {
        const QueueWorker& w = s.workers[i];
        out.text(w.name);
        out.text(w.host);
        out.text(w.process);
        out.byte(w.alive ? (*w.alive ? 2 : 1) : 0);
        out.maybe(w.lastSeenMs);
        out.maybe(w.jobs);
    }
    out.flag(s.workersKnown);
}

void readWorkers(ByteReader& in, QueueState& s)
{
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        QueueWorker w;
        w.name = in.text();
        w.host = in.text();
        w.process = in.text();
        if (const quint8 alive = in.byte(); alive > 0)
            w.alive = alive == 2;
        w.lastSeenMs = in.maybe();
        w.jobs = in.maybe();
        s.workers.push_back(std::move(w));
    }
    s.workersKnown = in.flag();
}

// An age grows by itself: the moment when it began stays.
void writeAge(ByteWriter& out, std::optional<qint64> ageMs, qint64 asOfMs)
{
    writeEnd(out, ageMs ? std::optional(-*ageMs) : std::nullopt, asOfMs);
}

std::optional<qint64> readAge(ByteReader& in, qint64 asOfMs)
{
    const std::optional<qint64> age = readEnd(in, asOfMs);
    return age ? std::optional(-*age) : std::nullopt;
}

void write(ByteWriter& out, const QueueState& s, qint64 asOfMs)
{
    out.number(s.states.size());
    for (const JobState& state : s.states) {
        out.text(state.name);
        out.byte(quint8(state.role));
        out.maybe(state.count);
    }
    for (const auto& value : {s.ready, s.processing, s.delayed, s.dead})
        out.maybe(value);
    writeAge(out, s.oldestReadyMs, asOfMs);
    writeAge(out, s.oldestProcessingMs, asOfMs);
    out.whole(s.stuck);
    out.flag(s.stuckByLibrary);
    out.flag(s.paused);
    writeWorkers(out, s);
    const size_t groups = some(out, s.failures.size(), mostFailures);
    for (size_t i = 0; i < groups; ++i) {
        out.text(s.failures[i].error);
        out.text(s.failures[i].name);
        out.whole(s.failures[i].count);
        out.maybe(s.failures[i].lastMs);
    }
    out.whole(s.failuresRead);
    out.maybe(s.completedTotal);
    out.maybe(s.failedTotal);
    out.byte(quint8(s.rateSource));
    for (const auto& rate :
         {s.completedPerSecond, s.failedPerSecond, s.inPerSecond, s.outPerSecond})
        writeReal(out, rate);
    writeSpread(out, s.waited);
    writeSpread(out, s.ran);
    out.whole(s.stuckAfterMs);
    out.maybe(s.itemBytes);
    out.maybe(s.readyItemBytes);
    const size_t items = some(out, s.items.size(), mostItems);
    for (size_t i = 0; i < items; ++i)
        writeItem(out, s.items[i]);
    out.flag(s.itemsTruncated || items < s.items.size());
    out.maybe(s.duplicates);
    out.maybe(s.wakeUps);
}

QueueState readQueue(ByteReader& in, qint64 asOfMs)
{
    QueueState s;
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        JobState state;
        state.name = in.text();
        state.role = in.oneOf(JobRole::Paused);
        state.count = in.maybe();
        s.states.push_back(std::move(state));
    }
    for (auto* value : {&s.ready, &s.processing, &s.delayed, &s.dead})
        *value = in.maybe();
    s.oldestReadyMs = readAge(in, asOfMs);
    s.oldestProcessingMs = readAge(in, asOfMs);
    s.stuck = in.whole();
    s.stuckByLibrary = in.flag();
    s.paused = in.flag();
    readWorkers(in, s);
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        FailureGroup group;
        group.error = in.text();
        group.name = in.text();
        group.count = in.whole();
        group.lastMs = in.maybe();
        s.failures.push_back(std::move(group));
    }
    s.failuresRead = in.whole();
    s.completedTotal = in.maybe();
    s.failedTotal = in.maybe();
    s.rateSource = in.oneOf(RateSource::EndTimes);
    for (auto* rate : {&s.completedPerSecond, &s.failedPerSecond, &s.inPerSecond, &s.outPerSecond})
        *rate = readReal(in);
    s.waited = readSpread(in);
    s.ran = readSpread(in);
    s.stuckAfterMs = in.whole();
    s.itemBytes = in.maybe();
    s.readyItemBytes = in.maybe();
    for (size_t n = in.count(); n > 0 && in.ok(); --n)
        s.items.push_back(readItem(in));
    s.itemsTruncated = in.flag();
    s.duplicates = in.maybe();
    s.wakeUps = in.maybe();
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

// Of its rows only those that are keys, with how much is set in each: members and items are what is
// stored, and a snapshot does not print them.
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
    const size_t n = some(out, keys ? s.rows.size() : 0, mostRows);
    out.flag(s.rowsTruncated || n < s.rows.size());
    // The newest are the last.
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
        return s; // it was written before rows were
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
