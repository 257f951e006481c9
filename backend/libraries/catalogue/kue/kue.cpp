// SPDX-License-Identifier: GPL-3.0-or-later
// kue 0.11 (https://github.com/Automattic/kue). The jobs of one type are a queue; a process serves
// a type. Sorted sets <prefix>:jobs:<type>:<state> contain "NN|<id>" by priority. NN is the number
// of digits of the id, so that jobs of one priority stay in their order. Each job is a hash
// <prefix>:job:<id>. The sets <prefix>:jobs:<state> contain the jobs of all types. Their score is
// the time at which a delayed job is due (ms) or the TTL of a job in progress ends (ms), if it has
// one. Only a job with a TTL can be detected as stuck.
#include "backend/libraries/catalogue/kue/kueactions.h"
#include "backend/libraries/catalogue/kue/kuenames.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

/// A state of a job, and the order in which its jobs are listed.
struct KueState
{
    const char* name;
    JobRole role;
    Shape shape;
};
constexpr KueState kueStates[] = {{"inactive", JobRole::Ready, Shape::Sorted},
                                  {"active", JobRole::Processing, Shape::Sorted},
                                  {"delayed", JobRole::Delayed, Shape::Sorted},
                                  {"failed", JobRole::Dead, Shape::Newest},
                                  {"complete", JobRole::Done, Shape::Newest}};

const KueState* kueState(const QByteArray& name)
{
    const auto* state = std::find_if(std::begin(kueStates), std::end(kueStates),
                                     [&](const KueState& s) { return name == s.name; });
    return state == std::end(kueStates) ? nullptr : state;
}

enum Field : size_t {
    Type,
    Created,
    Promote,
    Started,
    Failed,
    Updated,
    WorkerId,
    Attempts,
    MostAttempts,
    Progress,
    ErrorText,
    FieldCount
};
constexpr const char* fieldNames[FieldCount] = {
    "type",     "created_at", "promote_at",   "started_at", "failed_at", "updated_at",
    "workerId", "attempts",   "max_attempts", "progress",   "error"};
constexpr const char* lightFields[] = {"state",    "priority",         "delay",  "ttl",
                                       "duration", "removeOnComplete", "backoff"};
constexpr const char* heavyFields[] = {"error", "result"};

// A key <prefix>:jobs:<type>:<state>. The prefix may also contain ":jobs:". Empty for other names.
struct KueName
{
    QByteArray prefix;
    QByteArray type;
    const KueState* state = nullptr;
};

KueName kueNameOf(const QByteArray& key)
{
    const qsizetype jobs = key.lastIndexOf(":jobs:");
    const qsizetype colon = key.lastIndexOf(':');
    if (jobs <= 0 || colon <= jobs + 6)
        return {};
    return {key.left(jobs), key.mid(jobs + 6, colon - jobs - 6), kueState(key.mid(colon + 1))};
}

// Returns the id of a member, or of a job that was asked for by its id.
QByteArray idIn(const QByteArray& element)
{
    const QByteArray id = kueIdOf(element);
    return id.isEmpty() ? element : id;
}

QByteArray memberOf(const QByteArray& id)
{
    return QByteArray::number(id.size()).rightJustified(2, '0') + '|' + id;
}

// Returns whether the TTL of a job in progress has not ended yet. Unknown if the job has none.
std::optional<bool> isAlive(const Reply& end, qint64 nowMs)
{
    const auto score = end.isText() ? scoreOf(end.text) : std::nullopt;
    if (!score || timeUnitOf(*score) != TimeUnit::Milliseconds)
        return std::nullopt;
    return *score >= double(nowMs);
}

// "kue:<host>:<pid>:<type>:<n>"
QueueWorker workerOf(const QByteArray& id)
{
    QueueWorker worker;
    worker.name = id;
    const QList<QByteArray> parts = id.split(':');
    if (parts.size() >= 5 && parts[0] == "kue") {
        worker.host = parts[1];
        worker.process = parts[2];
    }
    return worker;
}

