// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// The operations on jobs that their library identifies by ids.
enum class JobVerb : quint8 {
    Retry,      ///< a failed job is queued again
    Promote,    ///< a delayed job is queued now
    Requeue,    ///< a job whose worker is gone is queued again
    Discard,    ///< a job is removed with all its data
    DeadLetter, ///< a job is moved to the failed or dead ones
    DiscardOld, ///< jobs that ended long ago are removed
};

QByteArray idOf(JobVerb verb); ///< "queue.retry"
/// The verb in the libraries' scripts in lua/actions/, except for scripts with their own words.
const char* scriptVerb(JobVerb verb);
/// Texts for people; translated.
QString titleOf(JobVerb verb);
QString summaryOf(JobVerb verb);
QString questionOf(JobVerb verb, int jobs, const QString& queue);
QString consequenceOf(JobVerb verb);
std::vector<ActionParameter> parametersOf(JobVerb verb, const std::vector<QByteArray>& states);

/// The most jobs of one step.
inline constexpr qint64 mostLibraryJobs = 100;
/// The most jobs that one plan of several steps reads and takes.
inline constexpr qint64 mostJobsInSteps = 10'000;
/// The most jobs that ended long ago in one plan: each step reads them anew.
inline constexpr qint64 mostAgedJobs = 500;

} // namespace lk::actions
