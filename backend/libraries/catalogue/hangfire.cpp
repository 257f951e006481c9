// SPDX-License-Identifier: GPL-3.0-or-later
// Hangfire on Redis (Hangfire.Redis.StackExchange, https://www.hangfire.io). Each queue has a list
// of ids and a list of those that a server has fetched. Each job has a hash and another one for its
// state. All queues share the sets of scheduled and failed jobs.
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

constexpr qint64 serversRead = 64;
constexpr qint64 invisibleMs = 30 * 60'000; // the default; a server's own setting is not stored
constexpr qsizetype nameBytes = 128;
constexpr char queueWord[] = "queue:";
constexpr char fetchedWord[] = ":dequeued";

// The positions of setting()'s replies.
enum Setting : size_t { Servers, Queues, Succeeded, Failed };
// The fields of a job's hash, and those of the hash of its state.
constexpr const char* hangfireFields[] = {"Type", "Method", "CreatedAt", "Fetched", "State"};
enum JobField : size_t { Type, Method, CreatedAt, Fetched };
constexpr const char* stateFields[] = {"StartedAt",   "ServerId",      "EnqueuedAt",
                                       "FailedAt",    "ExceptionType", "ExceptionMessage",
                                       "SucceededAt", "Latency",       "PerformanceDuration"};
enum StateField : size_t {
    StartedAt,
    ServerId,
    EnqueuedAt,
    FailedAt,
    ExceptionType,
    ExceptionMessage,
    SucceededAt,
    Latency, // from its creation to its start, ms
    PerformanceDuration,
};

struct Name
{
    bool known = false;
    QByteArray space; ///< "{hangfire}:"; may be empty
    QByteArray queue;
    QByteArray part; ///< "queue", "dequeued", "job", "server", "queues", "servers", "stats", ...
};

Name nameOf(const QByteArray& key)
{
    const auto after = [&](const char* word) -> qsizetype {
        const qsizetype at = key.indexOf(word);
        return at == 0 || (at > 0 && key[at - 1] == ':') ? at : -1;
    };
    for (const char* word : {"job:", "server:", "stats:"}) {
        if (const qsizetype at = after(word); at >= 0)
            return {true, key.left(at), {}, QByteArray(word).chopped(1)};
    }
    if (const qsizetype at = after(queueWord); at >= 0) {
        Name name{true, key.left(at), key.mid(at + qsizetype(qstrlen(queueWord))), "queue"};
        if (name.queue.endsWith(fetchedWord)) {
            name.queue.chop(int(qstrlen(fetchedWord)));
            name.part = "dequeued";
        } else if (name.queue.endsWith(":dequeued:lock")) {
            name.part = "lock";
        }
        name.known = !name.queue.isEmpty();
        return name;
    }
    const qsizetype colon = key.lastIndexOf(':');
    const QByteArray part = key.mid(colon + 1);
    const bool shared = part == "queues" || part == "servers" || part == "schedule" ||
                        part == "processing" || part == "failed" || part == "succeeded" ||
                        part == "deleted";
    return shared ? Name{true, key.left(colon + 1), {}, part} : Name();
}

// A time is text, or milliseconds from version 1.7 on.
std::optional<qint64> momentOf(const QByteArray& text)
{
    const std::optional<qint64> number = timeMs(text);
    return number ? number : isoTimeMs(text);
}

// "Shop.Mail.Sender, Shop" and "Send" -> "Sender.Send"
QByteArray jobName(const QByteArray& type, const QByteArray& method)
{
    const QByteArray full = type.left(type.indexOf(','));
    const QByteArray name = full.mid(full.lastIndexOf('.') + 1);
    return (name.isEmpty() || method.isEmpty() ? name + method : name + '.' + method)
        .left(nameBytes);
}

