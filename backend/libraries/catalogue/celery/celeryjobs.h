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

/// See Layout::readJobs().
Read<std::vector<StoredJob>> readCeleryJobs(CeleryQueue queue, JobQuery query);

/// The earliest of the messages that were taken: the tags with the times of their delivery.
Command unackedTags(const CeleryQueue& queue);
/// A message that a worker has taken and not acknowledged: a field of unacked.
struct UnackedTask
{
    double deliveredS = 0;
    std::optional<CeleryTask> task; ///< empty if it is too long or was acknowledged meanwhile
    bool unread = false;            ///< too long
};
/// Reads the messages with these tags that are not too long, as many as fit.
Read<std::vector<UnackedTask>> readUnacked(CeleryQueue queue, std::vector<ScoredMember> tags);

} // namespace lk
