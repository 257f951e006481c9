// SPDX-License-Identifier: GPL-3.0-or-later
// bee-queue 1 and 2 (https://github.com/bee-queue/bee-queue). <prefix>:<queue> is the stem: lists
// stem:waiting and stem:active, sorted set stem:delayed, sets stem:succeeded and stem:failed of job
// ids; the jobs themselves are the fields of one hash, stem:jobs.
//
// In every stall interval one worker copies the ids of stem:active to the set stem:stalling and
// sets stem:stallBlock until the interval ends. A worker removes its own job from that set twice
// an interval. So a job that is in the set after the block has expired has no worker.
#include "backend/libraries/catalogue/beequeue/beequeueactions.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

/// A state of a job, and the key in which its jobs are.
struct BeeState
{
    const char* name; ///< also the key's last part
    JobRole role;
    Shape shape;
};
constexpr BeeState beeStates[] = {
    {"waiting", JobRole::Ready, Shape::FromRight},
    {"active", JobRole::Processing, Shape::FromRight},
    {"delayed", JobRole::Delayed, Shape::Sorted},
    {"failed", JobRole::Dead, Shape::Set},
    {"succeeded", JobRole::Done, Shape::Set},
};
constexpr const char* otherParts[] = {"id", "jobs", "stalling", "stallBlock"};

const BeeState* beeState(const QByteArray& name)
{
    const auto* state = std::find_if(std::begin(beeStates), std::end(beeStates),
                                     [&](const BeeState& s) { return name == s.name; });
    return state == std::end(beeStates) ? nullptr : state;
}

struct BeeQueueName
{
    QByteArray stem;
    QByteArray part;
};

BeeQueueName beeQueueNameOf(const QByteArray& key)
{
    const qsizetype colon = key.lastIndexOf(':');
    if (colon <= 0)
        return {};
    const QByteArray part = key.mid(colon + 1);
    const bool other = std::any_of(std::begin(otherParts), std::end(otherParts),
                                   [&](const char* p) { return part == p; });
    return other || beeState(part) ? BeeQueueName{key.left(colon), part} : BeeQueueName{};
}

KeyType typeOf(const QByteArray& part)
{
    if (const BeeState* state = beeState(part))
        return state->shape == Shape::FromRight ? KeyType::List
               : state->shape == Shape::Sorted  ? KeyType::ZSet
                                                : KeyType::Set;
    return part == "jobs" ? KeyType::Hash : part == "stalling" ? KeyType::Set : KeyType::String;
}

// An id is a number unless the application sets its own. It is never a payload.
bool isId(const QByteArray& member)
{
    return member.size() <= 128 && !looksLikeJson(member) && isPrintable(member);
}

QByteArray textOf(const QJsonValue& value)
{
    if (value.isObject())
        return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    if (value.isArray())
        return QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact);
    return value.toVariant().toString().toUtf8();
}

// A job as its field in the hash has it: {data, options, status, progress}.
JobFacts factsIn(const QJsonObject& stored)
{
    JobFacts facts;
    const QJsonObject options = stored.value(QLatin1String("options")).toObject();
    const QJsonValue timestamp = options.value(QLatin1String("timestamp"));
    if (timestamp.isDouble())
        facts.enqueuedMs = timestamp.toInteger();
    // Each failure leaves its stack, the latest first.
    const QJsonArray stacks = options.value(QLatin1String("stacktraces")).toArray();
    const bool failed = stored.value(QLatin1String("status")).toString() == u"failed";
    facts.attempts = stacks.size();
    facts.mostAttempts =
        stacks.size() + options.value(QLatin1String("retries")).toInteger() + (failed ? 0 : 1);
    if (!stacks.isEmpty())
        facts.error = firstLine(stacks.first().toString().toUtf8());
    const QJsonValue progress = stored.value(QLatin1String("progress"));
    if (progress.toDouble(1) != 0)
        facts.progress = textOf(progress).left(64);
    return facts;
}

// Reports whether a worker has the job. Unknown while the library's own check has not come round.
std::optional<bool> isAlive(const Reply& stalling, const Reply& block)
{
    const bool checkedLately = countOf(block) > 0;
    if (countOf(stalling) > 0)
        return checkedLately ? std::nullopt : std::optional(false);
    return checkedLately ? std::optional(true) : std::nullopt;
}

