// SPDX-License-Identifier: GPL-3.0-or-later
// bee-queue 1 and 2 (https://github.com/bee-queue/bee-queue). <prefix>:<queue> is the stem: lists
// stem:waiting and stem:active, sorted set stem:delayed, sets stem:succeeded and stem:failed of job
// ids; the jobs themselves are the fields of one hash, stem:jobs.
//
// Every stall interval one worker copies the ids of stem:active to the set stem:stalling and puts
// stem:stallBlock there until the interval is over; a worker takes its own job out of that set
// twice an interval. So what is in it when the block is gone has no worker.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/beequeue/beejobs.h"
#include "backend/libraries/catalogue/beequeue/beequeueactions.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/setpage.h"

#include <algorithm>

namespace lk {

namespace {

constexpr const char* otherParts[] = {"id", "jobs", "stalling", "stallBlock"};

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
        return state->shape == BeeState::Shape::List     ? KeyType::List
               : state->shape == BeeState::Shape::Sorted ? KeyType::ZSet
                                                         : KeyType::Set;
    return part == "jobs" ? KeyType::Hash : part == "stalling" ? KeyType::Set : KeyType::String;
}

// An id is a number unless the application gives one of its own; never what a list of payloads has.
bool isId(const QByteArray& member)
{
    return member.size() <= 128 && !looksLikeJson(member) && isPrintable(member);
}

// The replies to reads() and what follows them.
struct Places
{
    static constexpr size_t active = beeStateCount;
    static constexpr size_t next = active + 1;
    static constexpr size_t failures = next + 1;
};

struct Ids
{
    std::vector<QByteArray> all; ///< those in progress, oldest first; the next one; failed ones
    size_t active = 0;
    size_t next = 0; ///< 0 or 1
};

Ids idsOf(std::span<const Reply> replies, bool detail)
{
    Ids ids;
    for (const Reply& id : replies[Places::active].items)
        ids.all.insert(ids.all.begin(), id.text);
    ids.active = ids.all.size();
    for (const Reply& id : replies[Places::next].items)
        ids.all.push_back(id.text);
    ids.next = ids.all.size() - ids.active;
    if (detail) {
        const std::vector<QByteArray> failed = SetPage(replies.subspan(Places::failures, 1)).ids();
        ids.all.insert(ids.all.end(), failed.begin(),
                       failed.begin() +
                           std::min<qsizetype>(failuresRead, qsizetype(failed.size())));
    }
    return ids;
}

class BeeQueue final : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("bee-queue"); }
    QString title() const override { return LayoutText::tr("bee-queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("id"); }
    KeyType mainType() const override { return KeyType::String; }
    bool allowsKeyActions() const override { return false; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::Set || type == KeyType::ZSet ||
               type == mainType();
    }
    ActionList actions() const override { return actions::beeQueueActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        std::vector<QByteArray> ends;
        for (const BeeState& state : beeStates())
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

    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override;
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override;
    std::vector<Command> jobDetailReads(const Primitive& primitive, const QByteArray& state,
                                        const QByteArray& jobId,
                                        std::span<const Reply> replies) const override;
    JobDetail jobDetail(const Primitive& primitive, const QByteArray& state,
                        const QByteArray& jobId, std::span<const Reply> replies) const override;

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override;
    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

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

std::vector<Command> BeeQueue::reads(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray stem = primitive.id.name + ':';
    std::vector<Command> commands;
    for (const BeeState& state : beeStates()) {
        const char* count = state.shape == BeeState::Shape::List     ? "LLEN"
                            : state.shape == BeeState::Shape::Sorted ? "ZCARD"
                                                                     : "SCARD";
        commands.push_back({count, stem + state.name});
    }
    commands.push_back({"LRANGE", stem + "active", QByteArray::number(-jobsInProgressRead), "-1"});
    commands.push_back({"LRANGE", stem + "waiting", "-1", "-1"});
    if (context.depth == Depth::Detail)
        commands.push_back(SetPage::firstRead(stem + "failed"));
    return commands;
}

std::vector<Command> BeeQueue::furtherReads(const Primitive& primitive, const ReadContext& context,
                                            std::span<const Reply> replies) const
{
    const bool detail = context.depth == Depth::Detail;
    const size_t first = Places::failures + (detail ? 1 : 0);
    const QByteArray& stem = primitive.id.name;
    const Ids ids = idsOf(replies, detail);
    std::vector<Command> commands;
    if (replies.size() == first) {
        for (const QByteArray& id : ids.all)
            commands.push_back(beeJobSize(stem, id));
    } else if (replies.size() == first + ids.all.size()) {
        for (size_t i = 0; i < ids.all.size(); ++i)
            commands.push_back(beeJobRead(stem, ids.all[i], replies[first + i]));
        for (size_t i = 0; i < ids.active; ++i)
            commands.push_back(beeStallingRead(stem, ids.all[i]));
        commands.push_back(beeBlockRead(stem));
        commands.push_back(
            {"LRANGE", stem + ":active", QByteArray::number(-jobsInProgressRead), "-1"});
    }
    return commands;
}

DecodeResult BeeQueue::read(const Primitive& primitive, std::span<const Reply> replies,
                            const ReadContext& context) const
{
    const bool detail = context.depth == Depth::Detail;
    DecodeResult reading;
    QueueState queue;
    for (size_t i = 0; i < beeStates().size(); ++i)
        queue.states.push_back({beeStates()[i].name, beeStates()[i].role, countOf(replies[i])});
    queue.stuckByLibrary = true;
    const Ids ids = idsOf(replies, detail);
    const size_t first = Places::failures + (detail ? 1 : 0) + ids.all.size();
    const size_t stalling = first + ids.all.size();
    const size_t block = stalling + ids.active;
    std::vector<JobFacts> failed;
    qint64 bytes = 0;
    for (size_t i = 0; block + 1 < replies.size() && i < ids.all.size(); ++i) {
        JobFacts job = beeJobOf(ids.all[i], replies[first + i]);
        bytes += replies[first + i].text.size();
        if (i >= ids.active + ids.next) {
            failed.push_back(std::move(job));
        } else if (i >= ids.active) {
            if (job.enqueuedMs)
                queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - *job.enqueuedMs);
        } else if (const std::vector<Reply>& now = replies[block + 1].items;
                   std::any_of(now.begin(), now.end(),
                               [&](const Reply& r) { return r.text == ids.all[i]; })) {
            QueueJob item;
            item.key = primitive.id.name + ":active";
            item.fingerprint = fingerprintOf(ids.all[i]);
            item.size = replies[first + i].text.size();
            item.facts = std::move(job);
            item.facts.leaseAlive = isBeeAlive(replies[stalling + i], replies[block]);
            queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
            queue.items.push_back(std::move(item));
        }
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    finalizeQueue(reading.state, std::move(queue), context.nowMs, bytes);
    return reading;
}

std::vector<Command> BeeQueue::jobReads(const Primitive& primitive, const JobQuery& query,
                                        std::span<const Reply> replies) const
{
    const BeeState* state = beeState(query.state);
    return state ? beeJobReads(primitive.id.name, *state, query, replies) : std::vector<Command>();
}

std::vector<StoredJob> BeeQueue::jobs(const Primitive& primitive, const JobQuery& query,
                                      std::span<const Reply> replies) const
{
    const BeeState* state = beeState(query.state);
    return state ? beeJobs(primitive.id.name, *state, query, replies) : std::vector<StoredJob>();
}

std::vector<Command> BeeQueue::jobDetailReads(const Primitive& primitive, const QByteArray&,
                                              const QByteArray& jobId,
                                              std::span<const Reply> replies) const
{
    return beeJobDetailReads(primitive.id.name, jobId, replies);
}

JobDetail BeeQueue::jobDetail(const Primitive&, const QByteArray& state, const QByteArray& jobId,
                              std::span<const Reply> replies) const
{
    return beeJobDetail(state, jobId, replies);
}

} // namespace

namespace layouts {
const Layout& beeQueue()
{
    static const BeeQueue layout;
    return layout;
}
} // namespace layouts

} // namespace lk
