// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/itemchoice.h"

#include "backend/actions/keylook.h"
#include "backend/core/duration.h"
#include "backend/core/keyname.h"

#include <QSet>

#include <algorithm>

namespace lk::actions {

namespace {

// How many items from the right end on may be meant. What is older than something has been seen
// already and is looked for no further than it was seen: a watcher asks every few seconds.
qint64 reachOf(const State& state, const ActionRequest& request)
{
    const auto* queue = state.as<QueueState>();
    const auto olderThan = request.durationMs("older-than");
    if (!olderThan || !queue || queue->items.empty())
        return mostItems;
    const qint64 most = std::min(request.count("most").value_or(mostItems), mostItems);
    qint64 reach = 0;
    qint64 found = 0;
    for (size_t i = 0; i < queue->items.size() && found < most; ++i) {
        const std::optional<qint64> since = queue->items[i].firstSeenMs;
        if (!since)
            return mostItems;
        if (state.asOfMs - *since < *olderThan)
            continue;
        reach = qint64(i) + 1;
        ++found;
    }
    return std::min(reach, mostItems);
}

// When the console first saw the payloads that are in processing now.
QHash<quint64, qint64> sightsOf(const State& state)
{
    QHash<quint64, qint64> sights;
    if (const auto* queue = state.as<QueueState>()) {
        for (const QueueItem& item : queue->items) {
            if (item.firstSeenMs)
                sights.insert(item.fingerprint, *item.firstSeenMs);
        }
    }
    return sights;
}

QSet<quint64> chosenFingerprints(const QByteArray& text)
{
    QSet<quint64> chosen;
    for (const QByteArray& part : text.split(','))
        chosen.insert(part.toULongLong(nullptr, 16));
    return chosen;
}

} // namespace

std::vector<ActionParameter> itemParameters()
{
    using Type = ActionParameter::Type;
    return {{QByteArrayLiteral("item"), Type::Count, ActionText::tr("Item"),
             ActionText::tr("the N-th as snapshot lists them, from 1 for the oldest"), false, {}, {}},
            {QByteArrayLiteral("older-than"), Type::Duration, ActionText::tr("Older than"),
             ActionText::tr("only what has been seen for longer"), false, {}, {}},
            {QByteArrayLiteral("all"), Type::Flag, ActionText::tr("All"),
             ActionText::tr("every item that is there now"), false, {}, {}},
            {QByteArrayLiteral("items"), Type::Items, ActionText::tr("Items"),
             ActionText::tr("chosen items, by their fingerprints"), false, {}, {}},
            {QByteArrayLiteral("from"), Type::Text, ActionText::tr("From"),
             ActionText::tr("the list, where the queue has several"), false, {}, {}},
            {QByteArrayLiteral("most"), Type::Count, ActionText::tr("At most"),
             ActionText::tr("no more items than that, the oldest first"), false, {}, {}}};
}

Result<QByteArray> listFor(const State& state, const ActionRequest& request, const char* role)
{
    const QByteArray wanted = request.text("from");
    QByteArray found;
    for (const KeyRole& key : state.primitive->keys) {
        if (key.role != role || key.key.isEmpty() || (!wanted.isEmpty() && key.key != wanted))
            continue;
        if (!found.isEmpty())
            return notPossible(
                ActionText::tr("The queue has several such lists: choose one with --from"));
        found = key.key;
    }
    if (found.isEmpty())
        return notPossible(ActionText::tr("The queue has no list of that kind: %1")
                               .arg(QString::fromLatin1(role)));
    return found;
}

std::vector<Command> lookAtItems(const State& state, const ActionRequest& request, const char* role,
                                 std::span<const Reply> looked)
{
    const Result<QByteArray> list = listFor(state, request, role);
    if (!list || looked.size() > 1)
        return {};
    if (looked.empty())
        return {{"LLEN", *list}};
    const QByteArray number = QByteArray::number(-request.count("item").value_or(0));
    if (request.has("item"))
        return {{"LRANGE", *list, number, number}};
    // -1 to -2 is an empty range.
    const qint64 reach = reachOf(state, request);
    return {{"LRANGE", *list, reach > 0 ? QByteArray::number(-reach) : "-1", reach > 0 ? "-1" : "-2"}};
}

Result<ItemsSeen> itemsSeen(const ActionContext& context, const char* role)
{
    const ActionRequest& request = context.request;
    const Result<QByteArray> list = listFor(context.state, request, role);
    if (!list)
        return tl::unexpected(list.error());
    const int ways = request.has("item") + request.has("older-than") + request.has("all")
                     + request.has("items");
    if (ways != 1)
        return failure(ErrorCode::BadArgument,
                       ActionText::tr("Choose items by one of --item, --older-than or --all"));
    if (const auto error = errorAmong(context.looked))
        return tl::unexpected(*error);
    if (context.looked.size() < 2)
        return notPossible(ActionText::tr("The list could not be looked at"));
    ItemsSeen seen{*list, {}, context.looked[0].integer, 0};
    const QHash<quint64, qint64> sights = sightsOf(context.state);
    const QSet<quint64> chosen = chosenFingerprints(request.text("items"));
    const qint64 olderThan = request.durationMs("older-than").value_or(0);
    const auto most = size_t(request.count("most").value_or(mostItems));
    const std::vector<Reply>& items = context.looked[1].items;
    for (auto item = items.rbegin(); item != items.rend() && seen.items.size() < most; ++item) {
        const quint64 fingerprint = fingerprintOf(item->text);
        if (request.has("items") && !chosen.contains(fingerprint))
            continue;
        if (request.has("older-than")) {
            const auto since = sights.constFind(fingerprint);
            if (since == sights.cend())
                ++seen.unknown;
            if (since == sights.cend() || context.nowMs - *since < olderThan)
                continue;
        }
        seen.items.push_back(item->text);
    }
    if (seen.items.empty() && seen.unknown > 0)
        return notPossible(
            ActionText::tr("The age of %Ln item(s) is not known: they are seen for the first time "
                           "now. Ask again later, or name them with --item",
                           nullptr, int(seen.unknown)));
    if (seen.items.empty() && request.has("older-than") && seen.length > 0)
        return notPossible(ActionText::tr("No item in %1 has been seen for %2 yet")
                               .arg(displayName(*list), formatDuration(olderThan)));
    if (seen.items.empty())
        return notPossible(ActionText::tr("No such item is in %1").arg(displayName(*list)));
    return seen;
}

} // namespace lk::actions
