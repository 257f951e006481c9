// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/duration.h"
#include "backend/findings/rules.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Severity = Finding::Severity;

constexpr qint64 leastWatchedMs = 9000; // of the ten seconds over which rates are told
constexpr double growsBy = 1.2; // in against out; below, the rates' own noise over ten seconds

QString count(qint64 n)
{
    return QLocale().toString(n);
}

// When an item was first seen is known only to who watched.
Seen stuck(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->stuck <= 0)
        return {};
    return {FindingText::tr("In processing for longer than %2: %1.")
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
    if (!queue || queue->ready.value_or(0) > 0 || queue->processing.value_or(0) <= 0 ||
        queue->inPerSecond != 0.0 || queue->outPerSecond != 0.0 ||
        stuck(s, t).message.isEmpty())
        return {};
    return {FindingText::tr("There is no ready list, nothing came or went for ten seconds; in "
                            "processing: %1.")
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
    return {
        FindingText::tr("The same payload more than once, waiting and in processing or twice in "
                        "processing: %1.")
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
    return {
        FindingText::tr("%1 wait; over ten seconds %2 a second came in and %3 a second were done.")
            .arg(count(*queue->ready), QLocale().toString(*queue->inPerSecond, 'f', 1),
                 QLocale().toString(*queue->outPerSecond, 'f', 1)),
        {},
        {},
        {},
        {}};
}

// Producers push a wake-up with each event, also with one that waits already, so a few more wake-ups
// than events are normal.
Seen helperOutOfStep(const State& s, const CheckThresholds& t)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || !queue->wakeUps || *queue->wakeUps - queue->ready.value_or(0) <= t.wakeUps)
        return {};
    return {FindingText::tr("Wake-ups in the helper list: %1; events that wait: %2.")
                .arg(count(*queue->wakeUps), count(queue->ready.value_or(0))),
            s.primitive->key("helper"),
            {},
            {},
            {}};
}

// Events without a wake-up is also how it looks while a consumer takes them one after the other; only
// who watched can tell that nobody does.
Seen withoutWakeUp(const State& s, const CheckThresholds&)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->wakeUps != 0 || queue->ready.value_or(0) <= 0 ||
        queue->inPerSecond != 0.0 || queue->outPerSecond != 0.0 ||
        s.asOfMs - s.observed.firstSeenMs < leastWatchedMs)
        return {};
    return {
        FindingText::tr("Events wait (%1), the helper list holds no wake-up, and nothing came or "
                        "went for ten seconds.")
            .arg(count(*queue->ready)),
        s.primitive->key("helper"),
        {},
        {},
        {}};
}

constexpr StateRule rules[] = {
    {{"queue-stuck", Severity::Error, "queue.requeue",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Whoever took them may be gone; nobody else works on them."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Look whether their workers still run; if not, put the items back, or "
                        "bury those that make a worker fail.")},
     stuck},
    {{"queue-without-ready", Severity::Warning, "queue.requeue",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The processing list may belong to workers that are gone, or to a queue "
                        "of another name."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Declare the queue's lists in the configuration file if they have other "
                        "names; else put the items back."),
      true},
     withoutReady},
    {{"queue-duplicates", Severity::Info, "queue.drop",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Somebody put an item back that is still being worked on: it is done "
                        "twice, and LREM removes whichever comes first."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Drop one of them; give each job an id of its own, and put back only by "
                        "one script that removes it from processing.")},
     duplicated},
    {{"queue-growing", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "What comes in waits longer and longer, and the list takes the server's "
                        "memory."),
      QT_TRANSLATE_NOOP("lk::Finding", "Start more workers, or let producers wait."),
      true},
     growing},
    {{"helper-out-of-step", Severity::Warning, "key.delete",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Each wake-up without an event wakes a consumer for nothing, and the "
                        "list grows with every event that was there already."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Push a wake-up only where SADD said 1; the helper list may be deleted "
                        "while nothing waits.")},
     helperOutOfStep},
    {{"event-without-wake-up", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Consumers block on the helper list: nobody takes these events before "
                        "the next one comes."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Push a wake-up (LPUSH of anything); push it in the transaction or script "
                        "that adds the event."),
      true},
     withoutWakeUp},
};

} // namespace

std::span<const StateRule> queueRules()
{
    return rules;
}

} // namespace lk
