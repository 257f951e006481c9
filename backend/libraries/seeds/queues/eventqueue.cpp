// SPDX-License-Identifier: GPL-3.0-or-later
// SADD events e, LPUSH helper x: a set of waiting events, and a list on which consumers block,
// since there is no blocking SPOP. The items of the list are wake-ups, not work.
#include "backend/core/names/namewords.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/text/columns/columnparts.h"

namespace lk {

namespace {

bool isEventName(const QByteArray& name)
{
    return hasWord(name, words<"event", "events", "notification", "notifications", "signals">);
}

// Sets of events are common. The name of a set of waiting events says so.
bool waitsByName(const QByteArray& name)
{
    return isEventName(name) &&
           hasWord(tailOf(name), words<"waiting", "pending", "queue", "queued", "inbox">);
}

std::vector<QByteArray> helperNamesFor(const QByteArray& set)
{
    return {set + ":helper", "helper:" + set, "helper_" + set}; // the last is the document's name
}

QByteArray setBehind(const QByteArray& helper)
{
    if (helper.size() > 7 && helper.endsWith(":helper"))
        return helper.chopped(7);
    const bool first = helper.startsWith("helper:") || helper.startsWith("helper_");
    return first && helper.size() > 7 ? helper.mid(7) : QByteArray();
}

QString wakeUpsText(const State& state)
{
    return columnparts::countText(columnparts::field<QueueState, &QueueState::wakeUps>(state));
}

std::optional<double> wakeUpsNumber(const State& state)
{
    return columnparts::fieldNumber<QueueState, &QueueState::wakeUps>(state);
}

class EventQueue final : public PlannedLayout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("event-queue"); }
    QString title() const override { return LayoutText::tr("Event queue"); }
    Kind kind() const override { return Kind::Queue; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::Set || type == KeyType::List;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("events"); }
    KeyType mainType() const override { return KeyType::Set; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"helper", FieldShape::Companion}};
    }

    std::span<const Column> columns() const override
    {
        static const std::vector<Column> all =
            columnsWith(Kind::Queue, {{"wakeups", ColumnStyle::Count,
                                       QT_TRANSLATE_NOOP("lk::Column", "Wake-ups"), wakeUpsText,
                                       wakeUpsNumber}});
        return all;
    }
    std::span<const Metric> metrics() const override
    {
        static const std::vector<Metric> all = metricsWith(
            Kind::Queue, {{"wakeups", Metric::Unit::Count,
                           QT_TRANSLATE_NOOP("lk::Column", "Wake-ups"), wakeUpsNumber}});
        return all;
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type == KeyType::Set && isEventName(name))
            return helperNamesFor(name);
        if (const QByteArray set = setBehind(name); type == KeyType::List && !set.isEmpty())
            return {set};
        return {};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::List) {
            const QByteArray set = setBehind(probe.name);
            if (set.isEmpty() || probe.sibling(set) != KeyType::Set)
                return std::nullopt;
            return claimOf(set, probe.name);
        }
        if (probe.type != KeyType::Set || !isEventName(probe.name))
            return std::nullopt;
        for (const QByteArray& helper : helperNamesFor(probe.name)) {
            if (probe.sibling(helper) == KeyType::List)
                return claimOf(probe.name, helper);
        }
        // The helper list does not exist after a consumer has taken the last wake-up.
        if (!waitsByName(probe.name))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.6};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("events");
        std::vector<Command> commands{{QByteArrayLiteral("SCARD"), key}, probecommands::ttl(key)};
        if (const QByteArray helper = primitive.key("helper"); !helper.isEmpty())
            commands.push_back({QByteArrayLiteral("LLEN"), helper});
        return commands;
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        QueueState queue;
        queue.ready = countOf(replies[0]);
        const Ttl ttl = ttlOf(replies[1]);
        const bool hasHelper = replies.size() > 2;
        const qint64 wakeUps = hasHelper ? countOf(replies[2]) : 0;
        state.present = *queue.ready > 0 || wakeUps > 0;
        state.ttlMs = ttl.ms;
        if (ttl.ms)
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        state.urgency = double(*queue.ready);
        state.health = state.present ? Health::Ok : Health::Idle;
        if (hasHelper)
            queue.wakeUps = wakeUps;
        state.body = std::move(queue);
        return reading;
    }

private:
    Claim claimOf(const QByteArray& set, const QByteArray& helper) const
    {
        return {{id(), set}, {{mainRole(), set}, {QByteArrayLiteral("helper"), helper}}, 0.8};
    }
};

} // namespace

LK_LAYOUT(eventQueue, EventQueue)

} // namespace lk
