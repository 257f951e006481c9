// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/primitive.h"
#include "backend/core/result.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

using JobsHandler = std::function<void(Result<std::vector<StoredJob>>)>;

/// Lists jobs of one state of a queue, the next one first, within the bounds of its layout. Only
/// reads. Calls the handler once, in the connection's thread, unless context is destroyed. Errors:
/// NotFound, and the errors of the read.
void readJobs(Link& connection, const PrimitivePtr& queue, const JobQuery& query, QObject* context,
              JobsHandler handler);

using JobDetailHandler = std::function<void(JobDetail)>;

/// Reads everything that is kept of one listed job. If its layout keeps only the payload, reads
/// that from the list again. Calls the handler as readJobs() does. An error is stored as the
/// detail's problem.
void readJobDetail(Link& connection, const PrimitivePtr& queue, const JobQuery& query,
                   const QueueJob& job, QObject* context, JobDetailHandler handler);

/// Converts listed jobs to a page. The caller sets its handle.
JobPage jobPageOf(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs);

} // namespace lk
