// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Parents and children of a job of BullMQ (https://docs.bullmq.io/guide/flows): the job's hash
// names its parent's key; beside it are a set of the children that have not ended, a hash of what
// those that have returned, a hash of those whose failure does not matter and a sorted set of those
// whose failure does. Bull has none of that.

/// So many commands tell how many children there are and name those that have not ended.
inline constexpr size_t bullFlowReadCount = 6;
std::vector<Command> bullFlowReads(const QByteArray& stem, const QByteArray& id);
/// The names of the others, where they are few enough. first: the replies to bullFlowReads().
std::vector<Command> bullFlowNameReads(const QByteArray& stem, const QByteArray& id,
                                       std::span<const Reply> first);
/// Puts the job's parent and children into the detail. names: the replies to bullFlowNameReads().
void addBullLinks(JobDetail& detail, const QByteArray& parentKey, std::span<const Reply> first,
                  std::span<const Reply> names);

} // namespace lk
