// SPDX-License-Identifier: GPL-3.0-or-later
// taskiq-redis (https://taskiq-python.github.io). A list of JSON messages may have any name.
// Workers remove messages and keep no record of them. Its brokers on streams are ordinary groups.
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

namespace lk {

namespace {

constexpr qsizetype taskiqNameBytes = 128;

std::optional<JobFacts> taskIn(const QByteArray& payload)
{
    const QJsonObject task = jsonObject(payload);
    if (!task.value(QLatin1String("task_id")).isString() ||
        !task.value(QLatin1String("task_name")).isString() ||
        !task.contains(QLatin1String("labels")) || !task.contains(QLatin1String("kwargs")))
        return std::nullopt;
    JobFacts job;
    job.id = jsonText(task, "task_id");
    job.name = jsonText(task, "task_name").left(taskiqNameBytes);
    return job;
}

class Taskiq final : public KeyedQueue
{
public:
    QByteArray id() const override { return QByteArrayLiteral("taskiq"); }
    QString title() const override { return LayoutText::tr("taskiq queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override { return type == KeyType::List; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (!taskIn(probe.first))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.95, {}};
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        return {{"queued", JobRole::Ready, primitive.id.name, JobsKey::Shape::FromRight}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey&, const QueueSetting&,
                                  const JobRead& read) const override
    {
        return taskIn(read.element).value_or(JobFacts());
    }
    void finish(const Primitive&, State&, QueueState& queue, const QueueSetting&) const override
    {
        queue.states.push_back({"in-progress", JobRole::Processing, std::nullopt});
    }
};

} // namespace

namespace layouts {
const Layout& taskiq()
{
    static const Taskiq layout;
    return layout;
}
} // namespace layouts

} // namespace lk
