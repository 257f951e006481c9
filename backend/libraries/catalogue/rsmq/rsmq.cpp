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

class Rsmq final : public PlannedLayout, public SiblingKeys
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

std::vector<Command> Rsmq::reads(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray& queue = primitive.id.name;
    const QByteArray now = at(context.nowMs);
    return {{"ZCOUNT", queue, "-inf", now},
            {"ZCOUNT", queue, '(' + now, "+inf"},
            {"ZRANGEBYSCORE", queue, "-inf", now, "WITHSCORES", "LIMIT", "0", "1"},
            {"ZRANGEBYSCORE", queue, '(' + now, "+inf", "WITHSCORES", "LIMIT", "0",
             QByteArray::number(mostHidden)},
            {"HMGET", settingsKey(queue), "vt", "delay", "totalrecv", "totalsent"}};
}

std::vector<Command> Rsmq::furtherReads(const Primitive& primitive, const ReadContext&,
                                        std::span<const Reply> replies) const
{
    if (replies.size() != 5 || replies[3].items.empty())
        return {};
    std::vector<QByteArray> ids;
    for (const ScoredMember& member : scoredMembersOf(replies[3]))
        ids.push_back(member.member);
    return {receipts(primitive.id.name, ids)};
}

DecodeResult Rsmq::read(const Primitive& primitive, std::span<const Reply> replies,
                        const ReadContext& context) const
{
    DecodeResult reading;
    QueueState queue;
    const qint64 hidden = countOf(replies[1]);
    const std::vector<ScoredMember> members = scoredMembersOf(replies[3]);
    qint64 taken = 0;
    for (size_t i = 0; i < members.size() && replies.size() > 5; ++i) {
        QueueJob item;
        item.facts = messageOf(members[i]);
        takeReceipts(item.facts, replies[5], i);
        if (item.facts.attempts == 0)
            continue;
        ++taken;
        if (taken > jobsInProgressRead)
            continue;
        item.key = primitive.id.name;
        item.fingerprint = fingerprintOf(item.facts.id);
        queue.items.push_back(std::move(item));
    }
    const bool all = hidden == qint64(members.size());
    queue.states = {
        {visible, JobRole::Ready, countOf(replies[0])},
        {receivedState, JobRole::Processing, all ? std::optional(taken) : std::nullopt},
        {delayed, JobRole::Delayed, all ? std::optional(hidden - taken) : std::nullopt}};
    queue.stuckByLibrary = true;
    for (const ScoredMember& oldest : scoredMembersOf(replies[2]))
        queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - wholeMs(oldest.score));
    const Reply& settings = replies[4];
    if (const auto seconds = wholeNumber(fieldText(settings, 0)))
        reading.state.facts.push_back({LayoutText::tr("Visible again after"),
                                       LayoutText::tr("%1 s").arg(*seconds), Source::Stored});
    if (const auto total = wholeNumber(fieldText(settings, 3)))
        reading.state.facts.push_back(
            {LayoutText::tr("Messages sent"), QString::number(*total), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    return reading;
}

// The server's time decides which messages are visible, so it is read first. The ids, their sizes
// and receipts, and the bodies follow.
Command idsRead(const QByteArray& queue, const JobQuery& query, const Reply& time)
{
    const QByteArray now = at(timeFromReply(time).value_or(0));
    if (query.state == visible)
        return {"ZRANGEBYSCORE", queue,   "-inf",           now,
                "WITHSCORES",    "LIMIT", at(query.offset), at(query.limit)};
    return {"ZRANGEBYSCORE", queue, '(' + now, "+inf", "WITHSCORES", "LIMIT", "0", at(mostHidden)};
}

struct Messages
{
    std::vector<ScoredMember> page;
    std::vector<size_t> receipts; ///< for each message, its position in the reply to receipts()
};

// replies: the time, the ids, the receipts.
Messages messagesOf(const JobQuery& query, std::span<const Reply> replies)
{
    Messages messages;
    const std::vector<ScoredMember> all = scoredMembersOf(replies[1]);
    qint64 place = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        JobFacts job;
        takeReceipts(job, replies[2], i);
        if (query.state != visible) {
            if ((query.state == receivedState) != (job.attempts > 0))
                continue;
            const qint64 here = place++;
            if (here < query.offset || here >= query.offset + query.limit)
                continue;
        }
        messages.page.push_back(all[i]);
        messages.receipts.push_back(i);
    }
    return messages;
}

