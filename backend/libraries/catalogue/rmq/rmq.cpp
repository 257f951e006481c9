// SPDX-License-Identifier: GPL-3.0-or-later
// adjust/rmq (https://github.com/adjust/rmq). Each queue has a ready and a rejected list. Each
// connection has a list of unacknowledged deliveries and a heartbeat that expires without it. A
// delivery consists of its payload only.
#include "backend/libraries/catalogue/rmq/rmqactions.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qint64 connectionsRead = 64;
constexpr qint64 heartbeatMs = 60'000;
constexpr char connectionWord[] = "connection::";

struct RmqName
{
    QByteArray space; ///< "rmq::"; empty if the name is not one of rmq's
    QByteArray queue; ///< with its brackets: "[mail]", in a cluster "{mail}"
    QByteArray part;  ///< "ready", "rejected", "unacked", "consumers", "heartbeat", "queues",
                      ///< "connections"
    QByteArray connection;

    QByteArray plainQueue() const { return queue.mid(1, queue.size() - 2); }
    QByteArray stem() const { return space + "queue::" + queue; }
};

// Reads the queue and the part from "queue::[mail]::ready".
bool takeQueue(RmqName& name, const QByteArray& tail)
{
    if (!tail.startsWith("queue::"))
        return false;
    const qsizetype end = tail.lastIndexOf("::");
    name.queue = tail.mid(7, end - 7);
    name.part = tail.mid(end + 2);
    return name.queue.size() > 2 && ((name.queue.startsWith('[') && name.queue.endsWith(']')) ||
                                     (name.queue.startsWith('{') && name.queue.endsWith('}')));
}

RmqName rmqNameOf(const QByteArray& key)
{
    RmqName name;
    const qsizetype connection = key.indexOf(connectionWord);
    if (connection > 1 && key[connection - 1] == ':') {
        name.space = key.left(connection);
        const QByteArray tail = key.mid(connection + qsizetype(qstrlen(connectionWord)));
        const qsizetype queue = tail.indexOf("::queue::");
        if (queue > 0) {
            name.connection = tail.left(queue);
            const bool fits = takeQueue(name, tail.mid(queue + 2));
            return fits && (name.part == "unacked" || name.part == "consumers") ? name : RmqName();
        }
        const qsizetype end = tail.lastIndexOf("::");
        name.connection = tail.left(std::max<qsizetype>(end, 0));
        name.part = tail.mid(end + 2);
        return end > 0 && (name.part == "heartbeat" || name.part == "queues") ? name : RmqName();
    }
    const qsizetype queue = key.indexOf("::queue::");
    if (queue > 0) {
        name.space = key.left(queue + 2);
        const bool fits = takeQueue(name, key.mid(queue + 2));
        return fits && (name.part == "ready" || name.part == "rejected") ? name : RmqName();
    }
    for (const char* part : {"::connections", "::queues"}) {
        if (key.endsWith(part) && key.size() > qsizetype(qstrlen(part)))
            return {key.left(key.size() - qsizetype(qstrlen(part)) + 2), {}, part + 2, {}};
    }
    return {};
}

