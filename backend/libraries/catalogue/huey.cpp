// SPDX-License-Identifier: GPL-3.0-or-later
// huey (https://huey.readthedocs.io). A list contains the pickled tasks; with priorities it is a
// sorted set. Another sorted set contains the scheduled tasks. Redis has no record of running
// tasks.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

namespace lk {

namespace {

using Shape = JobsKey::Shape;

struct HueyName
{
    QByteArray main; ///< "huey.redis.shop"; empty if the name is not one of huey's
    QByteArray queue;
    QByteArray part; ///< "redis", "schedule", "results", "counters"
};

HueyName hueyNameOf(const QByteArray& key)
{
    if (!key.contains("huey."))
        return {};
    for (const char* part : {"redis", "schedule", "results", "counters"}) {
        const QByteArray word = QByteArray("huey.") + part + '.';
        const qsizetype at = key.indexOf(word);
        if (at < 0 || (at > 0 && key[at - 1] != ':') || key.size() == at + word.size())
            continue;
        const QByteArray queue = key.mid(at + word.size());
        return {key.left(at) + "huey.redis." + queue, queue, part};
    }
    return {};
}

// A pickle, possibly compressed by zlib or gzip.
bool isTask(const QByteArray& task)
{
    const bool zlib =
        task.size() > 2 && task[0] == '\x78' && (quint8(task[0]) * 256 + quint8(task[1])) % 31 == 0;
    return task.startsWith('\x80') || task.startsWith("\x1f\x8b") || zlib;
}

class Huey final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("huey"); }
    QString title() const override { return LayoutText::tr("huey queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::Hash;
    }

    std::vector<QByteArray> nameParts(KeyType) const override { return {"huey."}; }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType) const override
    {
        const HueyName key = hueyNameOf(name);
        return key.part == "schedule" || key.part == "results" || key.part == "counters"
                   ? std::vector{key.main}
                   : std::vector<QByteArray>();
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const HueyName key = hueyNameOf(name);
        return key.part == "results" || key.part == "counters" ? std::vector{key.main}
                                                               : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const HueyName key = hueyNameOf(probe.name);
        if (key.main.isEmpty())
            return std::nullopt;
        const KeyType main = key.part == "redis" ? probe.type : probe.sibling(key.main);
        const bool listed = main == KeyType::List || main == KeyType::ZSet;
        bool ours = listed;
        if (key.part == "redis")
            ours = probe.type == KeyType::List
                       ? isTask(probe.first)
                       : probe.type == KeyType::ZSet && !probe.members.empty() &&
                             isTask(probe.members[0].member.mid(8)); // a time precedes it
        else if (key.part == "schedule")
            ours = probe.type == KeyType::ZSet && !probe.members.empty() &&
                   isTask(probe.members[0].member) &&
                   timeUnitOf(probe.members[0].score) == TimeUnit::Seconds;
        if (!ours)
            return std::nullopt;
        if (key.part == "results" || key.part == "counters") // these do not prove a queue
            return Claim{{id(), key.main}, {}, 0.95, {}};
        Claim claim{
            {id(), key.main}, {{mainRole(), key.main, probe.name != key.main}}, 0.95, key.queue};
        if (probe.name != key.main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"TYPE", primitive.id.name}};
    }
    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        const bool sorted = setting.first[0].text == "zset";
        QByteArray schedule = primitive.id.name;
        if (const qsizetype at = schedule.lastIndexOf("huey.redis."); at >= 0)
            schedule.replace(at, 10, "huey.schedule");
        else
            schedule += ".schedule"; // a queue declared under another name has none

        return {{"queued", JobRole::Ready, primitive.id.name,
                 sorted ? Shape::Sorted : Shape::FromRight},
                {"scheduled", JobRole::Delayed, schedule, Shape::Sorted}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting&,
                                  const JobRead& read) const override
    {
        JobFacts job;
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score * 1000);
        return job;
    }
    void finish(const Primitive&, State&, QueueState& queue, const QueueSetting&) const override
    {
        queue.states.insert(queue.states.begin() + 1,
                            {"in-progress", JobRole::Processing, std::nullopt});
    }
};

} // namespace

namespace layouts {
const Layout& huey()
{
    static const Huey layout;
    return layout;
}
} // namespace layouts

} // namespace lk
