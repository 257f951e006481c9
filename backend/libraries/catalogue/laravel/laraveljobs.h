// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Laravel's queues are lists of JSON, <prefix>queues:<queue>. Jobs are taken from the left end.
// :delayed and :reserved are sorted sets of the same JSON, scored by the due time and by the end of
// the reservation, in seconds. :notify is a list of ones that wakes blocked workers. The prefix is
// the connection's, as plain text. Checked against keys of Laravel 8.83.

/// A key's name, taken apart.
struct LaravelName
{
    QByteArray main;  ///< "laravel_database_queues:default"; empty if the name is not a queue's
    QByteArray part;  ///< "", "delayed", "reserved" or "notify"
    QByteArray queue; ///< without the braces of a cluster
};
LaravelName laravelNameOf(const QByteArray& name);

/// The key in the cache that pauses a queue:
/// "<prefix>illuminate:queue:paused:<connection>:<queue>", from Laravel 12.40 on.
struct LaravelPause
{
    QByteArray queue; ///< empty if the name is not a pause key's
    /// The names that the queue's own key may have. The prefix before its "queues:" also precedes
    /// the cache's prefix.
    std::vector<QByteArray> mains;
};
LaravelPause laravelPauseOf(const QByteArray& name);

/// Reads a job from its JSON. Returns nothing if it is not a job of Laravel.
std::optional<JobFacts> laravelJobOf(const QByteArray& payload);

} // namespace lk