std::vector<Command> Rsmq::jobReads(const Primitive& primitive, const JobQuery& query,
                                    std::span<const Reply> replies) const
{
    const QByteArray& queue = primitive.id.name;
    if (query.state != visible && query.state != receivedState && query.state != delayed)
        return {};
    if (replies.empty())
        return {Command{"TIME"}};
    if (replies.size() == 1)
        return {idsRead(queue, query, replies[0])};
    if (replies[1].items.empty())
        return {};
    if (replies.size() == 2) {
        std::vector<QByteArray> ids;
        for (const ScoredMember& member : scoredMembersOf(replies[1]))
            ids.push_back(member.member);
        return {receipts(queue, ids)};
    }
    const Messages messages = messagesOf(query, replies);
    const size_t n = messages.page.size();
    std::vector<Command> commands;
    if (replies.size() == 3) {
        for (const ScoredMember& member : messages.page)
            commands.push_back({"HSTRLEN", settingsKey(queue), member.member});
    } else if (replies.size() == 3 + n && n > 0) {
        Command bodies{"HMGET", settingsKey(queue)};
        for (size_t i = 0; i < n; ++i)
            bodies << (countOf(replies[3 + i]) <= mostBodyBytes ? messages.page[i].member
                                                                : QByteArray());
        commands.push_back(std::move(bodies));
    }
    return commands;
}

std::vector<StoredJob> Rsmq::jobs(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const
{
    std::vector<StoredJob> found;
    if (replies.size() < 4)
        return found;
    const Messages messages = messagesOf(query, replies);
    const size_t n = messages.page.size();
    for (size_t i = 0; i < n && replies.size() == 4 + n; ++i) {
        StoredJob stored{primitive.id.name, fieldText(replies.back(), i)};
        stored.facts = messageOf(messages.page[i]);
        takeReceipts(stored.facts, replies[2], messages.receipts[i]);
        stored.size = countOf(replies[3 + i]);
        found.push_back(std::move(stored));
    }
    return found;
}

std::vector<Command> Rsmq::jobDetailReads(const Primitive& primitive, const QByteArray&,
                                          const QByteArray& jobId,
                                          std::span<const Reply> replies) const
{
    const QByteArray& queue = primitive.id.name;
    if (replies.empty())
        return {{"HSTRLEN", settingsKey(queue), jobId},
                {"ZSCORE", queue, jobId},
                receipts(queue, {jobId})};
    if (replies.size() == 3 && countOf(replies[0]) <= rsmqMostDetailBytes)
        return {{"HGET", settingsKey(queue), jobId}};
    return {};
}

JobDetail Rsmq::jobDetail(const Primitive&, const QByteArray&, const QByteArray& jobId,
                          std::span<const Reply> replies) const
{
    JobDetail detail;
    const auto score = replies.size() >= 3 ? scoreOf(replies[1].text) : std::nullopt;
    if (!score) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        return detail;
    }
    detail.facts = messageOf({jobId, *score});
    takeReceipts(detail.facts, replies[2], 0);
    detail.payloadCut = replies.size() < 4;
    if (replies.size() == 4 && replies[3].isText())
        detail.payload = replies[3].text;
    return detail;
}

} // namespace

namespace layouts {
const Layout& rsmq()
{
    static const Rsmq layout;
    return layout;
}
} // namespace layouts

} // namespace lk
