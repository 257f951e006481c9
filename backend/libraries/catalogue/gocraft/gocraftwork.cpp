// SPDX-License-Identifier: GPL-3.0-or-later
// gocraft/work (https://github.com/gocraft/work). Each job name has a list of JSON and, beside it,
// a list of jobs in progress for each pool of workers. All names share the sets of scheduled,
// retried and dead jobs. A pool is dead when its heartbeat is older than ten seconds.
#include "backend/libraries/catalogue/gocraft/gocraftactions.h"
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

constexpr qint64 poolsRead = 64;
constexpr qint64 deadAfterMs = 10'000; // the library's own value
constexpr qsizetype gocraftWorkNameBytes = 128;
constexpr char jobsWord[] = "jobs:";
constexpr const char* gocraftWorkQueueParts[] = {"paused", "lock", "lock_info", "max_concurrency"};
constexpr const char* gocraftWorkSharedSets[] = {"retry", "dead", "scheduled"};

// The positions of setting()'s replies.
enum Setting : size_t { Pools, Paused, MaxConcurrency, Lock };

struct GocraftWorkName
{
    bool known = false;
    QByteArray space; ///< "work:"; may be empty
    QByteArray queue; ///< the job's name
    /// "" (the queue itself), "inprogress", "paused", "lock", ..., "known_jobs", "worker_pools",
    /// "retry", "dead", "scheduled", "unique", "worker"
    QByteArray part;
    QByteArray pool;
};

template<size_t N> bool gocraftWorkIsOneOf(const QByteArray& word, const char* const (&words)[N])
{
    return std::any_of(std::begin(words), std::end(words),
                       [&](const char* w) { return word == w; });
}

GocraftWorkName ofJobs(const QByteArray& key, qsizetype at)
{
    GocraftWorkName name{true, key.left(at), key.mid(at + qsizetype(qstrlen(jobsWord))), {}, {}};
    if (name.queue.endsWith(":inprogress")) {
        name.queue.chop(int(qstrlen(":inprogress")));
        const qsizetype colon = name.queue.lastIndexOf(':');
        name.pool = name.queue.mid(colon + 1);
        name.queue = name.queue.left(std::max<qsizetype>(colon, 0));
        name.part = "inprogress";
    } else if (const qsizetype colon = name.queue.lastIndexOf(':');
               colon > 0 && gocraftWorkIsOneOf(name.queue.mid(colon + 1), gocraftWorkQueueParts)) {
        name.part = name.queue.mid(colon + 1);
        name.queue = name.queue.left(colon);
    }
    name.known = !name.queue.isEmpty();
    return name;
}

GocraftWorkName gocraftWorkNameOf(const QByteArray& key)
{
    for (const char* word : {"worker_pools:", "worker:", "unique:"}) {
        const qsizetype at = key.indexOf(word);
        if (at == 0 || (at > 0 && key[at - 1] == ':'))
            return {true,
                    key.left(at),
                    {},
                    QByteArray(word).chopped(1),
                    key.mid(at + qsizetype(qstrlen(word)))};
    }
    const qsizetype at = key.indexOf(jobsWord);
    if (at == 0 || (at > 0 && key[at - 1] == ':'))
        return ofJobs(key, at);
    const qsizetype colon = key.lastIndexOf(':');
    const QByteArray part = key.mid(colon + 1);
    const bool shared = part == "known_jobs" || part == "worker_pools" ||
                        part == "last_periodic_enqueue" ||
                        gocraftWorkIsOneOf(part, gocraftWorkSharedSets);
    return shared ? GocraftWorkName{true, key.left(colon + 1), {}, part, {}} : GocraftWorkName();
}

struct GocraftWorkJob
{
    QByteArray name;
    JobFacts facts;
};

// {"name", "id", "t", "args", "fails", "err", "failed_at"}: seconds.
std::optional<GocraftWorkJob> gocraftWorkJobIn(const QByteArray& payload)
{
    const QJsonObject json = jsonObject(payload);
    if (!json.contains(QLatin1String("name")) || !json.contains(QLatin1String("id")) ||
        !json.value(QLatin1String("t")).isDouble())
        return std::nullopt;
    GocraftWorkJob job;
    job.name = jsonText(json, "name");
    job.facts.id = jsonText(json, "id");
    job.facts.name = job.name.left(gocraftWorkNameBytes);
    job.facts.enqueuedMs = timeMs(jsonText(json, "t"));
    job.facts.finishedMs = timeMs(jsonText(json, "failed_at"));
    job.facts.error = firstLine(jsonText(json, "err"));
    if (const QJsonValue fails = json.value(QLatin1String("fails")); fails.isDouble())
        job.facts.attempts = fails.toInteger();
    return job;
}

