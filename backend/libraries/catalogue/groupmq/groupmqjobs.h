// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// The jobs of a GroupMQ queue; see groupmq.cpp. stem: "groupmq:<namespace>".

/// A state of a job, and the key that contains the jobs in that state.
struct GroupState
{
    const char* name;
    JobRole role;
    const char* key; ///< the key's last part; null if the jobs are in the groups
};
inline constexpr size_t groupStateCount = 6;
std::span<const GroupState, groupStateCount> groupStates();
const GroupState* groupState(const QByteArray& name);  ///< null if there is no such state
inline constexpr const char* groupDelayed = "delayed"; ///< a state and its key

/// The largest number of groups whose waiting jobs are read.
inline constexpr qint64 groupsRead = 200;

QByteArray groupJobKey(const QByteArray& stem, const QByteArray& id);
Command groupJobRead(const QByteArray& stem, const QByteArray& id);
JobFacts groupJobOf(const QByteArray& id, const Reply& fields);

/// See Layout::readJobs() and readJob().
Read<std::vector<StoredJob>> readGroupJobs(QByteArray stem, const GroupState& state,
                                           JobQuery query);
Read<JobDetail> readGroupJob(QByteArray stem, QByteArray id);

} // namespace lk
