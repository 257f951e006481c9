// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// The jobs of a bee-queue; see beequeue.cpp. stem: "<prefix>:<queue>".

/// A state of a job, and the key in which its jobs are.
struct BeeState
{
    const char* name; ///< also the key's last part
    JobRole role;
    enum class Shape : quint8 { List, Sorted, Set } shape;
};
inline constexpr size_t beeStateCount = 5;
std::span<const BeeState, beeStateCount> beeStates();
const BeeState* beeState(const QByteArray& name); ///< null: there is none

// A job is the value of a field; one that is too large for a table is not read.
Command beeJobSize(const QByteArray& stem, const QByteArray& id);
Command beeJobRead(const QByteArray& stem, const QByteArray& id, const Reply& size);
JobFacts beeJobOf(const QByteArray& id, const Reply& field);

// Whether a job in progress has a worker: these are asked in that order, stalling first.
Command beeStallingRead(const QByteArray& stem, const QByteArray& id);
Command beeBlockRead(const QByteArray& stem);
std::optional<bool> isBeeAlive(const Reply& stalling, const Reply& block);

// See Layout::jobReads() and the rest.
std::vector<Command> beeJobReads(const QByteArray& stem, const BeeState& state,
                                 const JobQuery& query, std::span<const Reply> replies);
std::vector<StoredJob> beeJobs(const QByteArray& stem, const BeeState& state, const JobQuery& query,
                               std::span<const Reply> replies);
std::vector<Command> beeJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                       std::span<const Reply> replies);
JobDetail beeJobDetail(const QByteArray& state, const QByteArray& id,
                       std::span<const Reply> replies);

} // namespace lk
