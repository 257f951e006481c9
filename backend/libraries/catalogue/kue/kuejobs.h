// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// The jobs of a kue queue; see kue.cpp. Queue: "<prefix>:jobs:<type>".

/// A state of a job, and the order in which its jobs are listed.
struct KueState
{
    const char* name;
    JobRole role;
    bool newestFirst;
};
inline constexpr size_t kueStateCount = 5;
std::span<const KueState, kueStateCount> kueStates();
const KueState* kueState(const QByteArray& name); ///< null if there is no such state

QByteArray kueIdOf(const QByteArray& member);    ///< "02|17" -> "17"; empty for anything else
QByteArray kuePrefixOf(const QByteArray& queue); ///< the prefix that all job types share

QByteArray kueJobKey(const QByteArray& prefix, const QByteArray& id);
Command kueJobRead(const QByteArray& prefix, const QByteArray& id);
JobFacts kueJobOf(const QByteArray& id, const Reply& fields, const KueState& state);

// See Layout::jobReads() and the rest.
std::vector<Command> kueJobReads(const QByteArray& queue, const KueState& state,
                                 const JobQuery& query, std::span<const Reply> replies);
std::vector<StoredJob> kueJobs(const QByteArray& queue, const KueState& state,
                               std::span<const Reply> replies);
std::vector<Command> kueJobDetailReads(const QByteArray& queue, const QByteArray& id,
                                       std::span<const Reply> replies);
JobDetail kueJobDetail(const KueState& state, const QByteArray& id, std::span<const Reply> replies);

} // namespace lk
