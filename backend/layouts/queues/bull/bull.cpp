// SPDX-License-Identifier: GPL-3.0-or-later
// Bull 3 and 4 (https://github.com/OptimalBits/bull): BullMQ's predecessor under the same names,
// without a stream of events. Jobs with a priority wait in the same list as all others.
#include "backend/layouts/queues/bull/bullqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = BullState::Shape;

constexpr BullState states[] = {
    {"wait", JobRole::Ready, Shape::List},        {"active", JobRole::Processing, Shape::List},
    {"delayed", JobRole::Delayed, Shape::Sorted}, {"paused", JobRole::Paused, Shape::List},
    {"failed", JobRole::Dead, Shape::Newest},     {"completed", JobRole::Done, Shape::Newest},
};

bool hasField(const Probe& probe, const char* field)
{
    return std::find(probe.fieldNames.begin(), probe.fieldNames.end(), field) !=
               probe.fieldNames.end() ||
           probe.field(field);
}

class Bull final : public BullQueue
{
public:
    Bull()
        : BullQueue(states)
    {}

    QByteArray id() const override { return QByteArrayLiteral("bull"); }
    QString title() const override { return LayoutText::tr("Bull queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("id"); }
    KeyType mainType() const override { return KeyType::String; }

    std::vector<QByteArray> actions() const override
    {
        return {"queue.retry/bull",  "queue.requeue/bull", "queue.promote/bull",
                "queue.remove/bull", "queue.pause/bull",   "queue.resume/bull"};
    }

    // Each job is numbered from stem:id, unless its application names it. So that key, beside a
    // list, a set or a job of that stem, is what tells the library.
    std::optional<Claim> classify(const Probe& probe) const override
    {
        BullName name = bullNameOf(probe.name);
        const bool ofJob = name.stem.isEmpty();
        if (ofJob)
            name.stem = bullJobStem(probe.name, probe.type);
        if (name.stem.isEmpty() || name.part == "id" ||
            probe.sibling(name.stem + ":events") == KeyType::Stream || name.part == "events" ||
            probe.sibling(name.stem + ":id") != KeyType::String)
            return std::nullopt;
        if (ofJob && !isJob(probe))
            return std::nullopt;
        return fits(name.part, probe.type) ? std::optional(claimOf(probe, name, 0.93))
                                           : std::nullopt;
    }

protected:
    QByteArray pauseKey(const QByteArray& stem) const override { return stem + ":meta-paused"; }

private:
    static bool isJob(const Probe& probe)
    {
        return probe.type != KeyType::Hash ||
               (hasField(probe, "opts") || hasField(probe, "timestamp") || hasField(probe, "data"));
    }

    static bool fits(const QByteArray& part, KeyType type)
    {
        if (part == "wait" || part == "active" || part == "paused")
            return type == KeyType::List;
        if (part == "delayed" || part == "completed" || part == "failed" || part == "priority")
            return type == KeyType::ZSet;
        if (part == "meta")
            return type == KeyType::Hash;
        return part.isEmpty() || part == "stalled-check" || part == "stalled" ||
               part == "meta-paused" || part == "repeat" || part == "limiter";
    }
};

} // namespace

namespace layouts {
const Layout& bull()
{
    static const Bull layout;
    return layout;
}
} // namespace layouts

} // namespace lk
