// SPDX-License-Identifier: GPL-3.0-or-later
// yii2-queue's Redis driver (https://github.com/yiisoft/yii2-queue). A list of numbers, the sets of
// delayed and reserved numbers, and a hash of messages are named after the channel. A reserved job
// that is not done in time is taken again.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/keyedqueue.h"
#include "backend/libraries/families/jobs/phpnames.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr const char* yii2QueueParts[] = {"messages", "waiting",     "reserved",  "delayed",
                                          "attempts", "moving_lock", "message_id"};

struct Yii2QueueName
{
    QByteArray channel; ///< empty if the name is not one of yii2-queue's
    QByteArray part;
};

Yii2QueueName yii2QueueNameOf(const QByteArray& key)
{
    const qsizetype dot = key.lastIndexOf('.');
    const QByteArray part = key.mid(dot + 1);
    const bool known = dot > 0 && std::any_of(std::begin(yii2QueueParts), std::end(yii2QueueParts),
                                              [&](const char* p) { return part == p; });
    return known ? Yii2QueueName{key.left(dot), part} : Yii2QueueName();
}

class Yii2Queue final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("yii2-queue"); }
    QString title() const override { return LayoutText::tr("Yii 2 queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("waiting"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::Hash ||
               type == KeyType::String;
    }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        std::vector<QByteArray> ends;
        for (const char* part : yii2QueueParts)
            ends.push_back('.' + QByteArray(part));
        return ends;
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType) const override
    {
        const Yii2QueueName key = yii2QueueNameOf(name);
        if (key.channel.isEmpty())
            return {};
        return {key.channel + ".messages", key.channel + ".message_id"};
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const Yii2QueueName key = yii2QueueNameOf(name);
        return key.part == "moving_lock" ? std::vector{key.channel} : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const Yii2QueueName key = yii2QueueNameOf(probe.name);
        if (key.channel.isEmpty() || !fits(probe, key.part))
            return std::nullopt;
        const auto type = [&](const char* part) {
            const QByteArray name = key.channel + part;
            return probe.name == name ? probe.type : probe.sibling(name);
        };
        if (type(".message_id") != KeyType::String)
            return std::nullopt;
        // The hash of messages is the proof. A channel without messages has only its counter.
        if (type(".messages") != KeyType::Hash)
            return std::nullopt;
        if (key.part == "moving_lock")
            return Claim{{id(), key.channel}, {}, 0.95, {}};
        const QByteArray main = key.channel + ".waiting";
        Claim claim{{id(), key.channel}, {{mainRole(), main, probe.name != main}}, 0.96, {}};
        if (probe.name != main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        const QByteArray& channel = primitive.id.name;
        return {{"waiting", JobRole::Ready, channel + ".waiting", Shape::FromRight},
                {"reserved", JobRole::Processing, channel + ".reserved", Shape::Sorted},
                {"delayed", JobRole::Delayed, channel + ".delayed", Shape::Sorted}};
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {primitive.id.name + ".messages", element};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey&, const QueueSetting&,
                                    const QByteArray& element) const override
    {
        return {{"HGET", primitive.id.name + ".attempts", element}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = read.element;
        job.name = phpClassIn(read.stored);
        if (!read.replies.empty())
            job.attempts = integerOf(read.replies[0]);
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing && read.score)
            job.leaseAlive = wholeMs(*read.score * 1000) > setting.nowMs;
        return job;
    }

private:
    static bool isNumber(const QByteArray& id) { return wholeNumber(id).value_or(0) > 0; }
    static bool fits(const Probe& probe, const QByteArray& part)
    {
        if (part == "waiting")
            return probe.type == KeyType::List && isNumber(probe.first);
        if (part == "reserved" || part == "delayed")
            return probe.type == KeyType::ZSet && !probe.members.empty() &&
                   isNumber(probe.members[0].member) &&
                   timeUnitOf(probe.members[0].score) == TimeUnit::Seconds;
        if (part == "messages" || part == "attempts")
            return probe.type == KeyType::Hash && !probe.fieldNames.empty() &&
                   std::all_of(probe.fieldNames.begin(), probe.fieldNames.end(), isNumber);
        return probe.type == KeyType::String;
    }
};

} // namespace

namespace layouts {
const Layout& yii2Queue()
{
    static const Yii2Queue layout;
    return layout;
}
} // namespace layouts

} // namespace lk
