// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// What the layouts of job queues share: sums, judgements and small readings of replies.

/// So many jobs in progress are looked at for a queue's state, oldest first.
inline constexpr qint64 jobsInProgressRead = 50;
/// So many failed jobs are looked at for their groups, the latest.
inline constexpr qint64 failuresRead = 50;

/// ready, processing, delayed and dead as the sums of the states' counts by role. A sum of which a
/// part is unknown is unknown.
void sumStates(QueueState& queue);

/// How many jobs are in the state of that name; empty: unknown, or there is no such state.
std::optional<qint64> countOfState(const QueueState& queue, const QByteArray& name);

/// Puts the queue into the state: presence, health, urgency, and that its items are those of now.
/// itemsBytes: what reading them brought, about.
void finalizeQueue(State& state, QueueState queue, qint64 nowMs, qint64 itemsBytes);

/// Failed jobs grouped by error and name, the most frequent first.
std::vector<FailureGroup> groupsOf(const std::vector<JobFacts>& failed);

/// The first line of an error's text, cut to what JobFacts::error holds.
QByteArray firstLine(const QByteArray& text);

/// A whole number of milliseconds that is a time; nothing for anything else.
std::optional<qint64> timeMs(const QByteArray& text);

/// The text of an HMGET reply's item; empty where the hash has no such field.
QByteArray fieldText(const Reply& hmget, size_t index);

/// The ids of a page of a list from whose right end jobs are taken, what comes next first.
Command listPageFromRight(const QByteArray& key, const JobQuery& query);
/// The same of a list from whose left end jobs are taken.
Command listPageFromLeft(const QByteArray& key, const JobQuery& query);
/// Of a sorted set, by rising or falling score, with scores.
Command sortedPage(const QByteArray& key, const JobQuery& query, bool falling);
/// The members of such a page in the order in which jobs come: a list from the right is turned
/// round, of a sorted set the scores are left out.
std::vector<QByteArray> membersOf(const Command& page, const Reply& reply);

} // namespace lk
