// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/jobreading.h"

#include "backend/layouts/layout.h"

#include <QCoreApplication>

namespace lk {

namespace {

constexpr int mostRounds = 3;

// One list on its way, from round to round.
struct JobRead
{
    Connection& connection;
    PrimitivePtr queue;
    JobQuery query;
    QObject* context;
    JobsHandler handler;
    std::vector<Reply> replies;
    int rounds = 0;
};
using JobReadPtr = std::shared_ptr<JobRead>;

void goOn(const JobReadPtr& reading)
{
    const Layout* layout = findLayout(reading->queue->id.layout);
    if (!layout)
        return reading->handler(
            failure(ErrorCode::NotFound,
                    QCoreApplication::translate("lk::JobListing", "The queue no longer exists")));
    const std::vector<Command> next =
        reading->rounds++ < mostRounds
            ? layout->jobReads(*reading->queue, reading->query, reading->replies)
            : std::vector<Command>();
    if (next.empty())
        return reading->handler(layout->jobs(*reading->queue, reading->query, reading->replies));
    reading->connection.send(next, reading->context, [reading, next](const BatchResult& result) {
        if (!result)
            return reading->handler(tl::unexpected(result.error()));
        for (size_t i = 0; i < next.size(); ++i) {
            const Reply& reply = (*result)[i];
            // What a key weighs is good to know, and not every user may ask.
            if (reply.isError() && next[i].args().front() != "MEMORY")
                return reading->handler(tl::unexpected(errorFromReply(reply.text)));
            reading->replies.push_back(reply);
        }
        goOn(reading);
    });
}

} // namespace

void readJobs(Connection& connection, const PrimitivePtr& queue, const JobQuery& query,
              QObject* context, JobsHandler handler)
{
    goOn(std::make_shared<JobRead>(
        JobRead{connection, queue, query, context, std::move(handler), {}}));
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
        page.jobs.push_back(queueItemOf(job));
        page.bytes += job.payload.size();
    }
    return page;
}

} // namespace lk
