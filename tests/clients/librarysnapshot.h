// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/server/acting.h"
#include "tests/server/jobdetails.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/clientprocess.h"

namespace lk::test {

/// The queues in one snapshot of a server, with nothing declared.
struct LibrarySnapshot
{
    TakenSnapshot taken;

    explicit LibrarySnapshot(RedisServer& server)
        : taken(takeSnapshot(server.url()))
    {}

    QJsonObject queue(const QByteArray& name) const { return taken.named("queues", name); }
    /// The count of a state by its library's name; -1: unknown, or there is no such state.
    static qint64 count(const QJsonObject& queue, const QString& state)
    {
        for (const QJsonValue& s : queue[QLatin1String("states")].toArray()) {
            if (s[QLatin1String("name")].toString() == state)
                return s[QLatin1String("count")].toInteger(-1);
        }
        return -1;
    }
    /// The snapshot's own primitive, to act on; null if there is none of that name.
    PrimitivePtr primitive(const QByteArray& name) const
    {
        for (const StatePtr& state :
             taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>())
            if (state->kind() == Kind::Queue && state->primitive->name() == name)
                return state->primitive;
        return nullptr;
    }
    const QueueState* state(const QByteArray& name) const
    {
        for (const StatePtr& state :
             taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>())
            if (state->kind() == Kind::Queue && state->primitive->name() == name)
                return state->as<QueueState>();
        return nullptr;
    }
    /// Everything that was detected as something other than a queue: "locks lock:x, tokens ...".
    QByteArray others() const
    {
        QByteArrayList all;
        for (const char* kind : {"limiters", "locks", "tokens", "patterns"}) {
            for (const QByteArray& name : taken.names(kind))
                all << kind + (' ' + name);
        }
        return all.join(", ");
    }
};

/// The states of a library by our name and by the one in its own counts.
using StateNames = std::vector<std::pair<QString, QString>>;

/// True if the queue's counts agree with the library's; else prints the one that differs.
inline bool countsAgree(const QJsonObject& queue, const QJsonObject& own, const StateNames& names)
{
    bool agree = !queue.isEmpty() && !own.isEmpty();
    for (const auto& [ours, theirs] : names) {
        const qint64 count = LibrarySnapshot::count(queue, ours);
        const qint64 told = own[theirs].toInteger(-2);
        if (count != told)
            qWarning("%s: %lld, the library counts %lld", qPrintable(ours), qlonglong(count),
                     qlonglong(told));
        agree = agree && count == told;
    }
    return agree;
}

/// The jobs of a state as a table lists them; step after step, as the console reads them.
inline std::vector<StoredJob> listedJobs(RedisServer& server, const PrimitivePtr& queue,
                                         const JobQuery& query)
{
    const Layout* layout = queue ? findLayout(queue->id.layout) : nullptr;
    return layout ? answered(server, layout->readJobs(*queue, query)) : std::vector<StoredJob>();
}

/// True if the lists of each state contain as many jobs as are counted, each once, and are the same
/// page by page.
inline bool listsAgree(RedisServer& server, const LibrarySnapshot& taken, const QByteArray& name)
{
    const PrimitivePtr queue = taken.primitive(name);
    const QueueState* state = taken.state(name);
    bool agree = queue && state;
    for (const JobState& s : agree ? state->states : std::vector<JobState>()) {
        const std::vector<StoredJob> all = listedJobs(server, queue, {s.name, 0, 100});
        std::vector<StoredJob> paged;
        for (qint64 from = 0; from < qint64(all.size()); from += 2) {
            const std::vector<StoredJob> page = listedJobs(server, queue, {s.name, from, 2});
            paged.insert(paged.end(), page.begin(), page.end());
        }
        const auto same = [](const StoredJob& a, const StoredJob& b) {
            return a.facts.id == b.facts.id && a.payload == b.payload;
        };
        const bool fits = qint64(all.size()) == s.count.value_or(-1) &&
                          std::equal(all.begin(), all.end(), paged.begin(), paged.end(), same);
        if (!fits)
            qWarning("%s: %d listed, %d page by page, %lld counted", s.name.constData(),
                     int(all.size()), int(paged.size()), qlonglong(s.count.value_or(-1)));
        agree = agree && fits;
    }
    return agree;
}

} // namespace lk::test
