// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "tests/support/redisserver.h"

namespace lk::test {

/// The result of the read, which the server answers step after step.
template<typename T> T answered(RedisServer& server, Read<T> read)
{
    while (!read.isDone())
        read.next(server.runAll(read.commands()));
    return read.take();
}

/// Everything that is kept of one job. state: empty where it is not known.
inline JobDetail detailOf(RedisServer& server, const PrimitivePtr& queue, const QByteArray& state,
                          const QByteArray& id)
{
    return answered(server, findLayout(queue->id.layout)->readJob(*queue, state, id));
}

/// The keys that its layout says hold one job of that queue each: of all that it lists.
inline QByteArrayList jobKeysOf(RedisServer& server, const State& state)
{
    const Primitive& queue = *state.primitive;
    const Layout* layout = findLayout(queue.id.layout);
    QByteArrayList keys;
    for (const JobState& each : state.as<QueueState>()->states) {
        for (const StoredJob& job : answered(server, layout->readJobs(queue, {each.name}))) {
            const QByteArray key = job.facts.id.isEmpty()
                                       ? QByteArray()
                                       : layout->jobKey(queue, each.name, job.facts.id);
            if (!key.isEmpty())
                keys << key;
        }
    }
    return keys;
}

/// "child bull:images 7 pending" for each.
inline QStringList linksOf(const JobDetail& detail)
{
    constexpr const char* relations[] = {"parent", "child", "waits-for", "needed-by", "group"};
    QStringList all;
    for (const JobLink& link : detail.links)
        all << QStringLiteral("%1 %2 %3 %4")
                   .arg(QLatin1String(relations[size_t(link.relation)]),
                        QString::fromUtf8(link.queue), QString::fromUtf8(link.id),
                        QString::fromUtf8(link.state))
                   .trimmed();
    return all;
}

} // namespace lk::test
