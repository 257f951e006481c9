// SPDX-License-Identifier: GPL-3.0-or-later
// Hyperf's async-queue (https://hyperf.wiki). Lists and sets named after the channel contain jobs
// that PHP serialized. A reserved job that is not done in time moves to the list of timeouts.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/jobs/keyedqueue.h"
#include "backend/libraries/families/jobs/phpnames.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr char ownSpace[] = "Hyperf\\AsyncQueue\\";
constexpr const char* hyperfQueueParts[] = {"waiting", "reserved", "delayed", "failed", "timeout"};

struct HyperfQueueName
{
    QByteArray channel; ///< empty if the name is not one of Hyperf's
    QByteArray part;
};

HyperfQueueName hyperfQueueNameOf(const QByteArray& key)
{
    const qsizetype colon = key.lastIndexOf(':');
    const QByteArray part = key.mid(colon + 1);
    const bool known =
        colon > 0 && std::any_of(std::begin(hyperfQueueParts), std::end(hyperfQueueParts),
                                 [&](const char* p) { return part == p; });
    return known ? HyperfQueueName{key.left(colon), part} : HyperfQueueName();
}

class HyperfQueue final : public KeyedQueue, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("hyperf-queue"); }
    QString title() const override { return LayoutText::tr("Hyperf queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("waiting"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet;
    }

    std::vector<QByteArray> nameParts(KeyType) const override
    {
        std::vector<QByteArray> ends;
        for (const char* part : hyperfQueueParts)
            ends.push_back(':' + QByteArray(part));
        return ends;
    }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const HyperfQueueName key = hyperfQueueNameOf(probe.name);
        const QByteArray element = probe.type == KeyType::List ? probe.first
                                   : !probe.members.empty()    ? probe.members[0].member
                                                               : QByteArray();
        const bool sorted = key.part == "reserved" || key.part == "delayed";
        if (key.channel.isEmpty() || sorted != (probe.type == KeyType::ZSet) ||
            !element.contains(ownSpace))
            return std::nullopt;
        const QByteArray main = key.channel + ":waiting";
        QByteArray label = key.channel;
        if (label.startsWith('{') && label.endsWith('}'))
            label = label.mid(1, label.size() - 2);
        Claim claim{{id(), key.channel}, {{mainRole(), main, probe.name != main}}, 0.97, label};
        if (probe.name != main)
            claim.keys.push_back({key.part, probe.name});
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        const QByteArray stem = primitive.id.name + ':';
        return {{"waiting", JobRole::Ready, stem + "waiting", Shape::FromRight},
                {"reserved", JobRole::Processing, stem + "reserved", Shape::Sorted},
                {"delayed", JobRole::Delayed, stem + "delayed", Shape::Sorted},
                {"failed", JobRole::Dead, stem + "failed", Shape::FromLeft},
                {"timeout", JobRole::Dead, stem + "timeout", Shape::FromLeft}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.name = phpClassIn(read.element, ownSpace);
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = wholeMs(*read.score * 1000);
        if (key.role == JobRole::Processing && read.score)
            job.leaseAlive = wholeMs(*read.score * 1000) > setting.nowMs;
        return job;
    }
};

} // namespace

namespace layouts {
const Layout& hyperfQueue()
{
    static const HyperfQueue layout;
    return layout;
}
} // namespace layouts

} // namespace lk