class GocraftWork final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("gocraft-work"); }
    QString title() const override { return LayoutText::tr("gocraft/work queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("jobs"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type != KeyType::None && type != KeyType::Other && type != KeyType::Stream;
    }
    ActionList actions() const override { return actions::gocraftActions(); }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        return {
            jobsWord, "worker_pools", "worker:",  "unique:", "known_jobs", "last_periodic_enqueue",
            "retry",  "dead",         "scheduled"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType) const override
    {
        const GocraftWorkName key = gocraftWorkNameOf(name);
        if (!key.known)
            return {};
        if (key.part == "known_jobs")
            return {key.space + "worker_pools"};
        const bool listed = !key.queue.isEmpty() || key.part == "worker_pools" ||
                            key.part == "unique" || key.part == "last_periodic_enqueue";
        return listed ? std::vector{key.space + "known_jobs"} : std::vector<QByteArray>();
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const GocraftWorkName key = gocraftWorkNameOf(name);
        if (!key.known)
            return {};
        if (key.queue.isEmpty()) {
            const bool own = key.part == "worker_pools" || key.part == "unique" ||
                             key.part == "worker" || key.part == "last_periodic_enqueue";
            return own ? std::vector{key.space + jobsWord} : std::vector<QByteArray>();
        }
        return gocraftWorkIsOneOf(key.part, gocraftWorkQueueParts)
                   ? std::vector{key.space + jobsWord + key.queue}
                   : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return gocraftWorkNameOf(name).space + jobsWord;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const GocraftWorkName key = gocraftWorkNameOf(probe.name);
        if (!key.known)
            return std::nullopt;
        const bool listed = probe.sibling(key.space + "known_jobs") == KeyType::Set;
        if (key.part == "known_jobs" || gocraftWorkIsOneOf(key.part, gocraftWorkSharedSets)) {
            const std::vector<Claim> claims = alsoNamed(probe);
            return claims.empty() ? std::nullopt : std::optional(claims.front());
        }
        if (key.queue.isEmpty()) {
            const bool pool = key.part == "worker_pools" && probe.type == KeyType::Hash &&
                              hasName(probe, "heartbeat_at");
            const bool worker = key.part == "worker" && probe.type == KeyType::Hash &&
                                hasName(probe, "job_id") && hasName(probe, "started_at");
            return pool || worker || listed
                       ? std::optional(Claim{{id(), key.space + jobsWord}, {}, 0.95, {}})
                       : std::nullopt;
        }
        bool ours = false;
        if (probe.type == KeyType::List && (key.part.isEmpty() || key.part == "inprogress")) {
            const std::optional<GocraftWorkJob> job = gocraftWorkJobIn(probe.first);
            ours = job && job->name == key.queue;
        } else if (gocraftWorkIsOneOf(key.part, gocraftWorkQueueParts) && listed) {
            // The key does not prove a queue, but it belongs to no other library.
            return Claim{{id(), key.space + jobsWord + key.queue}, {}, 0.95, {}};
        }
        return ours ? std::optional(claimOf(probe, key.space, key.queue, key.part)) : std::nullopt;
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        std::vector<Claim> claims;
        const GocraftWorkName key = gocraftWorkNameOf(probe.name);
        const auto add = [&](const QByteArray& queue) {
            const QByteArray main = key.space + jobsWord + queue;
            const bool known = std::any_of(claims.begin(), claims.end(),
                                           [&](const Claim& c) { return c.id.name == main; });
            if (!queue.isEmpty() && !known)
                claims.push_back(claimOf(probe, key.space, queue, key.part));
        };
        if (key.part == "known_jobs" && probe.type == KeyType::Set &&
            probe.sibling(key.space + "worker_pools") == KeyType::Set) {
            for (const QByteArray& queue : probe.sample)
                add(queue);
        } else if (gocraftWorkIsOneOf(key.part, gocraftWorkSharedSets) && key.queue.isEmpty() &&
                   probe.type == KeyType::ZSet) {
            for (const ScoredMember& member : probe.members) {
                if (const std::optional<GocraftWorkJob> job = gocraftWorkJobIn(member.member))
                    add(job->name);
            }
        }
        return claims;
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        const QByteArray& key = primitive.id.name;
        return {{"SRANDMEMBER", gocraftWorkNameOf(key).space + "worker_pools",
                 QByteArray::number(poolsRead)},
                {"EXISTS", key + ":paused"},
                {"GETRANGE", key + ":max_concurrency", "0", "20"},
                {"GETRANGE", key + ":lock", "0", "20"}};
    }
    std::vector<Command> furtherSetting(const Primitive& primitive,
                                        const QueueSetting& setting) const override
    {
        std::vector<Command> commands;
        for (const QByteArray& pool : poolsOf(primitive, setting))
            commands.push_back({"HMGET",
                                gocraftWorkNameOf(primitive.id.name).space + "worker_pools:" + pool,
                                "heartbeat_at", "job_names", "host", "pid"});
        return commands;
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        const QByteArray& key = primitive.id.name;
        const QByteArray space = gocraftWorkNameOf(key).space;
        std::vector<JobsKey> keys{{"queued", JobRole::Ready, key, Shape::FromRight}};
        for (const QByteArray& pool : poolsOf(primitive, setting))
            keys.push_back({"in-progress", JobRole::Processing, key + ':' + pool + ":inprogress",
                            Shape::FromRight, pool});
        if (keys.size() == 1)
            keys.push_back({"in-progress", JobRole::Processing, key + "::inprogress"});
        keys.push_back(
            {"scheduled", JobRole::Delayed, space + "scheduled", Shape::Sorted, {}, true});
        keys.push_back({"retry", JobRole::Delayed, space + "retry", Shape::Sorted, {}, true});
        keys.push_back({"dead", JobRole::Dead, space + "dead", Shape::Newest, {}, true});
        return keys;
    }

    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting& setting, const JobRead& read) const override
    {
        std::optional<GocraftWorkJob> job = gocraftWorkJobIn(read.element);
        if (key.shared && (!job || job->name != gocraftWorkNameOf(primitive.id.name).queue))
            return std::nullopt;
        JobFacts facts = job ? std::move(job->facts) : JobFacts();
        if (key.role == JobRole::Delayed && read.score)
            facts.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing)
            facts.leaseAlive = poolNamed(primitive, key.worker, setting).alive;
        return facts;
    }

    void finish(const Primitive& primitive, State& state, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.paused = countOf(setting.first[Paused]) > 0;
        queue.workersKnown = !setting.first[Pools].isError();
        for (const QByteArray& pool : poolsOf(primitive, setting)) {
            QueueWorker worker = poolNamed(primitive, pool, setting);
            worker.jobs =
                std::count_if(queue.items.begin(), queue.items.end(),
                              [&](const QueueJob& item) { return item.facts.worker == pool; });
            if (worker.jobs > 0 || servesQueue(primitive, pool, setting))
                queue.workers.push_back(std::move(worker));
        }
        if (const auto most = integerOf(setting.first[MaxConcurrency]); most && *most > 0) {
            state.facts.push_back(
                {LayoutText::tr("Concurrency"), QString::number(*most), Source::Stored});
            state.facts.push_back({LayoutText::tr("Counted as in progress"),
                                   QString::number(integerOf(setting.first[Lock]).value_or(0)),
                                   Source::Stored});
        }
    }

