// SPDX-License-Identifier: GPL-3.0-or-later
// SAQ (https://saq-py.readthedocs.io). Lists contain job ids. A sorted set contains all jobs that
// are not done, by the time they are due. Each job is JSON in a string named after its id.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qint64 saqWorkersRead = 32;
constexpr qsizetype saqNameBytes = 128;
constexpr char jobWord[] = "saq:job:";
constexpr const char* parts[] = {"queued", "active", "incomplete", "schedule", "sweep", "stats"};

struct SaqName
{
    QByteArray space; ///< "saq:" with a proxy's prefix; empty if the name is not one of SAQ's
    QByteArray queue;
    QByteArray part; ///< "queued", "job", "worker_info"
};

SaqName saqNameOf(const QByteArray& key)
{
    const qsizetype at = key.indexOf("saq:");
    if (at < 0 || (at > 0 && key[at - 1] != ':'))
        return {};
    const QByteArray tail = key.mid(at + 4);
    const QByteArray space = key.left(at + 4);
    if (tail.startsWith("job:")) {
        const qsizetype colon = tail.indexOf(':', 4);
        return colon > 4 ? SaqName{space, tail.mid(4, colon - 4), "job"} : SaqName();
    }
    if (tail.startsWith("abort:"))
        return {space, {}, "abort"};
    if (const qsizetype info = tail.indexOf(":worker_info:"); info > 0)
        return {space, tail.left(info), "worker_info"};
    const qsizetype colon = tail.lastIndexOf(':');
    const QByteArray part = tail.mid(colon + 1);
    const bool known = colon > 0 && std::any_of(std::begin(parts), std::end(parts),
                                                [&](const char* p) { return part == p; });
    return known ? SaqName{space, tail.left(colon), part} : SaqName();
}

