// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// A stream's consumer groups, and the delayed messages of Symfony's Messenger, which uses them: the
// sorted set <stream>__queue beside the stream, scored by due time in milliseconds. Checked against
// keys of Messenger 5.4.

/// A consumer group of a stream.
struct StreamGroup
{
    QByteArray name;
    qint64 consumers = 0;
    qint64 pending = 0;        ///< delivered and not acknowledged
    QByteArray lastDelivered;  ///< id of an entry
    std::optional<qint64> lag; ///< entries not delivered yet; since Redis 7, and not always known
};
/// The groups in a reply of XINFO GROUPS.
std::vector<StreamGroup> streamGroupsOf(const Reply& reply);

/// The value of that name in a reply of names and values.
const Reply* namedValue(const Reply& pairs, const char* name);

/// The time when an entry was added, from its id "<ms>-<n>".
std::optional<qint64> streamIdMs(const QByteArray& id);
/// The next id.
QByteArray nextStreamId(const QByteArray& id);

/// An entry's fields as text, and the job's facts if Messenger wrote them.
StoredJob streamJobOf(const QByteArray& key, const Reply& entry);
/// The facts of a message that Messenger delays: JSON {"body", "headers"}.
std::optional<JobFacts> messengerJobOf(const QByteArray& json);

/// An entry in the extended form of XPENDING.
struct PendingEntry
{
    QByteArray id;
    QByteArray consumer;
    qint64 idleMs = 0;
    qint64 deliveries = 0;
};
std::vector<PendingEntry> pendingOf(const Reply& reply);

/// The name of a state of a stream's group, waiting or pending. Contains the group's name if the
/// stream has several groups.
QByteArray groupState(const char* state, const QByteArray& group, size_t groups);

/// See Layout::readJobs(). key: the stream.
Read<std::vector<StoredJob>> readStreamJobs(QByteArray key, JobQuery query);

} // namespace lk
