// SPDX-License-Identifier: GPL-3.0-or-later
// BullMQ 4 to 6 (https://docs.bullmq.io). Its stream of events and the version in its meta hash
// distinguish a queue from one of Bull.
#include "backend/libraries/catalogue/bullmq/bullactions.h"
#include "backend/libraries/catalogue/bullmq/bullqueue.h"

namespace lk {

namespace {

using Shape = BullState::Shape;

constexpr BullState bullMQStates[] = {
    {"wait", JobRole::Ready, Shape::List},
    {"prioritized", JobRole::Ready, Shape::Sorted},
    {"active", JobRole::Processing, Shape::List},
    {"delayed", JobRole::Delayed, Shape::Sorted},
    {"paused", JobRole::Paused, Shape::List},
    {"waiting-children", JobRole::Paused, Shape::Sorted}, // held until its children are done
    {"failed", JobRole::Dead, Shape::Newest},
    {"completed", JobRole::Done, Shape::Newest},
};

class BullMq final : public BullQueue
{
public:
    BullMq()
        : BullQueue(bullMQStates)
    {}

    QByteArray id() const override { return QByteArrayLiteral("bullmq"); }
    QString title() const override { return LayoutText::tr("BullMQ queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("meta"); }
    KeyType mainType() const override { return KeyType::Hash; }
    std::vector<QByteArray> hashFields() const override { return {"version", "opts.maxLenEvents"}; }

    ActionList actions() const override { return actions::bullMqActions(); }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.siblings.empty() && !probe.name.endsWith(":meta"))
            return std::nullopt; // only that key is proof by itself
        BullName name = bullNameOf(probe.name);
        if (name.stem.isEmpty())
            name.stem = bullJobStem(probe.name, probe.type);
        if (name.stem.isEmpty())
            return std::nullopt;
        if (name.part == "meta" && probe.type == KeyType::Hash) {
            const QByteArray* version = probe.field("version");
            if ((version && version->startsWith("bullmq:")) || probe.field("opts.maxLenEvents"))
                return claimOf(probe, name, 0.99);
        }
        const bool ownMeta = name.part == "meta" && probe.type == KeyType::Hash;
        const bool ownEvents = name.part == "events" && probe.type == KeyType::Stream;
        const bool meta = ownMeta || probe.sibling(name.stem + ":meta") == KeyType::Hash;
        const bool events = ownEvents || probe.sibling(name.stem + ":events") == KeyType::Stream;
        return meta && events ? std::optional(claimOf(probe, name, 0.97)) : std::nullopt;
    }
};

} // namespace

LK_LAYOUT(bullMq, BullMq)

} // namespace lk
