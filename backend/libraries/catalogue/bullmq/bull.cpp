// SPDX-License-Identifier: GPL-3.0-or-later
// Bull 3 and 4 (https://github.com/OptimalBits/bull): BullMQ's predecessor. It uses the same key
// names but has no stream of events. Jobs with a priority wait in the same list as all others.
#include "backend/libraries/catalogue/bullmq/bullactions.h"
#include "backend/libraries/catalogue/bullmq/bullqueue.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/valueshape.h"

#include "backend/core/timeunit.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = BullState::Shape;

constexpr BullState bullStates[] = {
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

constexpr qsizetype longestId = 512; // bytes; a longer member is a payload

class Bull final : public BullQueue
{
public:
    Bull()
        : BullQueue(bullStates)
    {}

    QByteArray id() const override { return QByteArrayLiteral("bull"); }
    QString title() const override { return LayoutText::tr("Bull queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("id"); }
    KeyType mainType() const override { return KeyType::String; }

    ActionList actions() const override { return actions::bullActions(); }

    // stem:id numbers the jobs unless the application names them. That key alone proves nothing:
    // the key beside it has to look like one of Bull's.
    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.siblings.empty())
            return std::nullopt;
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
        return ofJob || fits(name.part, probe) ? std::optional(claimOf(probe, name, 0.93))
                                               : std::nullopt;
    }

    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe) const override
    {
        std::vector<QByteArray> names = siblings(probe.name, probe.type);
        if (probe.type == KeyType::List && !names.empty() && !probe.first.isEmpty() &&
            probe.first.size() <= longestId && !isId(probe.first))
            names.push_back(jobOf(probe));
        return names;
    }

protected:
    QByteArray pauseKey(const QByteArray& stem) const override { return stem + ":meta-paused"; }

private:
    // Accepts those keys of a job that could be mistaken for another library's.
    static bool isJob(const Probe& probe)
    {
        return probe.type != KeyType::Hash && (probe.type != KeyType::String || isUuid(probe.head));
    }

    static bool isId(const QByteArray& member) { return wholeNumber(member) || isUuid(member); }

    // An application may name its jobs. Then a hash of that name exists.
    static QByteArray jobOf(const Probe& probe)
    {
        return bullNameOf(probe.name).stem + ':' + probe.first;
    }

    static bool isTime(double score) { return timeUnitOf(score) == TimeUnit::Milliseconds; }

    // The score is the due time times 4096 plus a counter.
    static bool isDue(double score) { return timeUnitOf(score / 4096) == TimeUnit::Milliseconds; }

    static bool fits(const QByteArray& part, const Probe& probe)
    {
        const auto all = [&](auto is) {
            return probe.type == KeyType::ZSet && !probe.members.empty() &&
                   std::all_of(probe.members.begin(), probe.members.end(), is);
        };
        if (part == "wait" || part == "active" || part == "paused")
            return probe.type == KeyType::List && ((isId(probe.first) && isId(probe.last)) ||
                                                   probe.sibling(jobOf(probe)) == KeyType::Hash);
        if (part == "delayed")
            return all([](const ScoredMember& m) { return isDue(m.score); });
        if (part == "completed" || part == "failed")
            return all([](const ScoredMember& m) { return isTime(m.score); });
        if (part == "priority")
            return all([](const ScoredMember& m) { return isId(m.member) && m.score < 1e7; });
        if (part == "stalled-check")
            return probe.type == KeyType::String && isTime(decimalNumber(probe.head).value_or(0));
        if (part == "meta-paused")
            return probe.type == KeyType::String && probe.head == "1";
        return part == "meta" && probe.type == KeyType::Hash && probe.length == 1 &&
               hasField(probe, "paused");
    }
};

} // namespace

LK_LAYOUT(bull, Bull)

} // namespace lk
