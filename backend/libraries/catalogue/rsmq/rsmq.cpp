// SPDX-License-Identifier: GPL-3.0-or-later
// rsmq 0.9 to 0.12 (https://github.com/smrchy/rsmq). The sorted set <prefix>:<queue> contains the
// message ids, scored by the time at which they become visible (ms). The hash <prefix>:<queue>:Q
// contains the queue's settings and, for each message, <id> (its body), <id>:rc (the number of
// receives) and <id>:fr (the time of the first one, ms). A received message becomes visible again
// unless it is deleted, so none gets stuck. A hidden message that was never received was sent with
// a delay.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/rsmq/rsmqactions.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/redis/server/serverinfo.h"

#include <algorithm>
#include <cctype>

namespace lk {

namespace {

constexpr qint64 mostHidden = 500; ///< the most hidden messages whose receipts are read
constexpr qint64 mostBodyBytes = 64 * 1024;
constexpr qint64 rsmqMostDetailBytes = 1024 * 1024;
constexpr const char* visible = "visible";
constexpr const char* receivedState = "in-flight";
constexpr const char* delayed = "delayed";

// Ten digits in base 36 (the time of sending in us), then 22 random letters or digits.
bool isMessageId(const QByteArray& id)
{
    return id.size() == 32 && std::all_of(id.begin(), id.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c));
           });
}

// Whether the last part of a key may be a queue's name. rsmq allows letters, digits, - and _. A
// name that begins with a digit is more likely a number of something else. Such a queue is detected
// only by its settings.
bool mayBeQueue(QByteArrayView key)
{
    const QByteArrayView queue = key.sliced(key.lastIndexOf(':') + 1);
    return queue.size() < key.size() && !queue.isEmpty() &&
           std::isalpha(static_cast<unsigned char>(queue[0])) &&
           std::all_of(queue.begin(), queue.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
           });
}

std::optional<qint64> sentMs(const QByteArray& id)
{
    bool fine = false;
    const qint64 us = id.left(10).toLongLong(&fine, 36);
    return fine && timeUnitOf(double(us)) == TimeUnit::Microseconds ? std::optional(us / 1000)
                                                                    : std::nullopt;
}

QByteArray settingsKey(const QByteArray& queue)
{
    return queue + ":Q";
}

QByteArray at(qint64 ms)
{
    return QByteArray::number(ms);
}

Command receipts(const QByteArray& queue, const std::vector<QByteArray>& ids)
{
    Command command{"HMGET", settingsKey(queue)};
    for (const QByteArray& id : ids)
        command << id + ":rc" << id + ":fr";
    return command;
}

// Takes the i-th of the receipts that receipts() reads.
void takeReceipts(JobFacts& job, const Reply& receipts, size_t i)
{
    job.attempts = wholeNumber(fieldText(receipts, 2 * i)).value_or(0);
    job.startedMs = timeMs(fieldText(receipts, 2 * i + 1));
}

JobFacts messageOf(const ScoredMember& member)
{
    JobFacts job;
    job.id = member.member;
    job.enqueuedMs = sentMs(member.member);
    job.dueMs = wholeMs(member.score);
    return job;
}

class Rsmq final : public Layout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rsmq"); }
    QString title() const override { return LayoutText::tr("rsmq queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("settings"); }
    KeyType mainType() const override { return KeyType::Hash; }
    bool allowsKeyActions() const override { return false; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::Hash || type == KeyType::ZSet;
    }
    std::vector<QByteArray> hashFields() const override { return {"vt", "maxsize"}; }
    ActionList actions() const override { return actions::rsmqActions(); }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const bool settings = probe.type == KeyType::Hash && probe.name.endsWith(":Q");
        if (settings ? !isQueue(probe) : !isMessages(probe))
            return std::nullopt;
        const QByteArray queue = settings ? probe.name.chopped(2) : probe.name;
        Claim claim{{id(), queue}, {{mainRole(), settingsKey(queue)}}, 0.97};
        claim.keys.push_back({"messages", queue, settings});
        claim.label = queue.mid(queue.lastIndexOf(':') + 1);
        return claim;
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        return type == KeyType::ZSet && mayBeQueue(name) ? std::vector{settingsKey(name)}
                                                         : std::vector<QByteArray>();
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        return mayBeQueue(name) ? std::vector{name} : std::vector<QByteArray>();
    }

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override;
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive,
                                          JobQuery query) const override;
    Read<JobDetail> readJob(const Primitive& primitive, QByteArray state,
                            QByteArray job) const override;

