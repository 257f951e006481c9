// SPDX-License-Identifier: GPL-3.0-or-later
// machinery (https://github.com/RichardKnop/machinery). Each queue is a list of JSON signatures,
// each of which repeats the queue's name. One sorted set contains the delayed tasks of all queues.
// Workers remove a task and keep no record of it.
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qsizetype machineryNameBytes = 128;
constexpr char delayedByDefault[] = "delayed_tasks";

struct MachineryTask
{
    QByteArray queue;
    JobFacts facts;
};

std::optional<MachineryTask> machineryTaskIn(const QByteArray& payload)
{
    if (!payload.startsWith('{'))
        return std::nullopt;
    const QJsonObject json = jsonObject(payload);
    if (!json.value(QLatin1String("UUID")).isString() ||
        !json.value(QLatin1String("RoutingKey")).isString() ||
        !json.contains(QLatin1String("Args")))
        return std::nullopt;
    MachineryTask task;
    task.queue = jsonText(json, "RoutingKey");
    task.facts.id = jsonText(json, "UUID");
    task.facts.name = jsonText(json, "Name").left(machineryNameBytes);
    return task;
}

class Machinery final : public KeyedQueue
{
public:
    QByteArray id() const override { return QByteArrayLiteral("machinery"); }
    QString title() const override { return LayoutText::tr("machinery queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::String;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::String) // a task's result belongs to no queue
            return probe.head.startsWith(R"({"TaskUUID":)")
                       ? std::optional(Claim{{id(), {}}, {}, 0.95, {}})
                       : std::nullopt;
        if (probe.type == KeyType::ZSet) {
            const std::vector<Claim> claims = alsoNamed(probe);
            return claims.empty() ? std::nullopt : std::optional(claims.front());
        }
        // A proxy may add a prefix to the name that the task contains.
        const std::optional<MachineryTask> task = machineryTaskIn(probe.first);
        if (!task || !probe.name.endsWith(task->queue))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.97, task->queue};
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        std::vector<Claim> claims;
        for (const ScoredMember& member : probe.members) {
            const std::optional<MachineryTask> task = machineryTaskIn(member.member);
            if (!task || timeUnitOf(member.score) != TimeUnit::Nanoseconds)
                continue;
            const QByteArray queue = prefixOf(probe.name) + task->queue;
            const bool known = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
                return claim.id.name == queue;
            });
            if (!known)
                claims.push_back({{id(), queue},
                                  {{mainRole(), queue, true}, {"delayed", probe.name}},
                                  0.97,
                                  task->queue});
        }
        return claims;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        QByteArray delayed = primitive.key("delayed");
        if (delayed.isEmpty()) {
            const QByteArray& queue = primitive.name();
            delayed = primitive.id.name.chopped(queue.size()) + delayedByDefault;
        }
        return {{"pending", JobRole::Ready, primitive.id.name, Shape::FromLeft},
                {"delayed", JobRole::Delayed, delayed, Shape::Sorted, {}, true}};
    }
    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting&, const JobRead& read) const override
    {
        std::optional<MachineryTask> task = machineryTaskIn(read.element);
        if (key.shared && (!task || task->queue != primitive.name()))
            return std::nullopt;
        JobFacts job = task ? std::move(task->facts) : JobFacts();
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score / 1e6);
        return job;
    }
    void finish(const Primitive&, State&, QueueState& queue, const QueueSetting&) const override
    {
        queue.states.insert(queue.states.begin() + 1,
                            {"in-progress", JobRole::Processing, std::nullopt});
    }

private:
    // Returns "acme:" from "acme:delayed_tasks". Empty for a set with another name.
    static QByteArray prefixOf(const QByteArray& delayed)
    {
        return delayed.endsWith(delayedByDefault)
                   ? delayed.chopped(qsizetype(qstrlen(delayedByDefault)))
                   : QByteArray();
    }
};

} // namespace

LK_LAYOUT(machinery, Machinery)

} // namespace lk
