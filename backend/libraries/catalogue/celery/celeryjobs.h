// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// A message is JSON wherever it is: {"body", "headers": {"task", "id", "eta", ...}, "properties":
// {"delivery_tag", "delivery_info", ...}}. The hash "unacked" contains the messages of all queues
// that workers have taken and not acknowledged. Its fields are the delivery tags, its values
// [message, exchange, routing key].

/// A message of Kombu, and the task in it.
struct CeleryTask
{
    JobFacts facts;
    QByteArray exchange;
    QByteArray routingKey;
    QByteArray priority;
    QByteArray payload; ///< the message's text
};
/// Returns nothing if it is not a message of Kombu.
std::optional<CeleryTask> celeryTaskOf(const QByteArray& message);
/// Reads the task from a value of the hash "unacked".
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
    /// Whether that message came from this queue.
    bool isOurs(const CeleryTask& task) const;
};

/// See Layout::jobReads().
std::vector<Command> celeryJobReads(const CeleryQueue& queue, const JobQuery& query,
                                    std::span<const Reply> replies);
std::vector<StoredJob> celeryJobs(const CeleryQueue& queue, const JobQuery& query,
                                  std::span<const Reply> replies);

/// Unacknowledged messages are read in steps: the tags, the lengths of their messages, then those
/// messages that are not too long. The state and the lists of jobs share these reads.
Command unackedTags(const CeleryQueue& queue);
std::vector<Command> unackedLengths(const CeleryQueue& queue, const Reply& tags);
/// Returns no command if there is nothing to read. lengths: the replies to unackedLengths().
std::vector<Command> unackedMessages(const CeleryQueue& queue, const Reply& tags,
                                     std::span<const Reply> lengths);
/// A message that a worker has taken and not acknowledged: a field of unacked.
struct UnackedTask
{
    QByteArray tag;
    double deliveredS = 0;
    std::optional<CeleryTask> task; ///< empty if it is too long or was acknowledged meanwhile
    bool unread = false;            ///< too long
};
std::vector<UnackedTask> unackedTasks(const Reply& tags, std::span<const Reply> lengths,
                                      const Reply* messages);

} // namespace lk