private:
    static bool isQueue(const Probe& probe)
    {
        const QByteArray* vt = probe.field("vt");
        const QByteArray* size = probe.field("maxsize");
        return vt && size && wholeNumber(*vt) && wholeNumber(*size);
    }
    static bool isMessages(const Probe& probe)
    {
        return probe.type == KeyType::ZSet && !probe.siblings.empty() &&
               probe.sibling(settingsKey(probe.name)) == KeyType::Hash && !probe.members.empty() &&
               std::all_of(probe.members.begin(), probe.members.end(), [](const ScoredMember& m) {
                   return isMessageId(m.member) && timeUnitOf(m.score) == TimeUnit::Milliseconds;
               });
    }
};

std::vector<QByteArray> idsOf(const std::vector<ScoredMember>& members)
{
    std::vector<QByteArray> ids;
    for (const ScoredMember& member : members)
        ids.push_back(member.member);
    return ids;
}

// Messages that become visible later, the next one first.
Command hiddenRead(const QByteArray& queue, const QByteArray& now)
{
    return {"ZRANGEBYSCORE", queue, '(' + now, "+inf", "WITHSCORES", "LIMIT", "0", at(mostHidden)};
}

// These messages, with their receipts.
Read<std::vector<JobFacts>> readMessages(QByteArray queue, std::vector<ScoredMember> members)
{
    std::vector<JobFacts> messages;
    std::vector<Command> commands;
    if (!members.empty())
        commands.push_back(receipts(queue, idsOf(members)));
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    for (size_t i = 0; i < members.size(); ++i) {
        messages.push_back(messageOf(members[i]));
        takeReceipts(messages.back(), replies[0], i);
    }
    co_return messages;
}

