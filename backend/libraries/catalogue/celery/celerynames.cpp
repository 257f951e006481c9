// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/celery/celerynames.h"

#include <algorithm>

namespace lk {

namespace {

const QByteArray bindings = QByteArrayLiteral("_kombu.binding.");
const QByteArray mailbox = QByteArrayLiteral(".celery.pidbox");

// Compares the words between dots from the given one on, as Kombu does: * matches some text that
// does not end in a dot, # matches any text or none.
bool topicMatches(const QByteArrayList& words, qsizetype word, QByteArrayView key)
{
    if (word == words.size())
        return key.isEmpty();
    if (word > 0) {
        if (!key.startsWith('.'))
            return false;
        key = key.sliced(1);
    }
    const QByteArray& wanted = words[word];
    if (wanted != "*" && wanted != "#")
        return key.startsWith(wanted) && topicMatches(words, word + 1, key.sliced(wanted.size()));
    for (qsizetype length = wanted == "*" ? 1 : 0; length <= key.size(); ++length) {
        const bool dot = wanted == "*" && key[length - 1] == '.';
        if (!dot && topicMatches(words, word + 1, key.sliced(length)))
            return true;
    }
    return false;
}

QByteArray lastPart(const QByteArray& member)
{
    const QByteArray separator = kombuSeparator();
    const qsizetype at = member.lastIndexOf(separator);
    const bool three = at > 0 && member.indexOf(separator) < at;
    return three ? member.mid(at + separator.size()) : QByteArray();
}

} // namespace

QByteArray kombuSeparator()
{
    return QByteArrayLiteral("\x06\x16");
}

std::vector<QByteArray> kombuPriorities()
{
    return {"3", "6", "9"};
}

QByteArray kombuBaseOf(const QByteArray& name)
{
    const qsizetype at = name.lastIndexOf(kombuSeparator());
    return at > 0 ? name.left(at) : name;
}

KombuBinding kombuBindingOf(const QByteArray& name)
{
    const qsizetype at = name.indexOf(bindings);
    if (at < 0)
        return {};
    return {true, name.left(at), name.mid(at + bindings.size())};
}

QByteArray kombuQueueIn(const QByteArray& member)
{
    const QByteArray queue = lastPart(member);
    const bool own = queue.endsWith(".pidbox") || queue.startsWith("celeryev");
    return own ? QByteArray() : queue;
}

QByteArray kombuQueueBoundBy(const QByteArray& member, const QByteArray& routingKey)
{
    const QByteArray separator = kombuSeparator();
    const qsizetype first = member.indexOf(separator);
    const qsizetype last = member.lastIndexOf(separator);
    if (first < 0 || last <= first)
        return {};
    const QByteArray pattern =
        member.mid(first + separator.size(), last - first - separator.size());
    const bool bound = pattern.isEmpty()
                           ? member.left(first) == routingKey
                           : topicMatches(member.left(first).split('.'), 0, routingKey);
    return bound ? member.mid(last + separator.size()) : QByteArray();
}

QByteArray kombuListOf(const QByteArray& queue, int priority, const QByteArray& known,
                       const std::vector<KeyRole>& keys)
{
    std::vector<int> steps;
    QByteArray separator = kombuSeparator();
    bool usual = true;
    for (const KeyRole& key : keys) {
        if (key.role != "priority" || !key.key.startsWith(known))
            continue;
        const QByteArray rest = key.key.mid(known.size());
        qsizetype at = rest.size();
        while (at > 0 && rest[at - 1] >= '0' && rest[at - 1] <= '9')
            --at;
        separator = rest.left(at);
        steps.push_back(rest.mid(at).toInt());
        const std::vector<QByteArray> all = kombuPriorities();
        usual = usual && std::find(all.begin(), all.end(), rest.mid(at)) != all.end();
    }
    // Lists of other steps show that the workers are configured with other steps.
    for (const QByteArray& step : usual ? kombuPriorities() : std::vector<QByteArray>())
        steps.push_back(step.toInt());
    int best = 0;
    for (const int step : steps) {
        if (step <= std::clamp(priority, 0, 9))
            best = std::max(best, step);
    }
    return best == 0 ? queue : queue + separator + QByteArray::number(best);
}

QByteArray celeryWorkerIn(const QByteArray& member)
{
    const QByteArray queue = lastPart(member);
    return queue.endsWith(mailbox) ? queue.chopped(mailbox.size()) : QByteArray();
}

KombuUnacked kombuUnackedOf(const QByteArray& name)
{
    for (const char* part : {"unacked", "unacked_index", "unacked_mutex"}) {
        if (name.endsWith(part))
            return {true, name.chopped(qsizetype(qstrlen(part))), part};
    }
    return {};
}

} // namespace lk
