// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// What can be done with jobs that their library names by ids.
enum class JobVerb : quint8 {
    Retry,      ///< a failed job is queued again
    Promote,    ///< a delayed job is queued now
    Requeue,    ///< a job whose worker is gone is queued again
    Discard,    ///< with all that is kept of it
    DeadLetter, ///< a job is among the failed or dead ones from now on
    DiscardOld, ///< jobs that ended long ago are removed
};

QByteArray idOf(JobVerb verb); ///< "queue.retry"
/// What the libraries' scripts in lua/actions/ call it, but for those that have words of their own.
const char* scriptVerb(JobVerb verb);
/// As people read it; translated.
QString titleOf(JobVerb verb);
QString summaryOf(JobVerb verb);
QString questionOf(JobVerb verb, int jobs, const QString& queue);
QString consequenceOf(JobVerb verb);
std::vector<ActionParameter> parametersOf(JobVerb verb, const std::vector<QByteArray>& states);

/// The most jobs of one step.
inline constexpr qint64 mostLibraryJobs = 100;
/// The most jobs that one plan of several steps looks at, and takes.
inline constexpr qint64 mostJobsInSteps = 10'000;
/// The most of those that ended long ago: each step reads them anew.
inline constexpr qint64 mostAgedJobs = 500;

} // namespace lk::actions
