// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"
#include "backend/findings/rules.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Severity = Finding::Severity;

constexpr qint64 leastObservedMs = 9000; // of the ten seconds over which rates are told
constexpr double growsBy = 1.2; // in against out; below, the rates' own noise over ten seconds

QString queueCount(qint64 n)
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

// The time when an item was first seen is known only by watching.
Seen stuck(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->stuck <= 0)
        return {};
    return RuleMatch{isAbandoned(*queue)
                         ? FindingText::tr("In progress without a live worker: %1.")
                               .arg(queueCount(queue->stuck))
                         : FindingText::tr("In progress for more than %2: %1.")
                               .arg(queueCount(queue->stuck), formatDuration(queue->stuckAfterMs)),
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
            .arg(queueCount(*queue->processing)),
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
            .arg(queueCount(*queue->duplicates)),
        s.primitive->key("processing"),
        {},
        {},
        {}};
}

// A library that moved what waits to a list of its own while the queue was paused, and no longer
// does, leaves both.
QString pausedListText(const QueueState& queue)
{
    const qint64 listed = waitingJobs(queue).value_or(0) - queue.ready.value_or(0);
    const auto list =
        std::find_if(queue.states.begin(), queue.states.end(), [](const JobState& state) {
            return state.role == JobRole::Paused && state.count.value_or(0) > 0;
        });
    if (listed <= 0 || queue.ready.value_or(0) <= 0 || list == queue.states.end())
        return {};
    return FindingText::tr("; %1 of them in the list %2 of an earlier version, older than the "
                           "others")
        .arg(queueCount(listed), displayName(list->name));
}

Seen paused(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || !queue->paused)
        return {};
    const std::optional<qint64> waiting = waitingJobs(*queue);
    QString text =
        queue->pausedSinceMs
            ? FindingText::tr("Paused since %1").arg(sinceText(*queue->pausedSinceMs, s.asOfMs))
            : FindingText::tr("Paused");
    if (waiting)
        text += FindingText::tr(", %1 waiting").arg(queueCount(*waiting));
    return RuleMatch{text + pausedListText(*queue) + QLatin1Char('.'), {}, {}, {}, {}};
}

// Returns why delayed jobs are not moved when they are due; empty if not known.
QString overdueCause(const QueueState& queue)
{
    if (!queue.due.cause.isEmpty())
        return queue.due.cause;
    if (queue.paused)
        return FindingText::tr("the queue is paused");
    const bool nobody =
        queue.workersKnown &&
        std::all_of(queue.workers.begin(), queue.workers.end(),
                    [](const QueueWorker& worker) { return worker.alive == false; });
    return nobody ? FindingText::tr("no worker is running") : QString();
}

Seen overdue(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    const auto lateMs = queue ? overdueMs(*queue, s.asOfMs) : std::nullopt;
    if (!lateMs)
        return {};
    const QString text = FindingText::tr("%1 overdue, the first by %2")
                             .arg(queueCount(*queue->due.overdue), formatDuration(*lateMs));
    const QString cause = overdueCause(*queue);
    return RuleMatch{cause.isEmpty() ? text + QLatin1Char('.')
                                     : FindingText::tr("%1: %2.").arg(text, cause),
                     {},
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
            .arg(queueCount(*queue->ready), QLocale().toString(*queue->inPerSecond, 'f', 1),
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
        FindingText::tr("%1 waiting, and no worker is listening.").arg(queueCount(*queue->ready)),
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
                         .arg(queueCount(*queue->wakeUps), queueCount(queue->ready.value_or(0))),
                     s.primitive->key("helper"),
                     {},
                     {},
                     {}};
}

// Events without a wake-up also occur while a consumer takes them one after the other. Only
// watching shows that no consumer does.
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
            .arg(queueCount(*queue->ready)),
        s.primitive->key("helper"),
        {},
        {},
        {}};
}

constexpr StateRule queueRuleTable[] = {
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
    {{"queue-paused", Severity::Warning, "queue.resume",
      QT_TRANSLATE_NOOP("lk::Finding", "Workers take no job of a paused queue."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Resume the queue once the reason for the pause is gone; jobs that wait "
                        "for long may be out of date by then.")},
     paused},
    {{"jobs-overdue", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "These jobs were to run by now, and nothing moves them: a worker or "
                        "scheduler has to."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Find out whether the worker or scheduler that moves delayed jobs is "
                        "running; the jobs run late once it is.")},
     overdue},
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
    return queueRuleTable;
}

} // namespace lk
