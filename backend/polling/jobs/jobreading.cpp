// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobs/jobreading.h"

#include "backend/libraries/api/layout.h"
#include "backend/polling/runread.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

Error jobGone()
{
    return {ErrorCode::NotFound,
            QCoreApplication::translate("lk::JobListing", "The queue no longer exists")};
}

// The list contains only the payload, which is read again from the same place.
void readListed(Link& connection, const PrimitivePtr& queue, const JobQuery& query,
                const QueueJob& job, QObject* context, const JobDetailHandler& handler)
{
    readJobs(connection, queue, query, context,
             [queue, job, handler](const Result<std::vector<StoredJob>>& jobs) {
                 JobDetail detail;
                 detail.facts = job.facts;
                 if (!jobs) {
                     detail.problem = jobs.error();
                     return handler(std::move(detail));
                 }
                 const auto it =
                     std::find_if(jobs->begin(), jobs->end(), [&](const StoredJob& stored) {
                         return queueJobOf(stored).fingerprint == job.fingerprint;
                     });
                 if (it == jobs->end()) {
                     detail.problem =
                         Error{ErrorCode::NotFound,
                               QCoreApplication::translate("lk::JobListing",
                                                           "The job is no longer in the list")};
                     return handler(std::move(detail));
                 }
                 detail.payload = it->payload;
                 detail.payloadCut = it->size.value_or(0) > it->payload.size();
                 if (const Layout* layout = findLayout(queue->id.layout))
                     layout->completeDetail(*queue, detail);
                 handler(std::move(detail));
             });
}

} // namespace

void readJobs(Link& connection, const PrimitivePtr& queue, const JobQuery& query, QObject* context,
              JobsHandler handler)
{
    const Layout* layout = findLayout(queue->id.layout);
    if (!layout)
        return handler(tl::unexpected(jobGone()));
    runRead<std::vector<StoredJob>>(connection, context, queue, layout->readJobs(*queue, query),
                                    std::move(handler));
}

void readJobDetail(Link& connection, const PrimitivePtr& queue, const JobQuery& query,
                   const QueueJob& job, QObject* context, JobDetailHandler handler)
{
    const Layout* layout = findLayout(queue->id.layout);
    if (!layout || job.facts.id.isEmpty())
        return readListed(connection, queue, query, job, context, handler);
    Read<JobDetail> read = layout->readJob(*queue, query.state, job.facts.id);
    if (read.isDone())
        return readListed(connection, queue, query, job, context, handler);
    runRead<JobDetail>(connection, context, queue, std::move(read),
                       [handler = std::move(handler)](Result<JobDetail> result) {
                           JobDetail detail;
                           if (result)
                               detail = std::move(*result);
                           else
                               detail.problem = result.error();
                           handler(std::move(detail));
                       });
}

JobPage jobPageOf(const JobQuery& query, const Result<std::vector<StoredJob>>& jobs)
{
    JobPage page;
    page.state = query.state;
    page.offset = query.offset;
    if (!jobs) {
        page.problem = jobs.error();
        return page;
    }
    for (const StoredJob& job : *jobs) {
        page.jobs.push_back(queueJobOf(job));
        page.bytes += job.payload.size();
    }
    return page;
}

} // namespace lk
