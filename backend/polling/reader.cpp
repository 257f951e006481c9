// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/reader.h"

#include "backend/core/derived/clockofall.h"
#include "backend/redis/server/serverinfo.h"

#include <algorithm>

namespace lk {

namespace {

// A round in progress. Several nodes are read in parallel, each by its own clock.
struct Reading
{
    Link& link;
    ServerClock clock;
    const Clock& local;
    QObject* context;
    ReadHandler handler;
    ReadRound round;
    int partsUnderWay = 0;
};
using ReadingPtr = std::shared_ptr<Reading>;

// The reads of a round on one node. They proceed step by step.
struct Part
{
    ReadingPtr reading;
    Link& node;
    std::vector<PrimitiveRead> reads; ///< of the current step
    qint64 sentMs = 0;
};
using PartPtr = std::shared_ptr<Part>;

// The commands that begin a batch: TIME, unless it is known to be denied.
std::vector<Command> timeCommands(const ServerClock& clock)
{
    return clock.source == TimeSource::Server ? std::vector<Command>{{"TIME"}}
                                              : std::vector<Command>();
}

void takeReplies(Part& part, const std::vector<Reply>& replies)
{
    Reading& reading = *part.reading;
    ReadRound& round = reading.round;
    const qint64 receivedMs = reading.local.nowMs();
    round.commands += qint64(replies.size());
    size_t next = timeCommands(reading.clock).size();
    const std::optional<qint64> nodeTimeMs =
        next > 0 && !replies.empty() ? timeFromReply(replies.front()) : std::nullopt;
    const qint64 serverMs = nodeTimeMs.value_or(reading.clock.serverMs(receivedMs));
    // The round keeps the home node's time.
    if (&part.node == &reading.link.home() || round.receivedMs == 0) {
        round.timed = nodeTimeMs.has_value() && &part.node == &reading.link.home();
        round.serverMs = serverMs;
        round.sentMs = part.sentMs;
        round.receivedMs = receivedMs;
    }
    const bool ownClock = &part.node != &reading.link.home() && nodeTimeMs && reading.clock.known();
    const qint64 shiftMs = ownClock ? reading.clock.serverMs(receivedMs) - serverMs : 0;
    round.outcomes.reserve(round.outcomes.size() + part.reads.size());
    std::vector<PrimitiveRead> further;
    for (PrimitiveRead& read : part.reads) {
        const std::span<const Reply> own(replies.data() + next, read.commands().size());
        next += own.size();
        std::optional<ReadOutcome> outcome = read.take(own, serverMs);
        if (!outcome) {
            further.push_back(std::move(read));
            continue;
        }
        tellByClockOfAll(outcome->state, shiftMs);
        round.outcomes.push_back(std::move(*outcome));
    }
    part.reads = std::move(further);
}

void sendStep(const PartPtr& part)
{
    Reading& reading = *part->reading;
    std::vector<Command> batch = timeCommands(reading.clock);
    batch.reserve(part->reads.size() * 3 + 1);
    for (const PrimitiveRead& read : part->reads)
        batch.insert(batch.end(), read.commands().begin(), read.commands().end());
    part->sentMs = reading.local.nowMs();
    part->node.send(batch, reading.context, [part](const BatchResult& result) {
        Reading& read = *part->reading;
        if (result)
            takeReplies(*part, *result);
        else
            read.round.error = result.error();
        if (result && !part->reads.empty())
            return sendStep(part);
        for (const PrimitiveRead& unread : part->reads)
            read.round.unread.push_back(unread.request());
        if (--read.partsUnderWay == 0)
            read.handler(std::move(read.round));
    });
}

} // namespace

void readPrimitives(Link& link, std::vector<ReadRequest> requests, const ServerClock& clock,
                    const Clock& local, QObject* context, ReadHandler handler)
{
    const auto reading =
        std::make_shared<Reading>(Reading{link, clock, local, context, std::move(handler), {}});
    const qint64 estimatedMs = clock.serverMs(local.nowMs());
    std::vector<PartPtr> parts;
    for (ReadRequest& request : requests) {
        const std::vector<KeyRole>& keys = request.primitive->keys;
        Link& node = keys.empty() ? link.home() : link.nodeOf(keys.front().key);
        auto it = std::find_if(parts.begin(), parts.end(),
                               [&node](const PartPtr& part) { return &part->node == &node; });
        if (it == parts.end())
            it = parts.insert(it, std::make_shared<Part>(Part{reading, node, {}}));
        (*it)->reads.emplace_back(std::move(request), estimatedMs);
    }
    if (parts.empty()) // reads only the time
        parts.push_back(std::make_shared<Part>(Part{reading, link.home(), {}}));
    reading->partsUnderWay = int(parts.size());
    for (const PartPtr& part : parts)
        sendStep(part);
}

} // namespace lk
