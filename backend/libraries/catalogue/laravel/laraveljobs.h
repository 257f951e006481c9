// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Laravel's queues are <prefix>queues:<queue>, a list of JSON from whose left end jobs are taken;
// :delayed and :reserved, sorted sets of the same JSON by when it is due and until when its worker
// is trusted, in seconds; and :notify, a list of ones that wakes blocked workers. The prefix is the
// connection's, plain text before it. Checked against keys of Laravel 8.83.

/// A key's name, taken apart.
struct LaravelName
{
    QByteArray main;  ///< "laravel_database_queues:default"; empty: it is none
    QByteArray part;  ///< "", "delayed", "reserved" or "notify"
    QByteArray queue; ///< without the braces of a cluster
};
LaravelName laravelNameOf(const QByteArray& name);

/// The key in the cache that pauses a queue:
/// "<prefix>illuminate:queue:paused:<connection>:<queue>", from Laravel 12.40 on.
struct LaravelPause
{
    QByteArray queue; ///< empty: it is none
    /// Where the queue's own key may be: what stands before its "queues:" stands before the cache's
    /// prefix, too.
    std::vector<QByteArray> mains;
};
LaravelPause laravelPauseOf(const QByteArray& name);

/// What the JSON tells; nothing if it is no job of Laravel.
std::optional<JobFacts> laravelJobOf(const QByteArray& payload);

/// See Layout::jobReads().
std::vector<Command> laravelJobReads(const QByteArray& main, const JobQuery& query,
                                     std::span<const Reply> replies);
std::vector<StoredJob> laravelJobs(const QByteArray& main, const JobQuery& query,
                                   std::span<const Reply> replies);

} // namespace lk
