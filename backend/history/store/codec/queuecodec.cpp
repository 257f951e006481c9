// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/queuecodec.h"

#include "backend/history/store/codec/bodycodec.h"

#include <algorithm>

namespace lk {

namespace {

// The most recorded elements of lists.
constexpr size_t mostItems = 16;
constexpr size_t mostWorkers = 32;
constexpr size_t mostFailures = 8;

void writeItem(ByteWriter& out, const QueueJob& item)
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

QueueJob readItem(ByteReader& in)
{
    QueueJob item;
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
    const size_t n = writeCount(out, s.workers.size(), mostWorkers);
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

// Writes an age as the moment of its begin, which stays the same while the age grows.
void writeAge(ByteWriter& out, std::optional<qint64> ageMs, qint64 asOfMs)
{
    writeEnd(out, ageMs ? std::optional(-*ageMs) : std::nullopt, asOfMs);
}

std::optional<qint64> readAge(ByteReader& in, qint64 asOfMs)
{
    const std::optional<qint64> age = readEnd(in, asOfMs);
    return age ? std::optional(-*age) : std::nullopt;
}

} // namespace

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
    const size_t groups = writeCount(out, s.failures.size(), mostFailures);
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
    const size_t items = writeCount(out, s.items.size(), mostItems);
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

QByteArray recordedLeases(const QueueState& s)
{
    QByteArray leases;
    bool any = false;
    for (size_t i = 0; i < std::min(s.items.size(), mostItems); ++i) {
        const std::optional<bool> alive = s.items[i].facts.leaseAlive;
        leases.append(char(alive ? (*alive ? 2 : 1) : 0));
        any |= alive.has_value();
    }
    return any ? leases : QByteArray();
}

void setLeases(QueueState& s, QByteArrayView leases)
{
    for (size_t i = 0; i < std::min(s.items.size(), size_t(leases.size())); ++i) {
        if (const char alive = leases[qsizetype(i)]; alive != 0)
            s.items[i].facts.leaseAlive = alive == 2;
    }
}

} // namespace lk
