// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/queues/celery/celerynames.h"

#include <algorithm>

namespace lk {

namespace {

const QByteArray bindings = QByteArrayLiteral("_kombu.binding.");
const QByteArray mailbox = QByteArrayLiteral(".celery.pidbox");

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