class Hangfire final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("hangfire"); }
    QString title() const override { return LayoutText::tr("Hangfire queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type != KeyType::None && type != KeyType::Other && type != KeyType::Stream;
    }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        return {"job:",     "server:",    "stats:", queueWord,   "queues", "servers",
                "schedule", "processing", "failed", "succeeded", "deleted"};
    }
    // A queue's list contains ids.
    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe) const override
    {
        const QByteArray part = nameOf(probe.name).part;
        const bool ours = (part != "queue" && part != "dequeued") ||
                          (probe.type == KeyType::List && isUuid(probe.first));
        return ours ? siblings(probe.name, probe.type) : std::vector<QByteArray>();
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const Name key = nameOf(name);
        if (!key.known || type == KeyType::Hash)
            return {};
        return {key.space + "servers", key.space + "stats:succeeded", key.space + "queues"};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const Name key = nameOf(name);
        const bool ofAll = key.part == "job" || key.part == "server" || key.part == "stats" ||
                           key.part == "servers" || key.part == "succeeded" ||
                           key.part == "deleted" || key.part == "processing" ||
                           key.part == "failed" || key.part == "schedule";
        return key.known && ofAll ? std::vector{key.space + queueWord} : std::vector<QByteArray>();
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return nameOf(name).space + queueWord;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const Name key = nameOf(probe.name);
        if (!key.known)
            return std::nullopt;
        const Claim ofAll{{id(), key.space + queueWord}, {}, 0.98, {}};
        if (probe.type == KeyType::Hash) {
            const bool job =
                key.part == "job" && ((hasName(probe, "Type") && hasName(probe, "Method")) ||
                                      (hasName(probe, "State") && probe.name.endsWith(":state")));
            const bool server = key.part == "server" && hasName(probe, "WorkerCount");
            return job || server ? std::optional(ofAll) : std::nullopt;
        }
        // Other libraries also have a set of their queues' names. Only Hangfire has this pair.
        const auto sibling = [&](const char* part) {
            return probe.name == key.space + part ? probe.type : probe.sibling(key.space + part);
        };
        const bool ours =
            sibling("queues") == KeyType::Set &&
            (sibling("servers") == KeyType::Set || sibling("stats:succeeded") == KeyType::String);
        if (!ours)
            return std::nullopt;
        if (key.part == "queue" || key.part == "dequeued") {
            if (probe.type != KeyType::List || !isUuid(probe.first))
                return std::nullopt;
            return claimOf(probe, key.space, key.queue, key.part);
        }
        if (key.part == "queues") {
            std::vector<Claim> claims = alsoNamed(probe);
            return claims.empty() ? ofAll : std::move(claims.front());
        }
        return ofAll;
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        std::vector<Claim> claims;
        const Name key = nameOf(probe.name);
        const bool ours = key.part == "queues" && probe.type == KeyType::Set &&
                          key.space.contains("hangfire") &&
                          probe.sibling(key.space + "stats:succeeded") == KeyType::String;
        for (const QByteArray& queue : ours ? probe.sample : std::vector<QByteArray>())
            claims.push_back(claimOf(probe, key.space, queue, key.part));
        return claims;
    }

