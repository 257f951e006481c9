// SPDX-License-Identifier: GPL-3.0-or-later
// TaskTiger (https://github.com/closeio/tasktiger). Each queue has a sorted set of task ids per
// state. Each task is JSON in a string. Workers renew the scores of their tasks. They requeue tasks
// whose scores were not renewed for a minute.
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

constexpr qint64 renewedMs = 60'000; // the default; a worker's own setting is not stored
constexpr qsizetype tasktigerNameBytes = 128;
constexpr const char* states[] = {"queued", "active", "scheduled", "error"};

struct TasktigerName
{
    QByteArray space; ///< "t:"; empty if the name is not one of TaskTiger's
    QByteArray queue;
    QByteArray part; ///< a state, or "task"
};

TasktigerName tasktigerNameOf(const QByteArray& key)
{
    for (const QByteArrayView word : {":queued:", ":active:", ":scheduled:", ":error:", ":task:"}) {
        const qsizetype at = QByteArrayView(key).indexOf(word);
        if (at > 0 && key.size() > at + word.size())
            return {key.left(at + 1), key.mid(at + word.size()),
                    word.sliced(1, word.size() - 2).toByteArray()};
    }
    return {};
}

bool isId(const QByteArray& id)
{
    return id.size() == 64 && isHex(id);
}

class TaskTiger final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("tasktiger"); }
    QString title() const override { return LayoutText::tr("TaskTiger queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queued"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::ZSet || type == KeyType::String || type == KeyType::List;
    }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        return {":queued:", ":active:", ":scheduled:", ":error:", ":task:"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const TasktigerName key = tasktigerNameOf(name);
        return type == KeyType::ZSet && !key.space.isEmpty() && key.part != "task"
                   ? std::vector{key.space + key.part}
                   : std::vector<QByteArray>();
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const TasktigerName key = tasktigerNameOf(name);
        return key.part == "task" ? std::vector{key.space + "queued:"} : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return tasktigerNameOf(name).space + "queued:";
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const TasktigerName key = tasktigerNameOf(probe.name);
        if (key.part == "task" && isId(key.queue.left(64)))
            return Claim{{id(), key.space + "queued:"}, {}, 0.92, {}};
        const bool ours = probe.type == KeyType::ZSet && !key.space.isEmpty() &&
                          key.part != "task" && !probe.members.empty() &&
                          isId(probe.members[0].member) &&
                          probe.sibling(key.space + key.part) == KeyType::Set;
        if (!ours)
            return std::nullopt;
        const QByteArray main = key.space + "queued:" + key.queue;
        Claim claim{{id(), main}, {{mainRole(), main, probe.name != main}}, 0.97, key.queue};
        if (probe.name != main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        const TasktigerName name = tasktigerNameOf(primitive.id.name);
        const auto key = [&](const char* state) { return name.space + state + ':' + name.queue; };
        return {{"queued", JobRole::Ready, primitive.id.name, Shape::Sorted},
                {"active", JobRole::Processing, key("active"), Shape::Sorted},
                {"scheduled", JobRole::Delayed, key("scheduled"), Shape::Sorted},
                {"error", JobRole::Dead, key("error"), Shape::Newest}};
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {tasktigerNameOf(primitive.id.name).space + "task:" + element};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey& key,
                                    const QueueSetting&, const QByteArray& element) const override
    {
        if (key.role != JobRole::Dead)
            return {};
        return {{"LRANGE",
                 tasktigerNameOf(primitive.id.name).space + "task:" + element + ":executions", "-1",
                 "-1"}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = read.element;
        const QJsonObject task = jsonObject(read.stored);
        job.name = jsonText(task, "func").left(tasktigerNameBytes);
        job.enqueuedMs = timeMs(jsonText(task, "time_last_queued"));
        if (!job.enqueuedMs && key.role == JobRole::Ready && read.score)
            job.enqueuedMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing && read.score)
            job.leaseAlive = setting.nowMs - wholeMs(*read.score * 1000) <= renewedMs;
        if (!read.replies.empty() && !read.replies[0].items.empty()) {
            const QJsonObject execution = jsonObject(read.replies[0].items[0].text);
            const QByteArray trace = lastLine(jsonText(execution, "traceback"));
            job.error = firstLine(trace.isEmpty() ? jsonText(execution, "exception_name") : trace);
            job.finishedMs = timeMs(jsonText(execution, "time_failed"));
        }
        return job;
    }
};

} // namespace

namespace layouts {
const Layout& taskTiger()
{
    static const TaskTiger layout;
    return layout;
}
} // namespace layouts

} // namespace lk
