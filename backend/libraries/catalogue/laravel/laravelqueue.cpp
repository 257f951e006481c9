// SPDX-License-Identifier: GPL-3.0-or-later
// Laravel's Redis queues (https://laravel.com/docs/queues). Failed jobs are in the application's
// database, not in Redis. The time that a worker may take, retry_after, is not stored. A reserved
// job is overdue once the time in its score has passed.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/laravel/laravelactions.h"
#include "backend/libraries/catalogue/laravel/laraveljobs.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 mostItemBytes = 256 * 1024; // of the reserved jobs that are read

class LaravelQueue final : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("laravel-queue"); }
    QString title() const override { return LayoutText::tr("Laravel queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::String;
    }

    bool allowsKeyActions() const override { return false; }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        return {type == KeyType::String ? "illuminate:queue:paused:" : "queues:"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type == KeyType::String) {
            std::vector<QByteArray> names;
            for (const QByteArray& main : laravelPauseOf(name).mains)
                names.insert(names.end(), {main, main + ":delayed", main + ":reserved"});
            return names;
        }
        const LaravelName laravel = laravelNameOf(name);
        if (laravel.part.isEmpty() || !wants(type))
            return {};
        return {laravel.main, laravel.main + ":reserved", laravel.main + ":delayed"};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const LaravelName laravel = laravelNameOf(name);
        return laravel.part == "notify" ? std::vector{laravel.main} : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::String)
            return pauseClaim(probe);
        const LaravelName name = laravelNameOf(probe.name);
        if (name.main.isEmpty())
            return std::nullopt;
        const bool list = name.part.isEmpty() || name.part == "notify";
        if (probe.type != (list ? KeyType::List : KeyType::ZSet))
            return std::nullopt;
        if (name.part == "notify") {
            const bool beside = probe.sibling(name.main) == KeyType::List ||
                                probe.sibling(name.main + ":reserved") == KeyType::ZSet ||
                                probe.sibling(name.main + ":delayed") == KeyType::ZSet;
            return probe.first == "1" && beside ? std::optional(claimOf(probe, name))
                                                : std::nullopt;
        }
        const bool ours =
            list ? laravelJobOf(probe.first) || laravelJobOf(probe.last)
                 : !probe.members.empty() && laravelJobOf(probe.members.front().member).has_value();
        return ours ? std::optional(claimOf(probe, name)) : std::nullopt;
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        claim.label = laravelNameOf(name).queue;
        return claim;
    }

    ActionList actions() const override { return actions::laravelActions(); }
    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override
    {
        return laravelJobReads(primitive.id.name, query, replies);
    }
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override
    {
        return laravelJobs(primitive.id.name, query, replies);
    }

