// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "tests/support/redisserver.h"

namespace lk::test {

/// Everything that is kept of one job, read step after step as the console does. state: empty where
/// it is not known.
inline JobDetail detailOf(RedisServer& server, const PrimitivePtr& queue, const QByteArray& state,
                          const QByteArray& id)
{
    const Layout* layout = findLayout(queue->id.layout);
    std::vector<Reply> replies;
    for (;;) {
        const std::vector<Command> next = layout->jobDetailReads(*queue, state, id, replies);
        if (next.empty())
            return layout->jobDetail(*queue, state, id, replies);
        for (Reply& reply : server.runAll(next))
            replies.push_back(std::move(reply));
    }
}

/// The keys that its layout says hold one job of that queue each: of all that it lists.
inline QByteArrayList jobKeysOf(RedisServer& server, const State& state)
{
    const Primitive& queue = *state.primitive;
    const Layout* layout = findLayout(queue.id.layout);
    QByteArrayList keys;
    for (const JobState& each : state.as<QueueState>()->states) {
        std::vector<Reply> replies;
        for (;;) {
            const std::vector<Command> next = layout->jobReads(queue, {each.name}, replies);
            if (next.empty())
                break;
            for (Reply& reply : server.runAll(next))
                replies.push_back(std::move(reply));
        }
        for (const StoredJob& job : layout->jobs(queue, {each.name}, replies)) {
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
