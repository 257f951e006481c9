// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// The parameters by which jobs of a list are chosen: --index, --older-than, --all, --items,
/// of which --from and how many at --most.
std::vector<ActionParameter> jobParameters();

/// --to: at which end of a list jobs are put, "next" or "back".
ActionParameter endParameter(const QByteArray& preset);
QByteArray endOf(const ActionRequest& request, const QByteArray& preset);

/// The list of that role which the request means: the only one, or the one that --from names.
Result<QByteArray> listFor(const State& state, const ActionRequest& request, JobRole role);

/// Asks for the jobs, oldest (right end) first within bounds: one, or as many as a plan takes. Of
/// delayed jobs, a sorted set, what is due first.
std::vector<Command> prefetchJobs(const State& state, const ActionRequest& request, JobRole role,
                                  std::span<const Reply> prefetched);

/// The chosen jobs, oldest first, exactly as they are stored.
struct ChosenJobs
{
    QByteArray list;
    std::vector<QByteArray> items;
    std::vector<QByteArray> scores; ///< of delayed ones, as the server writes them; else empty
    qint64 length = 0;              ///< of the whole list
    qint64 unknown = 0;             ///< left out by --older-than, because their age is not known
};
/// Errors: BadArgument if nothing chooses, NotPossible if nothing is chosen.
Result<ChosenJobs> chosenJobs(const ActionContext& context, JobRole role);

/// The most jobs of one plan.
inline constexpr qint64 mostChosenJobs = 1000;

} // namespace lk::actions