std::optional<qint64> countIn(const QJsonObject& job, const char* name)
{
    const QJsonValue value = job.value(QLatin1String(name));
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

class Saq final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("saq"); }
    QString title() const override { return LayoutText::tr("SAQ queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queued"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::String;
    }

    std::vector<QByteArray> nameParts(KeyType) const override { return {"saq:"}; }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const SaqName key = saqNameOf(name);
        return type == KeyType::String && (key.part == "schedule" || key.part == "sweep")
                   ? std::vector{stemOfQueue(key) + ":incomplete", stemOfQueue(key) + ":stats"}
                   : std::vector<QByteArray>();
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const SaqName key = saqNameOf(name);
        if (key.part == "abort")
            return {key.space};
        const bool part = key.part == "job" || key.part == "worker_info" ||
                          key.part == "schedule" || key.part == "sweep";
        return part ? std::vector{stemOfQueue(key)} : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return name.left(name.indexOf("saq:") + 4);
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const SaqName key = saqNameOf(probe.name);
        const QByteArray job = jobWord + key.queue + ':';
        bool ours = false;
        if (key.part == "queued" || key.part == "active")
            ours = probe.type == KeyType::List && probe.first.startsWith(job);
        else if (key.part == "incomplete")
            ours = probe.type == KeyType::ZSet && !probe.members.empty() &&
                   probe.members[0].member.startsWith(job);
        else if (key.part == "stats")
            ours = probe.type == KeyType::ZSet && !probe.members.empty() &&
                   probe.members[0].member.contains(":worker_info:");
        else if (key.part == "job")
            ours = probe.type == KeyType::String && probe.head.startsWith('{') &&
                   probe.head.contains("\"function\"");
        else if (key.part == "worker_info")
            ours = probe.type == KeyType::String && probe.ttlMs && probe.head.startsWith('{');
        else if (key.part == "schedule" || key.part == "sweep")
            ours = probe.sibling(stemOfQueue(key) + ":incomplete") == KeyType::ZSet ||
                   probe.sibling(stemOfQueue(key) + ":stats") == KeyType::ZSet;
        if (!ours)
            return std::nullopt;
        const QByteArray stem = stemOfQueue(key);
        const QByteArray main = stem + ":queued";
        // A finished job may be the only key left for a while, so it does not prove that a queue
        // exists.
        if (key.part == "job" || key.part == "worker_info")
            return Claim{{id(), stem}, {}, 0.95, key.queue};
        Claim claim{{id(), stem}, {{mainRole(), main, probe.name != main}}, 0.97, key.queue};
        if (probe.name != main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

protected:
    JobNumbers numbers() const override { return JobNumber::Waiting; }
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"ZRANGE", primitive.id.name + ":stats", "0",
                 QByteArray::number(saqWorkersRead - 1), "WITHSCORES"}};
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        const QByteArray stem = primitive.id.name + ':';
        return {{"queued", JobRole::Ready, stem + "queued", Shape::FromLeft},
                {"active", JobRole::Processing, stem + "active", Shape::FromLeft},
                {"scheduled",
                 JobRole::Delayed,
                 stem + "incomplete",
                 Shape::Range,
                 {},
                 false,
                 "(0",
                 "+inf"}};
    }

    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        const QByteArray before = primitive.id.name.left(primitive.id.name.indexOf("saq:"));
        return {before + (element.startsWith(jobWord) ? element : QByteArray(jobWord))};
    }

    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = read.element;
        const QJsonObject json = jsonObject(read.stored);
        job.name = jsonText(json, "function").left(saqNameBytes);
        job.enqueuedMs = timeMs(jsonText(json, "queued"));
        job.startedMs = timeMs(jsonText(json, "started"));
        job.finishedMs = timeMs(jsonText(json, "completed"));
        job.attempts = countIn(json, "attempts");
        if (job.enqueuedMs && job.attempts.value_or(0) <= 1)
            job.readyMs = std::max(*job.enqueuedMs, countIn(json, "scheduled").value_or(0) * 1000);
        job.mostAttempts = countIn(json, "retries").value_or(1);
        job.worker = jsonText(json, "worker_id");
        job.progress = jsonText(json, "progress").left(64);
        job.error = firstLine(lastLine(jsonText(json, "error")));
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing)
            job.leaseAlive = read.size.value_or(0) > 0 && !isStuck(json, setting.nowMs);
        return job;
    }

    void addDetail(const JobRead& read, JobDetail& detail) const override
    {
        detail.stack = jsonText(jsonObject(read.stored), "error");
    }

    void finish(const Primitive&, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.workersKnown = !setting.first[0].isError();
        for (const ScoredMember& entry : scoredMembersOf(setting.first[0])) {
            QueueWorker worker;
            worker.name = entry.member.mid(entry.member.lastIndexOf(':') + 1);
            worker.alive = wholeMs(entry.score) > setting.nowMs;
            worker.jobs =
                std::count_if(queue.items.begin(), queue.items.end(), [&](const QueueJob& item) {
                    return item.facts.worker == worker.name;
                });
            queue.workers.push_back(std::move(worker));
        }
    }

private:
    static QByteArray stemOfQueue(const SaqName& name) { return name.space + name.queue; }

    // SAQ's own rule for the jobs that its sweep removes. The JSON omits fields with default
    // values.
    static bool isStuck(const QJsonObject& job, qint64 nowMs)
    {
        const QByteArray status = jsonText(job, "status");
        if (status != "active" && status != "aborting")
            return true;
        const qint64 timeout = countIn(job, "timeout").value_or(10);
        const qint64 heartbeat = countIn(job, "heartbeat").value_or(0);
        const qint64 started = countIn(job, "started").value_or(0);
        const qint64 touched = countIn(job, "touched").value_or(0);
        return (timeout > 0 && nowMs - started > timeout * 1000) ||
               (heartbeat > 0 && nowMs - touched > heartbeat * 1000);
    }
};

} // namespace

LK_LAYOUT(saq, Saq)

} // namespace lk
