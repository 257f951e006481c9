// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Parents and children of a job of BullMQ (https://docs.bullmq.io/guide/flows): the job's hash
// names its parent's key. Four keys beside it contain the children: a set of those that have not
// ended, a hash of the results of those that have, a hash of those whose failure is ignored, and a
// sorted set of those whose failure is not. Bull has no flows.

/// The number of commands that bullFlowReads() plans. They count the children and name those that
/// have not ended.
inline constexpr size_t bullFlowReadCount = 6;
std::vector<Command> bullFlowReads(const QByteArray& stem, const QByteArray& id);
/// Reads the names of the other children if they are few enough. first: the replies to
/// bullFlowReads().
std::vector<Command> bullFlowNameReads(const QByteArray& stem, const QByteArray& id,
                                       std::span<const Reply> first);
/// Adds the job's parent and children to the detail. names: the replies to bullFlowNameReads().
void addBullLinks(JobDetail& detail, const QByteArray& parentKey, std::span<const Reply> first,
                  std::span<const Reply> names);

} // namespace lk
