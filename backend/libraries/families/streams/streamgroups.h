// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// A stream's consumer groups and what Symfony's Messenger, which uses them, keeps beside the
// stream: what is due later in the sorted set <stream>__queue, by milliseconds. Checked against
// keys of Messenger 5.4.

/// A consumer group of a stream.
struct StreamGroup
{
    QByteArray name;
    qint64 consumers = 0;
    qint64 pending = 0;        ///< delivered and not acknowledged
    QByteArray lastDelivered;  ///< id
    std::optional<qint64> lag; ///< not delivered yet; since Redis 7, and not always
};
/// Of XINFO GROUPS.
std::vector<StreamGroup> streamGroupsOf(const Reply& reply);

/// The value of that name in a reply of names and values.
const Reply* namedValue(const Reply& pairs, const char* name);

/// When an entry was added, by its id "<ms>-<n>".
std::optional<qint64> streamIdMs(const QByteArray& id);
/// The id that follows it.
QByteArray nextStreamId(const QByteArray& id);

/// An entry's fields as a text, and what they tell if Messenger wrote them.
StoredJob streamJobOf(const QByteArray& key, const Reply& entry);
/// The same of what Messenger delays: JSON {"body", "headers"}.
std::optional<JobFacts> messengerJobOf(const QByteArray& json);

/// XPENDING's extended form, a page of it.
struct PendingEntry
{
    QByteArray id;
    QByteArray consumer;
    qint64 idleMs = 0;
    qint64 deliveries = 0;
};
std::vector<PendingEntry> pendingOf(const Reply& reply);

/// The states of a stream's groups: of each what waits and what is pending, with the group's name
/// where there are several.
QByteArray groupState(const char* state, const QByteArray& group, size_t groups);

/// See Layout::jobReads(). key: the stream's.
std::vector<Command> streamJobReads(const QByteArray& key, const JobQuery& query,
                                    std::span<const Reply> replies);
std::vector<StoredJob> streamJobs(const QByteArray& key, const JobQuery& query,
                                  std::span<const Reply> replies);

} // namespace lk
