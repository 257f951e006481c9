// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/lists/jobchoice.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/keyprefetch.h"
#include "backend/text/time/duration.h"

#include <QHash>

#include <algorithm>

namespace lk::actions {

namespace {

// How many jobs from the right end on the request can refer to. With --older-than, only as
// far as the last read found jobs that old: auto-requeue runs this every few seconds.
qint64 reachOf(const State& state, const ActionRequest& request)
{
    const auto* queue = state.as<QueueState>();
    const auto olderThan = request.durationMs("older-than");
    if (!olderThan || !queue || queue->items.empty())
        return mostChosenJobs;
    const qint64 most = std::min(request.count("most").value_or(mostChosenJobs), mostChosenJobs);
    qint64 reach = 0;
    qint64 found = 0;
    for (size_t i = 0; i < queue->items.size() && found < most; ++i) {
        const std::optional<qint64> since = queue->items[i].firstSeenMs;
        if (!since)
            return mostChosenJobs;
        if (state.asOfMs - *since < *olderThan)
            continue;
        reach = qint64(i) + 1;
        ++found;
    }
    return std::min(reach, mostChosenJobs);
}

// The time of first seen for the payloads that are now in processing.
QHash<quint64, qint64> recordsOf(const State& state)
{
    QHash<quint64, qint64> firstSeen;
    if (const auto* queue = state.as<QueueState>()) {
        for (const QueueJob& item : queue->items) {
            if (item.firstSeenMs)
                firstSeen.insert(item.fingerprint, *item.firstSeenMs);
        }
    }
    return firstSeen;
}

// How many jobs of each fingerprint are chosen: it may be one of two equal jobs.
QHash<quint64, int> chosenFingerprints(const QByteArray& text)
{
    QHash<quint64, int> chosen;
    for (const QByteArray& part : text.split(','))
        ++chosen[part.toULongLong(nullptr, 16)];
    return chosen;
}

// Payloads and scores, in the order in which they are due or taken.
std::vector<std::pair<QByteArray, QByteArray>> readJobs(const Reply& reply, bool delayed)
{
    std::vector<std::pair<QByteArray, QByteArray>> all;
    for (size_t i = 0; delayed && i + 1 < reply.items.size(); i += 2)
        all.emplace_back(reply.items[i].text, reply.items[i + 1].text);
    for (auto item = reply.items.rbegin(); !delayed && item != reply.items.rend(); ++item)
        all.emplace_back(item->text, QByteArray());
    return all;
}

} // namespace

std::vector<ActionParameter> jobParameters()
{
    using Type = ActionParameter::Type;
    return {{QByteArrayLiteral("index"),
             Type::Count,
             ActionText::tr("Job"),
             ActionText::tr("the Nth job as snapshot lists them, 1 for the oldest"),
             false,
             {},
             {},
             true},
            {QByteArrayLiteral("older-than"),
             Type::Duration,
             ActionText::tr("Older than"),
             ActionText::tr("only jobs in progress for longer than this"),
             false,
             {},
             {},
             true},
            {QByteArrayLiteral("all"),
             Type::Flag,
             ActionText::tr("All"),
             ActionText::tr("every job that is there now"),
             false,
             {},
             {},
             true},
            {QByteArrayLiteral("items"),
             Type::Items,
             ActionText::tr("Jobs"),
             ActionText::tr("selected jobs, by fingerprint"),
             false,
             {},
             {},
             true},
            {QByteArrayLiteral("from"),
             Type::Text,
             ActionText::tr("From"),
             ActionText::tr("which list, if the queue has several"),
             false,
             {},
             {}},
            {QByteArrayLiteral("most"),
             Type::Count,
             ActionText::tr("At most"),
             ActionText::tr("at most this many jobs, oldest first"),
             false,
             {},
             {}}};
}

ActionParameter endParameter(const QByteArray& preset)
{
    return {QByteArrayLiteral("to"),
            ActionParameter::Type::Choice,
            ActionText::tr("Where to"),
            ActionText::tr("next: processed first; back: processed last"),
            false,
            {"next", "back"},
            preset};
}

QByteArray endOf(const ActionRequest& request, const QByteArray& preset)
{
    return request.has("to") ? request.text("to") : preset;
}

Result<QByteArray> listFor(const State& state, const ActionRequest& request, JobRole role)
{
    const QByteArray wanted = request.text("from");
    QByteArray found;
    for (const KeyRole& key : state.primitive->keys) {
        if (key.role != jobRoleId(role) || key.key.isEmpty() ||
            (!wanted.isEmpty() && key.key != wanted))
            continue;
        if (!found.isEmpty())
            return notPossible(
                ActionText::tr("The queue has several lists of this kind: choose one with --from"));
        found = key.key;
    }
    if (found.isEmpty())
        return notPossible(ActionText::tr("The queue has no such list: %1")
                               .arg(QString::fromLatin1(jobRoleId(role))));
    return found;
}

std::vector<Command> prefetchJobs(const State& state, const ActionRequest& request, JobRole role,
                                  std::span<const Reply> prefetched)
{
    const Result<QByteArray> list = listFor(state, request, role);
    if (!list || prefetched.size() > 1)
        return {};
    if (prefetched.empty())
        return {{role == JobRole::Delayed ? "ZCARD" : "LLEN", *list}};
    if (role == JobRole::Delayed) {
        const qint64 only = request.count("index").value_or(0);
        return {{"ZRANGE", *list, QByteArray::number(only > 0 ? only - 1 : 0),
                 QByteArray::number((only > 0 ? only : mostChosenJobs) - 1), "WITHSCORES"}};
    }
    const QByteArray number = QByteArray::number(-request.count("index").value_or(0));
    if (request.has("index"))
        return {{"LRANGE", *list, number, number}};
    // -1 to -2 is an empty range.
    const qint64 reach = reachOf(state, request);
    return {
        {"LRANGE", *list, reach > 0 ? QByteArray::number(-reach) : "-1", reach > 0 ? "-1" : "-2"}};
}

Result<ChosenJobs> chosenJobs(const ActionContext& context, JobRole role)
{
    const ActionRequest& request = context.request;
    const Result<QByteArray> list = listFor(context.state, request, role);
    if (!list)
        return tl::unexpected(list.error());
    const int ways = request.has("index") + request.has("older-than") + request.has("all") +
                     request.has("items");
    if (ways != 1)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("Choose jobs with --index, --older-than or --all"));
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    if (context.prefetched.size() < 2)
        return notPossible(ActionText::tr("The list could not be read"));
    const bool delayed = role == JobRole::Delayed;
    ChosenJobs seen{*list, {}, {}, context.prefetched[0].integer, 0};
    const QHash<quint64, qint64> firstSeen = recordsOf(context.state);
    QHash<quint64, int> chosen = chosenFingerprints(request.text("items"));
    const qint64 olderThan = request.durationMs("older-than").value_or(0);
    const auto most = size_t(request.count("most").value_or(mostChosenJobs));
    for (const auto& [payload, score] : readJobs(context.prefetched[1], delayed)) {
        if (seen.items.size() >= most)
            break;
        const quint64 fingerprint = fingerprintOf(payload);
        if (request.has("items") && chosen.value(fingerprint) == 0)
            continue;
        --chosen[fingerprint];
        if (request.has("older-than")) {
            const auto since = firstSeen.constFind(fingerprint);
            if (since == firstSeen.cend())
                ++seen.unknown;
            if (since == firstSeen.cend() || context.nowMs - *since < olderThan)
                continue;
        }
        seen.items.push_back(payload);
        if (delayed)
            seen.scores.push_back(score);
    }
    if (seen.items.empty() && seen.unknown > 0)
        return notPossible(
            ActionText::tr("The age of %Ln job(s) is unknown because this is the first read. Try "
                           "again later, or use --index",
                           nullptr, int(seen.unknown)));
    if (seen.items.empty() && request.has("older-than") && seen.length > 0)
        return notPossible(ActionText::tr("No job in %1 has been there for %2 yet")
                               .arg(displayName(*list), formatDuration(olderThan)));
    if (seen.items.empty())
        return notPossible(ActionText::tr("%1 has no such job").arg(displayName(*list)));
    return seen;
}

} // namespace lk::actions
