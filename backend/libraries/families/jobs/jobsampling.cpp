// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/jobsampling.h"

#include "backend/libraries/families/jobs/jobqueue.h"

#include <algorithm>
#include <cstdlib>

namespace lk {

namespace {

constexpr size_t mostStarted = 100;
constexpr qint64 spreadOverMs = 3'600'000; // jobs that ended earlier are ignored
constexpr qint64 ratesOverMs = 60'000;
constexpr qint64 sameStartMs = 1000; // a start that is computed from an age is inexact

// The clocks of workers differ: negative times become 0.
std::optional<qint64> between(std::optional<qint64> fromMs, std::optional<qint64> toMs)
{
    return fromMs && toMs ? std::optional(std::max<qint64>(0, *toMs - *fromMs)) : std::nullopt;
}

JobTiming timingOf(const JobFacts& job)
{
    return {fingerprintOf(job.id), job.startedMs, job.finishedMs,
            between(job.readyMs, job.startedMs), between(job.startedMs, job.finishedMs)};
}

const JobTiming* find(const std::vector<JobTiming>& jobs, quint64 fingerprint)
{
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const JobTiming& known) {
        return known.fingerprint == fingerprint;
    });
    return job == jobs.end() ? nullptr : &*job;
}

// True if the list has the same run of the same job.
bool isAmong(const std::vector<JobTiming>& jobs, const JobTiming& one)
{
    return std::any_of(jobs.begin(), jobs.end(), [&](const JobTiming& known) {
        return known.fingerprint == one.fingerprint && known.startedMs && one.startedMs &&
               std::abs(*known.startedMs - *one.startedMs) < sameStartMs;
    });
}

void addStarted(JobSample& sample, const QueueState& queue, qint64 nowMs)
{
    for (const QueueJob& item : queue.items) {
        const JobTiming timing = timingOf(item.facts);
        if (timing.waitedMs && !isAmong(sample.started, timing))
            sample.started.push_back(timing);
    }
    std::erase_if(sample.started,
                  [&](const JobTiming& job) { return *job.startedMs < nowMs - spreadOverMs; });
    std::stable_sort(
        sample.started.begin(), sample.started.end(),
        [](const JobTiming& a, const JobTiming& b) { return *a.startedMs > *b.startedMs; });
    if (sample.started.size() > mostStarted)
        sample.started.resize(mostStarted);
}

// ends: latest first. cut: there are earlier ones. Returns nothing if ends is empty.
std::optional<double> rateOf(const std::vector<qint64>& ends, bool cut, qint64 nowMs)
{
    if (ends.empty())
        return std::nullopt;
    const auto recent = std::count_if(ends.begin(), ends.end(),
                                      [&](qint64 endMs) { return endMs > nowMs - ratesOverMs; });
    const bool all = cut && recent == qint64(ends.size());
    const qint64 overMs = all ? std::max<qint64>(1000, nowMs - ends.back()) : ratesOverMs;
    return double(recent) * 1000 / double(overMs);
}

void takeRates(QueueState& queue, const JobSample& sample, const std::vector<JobFacts>& failed,
               qint64 nowMs)
{
    std::vector<qint64> completed;
    for (const JobTiming& job : sample.ended) {
        if (job.endedMs)
            completed.push_back(*job.endedMs);
    }
    std::sort(completed.begin(), completed.end(), std::greater<>());
    const std::optional<double> rate = rateOf(completed, sample.endedCut, nowMs);
    if (!rate)
        return;
    std::vector<qint64> failures;
    for (const JobFacts& job : failed) {
        if (job.finishedMs)
            failures.push_back(*job.finishedMs);
    }
    std::sort(failures.begin(), failures.end(), std::greater<>());
    queue.rateSource = RateSource::EndTimes;
    queue.completedTotal.reset(); // the totals of its workers are less exact
    queue.failedTotal.reset();
    queue.completedPerSecond = rate;
    const bool cut = queue.dead.value_or(0) > qint64(failed.size());
    queue.failedPerSecond = rateOf(failures, cut, nowMs).value_or(0);
}

} // namespace

const JobSample* knownSample(const ReadContext& context)
{
    const QueueState* before = context.previous ? context.previous->as<QueueState>() : nullptr;
    return before ? before->sample.get() : nullptr;
}

bool isSampled(const JobSample* known, const QByteArray& id)
{
    return known && find(known->ended, fingerprintOf(id));
}

std::vector<QByteArray> unsampled(const JobSample* known, const std::vector<QByteArray>& ids)
{
    std::vector<QByteArray> unread;
    for (const QByteArray& id : ids) {
        if (!isSampled(known, id))
            unread.push_back(id);
    }
    return unread;
}

void sampleEnded(QueueState& queue, const ReadContext& context, const std::vector<QByteArray>& ids,
                 const std::vector<JobFacts>& read, qint64 kept)
{
    const JobSample* known = knownSample(context);
    std::vector<JobTiming> now;
    for (const JobFacts& job : read)
        now.push_back(timingOf(job));
    JobSample sample;
    sample.endedCut = kept > qint64(ids.size());
    for (const QByteArray& id : ids) {
        const quint64 fingerprint = fingerprintOf(id);
        const JobTiming* timing = known ? find(known->ended, fingerprint) : nullptr;
        if (!timing)
            timing = find(now, fingerprint);
        if (timing)
            sample.ended.push_back(*timing);
    }
    queue.sample = std::make_shared<const JobSample>(std::move(sample));
}

void finalizeTimes(QueueState& queue, const ReadContext& context,
                   const std::vector<JobFacts>& failed)
{
    const JobSample* known = knownSample(context);
    if (context.depth != Depth::Detail) {
        if (known) // kept for the next read in detail
            queue.sample = context.previous->as<QueueState>()->sample;
        return;
    }
    JobSample sample = queue.sample ? *queue.sample : JobSample();
    if (known)
        sample.started = known->started;
    addStarted(sample, queue, context.nowMs);
    std::vector<qint64> waited;
    std::vector<qint64> ran;
    for (const JobTiming& job : sample.ended) {
        if (job.endedMs.value_or(0) < context.nowMs - spreadOverMs)
            continue;
        if (job.waitedMs)
            waited.push_back(*job.waitedMs);
        if (job.ranMs)
            ran.push_back(*job.ranMs);
    }
    for (const JobTiming& job : sample.started) {
        if (!isAmong(sample.ended, job))
            waited.push_back(*job.waitedMs);
    }
    queue.waited = spreadOf(std::move(waited));
    queue.ran = spreadOf(std::move(ran));
    if (queue.rateSource == RateSource::None || queue.rateSource == RateSource::TotalsOfWorker) {
        sumStates(queue);
        takeRates(queue, sample, failed, context.nowMs);
    }
    queue.sample = std::make_shared<const JobSample>(std::move(sample));
}

} // namespace lk
