// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/reader.h"

#include "backend/redis/server/serverinfo.h"

namespace lk {

namespace {

// One round on its way, from step to step.
struct Reading
{
    Link& connection;
    ServerClock clock;
    const Clock& local;
    QObject* context;
    ReadHandler handler;
    std::vector<PlannedRead> reads; ///< of the present step
    ReadRound round;
};
using ReadingPtr = std::shared_ptr<Reading>;

// What a batch begins with: TIME, unless it is known to be denied.
std::vector<Command> timeCommands(const ServerClock& clock)
{
    return clock.source == TimeSource::Server ? std::vector<Command>{{"TIME"}}
                                              : std::vector<Command>();
}

void takeReplies(Reading& reading, const std::vector<Reply>& replies)
{
    ReadRound& round = reading.round;
    round.receivedMs = reading.local.nowMs();
    round.commands += qint64(replies.size());
    size_t next = timeCommands(reading.clock).size();
    const std::optional<qint64> serverMs =
        next > 0 && !replies.empty() ? timeFromReply(replies.front()) : std::nullopt;
    round.timed = serverMs.has_value();
    round.serverMs = serverMs.value_or(reading.clock.serverMs(round.receivedMs));
    round.outcomes.reserve(round.outcomes.size() + reading.reads.size());
    std::vector<PlannedRead> further;
    for (PlannedRead& read : reading.reads) {
        const std::span<const Reply> own(replies.data() + next, read.commands().size());
        next += own.size();
        if (std::optional<ReadOutcome> outcome = read.take(own, round.serverMs))
            round.outcomes.push_back(std::move(*outcome));
        else
            further.push_back(std::move(read));
    }
    reading.reads = std::move(further);
}

void sendStep(const ReadingPtr& reading)
{
    std::vector<Command> batch = timeCommands(reading->clock);
    batch.reserve(reading->reads.size() * 3 + 1);
    for (const PlannedRead& read : reading->reads)
        batch.insert(batch.end(), read.commands().begin(), read.commands().end());
    reading->round.sentMs = reading->local.nowMs();
    reading->connection.send(std::move(batch), reading->context,
                             [reading](const BatchResult& result) {
                                 if (result)
                                     takeReplies(*reading, *result);
                                 else
                                     reading->round.error = result.error();
                                 if (result && !reading->reads.empty())
                                     return sendStep(reading);
                                 for (const PlannedRead& read : reading->reads)
                                     reading->round.unread.push_back(read.request());
                                 reading->handler(std::move(reading->round));
                             });
}

} // namespace

void readPrimitives(Link& connection, std::vector<ReadRequest> requests, const ServerClock& clock,
                    const Clock& local, QObject* context, ReadHandler handler)
{
    const auto reading = std::make_shared<Reading>(
        Reading{connection, clock, local, context, std::move(handler), {}, {}});
    const qint64 estimatedMs = clock.serverMs(local.nowMs());
    reading->reads.reserve(requests.size());
    for (ReadRequest& request : requests)
        reading->reads.emplace_back(std::move(request), estimatedMs);
    sendStep(reading);
}

} // namespace lk
