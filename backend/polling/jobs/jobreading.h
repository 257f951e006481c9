// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/primitive.h"
#include "backend/core/result.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

using JobsHandler = std::function<void(Result<std::vector<StoredJob>>)>;

/// Lists jobs of one state of a queue, what comes next first, within its layout's bounds. Only
/// reads. The handler comes once, in the connection's thread; not if context is gone. Errors:
/// NotFound, and what reading brought.
void readJobs(Link& connection, const PrimitivePtr& queue, const JobQuery& query, QObject* context,
              JobsHandler handler);

using JobDetailHandler = std::function<void(JobDetail)>;

/// Reads everything that is kept of one listed job; where its layout keeps nothing besides, its
/// payload, from the list again. As readJobs(); what went wrong is the detail's problem.
void readJobDetail(Link& connection, const PrimitivePtr& queue, const JobQuery& query,
                   const QueueJob& job, QObject* context, JobDetailHandler handler);

/// Listed jobs as a page; handle is left for the caller.
JobPage jobPageOf(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs);

} // namespace lk
