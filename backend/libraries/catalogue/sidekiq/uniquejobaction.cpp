// SPDX-License-Identifier: GPL-3.0-or-later
// A lock of sidekiq-unique-jobs belongs to its job. It is not released while any job has its
// digest. The lock of a lost job blocks all others. It is deleted the way the library's own reaper
// does it.
#include "backend/libraries/catalogue/sidekiq/uniquejobaction.h"
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"

#include "backend/core/names/keyname.h"

#include <algorithm>

namespace lk::actions {

namespace {

constexpr qint64 mostJobs = 1000; // the most jobs of all queues that are searched, as the library
constexpr int mostNames = 200;    // the most queues, and the most processes
// A job that was just taken has left its queue, but its process does not report it yet.
constexpr qint64 heldLongMs = 60'000;

// Returns the namespace before the library's own part of a key. Empty if there is none.
QByteArray prefixOf(const QByteArray& digest)
{
    return digest.left(std::max<qsizetype>(0, digest.lastIndexOf("uniquejobs:")));
}

// Returns the digest as a job carries it: without the suffix of the lock that a running job holds.
QByteArray carried(const QByteArray& digest)
{
    QByteArray name = digest.mid(prefixOf(digest).size());
    return name.endsWith(":RUN") ? name.chopped(4) : name;
}

std::vector<QByteArray> namesIn(const Reply& scanned)
{
    std::vector<QByteArray> names;
    if (scanned.items.size() == 2) {
        for (const Reply& item : scanned.items[1].items)
            names.push_back(item.text);
    }
    return names;
}

bool isWhole(const Reply& scanned)
{
    return scanned.items.size() == 2 && scanned.items[0].text == "0";
}

// The positions of the replies to three steps: the queues and processes, all lengths, and the jobs.
enum Asked : size_t { QueueNames, ProcessNames, Scheduled, Retried, FirstLength };

// The lists of waiting jobs, and the hashes of jobs in progress, both of Sidekiq before 6.4.2 and
// of later versions.
struct JobKeys
{
    std::vector<QByteArray> lists;
    std::vector<QByteArray> hashes;

    size_t size() const { return lists.size() + hashes.size(); }
};

JobKeys jobKeys(const QByteArray& prefix, std::span<const Reply> prefetched)
{
    JobKeys keys;
    for (const QByteArray& queue : namesIn(prefetched[QueueNames]))
        keys.lists.push_back(prefix + "queue:" + queue);
    for (const QByteArray& process : namesIn(prefetched[ProcessNames])) {
        keys.hashes.push_back(prefix + process + ":work");
        keys.hashes.push_back(prefix + process + ":workers");
    }
    return keys;
}

class ReleaseDigest final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.release"); }
    QString title() const override { return ActionText::tr("Release"); }
    QString summary() const override
    {
        return ActionText::tr("release a unique-job lock that no job holds");
    }
    bool removes() const override { return true; }

    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        const QByteArray prefix = prefixOf(state.primitive->id.name);
        const QByteArray most = QByteArray::number(mostNames);
        if (prefetched.empty())
            return {{"SSCAN", prefix + "queues", "0", "COUNT", most},
                    {"SSCAN", prefix + "processes", "0", "COUNT", most},
                    {"ZCARD", prefix + "schedule"},
                    {"ZCARD", prefix + "retry"}};
        const JobKeys keys = jobKeys(prefix, prefetched);
        std::vector<Command> asked;
        if (prefetched.size() == FirstLength && keys.size() > 0) {
            for (const QByteArray& list : keys.lists)
                asked.push_back({"LLEN", list});
            for (const QByteArray& hash : keys.hashes)
                asked.push_back({"HLEN", hash});
            return asked;
        }
        if (prefetched.size() != FirstLength + keys.size() || total(prefetched) > mostJobs)
            return {};
        const QByteArray last = QByteArray::number(mostJobs);
        for (const QByteArray& list : keys.lists)
            asked.push_back({"LRANGE", list, "0", last});
        for (const QByteArray& hash : keys.hashes)
            asked.push_back({"HVALS", hash});
        asked.push_back({"ZRANGE", prefix + "schedule", "0", last});
        asked.push_back({"ZRANGE", prefix + "retry", "0", last});
        return asked;
    }

