// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/timeunit.h"
#include "backend/libraries/api/layout.h"

namespace lk {

/// How to read a sorted set of event times: one mark for each request.
struct MarksQuery
{
    QByteArray key;
    std::optional<qint64> limit;    ///< the limit-th newest mark tells when one more passes
    std::optional<double> cutoffMs; ///< count what is later than this
    bool large = false;
    bool detail = false;

    /// How many marks a detail pane gets at most.
    static constexpr int detailMarks = 512;
};

/// The commands: [lowest 16, PTTL] for a small set, which is all there is to know of it; for a
/// large one counts and ends. Their number depends on which optionals are set, not on their values.
std::vector<Command> readsOf(const MarksQuery& query);
size_t readCountOf(const MarksQuery& query);

/// What the replies told. Times are milliseconds, oldest first, with the fraction they had.
struct Marks
{
    bool exists = false;
    std::optional<qint64> ttlMs;
    TimeUnit unit = TimeUnit::Milliseconds;
    qint64 stored = 0;
    std::vector<double> oldest;      ///< the lowest; all of them if stored says so
    std::vector<double> newest;      ///< the highest; at least one where any is stored
    std::optional<qint64> counted;   ///< later than the cutoff; of a large set only
    std::optional<double> limitMark; ///< the limit-th newest; of a large set only
    /// Set if the oldest members are whole times of that unit and nothing else.
    std::optional<TimeUnit> bareTimes;
    bool cut = false; ///< the short plan was not enough

    bool complete() const { return qint64(oldest.size()) == stored; }
};

/// The unit is that of the newest mark; milliseconds where none is recognised.
Marks marksOf(const MarksQuery& query, std::span<const Reply> replies);
/// The same from a probe of the set, which asks what the query for a small one does.
Marks marksOf(const Probe& probe);

/// True if the member repeats its score, as in ZADD key ts ts.
bool repeatsScore(const ScoredMember& member);

/// True if the member is its score or begins with it: "1700000000000-ab12".
bool tellsScore(const ScoredMember& member);

/// The unit that all scores share; nothing for an empty list, mixed units or what is no time.
std::optional<TimeUnit> sharedTimeUnit(const std::vector<ScoredMember>& members);

} // namespace lk