Read<DecodeResult> Rsmq::readState(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray& name = primitive.id.name;
    const QByteArray now = at(context.nowMs);
    std::vector<Command> first{
        Command{"ZCOUNT", name, "-inf", now}, Command{"ZCOUNT", name, '(' + now, "+inf"},
        Command{"ZRANGEBYSCORE", name, "-inf", now, "WITHSCORES", "LIMIT", "0", "1"},
        hiddenRead(name, now),
        Command{"HMGET", settingsKey(name), "vt", "delay", "totalrecv", "totalsent"}};
    const std::vector<Reply> replies = co_await ask(std::move(first));
    QueueState queue;
    const std::vector<JobFacts> messages = co_await readMessages(name, scoredMembersOf(replies[3]));
    qint64 taken = 0;
    for (const JobFacts& message : messages) {
        if (message.attempts == 0 || ++taken > jobsInProgressRead)
            continue;
        QueueJob item;
        item.facts = message;
        item.key = name;
        item.fingerprint = fingerprintOf(item.facts.id);
        queue.items.push_back(std::move(item));
    }
    const qint64 hidden = countOf(replies[1]);
    const bool all = hidden == qint64(messages.size());
    queue.states = {
        {visible, JobRole::Ready, countOf(replies[0])},
        {receivedState, JobRole::Processing, all ? std::optional(taken) : std::nullopt},
        {delayed, JobRole::Delayed, all ? std::optional(hidden - taken) : std::nullopt}};
    queue.stuckByLibrary = true;
    for (const ScoredMember& oldest : scoredMembersOf(replies[2]))
        queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - wholeMs(oldest.score));
    DecodeResult reading;
    const Reply& settings = replies[4];
    if (const auto seconds = wholeNumber(fieldText(settings, 0)))
        reading.state.facts.push_back({LayoutText::tr("Visible again after"),
                                       LayoutText::tr("%1 s").arg(*seconds), Source::Stored});
    if (const auto total = wholeNumber(fieldText(settings, 3)))
        reading.state.facts.push_back(
            {LayoutText::tr("Messages sent"), QString::number(*total), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    co_return reading;
}

Command visibleRead(const QByteArray& queue, const QByteArray& now, const JobQuery& query)
{
    return {"ZRANGEBYSCORE", queue,   "-inf",           now,
            "WITHSCORES",    "LIMIT", at(query.offset), at(query.limit)};
}

// The server's time decides which messages are visible.
Read<std::vector<StoredJob>> Rsmq::readJobs(const Primitive& primitive, JobQuery query) const
{
    std::vector<StoredJob> found;
    const QByteArray& queue = primitive.id.name;
    if (query.state != visible && query.state != receivedState && query.state != delayed)
        co_return found;
    const std::vector<Command> time{{"TIME"}};
    const std::vector<Reply> answer = co_await ask(time);
    const QByteArray now = at(timeFromReply(answer[0]).value_or(0));
    const std::vector<Command> ids(1, query.state == visible ? visibleRead(queue, now, query)
                                                             : hiddenRead(queue, now));
    const std::vector<Reply> listed = co_await ask(ids);
    std::vector<JobFacts> messages = co_await readMessages(queue, scoredMembersOf(listed[0]));
    if (query.state != visible) {
        std::erase_if(messages, [&](const JobFacts& message) {
            return (query.state == receivedState) != (message.attempts > 0);
        });
        cutToPage(messages, query);
    }
    std::vector<Command> lengths;
    for (const JobFacts& message : messages)
        lengths.push_back({"HSTRLEN", settingsKey(queue), message.id});
    const std::vector<Reply> sizes = co_await ask(std::move(lengths));
    Command fields{"HMGET", settingsKey(queue)};
    for (size_t i = 0; i < messages.size(); ++i)
        fields << (countOf(sizes[i]) <= mostBodyBytes ? messages[i].id : QByteArray());
    const std::vector<Command> bodies(messages.empty() ? 0 : 1, fields);
    const std::vector<Reply> payloads = co_await ask(bodies);
    for (size_t i = 0; i < messages.size(); ++i) {
        StoredJob stored{queue, fieldText(payloads[0], i), std::move(messages[i])};
        stored.size = countOf(sizes[i]);
        found.push_back(std::move(stored));
    }
    co_return found;
}

Read<JobDetail> Rsmq::readJob(const Primitive& primitive, QByteArray, QByteArray job) const
{
    JobDetail detail;
    const QByteArray& queue = primitive.id.name;
    const std::vector<Command> first{Command{"HSTRLEN", settingsKey(queue), job},
                                     Command{"ZSCORE", queue, job},
                                     receipts(queue, std::vector<QByteArray>(1, job))};
    const std::vector<Reply> replies = co_await ask(first);
    const std::optional<double> score = scoreOf(replies[1].text);
    if (!score) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        co_return detail;
    }
    detail.facts = messageOf({job, *score});
    takeReceipts(detail.facts, replies[2], 0);
    detail.payloadCut = countOf(replies[0]) > rsmqMostDetailBytes;
    if (detail.payloadCut)
        co_return detail;
    const std::vector<Command> body{{"HGET", settingsKey(queue), job}};
    const std::vector<Reply> payload = co_await ask(body);
    if (payload[0].isText())
        detail.payload = payload[0].text;
    co_return detail;
}

} // namespace

LK_LAYOUT(rsmq, Rsmq)

} // namespace lk
