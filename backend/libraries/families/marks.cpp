// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/marks.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lk {

namespace {

QByteArray scoreText(double score)
{
    return QByteArray::number(score, 'g', 17);
}

// True if the text starts with that number, printed without a fraction.
bool startsWithWhole(const QByteArray& text, double value)
{
    if (value <= 0 || value >= 1e15 || value != std::floor(value))
        return text.startsWith(QByteArray::number(value, 'f', 0));
    std::array<char, 20> digits; // printing a whole number takes a twentieth of the time
    const auto end = std::to_chars(digits.begin(), digits.end(), qint64(value)).ptr;
    return text.startsWith(QByteArrayView(digits.data(), end));
}

Command highest(const QByteArray& key, qint64 from, qint64 to)
{
    return {QByteArrayLiteral("ZREVRANGE"), key, QByteArray::number(from), QByteArray::number(to),
            QByteArrayLiteral("WITHSCORES")};
}

std::vector<double> timesOf(const std::vector<ScoredMember>& members, TimeUnit unit)
{
    std::vector<double> times;
    times.reserve(members.size());
    for (const ScoredMember& m : members)
        times.push_back(toMs(m.score, unit));
    std::sort(times.begin(), times.end());
    return times;
}

std::optional<TimeUnit> bareTimesOf(const std::vector<ScoredMember>& members, TimeUnit unit)
{
    const bool bare =
        !members.empty() && std::all_of(members.begin(), members.end(), [](const ScoredMember& m) {
            return m.score == std::floor(m.score) && repeatsScore(m);
        });
    return bare ? std::optional(unit) : std::nullopt;
}

// The unit of the first score that has one.
template<typename Iterator> TimeUnit unitOf(Iterator begin, Iterator end)
{
    for (; begin != end; ++begin) {
        if (const auto unit = timeUnitOf(begin->score))
            return *unit;
    }
    return TimeUnit::Milliseconds;
}

Marks smallMarks(const std::vector<ScoredMember>& lowest, const Ttl& ttl)
{
    Marks marks;
    marks.exists = ttl.exists && !lowest.empty();
    marks.ttlMs = ttl.ms;
    marks.unit = unitOf(lowest.rbegin(), lowest.rend());
    marks.oldest = timesOf(lowest, marks.unit);
    marks.bareTimes = bareTimesOf(lowest, marks.unit);
    marks.newest = marks.oldest;
    marks.stored = qint64(lowest.size());
    marks.cut = marks.stored >= Probe::memberLimit;
    return marks;
}

void readLarge(Marks& marks, const MarksQuery& query, std::span<const Reply> replies)
{
    size_t next = 2;
    marks.stored = countOf(replies[next++]);
    const std::vector<ScoredMember> newest = scoredMembersOf(replies[next++]);
    marks.unit = unitOf(newest.begin(), newest.end());
    marks.newest = timesOf(newest, marks.unit);
    if (query.cutoffMs) {
        marks.counted = countOf(replies[next + size_t(marks.unit)]);
        next += allTimeUnits.size();
    }
    if (query.limit) {
        const std::vector<ScoredMember> at = scoredMembersOf(replies[next]);
        if (!at.empty())
            marks.limitMark = toMs(at.front().score, marks.unit);
    }
}

} // namespace

std::vector<Command> readsOf(const MarksQuery& query)
{
    using namespace probecommands;
    std::vector<Command> commands;
    commands.reserve(2);
    commands.push_back(lowestMembers(query.key));
    commands.push_back(ttl(query.key));
    if (!query.large)
        return commands;
    commands.push_back({QByteArrayLiteral("ZCARD"), query.key});
    commands.push_back(highest(query.key, 0, query.detail ? MarksQuery::detailMarks - 1 : 0));
    if (query.cutoffMs) {
        // The unit of the scores is known only from the replies. Three of the four commands count
        // nothing or everything and are ignored.
        for (const TimeUnit unit : allTimeUnits)
            commands.push_back({QByteArrayLiteral("ZCOUNT"), query.key,
                                '(' + scoreText(fromMs(*query.cutoffMs, unit)),
                                QByteArrayLiteral("+inf")});
    }
    if (query.limit) {
        const qint64 rank = std::max<qint64>(0, *query.limit - 1);
        commands.push_back(highest(query.key, rank, rank));
    }
    return commands;
}

size_t readCountOf(const MarksQuery& query)
{
    if (!query.large)
        return 2;
    return 4 + (query.cutoffMs ? allTimeUnits.size() : 0) + (query.limit ? 1 : 0);
}

Marks marksOf(const MarksQuery& query, std::span<const Reply> replies)
{
    const std::vector<ScoredMember> lowest = scoredMembersOf(replies[0]);
    const Ttl ttl = ttlOf(replies[1]);
    if (!query.large)
        return smallMarks(lowest, ttl);
    Marks marks;
    marks.exists = ttl.exists && !lowest.empty();
    marks.ttlMs = ttl.ms;
    readLarge(marks, query, replies);
    marks.oldest = timesOf(lowest, marks.unit);
    marks.bareTimes = bareTimesOf(lowest, marks.unit);
    return marks;
}

Marks marksOf(const Probe& probe)
{
    return smallMarks(probe.members, {true, probe.ttlMs});
}

bool repeatsScore(const ScoredMember& member)
{
    const std::optional<double> value = decimalNumber(member.member);
    // Lua prints 14 significant digits, so a member may be rounded where the score is not.
    return value && std::abs(*value - member.score) <= std::abs(*value) * 1e-13;
}

bool tellsScore(const ScoredMember& member)
{
    return startsWithWhole(member.member, member.score) || repeatsScore(member);
}

std::optional<TimeUnit> sharedTimeUnit(const std::vector<ScoredMember>& members)
{
    std::optional<TimeUnit> shared;
    for (const ScoredMember& m : members) {
        const auto unit = timeUnitOf(m.score);
        if (!unit || (shared && shared != unit))
            return std::nullopt;
        shared = unit;
    }
    return shared;
}

} // namespace lk
