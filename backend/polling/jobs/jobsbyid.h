// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/core/jobs.h"

#include <memory>
#include <vector>

namespace lk {

/// The jobs with exactly this id, in any queue and state.
struct JobsById
{
    /// A job and the queue that contains it.
    struct Job
    {
        Handle queue;
        JobFacts facts;
    };
    QByteArray id;
    std::vector<Job> jobs;
    int queues = 0; ///< how many queues were asked
};
using JobsByIdPtr = std::shared_ptr<const JobsById>;

} // namespace lk