class BeeQueue final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("bee-queue"); }
    QString title() const override { return LayoutText::tr("bee-queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("id"); }
    KeyType mainType() const override { return KeyType::String; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::Set || type == KeyType::ZSet ||
               type == mainType();
    }
    ActionList actions() const override { return actions::beeQueueActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        std::vector<QByteArray> ends;
        for (const BeeState& state : beeStates)
            ends.push_back(':' + QByteArray(state.name));
        for (const char* part : otherParts)
            ends.push_back(':' + QByteArray(part));
        return ends;
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const BeeQueueName own = beeQueueNameOf(name);
        if (!holdsIds(own.part) || type != typeOf(own.part))
            return {};
        return {own.stem + ":jobs", own.stem + ":id"};
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const BeeQueueName own = beeQueueNameOf(name);
        return own.stem.isEmpty() ? std::vector<QByteArray>() : std::vector{own.stem};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const BeeQueueName own = beeQueueNameOf(probe.name);
        if (!holdsIds(own.part) || probe.type != typeOf(own.part) ||
            probe.sibling(own.stem + ":jobs") != KeyType::Hash ||
            probe.sibling(own.stem + ":id") != KeyType::String || !holdsIds(probe))
            return std::nullopt;
        Claim claim{{id(), own.stem}, {{mainRole(), own.stem + ":id"}, {own.part, probe.name}}};
        claim.confidence = 0.96;
        claim.label = own.stem.mid(own.stem.lastIndexOf(':') + 1);
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        std::vector<JobsKey> keys;
        for (const BeeState& state : beeStates)
            keys.push_back(
                {state.name, state.role, primitive.id.name + ':' + state.name, state.shape});
        return keys;
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& id) const override
    {
        return {primitive.id.name + ":jobs", id};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey& key,
                                    const QueueSetting&, const QByteArray& id) const override
    {
        if (key.role != JobRole::Processing)
            return {};
        // In that order: a check in between takes nobody's job for stalled.
        return {{"SISMEMBER", primitive.id.name + ":stalling", id},
                {"EXISTS", primitive.id.name + ":stallBlock"}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting&,
                                  const JobRead& read) const override
    {
        JobFacts facts = read.stored.isEmpty() ? JobFacts() : factsIn(jsonObject(read.stored));
        facts.id = read.element;
        if (key.role == JobRole::Delayed && read.score)
            facts.dueMs = qint64(*read.score);
        if (read.replies.size() == 2)
            facts.leaseAlive = isAlive(read.replies[0], read.replies[1]);
        return facts;
    }
    QByteArray payloadOf(const JobRead& read) const override
    {
        return textOf(jsonObject(read.stored).value(QLatin1String("data")));
    }
    void addDetail(const JobRead& read, JobDetail& detail) const override
    {
        const QJsonObject options =
            jsonObject(read.stored).value(QLatin1String("options")).toObject();
        detail.stack =
            options.value(QLatin1String("stacktraces")).toArray().first().toString().toUtf8();
        for (const char* field : {"retries", "timeout", "backoff", "delay"}) {
            const QJsonValue value = options.value(QLatin1String(field));
            if (!value.isUndefined())
                detail.fields.emplace_back(field, textOf(value));
        }
    }

private:
    static bool holdsIds(const QByteArray& part) { return beeState(part) || part == "stalling"; }
    static bool holdsIds(const Probe& probe)
    {
        const auto& members = probe.members;
        if (probe.type == KeyType::List)
            return !probe.first.isEmpty() && isId(probe.first);
        if (probe.type == KeyType::Set)
            return !probe.sample.empty() &&
                   std::all_of(probe.sample.begin(), probe.sample.end(), isId);
        return !members.empty() &&
               std::all_of(members.begin(), members.end(), [](const ScoredMember& m) {
                   return isId(m.member) && timeUnitOf(m.score) == TimeUnit::Milliseconds;
               });
    }
};

} // namespace

LK_LAYOUT(beeQueue, BeeQueue)

} // namespace lk
