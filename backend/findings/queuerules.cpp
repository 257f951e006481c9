// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Severity = Finding::Severity;

constexpr qint64 leastObservedMs = 9000; // of the ten seconds over which rates are told
constexpr double growsBy = 1.2; // in against out; below, the rates' own noise over ten seconds

QString count(qint64 n)
{
    return QLocale().toString(n);
}

// By what their library keeps of its workers: a lock, a heartbeat, a deadline.
bool isAbandoned(const QueueState& queue)
{
    return queue.stuckByLibrary &&
           std::any_of(queue.items.begin(), queue.items.end(),
                       [](const QueueJob& item) { return item.facts.leaseAlive == false; });
}

// When an item was first seen is known only to who watched.
Seen stuck(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->stuck <= 0)
        return {};
    return RuleMatch{
        isAbandoned(*queue)
            ? FindingText::tr("In progress without a live worker: %1.").arg(count(queue->stuck))
            : FindingText::tr("In progress for more than %2: %1.")
                  .arg(count(queue->stuck), formatDuration(queue->stuckAfterMs)),
        s.primitive->key("processing"),
        {},
        {},
        {}};
}

// An empty list is no list in Redis, so that it is not there says nothing yet: only that nothing
// comes, nothing goes and what is being worked on is too old does.
Seen withoutReady(const State& s, const CheckThresholds& t)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->stuckByLibrary || queue->ready.value_or(0) > 0 ||
        queue->processing.value_or(0) <= 0 || queue->inPerSecond != 0.0 ||
        queue->outPerSecond != 0.0 || !stuck(s, t))
        return {};
    return RuleMatch{
        FindingText::tr("There is no waiting list, and nothing changed for ten seconds; in "
                        "progress: %1.")
            .arg(count(*queue->processing)),
        s.primitive->key("processing"),
        {},
        {},
        {}};
}

Seen duplicated(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->duplicates.value_or(0) <= 0)
        return {};
    return RuleMatch{
        FindingText::tr("Jobs with the same payload, waiting and in progress or twice in "
                        "progress: %1.")
            .arg(count(*queue->duplicates)),
        s.primitive->key("processing"),
        {},
        {},
        {}};
}

Seen growing(const State& s, const CheckThresholds& t)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->ready.value_or(0) < t.backlog || !queue->inPerSecond ||
        !queue->outPerSecond || *queue->inPerSecond <= *queue->outPerSecond * growsBy ||
        *queue->inPerSecond - *queue->outPerSecond < 0.5)
        return {};
    return RuleMatch{
        FindingText::tr("%1 waiting; over ten seconds, %2/s came in and %3/s were taken.")
            .arg(count(*queue->ready), QLocale().toString(*queue->inPerSecond, 'f', 1),
                 QLocale().toString(*queue->outPerSecond, 'f', 1)),
        {},
        {},
        {},
        {}};
}

Seen withoutWorkers(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || !queue->workersKnown || queue->paused || queue->ready.value_or(0) <= 0 ||
        std::any_of(queue->workers.begin(), queue->workers.end(),
                    [](const QueueWorker& worker) { return worker.alive != false; }))
        return {};
    return RuleMatch{
        FindingText::tr("%1 waiting, and no worker is listening.").arg(count(*queue->ready)),
        {},
        {},
        {},
        {}};
}

// Producers push a wake-up with each event, also with one that waits already, so a few more
// wake-ups than events are normal.
Seen helperOutOfStep(const State& s, const CheckThresholds& t)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || !queue->wakeUps || *queue->wakeUps - queue->ready.value_or(0) <= t.wakeUps)
        return {};
    return RuleMatch{FindingText::tr("Wake-ups in the helper list: %1; events waiting: %2.")
                         .arg(count(*queue->wakeUps), count(queue->ready.value_or(0))),
                     s.primitive->key("helper"),
                     {},
                     {},
                     {}};
}

// Events without a wake-up is also how it looks while a consumer takes them one after the other;
// only who watched can tell that nobody does.
Seen withoutWakeUp(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->wakeUps != 0 || queue->ready.value_or(0) <= 0 ||
        queue->inPerSecond != 0.0 || queue->outPerSecond != 0.0 ||
        s.asOfMs - std::max(s.observed.firstSeenMs, s.observed.sinceMs) < leastObservedMs)
        return {};
    return RuleMatch{
        FindingText::tr("%1 events are waiting, the helper list has no wake-up, and nothing "
                        "changed for ten seconds.")
            .arg(count(*queue->ready)),
        s.primitive->key("helper"),
        {},
        {},
        {}};
}

constexpr StateRule rules[] = {
    {{"queue-stuck", Severity::Error, "queue.requeue",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The worker that took them may be dead; no other worker processes them."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Check whether their workers are still running; if not, requeue the jobs, "
                        "or move those that make workers fail to dead letters.")},
     stuck},
    {{"queue-without-ready", Severity::Warning, "queue.requeue",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The processing list may belong to dead workers, or to a queue with "
                        "another name."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If the queue's lists have other names, declare them in the configuration "
                        "file; otherwise requeue the jobs."),
      true},
     withoutReady},
    {{"queue-duplicates", Severity::Info, "queue.discard",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "A job was requeued while still being processed: it runs twice, and LREM "
                        "removes whichever comes first."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Discard one of them; give each job a unique ID, and requeue only with a "
                        "script that removes it from the processing list."),
      false, Finding::About::OneOfSeveralJobs},
     duplicated},
    {{"queue-growing", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Jobs wait longer and longer, and the list uses up the server's memory."),
      QT_TRANSLATE_NOOP("lk::Finding", "Start more workers, or slow down producers."), true},
     growing},
    {{"queue-without-workers", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding", "Nobody processes these jobs until a worker is started."),
      QT_TRANSLATE_NOOP(
          "lk::Finding",
          "Start workers that listen to this queue, or find out why the previous ones stopped.")},
     withoutWorkers},
    {{"helper-out-of-step", Severity::Warning, "key.delete",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Each wake-up without an event wakes a consumer for nothing, and the list "
                        "grows with every duplicate event."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Push a wake-up only if SADD returned 1; the helper list can be deleted "
                        "while no event is waiting.")},
     helperOutOfStep},
    {{"event-without-wake-up", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Consumers block on the helper list: nobody takes these events until the "
                        "next one arrives."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Push a wake-up (LPUSH any value), in the same transaction or script that "
                        "adds the event."),
      true},
     withoutWakeUp},
};

} // namespace

std::span<const StateRule> queueRules()
{
    return rules;
}

} // namespace lk
