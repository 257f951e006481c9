// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobs/jobreading.h"

#include "backend/libraries/api/layout.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostRounds = 6;

using Replies = std::vector<Reply>;

// A read in progress, which may take several rounds. next returns the commands that follow these
// replies.
struct RoundedRead
{
    Link& connection;
    QObject* context;
    std::function<std::vector<Command>(const Replies&)> next;
    std::function<void(const Result<Replies>&)> done;
    Replies replies = {};
    int rounds = 0;
};
using RoundedReadPtr = std::shared_ptr<RoundedRead>;

void goOn(const RoundedReadPtr& reading)
{
    const std::vector<Command> next =
        reading->rounds++ < mostRounds ? reading->next(reading->replies) : std::vector<Command>();
    if (next.empty())
        return reading->done(std::move(reading->replies));
    reading->connection.send(next, reading->context, [reading, next](const BatchResult& result) {
        if (!result)
            return reading->done(tl::unexpected(result.error()));
        for (size_t i = 0; i < next.size(); ++i) {
            const Reply& reply = (*result)[i];
            // A key's memory usage is optional: not every user may ask for it.
            if (reply.isError() && next[i].args().front() != "MEMORY")
                return reading->done(tl::unexpected(errorFromReply(reply.text)));
            reading->replies.push_back(reply);
        }
        goOn(reading);
    });
}

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
    goOn(std::make_shared<RoundedRead>(RoundedRead{
        connection, context,
        [=](const Replies& replies) { return layout->jobReads(*queue, query, replies); },
        [=, handler = std::move(handler)](const Result<Replies>& replies) {
            if (replies)
                handler(layout->jobs(*queue, query, *replies));
            else
                handler(tl::unexpected(replies.error()));
        }}));
}

void readJobDetail(Link& connection, const PrimitivePtr& queue, const JobQuery& query,
                   const QueueJob& job, QObject* context, JobDetailHandler handler)
{
    const Layout* layout = findLayout(queue->id.layout);
    const QByteArray& id = job.facts.id;
    if (!layout || id.isEmpty() || layout->jobDetailReads(*queue, query.state, id, {}).empty())
        return readListed(connection, queue, query, job, context, handler);
    goOn(std::make_shared<RoundedRead>(RoundedRead{
        connection, context,
        [=, state = query.state](const Replies& replies) {
            return layout->jobDetailReads(*queue, state, id, replies);
        },
        [=, state = query.state, handler = std::move(handler)](const Result<Replies>& replies) {
            JobDetail detail;
            if (replies)
                detail = layout->jobDetail(*queue, state, id, *replies);
            else
                detail.problem = replies.error();
            handler(std::move(detail));
        }}));
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