protected:
    enum Place : size_t {
        Length,
        Delayed,
        Reserved,
        Overdue,
        LengthBytes,
        ReservedBytes,
        Paused,
        Firsts
    };

    bool mayFail(const Primitive&, const Command& command) const override
    {
        return command.args().front() == "MEMORY";
    }

    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        const QByteArray& main = primitive.id.name;
        return {{"LLEN", main},
                {"ZCARD", main + ":delayed"},
                {"ZCARD", main + ":reserved"},
                {"ZCOUNT", main + ":reserved", "-inf", QByteArray::number(context.nowMs / 1000)},
                {"MEMORY", "USAGE", main, "SAMPLES", "5"},
                {"MEMORY", "USAGE", main + ":reserved", "SAMPLES", "5"},
                {"GET", pauseKey(primitive)}};
    }

    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const override
    {
        if (replies.size() != Firsts || context.payloads != PayloadRead::Full)
            return {};
        const QByteArray& main = primitive.id.name;
        const qint64 length = countOf(replies[Length]);
        const bool light =
            length > 0 && countOf(replies[LengthBytes]) / length <= mostItemBytes / 4;
        const qint64 jobs = reservedToRead(replies);
        // The range from 1 to 0 is empty. It is read in place of jobs that would weigh too much.
        return {{"LRANGE", main, light ? "0" : "1", "0"},
                jobs > 0 ? Command{"ZRANGE", main + ":reserved", "0", QByteArray::number(jobs - 1),
                                   "WITHSCORES"}
                         : Command{"ZRANGE", main + ":reserved", "1", "0", "WITHSCORES"}};
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        QueueState queue;
        queue.stuckByLibrary = true;
        queue.states = {{"pending", JobRole::Ready, countOf(replies[Length])},
                        {"reserved", JobRole::Processing, countOf(replies[Reserved])},
                        {"delayed", JobRole::Delayed, countOf(replies[Delayed])}};
        queue.stuck = countOf(replies[Overdue]);
        queue.paused = isTrue(replies[Paused]);
        const bool read = replies.size() >= Firsts + 2;
        qint64 bytes = 0;
        if (read) {
            for (const Reply& payload : replies[Firsts].items) {
                const std::optional<JobFacts> job = laravelJobOf(payload.text);
                if (job && job->enqueuedMs)
                    queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - *job->enqueuedMs);
            }
            for (const ScoredMember& job : scoredMembersOf(replies[Firsts + 1])) {
                bytes += job.member.size();
                queue.items.push_back(itemOf(primitive, job, context.nowMs));
            }
        }
        const State* known = context.previous;
        const auto* before = known && !known->problem ? known->as<QueueState>() : nullptr;
        if (!read && before)
            queue.items = before->items;
        const quint64 fingerprint =
            qHashMulti(0, countOf(replies[Reserved]), countOf(replies[Overdue]));
        finalizeQueue(reading.state, std::move(queue), context.nowMs, bytes);
        reading.state.payloads.edit().fingerprint = fingerprint;
        if (!read && before && context.payloads != PayloadRead::Full) {
            reading.state.payloads = known->payloads;
            reading.state.payloads.edit().changed |= known->payloads->fingerprint != fingerprint;
        }
        return reading;
    }

private:
    // If the cache is elsewhere or no scan has found the key, the queue is not shown as paused.
    static QByteArray pauseKey(const Primitive& primitive)
    {
        const QByteArray seen = primitive.key("pause");
        return seen.isEmpty() ? primitive.id.name + ":paused" : seen;
    }
    // The cache stores a value with or without PHP's serialization.
    static bool isTrue(const Reply& value)
    {
        return value.isText() &&
               (value.text == "b:1;" || value.text == "1" || value.text == "i:1;");
    }

    std::optional<Claim> pauseClaim(const Probe& probe) const
    {
        const LaravelPause pause = laravelPauseOf(probe.name);
        const auto main =
            std::find_if(pause.mains.rbegin(), pause.mains.rend(), [&](const QByteArray& name) {
                return probe.sibling(name) == KeyType::List ||
                       probe.sibling(name + ":delayed") == KeyType::ZSet ||
                       probe.sibling(name + ":reserved") == KeyType::ZSet;
            });
        if (main == pause.mains.rend())
            return std::nullopt;
        Claim claim{{id(), *main}, {{mainRole(), *main, true}}, 0.97, pause.queue};
        claim.keys.push_back({QByteArrayLiteral("pause"), probe.name});
        return claim;
    }

    static qint64 reservedToRead(std::span<const Reply> replies)
    {
        const qint64 jobs = countOf(replies[Reserved]);
        const qint64 bytes = std::max<qint64>(1, countOf(replies[ReservedBytes]));
        return std::min({jobs, jobsInProgressRead, jobs * mostItemBytes / bytes});
    }

    static QueueJob itemOf(const Primitive& primitive, const ScoredMember& job, qint64 nowMs)
    {
        const std::optional<JobFacts> facts = laravelJobOf(job.member);
        QueueJob item = queueJobOf(
            StoredJob{primitive.id.name + ":reserved", job.member, facts.value_or(JobFacts())});
        item.facts.leaseAlive = job.score * 1000 > double(nowMs);
        return item;
    }

    Claim claimOf(const Probe& probe, const LaravelName& name) const
    {
        const bool seen = probe.name == name.main || probe.sibling(name.main) == KeyType::List;
        Claim claim{{id(), name.main}, {{mainRole(), name.main, !seen}}, 0.97, name.queue};
        if (!name.part.isEmpty())
            claim.keys.push_back({name.part, probe.name});
        return claim;
    }
};

} // namespace

namespace layouts {
const Layout& laravelQueue()
{
    static const LaravelQueue layout;
    return layout;
}
} // namespace layouts

} // namespace lk