class Kue final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("kue"); }
    QString title() const override { return LayoutText::tr("kue queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("inactive"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    ActionList actions() const override { return actions::kueActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override { return {":jobs:"}; }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const KueName own = kueNameOf(name);
        return type == KeyType::ZSet && own.state
                   ? std::vector{own.prefix + ":ids", own.prefix + ":job:types"}
                   : std::vector<QByteArray>();
    }
    // All types share <prefix>:jobs, :jobs:<state>, :job:<id>, :job:<id>:log, :job:types, :ids,
    // :settings, :stats:work-time and :search.... Each type has a list <prefix>:<type>:jobs. The
    // locks under which one process promotes jobs and ends expired ones have no prefix.
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        std::vector<QByteArray> owners;
        if (name == "promotion:lock" || name == "activeJobsTTL:lock")
            owners.push_back({});
        const auto add = [&](const QByteArray& prefix) {
            if (!prefix.isEmpty())
                owners.push_back(prefix + ":jobs:");
        };
        for (const char* part : {":job:", ":search:"}) {
            if (const qsizetype at = name.indexOf(part); at > 0)
                add(name.left(at));
        }
        for (const char* part : {":jobs", ":ids", ":settings", ":stats:work-time"}) {
            if (name.endsWith(part))
                add(name.chopped(qsizetype(qstrlen(part))));
        }
        const qsizetype colon = name.lastIndexOf(':');
        if (const QByteArray stem = name.left(std::max<qsizetype>(0, colon));
            stem.endsWith(":jobs") && kueState(name.mid(colon + 1)))
            add(stem.chopped(5));
        if (const qsizetype type = name.endsWith(":jobs") ? name.lastIndexOf(':', -6) : -1;
            type > 0)
            add(name.left(type));
        return owners;
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return kuePrefixOf(name) + ":jobs:";
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const KueName own = kueNameOf(probe.name);
        const bool fits =
            own.state && probe.sibling(own.prefix + ":ids") == KeyType::String &&
            probe.sibling(own.prefix + ":job:types") == KeyType::Set && !probe.members.empty() &&
            std::all_of(probe.members.begin(), probe.members.end(),
                        [](const ScoredMember& m) { return !kueIdOf(m.member).isEmpty(); });
        if (!fits)
            return std::nullopt;
        const QByteArray queue = own.prefix + ":jobs:" + own.type;
        const bool main = own.state->role == JobRole::Ready;
        Claim claim{{id(), queue}, {{mainRole(), queue + ":inactive", !main}}, 0.98};
        if (!main)
            claim.keys.push_back({own.state->name, probe.name});
        claim.label = own.type;
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        std::vector<JobsKey> keys;
        for (const KueState& state : kueStates)
            keys.push_back(
                {state.name, state.role, primitive.id.name + ':' + state.name, state.shape});
        return keys;
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {kueJobKey(kuePrefixOf(primitive.id.name), idIn(element)), "data", true};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey& key,
                                    const QueueSetting&, const QByteArray& element) const override
    {
        const QByteArray prefix = kuePrefixOf(primitive.id.name);
        Command fields{"HMGET", kueJobKey(prefix, idIn(element))};
        for (const char* field : fieldNames)
            fields << field;
        if (key.role != JobRole::Processing)
            return {fields};
        return {fields, {"ZSCORE", prefix + ":jobs:active", memberOf(idIn(element))}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override;
    Read<JobDetail> readDetail(const Primitive& primitive, const JobRead& read,
                               JobDetail detail) const override
    {
        HashFields fields = co_await readHashFields(
            kueJobKey(kuePrefixOf(primitive.id.name), read.element), lightFields, heavyFields);
        detail.fields = std::move(fields.light);
        detail.stack = fields.heavy[0];
        detail.result = fields.heavy[1];
        co_return detail;
    }
    void finish(const Primitive&, State&, QueueState& queue, const QueueSetting&) const override
    {
        queue.oldestReadyMs.reset(); // the next one is the most urgent, not the oldest
        for (const QueueJob& item : queue.items) {
            if (item.facts.worker.isEmpty())
                continue;
            QueueWorker worker = workerOf(item.facts.worker);
            worker.jobs = 1;
            queue.workers.push_back(std::move(worker));
        }
    }
};

std::optional<JobFacts> Kue::jobOf(const Primitive&, const JobsKey& key,
                                   const QueueSetting& setting, const JobRead& read) const
{
    JobFacts job;
    job.id = idIn(read.element);
    const Reply& fields = read.replies[0];
    job.name = fieldText(fields, Type).left(128);
    job.enqueuedMs = timeMs(fieldText(fields, Created));
    job.attempts = wholeNumber(fieldText(fields, Attempts)).value_or(0);
    job.mostAttempts = wholeNumber(fieldText(fields, MostAttempts));
    job.progress = fieldText(fields, Progress).left(64);
    job.error = firstLine(fieldText(fields, ErrorText));
    if (key.role != JobRole::Ready && key.role != JobRole::Delayed) {
        job.startedMs = timeMs(fieldText(fields, Started));
        job.worker = fieldText(fields, WorkerId);
    }
    if (key.role == JobRole::Dead)
        job.finishedMs = timeMs(fieldText(fields, Failed));
    if (key.role == JobRole::Done)
        job.finishedMs = timeMs(fieldText(fields, Updated));
    if (key.role == JobRole::Delayed)
        job.dueMs = timeMs(fieldText(fields, Promote));
    if (key.role == JobRole::Processing)
        job.leaseAlive = isAlive(read.replies[1], setting.nowMs);
    return job;
}

} // namespace

LK_LAYOUT(kue, Kue)

} // namespace lk
