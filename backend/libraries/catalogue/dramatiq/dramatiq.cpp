// SPDX-License-Identifier: GPL-3.0-or-later
// dramatiq's Redis broker (https://dramatiq.io). Each queue has a list of ids and a hash of
// messages, and the same for its delayed and its dead-lettered messages. Each worker has a set of
// messages that it has not acknowledged. A worker is dead when its heartbeat is.
#include "backend/libraries/catalogue/dramatiq/dramatiqactions.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qint64 dramatiqWorkersRead = 100;
constexpr qint64 heartbeatMs = 60'000; // dramatiq's default; a broker's own setting is not stored
constexpr qsizetype dramatiqNameBytes = 128;
constexpr qsizetype uuidLength = 36;
constexpr char acksWord[] = "__acks__.";
constexpr char heartbeatsWord[] = "__heartbeats__";

struct DramatiqName
{
    QByteArray space; ///< "dramatiq:"; empty if the name is not one of dramatiq's
    QByteArray queue;
    QByteArray part; ///< "", "msgs", "DQ", "DQ.msgs", "XQ", "XQ.msgs", "acks", "heartbeats"
    QByteArray worker;
};

bool takeSuffix(QByteArray& name, QByteArray& part, const char* suffix)
{
    if (!name.endsWith(QByteArray(".") + suffix))
        return false;
    name.chop(qstrlen(suffix) + 1);
    part = part.isEmpty() ? QByteArray(suffix) : QByteArray(suffix) + '.' + part;
    return true;
}

// dramatiq allows letters, digits and these characters.
bool isQueueName(QByteArrayView name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    });
}

DramatiqName dramatiqNameOf(const QByteArray& key)
{
    const qsizetype colon = key.lastIndexOf(':');
    if (colon < 1)
        return {};
    DramatiqName name{key.left(colon + 1), key.mid(colon + 1), {}, {}};
    if (name.queue == heartbeatsWord)
        return {name.space, {}, "heartbeats", {}};
    if (name.queue.startsWith(acksWord)) {
        const QByteArray rest = name.queue.mid(qstrlen(acksWord));
        name.worker = rest.left(uuidLength);
        name.queue = rest.mid(uuidLength + 1);
        name.part = "acks";
        QByteArray delayed;
        takeSuffix(name.queue, delayed, "DQ");
        return isUuid(name.worker) && isQueueName(name.queue) ? name : DramatiqName();
    }
    takeSuffix(name.queue, name.part, "msgs");
    if (!takeSuffix(name.queue, name.part, "DQ"))
        takeSuffix(name.queue, name.part, "XQ");
    return isQueueName(name.queue) ? name : DramatiqName();
}

