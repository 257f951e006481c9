// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/timeunit.h"
#include "backend/libraries/api/layout.h"

namespace lk {

/// How to read a sorted set of event times: one mark for each request.
struct MarksQuery
{
    QByteArray key;
    std::optional<qint64> limit; ///< the limit-th newest mark determines when the next one passes
    std::optional<double> cutoffMs; ///< counts marks later than this
    bool large = false;
    bool detail = false;

    /// The most marks that a detail pane gets.
    static constexpr int detailMarks = 512;
};

/// The commands: [lowest 16, PTTL] for a small set, which covers it; counts and both ends for a
/// large one. Their number depends on which optionals are set, not on their values.
std::vector<Command> readsOf(const MarksQuery& query);
size_t readCountOf(const MarksQuery& query);

/// The marks from the replies. Times are milliseconds with their fraction, oldest first.
struct Marks
{
    bool exists = false;
    std::optional<qint64> ttlMs;
    TimeUnit unit = TimeUnit::Milliseconds;
    qint64 stored = 0;
    std::vector<double> oldest;      ///< the lowest; see complete()
    std::vector<double> newest;      ///< the highest; at least one if any is stored
    std::optional<qint64> counted;   ///< later than the cutoff; for a large set only
    std::optional<double> limitMark; ///< the limit-th newest; for a large set only
    /// Set if the oldest members consist of whole times in that unit only.
    std::optional<TimeUnit> bareTimes;
    bool cut = false; ///< the short plan was not enough

    bool complete() const { return qint64(oldest.size()) == stored; }
};

/// The unit is that of the newest mark; milliseconds if it is not recognized.
Marks marksOf(const MarksQuery& query, std::span<const Reply> replies);
/// The same from a probe of the set, which has the commands of a small set's query.
Marks marksOf(const Probe& probe);

/// True if the member repeats its score, as in ZADD key ts ts.
bool repeatsScore(const ScoredMember& member);

/// True if the member is its score or begins with it: "1700000000000-ab12".
bool tellsScore(const ScoredMember& member);

/// The unit that all scores share. Nothing for an empty list, mixed units or scores without time.
std::optional<TimeUnit> sharedTimeUnit(const std::vector<ScoredMember>& members);

} // namespace lk
