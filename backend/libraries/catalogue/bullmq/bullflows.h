// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Parents and children of a job of BullMQ (https://docs.bullmq.io/guide/flows): the job's hash
// names its parent's key. Four keys beside it contain the children: a set of those that have not
// ended, a hash of the results of those that have, a hash of those whose failure is ignored, and a
// sorted set of those whose failure is not. Bull has no flows.

/// A job's children, up to mostJobLinks.
struct BullChildren
{
    std::vector<JobLink> links;
    qint64 leftOut = 0;
};
Read<BullChildren> readBullChildren(QByteArray stem, QByteArray id);
/// The link to a job's parent. Nothing if it has none.
std::optional<JobLink> bullParentOf(const QByteArray& parentKey);

} // namespace lk
