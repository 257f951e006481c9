// SPDX-License-Identifier: GPL-3.0-or-later
// Faktory's own Redis (https://github.com/contribsys/faktory). Each queue is a list of JSON under
// the queue's bare name. All queues share the sets of reserved, scheduled, retried and dead jobs.
// The server takes back a job whose reservation has expired.
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <QJsonDocument>

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr qsizetype faktoryNameBytes = 128;
constexpr const char* faktorySharedSets[] = {"scheduled", "retries", "dead", "working"};

struct FaktoryJob
{
    QByteArray queue;
    JobFacts facts;
};

// Returns the job, whether it is bare or in a reservation.
std::optional<FaktoryJob> faktoryJobIn(const QByteArray& payload)
{
    const QJsonObject outer = jsonObject(payload);
    const bool reserved = outer.contains(QLatin1String("reserved_at"));
    const QJsonObject json = reserved ? outer.value(QLatin1String("job")).toObject() : outer;
    if (jsonText(json, "jid").isEmpty() || jsonText(json, "jobtype").isEmpty() ||
        jsonText(json, "queue").isEmpty())
        return std::nullopt;
    FaktoryJob job;
    job.queue = jsonText(json, "queue");
    job.facts.id = jsonText(json, "jid");
    job.facts.name = jsonText(json, "jobtype").left(faktoryNameBytes);
    job.facts.enqueuedMs = isoTimeMs(jsonText(json, "enqueued_at"));
    job.facts.readyMs = job.facts.enqueuedMs; // the time of its last try
    if (!job.facts.enqueuedMs)
        job.facts.enqueuedMs = isoTimeMs(jsonText(json, "created_at"));
    if (const QJsonValue retry = json.value(QLatin1String("retry")); retry.isDouble())
        job.facts.mostAttempts = retry.toInteger() + 1;
    const QJsonObject failure = json.value(QLatin1String("failure")).toObject();
    if (const QJsonValue count = failure.value(QLatin1String("retry_count")); count.isDouble())
        job.facts.attempts = count.toInteger() + 1;
    job.facts.finishedMs = isoTimeMs(jsonText(failure, "failed_at"));
    const QByteArray type = jsonText(failure, "errtype");
    const QByteArray message = jsonText(failure, "message");
    job.facts.error = firstLine(type.isEmpty() ? message : type + ": " + message);
    if (reserved) {
        job.facts.startedMs = isoTimeMs(jsonText(outer, "reserved_at"));
        job.facts.worker = jsonText(outer, "wid");
    }
    return job;
}

class Faktory final : public KeyedQueue, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("faktory"); }
    QString title() const override { return LayoutText::tr("Faktory queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::Set;
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        return type == KeyType::Set && name == "queues"
                   ? std::vector<QByteArray>{"retries", "working"}
                   : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::Set) { // others have a set of that name, but not those beside it
            const bool ours =
                probe.name == "queues" && (probe.sibling("retries") == KeyType::ZSet ||
                                           probe.sibling("working") == KeyType::ZSet);
            return ours ? std::optional(Claim{{id(), {}}, {}, 0.98, {}}) : std::nullopt;
        }
        if (probe.type == KeyType::ZSet) {
            const std::vector<Claim> claims = alsoNamed(probe);
            return claims.empty() ? std::nullopt : std::optional(claims.front());
        }
        const std::optional<FaktoryJob> job = faktoryJobIn(probe.first);
        if (!job || job->queue != probe.name)
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.97, {}};
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        std::vector<Claim> claims;
        const bool shared = std::any_of(std::begin(faktorySharedSets), std::end(faktorySharedSets),
                                        [&](const char* set) { return probe.name == set; });
        for (const ScoredMember& member : shared ? probe.members : std::vector<ScoredMember>()) {
            const std::optional<FaktoryJob> job = faktoryJobIn(member.member);
            const bool known =
                job && std::any_of(claims.begin(), claims.end(),
                                   [&](const Claim& c) { return c.id.name == job->queue; });
            if (job && !known)
                claims.push_back({{id(), job->queue},
                                  {{mainRole(), job->queue, true}, {probe.name, probe.name}},
                                  0.97,
                                  {}});
        }
        return claims;
    }

protected:
    JobNumbers numbers() const override { return JobNumber::Waiting; }
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"SISMEMBER", "paused", primitive.id.name}};
    }
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        return {{"enqueued", JobRole::Ready, primitive.id.name, Shape::FromRight},
                {"busy", JobRole::Processing, "working", Shape::Sorted, {}, true},
                {"scheduled", JobRole::Delayed, "scheduled", Shape::Sorted, {}, true},
                {"retries", JobRole::Delayed, "retries", Shape::Sorted, {}, true},
                {"dead", JobRole::Dead, "dead", Shape::Newest, {}, true}};
    }
    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting& setting, const JobRead& read) const override
    {
        std::optional<FaktoryJob> job = faktoryJobIn(read.element);
        if (key.shared && (!job || job->queue != primitive.id.name))
            return std::nullopt;
        JobFacts facts = job ? std::move(job->facts) : JobFacts();
        if (key.role == JobRole::Delayed && read.score)
            facts.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing && read.score)
            facts.leaseAlive = wholeMs(*read.score * 1000) > setting.nowMs;
        return facts;
    }
    void finish(const Primitive&, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.paused = countOf(setting.first[0]) > 0;
    }
};

} // namespace

LK_LAYOUT(faktory, Faktory)

} // namespace lk