std::optional<qint64> numberIn(const QJsonObject& object, const char* name)
{
    const QJsonValue value = object.value(QLatin1String(name));
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

class Dramatiq final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("dramatiq"); }
    QString title() const override { return LayoutText::tr("dramatiq queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::Hash || type == KeyType::ZSet ||
               type == KeyType::Set;
    }
    ActionList actions() const override { return actions::dramatiqActions(); }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const DramatiqName key = dramatiqNameOf(name);
        if (key.space.isEmpty())
            return {};
        if (key.part.isEmpty() && type == KeyType::List)
            return {name + ".msgs", key.space + heartbeatsWord};
        if ((key.part.endsWith("msgs") && type == KeyType::Hash) || key.part == "DQ" ||
            key.part == "XQ" || key.part == "acks")
            return {key.space + heartbeatsWord};
        return {};
    }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        if (type == KeyType::List) // a queue may have any name
            return {};
        return {heartbeatsWord, acksWord, ".msgs", ".DQ", ".XQ"};
    }

    // The name does not rule out any list. The ids of its jobs are the proof.
    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe) const override
    {
        const bool ours = probe.type != KeyType::List || isUuid(probe.first);
        return ours ? siblings(probe.name, probe.type) : std::vector<QByteArray>();
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const DramatiqName key = dramatiqNameOf(name);
        if (key.part == "heartbeats")
            return {key.space};
        // The worker's own set has to be read: it may outlive the worker's heartbeat.
        return key.part.endsWith("msgs") ? std::vector{key.space + key.queue}
                                         : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override { return dramatiqNameOf(name).space; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const DramatiqName key = dramatiqNameOf(probe.name);
        if (key.space.isEmpty())
            return std::nullopt;
        if (key.part == "heartbeats") {
            const bool ours = probe.type == KeyType::ZSet && !probe.members.empty() &&
                              isUuid(probe.members[0].member);
            return ours ? std::optional(Claim{{id(), key.space}, {}, 0.95, {}}) : std::nullopt;
        }
        if (probe.sibling(key.space + heartbeatsWord) != KeyType::ZSet || !hasIds(probe, key))
            return std::nullopt;
        const QByteArray main = key.space + key.queue;
        Claim claim{{id(), main}, {{mainRole(), main, probe.name != main}}, 0.97, key.queue};
        if (probe.name != main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"ZRANGE", dramatiqNameOf(primitive.id.name).space + heartbeatsWord, "0",
                 QByteArray::number(dramatiqWorkersRead - 1), "WITHSCORES"}};
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        const DramatiqName name = dramatiqNameOf(primitive.id.name);
        const QByteArray acks = name.space + acksWord;
        std::vector<QByteArray> workers;
        for (const ScoredMember& worker : scoredMembersOf(setting.first[0]))
            workers.push_back(worker.member);
        for (const KeyRole& key : primitive.keys) {
            const QByteArray worker =
                key.role == "acks" ? dramatiqNameOf(key.key).worker : QByteArray();
            if (!worker.isEmpty() &&
                std::find(workers.begin(), workers.end(), worker) == workers.end())
                workers.push_back(worker);
        }
        std::vector<JobsKey> keys{{"queued", JobRole::Ready, primitive.id.name, Shape::FromLeft}};
        for (const QByteArray& worker : workers)
            keys.push_back({"in-progress", JobRole::Processing, acks + worker + '.' + name.queue,
                            Shape::Set, worker});
        keys.push_back({"delayed", JobRole::Delayed, primitive.id.name + ".DQ", Shape::FromLeft});
        // Workers keep delayed messages with them until they are due.
        for (const QByteArray& worker : workers)
            keys.push_back({"delayed", JobRole::Delayed, acks + worker + '.' + name.queue + ".DQ",
                            Shape::Set, worker});
        keys.push_back({"dead-lettered", JobRole::Dead, primitive.id.name + ".XQ", Shape::Newest});
        if (workers.empty())
            keys.insert(keys.begin() + 1,
                        {"in-progress", JobRole::Processing, acks + '.' + name.queue, Shape::Set});
        return keys;
    }

    JobStore storeOf(const Primitive& primitive, const JobsKey& key,
                     const QByteArray& element) const override
    {
        const char* part = key.state == "delayed"         ? ".DQ.msgs"
                           : key.state == "dead-lettered" ? ".XQ.msgs"
                                                          : ".msgs";
        return {primitive.id.name + part, element};
    }

    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = read.element;
        const QJsonObject message = jsonObject(read.stored);
        const QJsonObject options = message.value(QLatin1String("options")).toObject();
        job.name = jsonText(message, "actor_name").left(dramatiqNameBytes);
        job.enqueuedMs = timeMs(jsonText(message, "message_timestamp"));
        job.attempts = numberIn(options, "retries");
        job.mostAttempts = numberIn(options, "max_retries");
        job.error = firstLine(lastLine(jsonText(options, "traceback")));
        if (key.role == JobRole::Delayed)
            job.dueMs = timeMs(jsonText(options, "eta"));
        if (key.role == JobRole::Dead && read.score)
            job.finishedMs = wholeMs(*read.score);
        if (key.role == JobRole::Processing)
            job.leaseAlive = isAlive(key.worker, setting);
        return job;
    }

    void addDetail(const JobRead& read, JobDetail& detail) const override
    {
        const QJsonObject message = jsonObject(read.stored);
        detail.stack = jsonText(message.value(QLatin1String("options")).toObject(), "traceback");
    }

    // Senders of messages have a heartbeat, too. Only those that have taken messages are workers.
    void finish(const Primitive&, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        for (const QueueJob& item : queue.items) {
            auto worker =
                std::find_if(queue.workers.begin(), queue.workers.end(),
                             [&](const QueueWorker& w) { return w.name == item.facts.worker; });
            if (worker == queue.workers.end()) {
                QueueWorker found;
                found.name = item.facts.worker;
                found.alive = isAlive(found.name, setting);
                found.lastSeenMs = heartbeatOf(found.name, setting);
                found.jobs = 0;
                worker = queue.workers.insert(worker, std::move(found));
            }
            ++*worker->jobs;
        }
    }

private:
    static bool hasIds(const Probe& probe, const DramatiqName& key)
    {
        const auto all = [](const std::vector<QByteArray>& ids) {
            return !ids.empty() && std::all_of(ids.begin(), ids.end(),
                                               [](const QByteArray& id) { return isUuid(id); });
        };
        if (key.part == "acks")
            return probe.type == KeyType::Set && all(probe.sample);
        if (key.part == "XQ")
            return probe.type == KeyType::ZSet && !probe.members.empty() &&
                   isUuid(probe.members[0].member);
        if (key.part.endsWith("msgs"))
            return probe.type == KeyType::Hash && all(probe.fieldNames);
        return probe.type == KeyType::List && isUuid(probe.first) &&
               (key.part == "DQ" || probe.sibling(probe.name + ".msgs") == KeyType::Hash);
    }

    static std::optional<qint64> heartbeatOf(const QByteArray& worker, const QueueSetting& setting)
    {
        for (const ScoredMember& known : scoredMembersOf(setting.first[0])) {
            if (known.member == worker)
                return wholeMs(known.score);
        }
        return std::nullopt;
    }
    static bool isAlive(const QByteArray& worker, const QueueSetting& setting)
    {
        const std::optional<qint64> beat = heartbeatOf(worker, setting);
        return beat && setting.nowMs - *beat <= heartbeatMs;
    }
};

} // namespace

LK_LAYOUT(dramatiq, Dramatiq)

} // namespace lk
