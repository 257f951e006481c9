// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// A message is JSON wherever it is: {"body", "headers": {"task", "id", "eta", ...}, "properties":
// {"delivery_tag", "delivery_info", ...}}. What a worker has taken and not acknowledged is in the
// hash "unacked" as [message, exchange, routing key], by its tag, whichever queue it came from.

/// A message of Kombu, and the task in it.
struct CeleryTask
{
    JobFacts facts;
    QByteArray exchange;
    QByteArray routingKey;
    QByteArray priority;
    QByteArray payload; ///< the message's text
};
/// Nothing if it is no message of Kombu.
std::optional<CeleryTask> celeryTaskOf(const QByteArray& message);
/// Of a value of "unacked".
std::optional<CeleryTask> unackedTaskOf(const QByteArray& value);

/// Where the messages of one queue are.
struct CeleryQueue
{
    QByteArray prefix;
    QByteArray queue;
    std::vector<QByteArray> lists;   ///< by priority, the first first
    std::optional<qint64> visibleMs; ///< the visibility timeout, where it is declared

    QByteArray unacked() const { return prefix + "unacked"; }
    QByteArray index() const { return prefix + "unacked_index"; }
    /// Whether a message with these came from it.
    bool isOurs(const CeleryTask& task) const;
};

/// See Layout::jobReads().
std::vector<Command> celeryJobReads(const CeleryQueue& queue, const JobQuery& query,
                                    std::span<const Reply> replies);
std::vector<StoredJob> celeryJobs(const CeleryQueue& queue, const JobQuery& query,
                                  std::span<const Reply> replies);

/// What is unacknowledged is read in steps: the tags, then how long their messages are, then those
/// that are not too long. The command and its bounds, shared by the state and by lists of jobs.
Command unackedTags(const CeleryQueue& queue);
std::vector<Command> unackedLengths(const CeleryQueue& queue, const Reply& tags);
/// Empty: there is nothing to be read. lengths: the replies to unackedLengths().
std::vector<Command> unackedMessages(const CeleryQueue& queue, const Reply& tags,
                                     std::span<const Reply> lengths);
/// A message that a worker has taken and not acknowledged: a field of unacked.
struct UnackedTask
{
    QByteArray tag;
    double deliveredS = 0;
    std::optional<CeleryTask> task; ///< empty: too long, or acknowledged meanwhile
    bool unread = false;            ///< too long
};
std::vector<UnackedTask> unackedTasks(const Reply& tags, std::span<const Reply> lengths,
                                      const Reply* messages);

} // namespace lk