class Rmq final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rmq"); }
    QString title() const override { return LayoutText::tr("rmq queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("ready"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::Set || type == KeyType::String;
    }

    ActionList actions() const override { return actions::rmqActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        return {connectionWord, "::queue::", "::connections", "::queues"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType) const override
    {
        const RmqName key = rmqNameOf(name);
        if (key.space.isEmpty())
            return {};
        return {key.space + "connections", key.space + "queues"};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const RmqName key = rmqNameOf(name);
        if (key.part == "consumers")
            return {key.stem() + "::ready"};
        const bool ofAll = key.part == "heartbeat" || key.part == "connections" ||
                           (key.part == "queues" && !key.connection.isEmpty());
        return ofAll ? std::vector{key.space} : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override { return rmqNameOf(name).space; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const RmqName key = rmqNameOf(probe.name);
        if (key.space.isEmpty())
            return std::nullopt;
        const auto isSet = [&](const char* part) {
            return probe.name == key.space + part ? probe.type == KeyType::Set
                                                  : probe.sibling(key.space + part) == KeyType::Set;
        };
        if (!isSet("connections") && !isSet("queues"))
            return std::nullopt;
        if (key.queue.isEmpty())
            return Claim{{id(), key.space}, {}, 0.95, {}};
        const KeyType type = key.part == "consumers" ? KeyType::Set : KeyType::List;
        if (probe.type != type)
            return std::nullopt;
        return claimOf(probe, key);
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"SRANDMEMBER", rmqNameOf(primitive.id.name).space + "connections",
                 QByteArray::number(connectionsRead)}};
    }
    std::vector<Command> furtherSetting(const Primitive& primitive,
                                        const QueueSetting& setting) const override
    {
        std::vector<Command> commands;
        for (const QByteArray& connection : connectionsOf(primitive, setting)) {
            commands.push_back({"PTTL", keyOf(primitive, connection, "::heartbeat")});
            commands.push_back({"SCARD", ownKey(primitive, connection, "::consumers")});
        }
        return commands;
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        const QByteArray stem = rmqNameOf(primitive.id.name).stem();
        std::vector<JobsKey> keys{{"ready", JobRole::Ready, stem + "::ready", Shape::FromRight}};
        for (const QByteArray& connection : connectionsOf(primitive, setting))
            keys.push_back({"unacked", JobRole::Processing,
                            ownKey(primitive, connection, "::unacked"), Shape::FromRight,
                            connection});
        if (keys.size() == 1)
            keys.push_back({"unacked", JobRole::Processing, stem + "::unacked"});
        keys.push_back({"rejected", JobRole::Dead, stem + "::rejected", Shape::FromRight});
        return keys;
    }

    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting& setting, const JobRead&) const override
    {
        JobFacts job;
        if (key.role == JobRole::Processing)
            job.leaseAlive = workerOf(primitive, key.worker, setting).alive;
        return job;
    }

    void finish(const Primitive& primitive, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.workersKnown = !setting.first[0].isError();
        for (const QByteArray& connection : connectionsOf(primitive, setting)) {
            QueueWorker worker = workerOf(primitive, connection, setting);
            worker.jobs =
                std::count_if(queue.items.begin(), queue.items.end(), [&](const QueueJob& item) {
                    return item.facts.worker == connection;
                });
            const size_t at = 2 * indexOf(primitive, connection, setting) + 1;
            if (worker.jobs > 0 || (at < setting.second.size() && countOf(setting.second[at]) > 0))
                queue.workers.push_back(std::move(worker));
        }
    }

private:
    Claim claimOf(const Probe& probe, const RmqName& key) const
    {
        const QByteArray main = key.stem() + "::ready";
        Claim claim{{id(), main}, {{mainRole(), main, probe.name != main}}, 0.97, key.plainQueue()};
        if (probe.name != main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

    static QByteArray keyOf(const Primitive& primitive, const QByteArray& connection,
                            const char* part)
    {
        return rmqNameOf(primitive.id.name).space + connectionWord + connection + part;
    }
    static QByteArray ownKey(const Primitive& primitive, const QByteArray& connection,
                             const char* part)
    {
        return keyOf(primitive, connection, "::queue::") + rmqNameOf(primitive.id.name).queue +
               part;
    }

    static std::vector<QByteArray> connectionsOf(const Primitive& primitive,
                                                 const QueueSetting& setting)
    {
        std::vector<QByteArray> all;
        for (const Reply& connection : setting.first[0].items)
            all.push_back(connection.text);
        for (const KeyRole& key : primitive.keys) {
            const QByteArray name =
                key.role == "unacked" ? rmqNameOf(key.key).connection : QByteArray();
            if (!name.isEmpty() && std::find(all.begin(), all.end(), name) == all.end())
                all.push_back(name);
        }
        std::sort(all.begin(), all.end());
        return all;
    }
    static size_t indexOf(const Primitive& primitive, const QByteArray& connection,
                          const QueueSetting& setting)
    {
        const std::vector<QByteArray> all = connectionsOf(primitive, setting);
        return size_t(std::find(all.begin(), all.end(), connection) - all.begin());
    }

    static QueueWorker workerOf(const Primitive& primitive, const QByteArray& connection,
                                const QueueSetting& setting)
    {
        QueueWorker worker;
        worker.name = connection;
        const size_t at = 2 * indexOf(primitive, connection, setting);
        if (at >= setting.second.size() || setting.second[at].isError())
            return worker;
        const Ttl beat = ttlOf(setting.second[at]);
        worker.alive = beat.exists;
        if (beat.ms)
            worker.lastSeenMs = setting.nowMs - std::max<qint64>(0, heartbeatMs - *beat.ms);
        return worker;
    }
};

} // namespace

LK_LAYOUT(rmq, Rmq)

} // namespace lk