    Result<Plan> plan(const ActionContext& context) const override;

private:
    static qint64 total(std::span<const Reply> prefetched)
    {
        qint64 jobs = 0;
        for (size_t i = Scheduled; i < prefetched.size(); ++i)
            jobs += prefetched[i].isInteger() ? prefetched[i].integer : 0;
        return jobs;
    }
};

// Whether the jobs include one with that digest or with the id of a holder.
bool hasJob(const Reply& jobs, const QByteArray& digest, const LockState& lock)
{
    return std::any_of(jobs.items.begin(), jobs.items.end(), [&](const Reply& job) {
        return job.text.contains(digest) ||
               std::any_of(lock.holders.begin(), lock.holders.end(),
                           [&](const LockHolder& h) { return job.text.contains(h.name); });
    });
}

Result<Plan> ReleaseDigest::plan(const ActionContext& context) const
{
    const auto* lock = context.state.as<LockState>();
    if (context.state.problem)
        return tl::unexpected(*context.state.problem);
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    if (!lock || lock->holders.empty() || lock->holdersTotal > qint64(lock->holders.size()))
        return notPossible(ActionText::tr("It has no jobs, or too many for one script"));
    const std::span<const Reply> replies = context.prefetched;
    const bool whole = replies.size() >= FirstLength && isWhole(replies[QueueNames]) &&
                       isWhole(replies[ProcessNames]);
    const QByteArray digest = context.state.primitive->id.name;
    const QByteArray prefix = prefixOf(digest);
    const size_t keys = whole ? jobKeys(prefix, replies).size() : 0;
    const size_t jobs = FirstLength + keys; // the position of the first job
    if (!whole || replies.size() != jobs + keys + 2)
        return notPossible(
            ActionText::tr("There are too many jobs to check whether one still holds it"));
    const bool heldLong =
        std::all_of(lock->holders.begin(), lock->holders.end(), [&](const LockHolder& h) {
            return h.sinceMs && *h.sinceMs + heldLongMs <= context.nowMs;
        });
    if (!heldLong)
        return notPossible(ActionText::tr(
            "It was acquired less than a minute ago: its job may just have started"));
    for (const Reply& list : replies.subspan(jobs)) {
        if (hasJob(list, carried(digest), *lock))
            return notPossible(
                ActionText::tr("A job still holds it and releases it when it finishes"));
    }
    const QByteArray bare = digest.mid(prefix.size());
    Plan plan = planFor(*this, context.state);
    plan.question = ActionText::tr("Release the lock %1?").arg(nameOf(context.state));
    plan.consequence =
        ActionText::tr("Jobs with the same arguments can be enqueued and run again.");
    plan.expected = ActionText::tr("no job in a queue, schedule, retry set or worker holds it");
    plan.guard = ActionText::tr("the same jobs hold it");
    plan.script = QByteArrayLiteral("unique-job-release");
    plan.keys = {digest + ":LOCKED",
                 prefix + "uniquejobs:digests",
                 prefix + "uniquejobs:expiring_digests",
                 digest,
                 digest + ":QUEUED",
                 digest + ":PRIMED",
                 digest + ":INFO"};
    plan.args = {bare};
    for (const LockHolder& holder : lock->holders) {
        plan.args.push_back(holder.name);
        plan.seen.push_back(holder.name);
    }
    plan.commands = {shown({"DEL", digest, plan.keys[0], plan.keys[4], plan.keys[5], plan.keys[6]}),
                     shown({"ZREM", plan.keys[1], bare})};
    plan.loses = true;
    plan.undo.kind = UndoWay::Kind::Restore;
    return plan;
}

} // namespace

const Action& releaseDigest()
{
    static const ReleaseDigest action;
    return action;
}

} // namespace lk::actions
