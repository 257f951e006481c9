// SPDX-License-Identifier: GPL-3.0-or-later
// arq (https://arq-docs.helpmanual.io). One sorted set contains the job ids by the time they are
// due. They stay in it while they run. A job runs while its key in-progress exists. The job itself
// is a string written by Python's pickle.
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namewords.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr char health[] = ":health-check";
constexpr const char* jobParts[] = {"job:", "in-progress:", "retry:", "result:"};

// The prefix of "job:" and the other keys: "arq:", which a proxy's prefix may precede. A queue may
// have any name.
QByteArray spaceOf(const QByteArray& queue)
{
    const qsizetype at = queue.indexOf("arq:");
    const bool segment = at == 0 || (at > 0 && lastSegment(queue.left(at)) == at);
    return at >= 0 && segment ? queue.left(at + 4) : QByteArray("arq:");
}

// Returns "arq:" from "arq:job:<id>". Empty if the key is not a job's.
QByteArray spaceOfJobKey(const QByteArray& name)
{
    const std::string_view text(name.constData(), size_t(name.size()));
    if (text.find("arq:") == text.npos) // rejects nearly all keys
        return {};
    for (const char* part : jobParts) {
        const qsizetype at = name.indexOf("arq:" + QByteArray(part));
        if (at >= 0 && name.size() > at + 4 + qsizetype(qstrlen(part)))
            return name.left(at + 4);
    }
    return name.endsWith("arq:abort") ? name.left(name.size() - 5) : QByteArray();
}

bool isDue(const ScoredMember& job)
{
    return timeUnitOf(job.score) == TimeUnit::Milliseconds;
}
bool hasOwnId(const ScoredMember& job)
{
    return (job.member.size() == 32 && isHex(job.member)) || job.member.startsWith("cron:");
}

class Arq final : public KeyedQueue, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("arq"); }
    QString title() const override { return LayoutText::tr("arq queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::ZSet || type == KeyType::String;
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const bool maybe =
            type == KeyType::ZSet && hasWord(name, words<"arq", "queue", "jobs", "tasks">);
        if (maybe)
            return {name + health};
        return type == KeyType::String && name.endsWith(health)
                   ? std::vector{name.left(name.size() - qsizetype(qstrlen(health)))}
                   : std::vector<QByteArray>();
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const QByteArray space = spaceOfJobKey(name);
        if (!space.isEmpty())
            return {space};
        return name.endsWith(health)
                   ? std::vector{name.left(name.size() - qsizetype(qstrlen(health)))}
                   : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override { return spaceOf(name); }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::String || probe.name.endsWith("arq:abort")) {
            const QByteArray space = spaceOfJobKey(probe.name);
            const bool ofJob = !space.isEmpty() && (probe.ttlMs || probe.type == KeyType::ZSet);
            const bool ofHealth = probe.name.endsWith(health) && probe.head.contains("j_ongoing=");
            return ofJob || ofHealth ? std::optional(Claim{{id(), space}, {}, 0.92, {}})
                                     : std::nullopt;
        }
        const bool ids = std::all_of(probe.members.begin(), probe.members.end(), hasOwnId);
        const bool checked =
            !probe.siblings.empty() && probe.sibling(probe.name + health) == KeyType::String;
        if (probe.members.empty() || (!checked && !(ids && hasWord(probe.name, words<"arq">))) ||
            !std::all_of(probe.members.begin(), probe.members.end(), isDue))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, checked ? 0.97 : 0.92, {}};
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"PTTL", primitive.id.name + health},
                {"GETRANGE", primitive.id.name + health, "0", "255"}};
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        const QByteArray& key = primitive.id.name;
        const QByteArray now = QByteArray::number(setting.nowMs);
        return {{"queued", JobRole::Ready, key, Shape::Range, {}, false, "-inf", now},
                {"in-progress", JobRole::Processing, key, Shape::Range, {}, true, "-inf", now},
                {"deferred", JobRole::Delayed, key, Shape::Range, {}, false, '(' + now, "+inf"}};
    }

    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {spaceOf(primitive.id.name) + "job:" + element, {}, true};
    }

    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey&, const QueueSetting&,
                                    const QByteArray& element) const override
    {
        const QByteArray space = spaceOf(primitive.id.name);
        return {{"EXISTS", space + "in-progress:" + element},
                {"GETRANGE", space + "retry:" + element, "0", "20"}};
    }

    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting&,
                                  const JobRead& read) const override
    {
        const bool runs = !read.replies.empty() && countOf(read.replies[0]) > 0;
        if (key.role == JobRole::Processing && !runs)
            return std::nullopt;
        if (key.role == JobRole::Ready && runs)
            return std::nullopt;
        JobFacts job;
        job.id = read.element;
        if (read.replies.size() > 1)
            job.attempts = integerOf(read.replies[1]);
        if (read.score && key.role == JobRole::Ready)
            job.enqueuedMs = wholeMs(*read.score);
        if (read.score && key.role == JobRole::Delayed)
            job.dueMs = wholeMs(*read.score);
        if (key.role == JobRole::Processing)
            job.leaseAlive = true; // its in-progress key expires if the worker dies
        return job;
    }

    void finish(const Primitive&, State& state, QueueState& queue,
                const QueueSetting& setting) const override
    {
        // The set also contains the running jobs.
        std::optional<qint64>& queued = queue.states[0].count;
        const std::optional<qint64>& runs = queue.states[1].count;
        queued =
            queued && runs ? std::optional(std::max<qint64>(0, *queued - *runs)) : std::nullopt;
        if (setting.first[1].isText() && !setting.first[1].text.isEmpty())
            state.facts.push_back({LayoutText::tr("Health check"),
                                   displayPreview(setting.first[1].text, 120), Source::Stored});
    }
};

} // namespace

LK_LAYOUT(arq, Arq)

} // namespace lk
