// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/core/jobs.h"

#include <memory>
#include <vector>

namespace lk {

/// Jobs that have just this id, in whatever queue and state.
struct JobsById
{
    /// One of them, and the queue that has it.
    struct Job
    {
        Handle queue;
        JobFacts facts;
    };
    QByteArray id;
    std::vector<Job> jobs;
    int queues = 0; ///< that were asked
};
using JobsByIdPtr = std::shared_ptr<const JobsById>;

} // namespace lk
