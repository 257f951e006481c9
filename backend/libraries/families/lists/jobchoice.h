// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// The parameters that choose jobs of a list: --index, --older-than, --all, --items, with --from
/// (the list) and --most (how many).
std::vector<ActionParameter> jobParameters();

/// --to: the end of the list where jobs are put, "next" or "back".
ActionParameter endParameter(const QByteArray& preset);
QByteArray endOf(const ActionRequest& request, const QByteArray& preset);

/// The list with that role for the request: the only one, or the one that --from names.
Result<QByteArray> listFor(const State& state, const ActionRequest& request, JobRole role);

/// Reads the jobs within bounds, oldest (right end) first: one, or as many as a plan takes. For
/// delayed jobs, a sorted set, the earliest due first.
std::vector<Command> prefetchJobs(const State& state, const ActionRequest& request, JobRole role,
                                  std::span<const Reply> prefetched);

/// The chosen jobs, oldest first, exactly as they are stored.
struct ChosenJobs
{
    QByteArray list;
    std::vector<QByteArray> items;
    std::vector<QByteArray> scores; ///< for delayed jobs, as the server writes them; else empty
    qint64 length = 0;              ///< the length of the whole list
    qint64 unknown = 0;             ///< left out by --older-than because their age is unknown
};
/// Errors: BadArgument if no parameter chooses jobs, NotPossible if no job is chosen.
Result<ChosenJobs> chosenJobs(const ActionContext& context, JobRole role);

/// The most jobs of one plan.
inline constexpr qint64 mostChosenJobs = 1000;

} // namespace lk::actions