protected:
    JobNumbers numbers() const override
    {
        return JobNumber::Throughput | JobNumber::Waiting | JobNumber::Running;
    }
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        const QByteArray space = nameOf(primitive.id.name).space;
        return {{"SRANDMEMBER", space + "servers", QByteArray::number(serversRead)},
                {"SCARD", space + "queues"},
                {"GETRANGE", space + "stats:succeeded", "0", "20"},
                {"GETRANGE", space + "stats:failed", "0", "20"}};
    }
    std::vector<Command> furtherSetting(const Primitive& primitive,
                                        const QueueSetting& setting) const override
    {
        const QByteArray space = nameOf(primitive.id.name).space;
        std::vector<Command> commands;
        for (const Reply& server : setting.first[Servers].items) {
            commands.push_back(
                {"HMGET", space + "server:" + server.text, "Heartbeat", "StartedAt"});
            commands.push_back({"LRANGE", space + "server:" + server.text + ":queues", "0", "63"});
        }
        return commands;
    }

    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        const QByteArray& key = primitive.id.name;
        const QByteArray space = nameOf(key).space;
        return {{"enqueued", JobRole::Ready, key, Shape::FromRight},
                {"fetched", JobRole::Processing, key + fetchedWord, Shape::FromRight},
                {"scheduled", JobRole::Delayed, space + "schedule", Shape::Sorted},
                {"failed", JobRole::Dead, space + "failed", Shape::Newest},
                {"succeeded", JobRole::Done, space + "succeeded", Shape::FromLeft}};
    }

    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {nameOf(primitive.id.name).space + "job:" + jobId(element), "Arguments", true};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey&, const QueueSetting&,
                                    const QByteArray& element) const override
    {
        const QByteArray key = nameOf(primitive.id.name).space + "job:" + jobId(element);
        Command job{"HMGET", key};
        for (const char* field : hangfireFields)
            job << field;
        Command state{"HMGET", key + ":state"};
        for (const char* field : stateFields)
            state << field;
        return {job, state};
    }

    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = jobId(read.element);
        if (read.replies.size() < 2)
            return job;
        const Reply& hash = read.replies[0];
        const Reply& state = read.replies[1];
        job.name = jobName(fieldText(hash, Type), fieldText(hash, Method));
        job.enqueuedMs = momentOf(fieldText(state, EnqueuedAt));
        if (!job.enqueuedMs)
            job.enqueuedMs = momentOf(fieldText(hash, CreatedAt));
        const QByteArray exception = fieldText(state, ExceptionType);
        const QByteArray message = fieldText(state, ExceptionMessage);
        job.error = firstLine(message.isEmpty() ? exception : exception + ": " + message);
        if (key.role == JobRole::Dead)
            job.finishedMs = momentOf(fieldText(state, FailedAt));
        if (key.role == JobRole::Done) {
            job.finishedMs = momentOf(fieldText(state, SucceededAt));
            const auto ran = wholeNumber(fieldText(state, PerformanceDuration));
            const auto waited = wholeNumber(fieldText(state, Latency));
            if (job.finishedMs && ran)
                job.startedMs = *job.finishedMs - *ran;
            if (job.startedMs && waited)
                job.readyMs = *job.startedMs - *waited;
        }
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing) {
            job.startedMs = momentOf(fieldText(state, StartedAt));
            job.worker = fieldText(state, ServerId);
            const std::optional<qint64> fetched = momentOf(fieldText(hash, Fetched));
            if (!job.startedMs)
                job.startedMs = fetched;
            const bool invisible = fetched && setting.nowMs - *fetched > invisibleMs;
            // Between the fetch and the first state it is unknown whether a worker has the job.
            if (invisible || !job.worker.isEmpty())
                job.leaseAlive = !invisible && isKnown(job.worker, setting);
        }
        return job;
    }

    void finish(const Primitive& primitive, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        // All queues share these sets, and the jobs in them do not name their queue.
        if (countOf(setting.first[Queues]) > 1) {
            for (JobState& state : queue.states) {
                if (state.name != "enqueued" && state.name != "fetched")
                    state.count = std::nullopt;
            }
            queue.failures.clear();
            queue.failuresRead = 0;
        }
        takeTotals(queue, setting);
        const QByteArray name = nameOf(primitive.id.name).queue;
        queue.workersKnown = !setting.first[Servers].isError();
        const std::vector<Reply>& servers = setting.first[Servers].items;
        for (size_t i = 0; i < servers.size() && 2 * i + 1 < setting.second.size(); ++i) {
            const std::vector<Reply>& listens = setting.second[2 * i + 1].items;
            const bool ours = std::any_of(listens.begin(), listens.end(),
                                          [&](const Reply& q) { return q.text == name; });
            if (!ours)
                continue;
            QueueWorker worker;
            worker.name = servers[i].text;
            const QList<QByteArray> parts = worker.name.split(':');
            worker.host = parts.value(0);
            worker.process = parts.value(1);
            worker.lastSeenMs = momentOf(fieldText(setting.second[2 * i], 0));
            worker.alive = isKnown(worker.name, setting);
            worker.jobs =
                std::count_if(queue.items.begin(), queue.items.end(), [&](const QueueJob& item) {
                    return item.facts.worker == worker.name;
                });
            queue.workers.push_back(std::move(worker));
        }
    }

private:
    static void takeTotals(QueueState& queue, const QueueSetting& setting)
    {
        queue.completedTotal = integerOf(setting.first[Succeeded]);
        if (!queue.completedTotal)
            return;
        queue.failedTotal = integerOf(setting.first[Failed]).value_or(0);
        const bool alone = countOf(setting.first[Queues]) <= 1;
        queue.rateSource = alone ? RateSource::Totals : RateSource::TotalsOfAll;
    }

    static bool hasName(const Probe& probe, const char* name)
    {
        return std::find(probe.fieldNames.begin(), probe.fieldNames.end(), name) !=
               probe.fieldNames.end();
    }

    Claim claimOf(const Probe& probe, const QByteArray& space, const QByteArray& queue,
                  const QByteArray& part) const
    {
        const QByteArray main = space + queueWord + queue;
        Claim claim{{id(), main}, {{mainRole(), main, probe.name != main}}, 0.98, queue};
        if (probe.name != main)
            claim.keys.push_back({part, probe.name});
        return claim;
    }

    // The queue may precede the id of a scheduled job.
    static QByteArray jobId(const QByteArray& element)
    {
        return element.mid(element.lastIndexOf(':') + 1);
    }

    // Hangfire's own watchdog removes a server that has had no heartbeat.
    static bool isKnown(const QByteArray& server, const QueueSetting& setting)
    {
        const std::vector<Reply>& servers = setting.first[Servers].items;
        for (size_t i = 0; i < servers.size() && 2 * i < setting.second.size(); ++i) {
            if (servers[i].text == server)
                return !fieldText(setting.second[2 * i], 1).isEmpty();
        }
        return false;
    }
};

} // namespace

LK_LAYOUT(hangfire, Hangfire)

} // namespace lk