private:
    static bool hasName(const Probe& probe, const char* name)
    {
        return std::find(probe.fieldNames.begin(), probe.fieldNames.end(), name) !=
               probe.fieldNames.end();
    }

    Claim claimOf(const Probe& probe, const QByteArray& space, const QByteArray& queue,
                  const QByteArray& part) const
    {
        const QByteArray main = space + jobsWord + queue;
        Claim claim{{id(), main}, {{mainRole(), main, probe.name != main}}, 0.97, queue};
        if (probe.name != main)
            claim.keys.push_back({part, probe.name});
        return claim;
    }

    // Returns the registered pools, and those that are no longer registered but still have a list.
    static std::vector<QByteArray> poolsOf(const Primitive& primitive, const QueueSetting& setting)
    {
        std::vector<QByteArray> pools;
        for (const Reply& pool : setting.first[Pools].items)
            pools.push_back(pool.text);
        for (const KeyRole& key : primitive.keys) {
            const QByteArray pool =
                key.role == "inprogress" ? gocraftWorkNameOf(key.key).pool : QByteArray();
            if (!pool.isEmpty() && std::find(pools.begin(), pools.end(), pool) == pools.end())
                pools.push_back(pool);
        }
        std::sort(pools.begin(), pools.end());
        return pools;
    }

    static const Reply* beatOf(const Primitive& primitive, const QByteArray& pool,
                               const QueueSetting& setting)
    {
        const std::vector<QByteArray> pools = poolsOf(primitive, setting);
        const auto at = size_t(std::find(pools.begin(), pools.end(), pool) - pools.begin());
        return at < setting.second.size() ? &setting.second[at] : nullptr;
    }

    static QueueWorker poolNamed(const Primitive& primitive, const QByteArray& pool,
                                 const QueueSetting& setting)
    {
        QueueWorker worker;
        worker.name = pool;
        const Reply* beat = beatOf(primitive, pool, setting);
        if (!beat || beat->isError())
            return worker;
        worker.lastSeenMs = timeMs(fieldText(*beat, 0));
        worker.host = fieldText(*beat, 2);
        worker.process = fieldText(*beat, 3);
        worker.alive = worker.lastSeenMs && setting.nowMs - *worker.lastSeenMs < deadAfterMs;
        return worker;
    }

    static bool servesQueue(const Primitive& primitive, const QByteArray& pool,
                            const QueueSetting& setting)
    {
        const Reply* beat = beatOf(primitive, pool, setting);
        return beat &&
               fieldText(*beat, 1).split(',').contains(gocraftWorkNameOf(primitive.id.name).queue);
    }
};

} // namespace

LK_LAYOUT(gocraftWork, GocraftWork)

} // namespace lk
