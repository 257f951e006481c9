// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/reader.h"

#include "backend/redis/serverinfo.h"

namespace lk {

namespace {

struct Planned
{
    ReadRequest request;
    std::vector<Command> commands;
};

qint64 bytesOf(const Reply& reply)
{
    qint64 bytes = reply.text.size();
    for (const Reply& item : reply.items)
        bytes += bytesOf(item);
    return bytes;
}

// What a batch begins with: TIME, unless it is known to be denied.
std::vector<Command> timeCommands(const ServerClock& clock)
{
    return clock.source == TimeSource::Server ? std::vector<Command>{{"TIME"}}
                                              : std::vector<Command>();
}

ReadRound decodeRound(std::vector<Planned> planned, const std::vector<Reply>& replies,
                      const ServerClock& clock, qint64 receivedMs)
{
    ReadRound round;
    round.commands = qint64(replies.size());
    round.receivedMs = receivedMs;
    size_t next = timeCommands(clock).size();
    const std::optional<qint64> serverMs =
        next > 0 && !replies.empty() ? timeFromReply(replies.front()) : std::nullopt;
    round.timed = serverMs.has_value();
    round.serverMs = serverMs.value_or(clock.serverMs(receivedMs));
    round.outcomes.reserve(planned.size());
    for (Planned& p : planned) {
        const std::span<const Reply> own(replies.data() + next, p.commands.size());
        next += p.commands.size();
        bool wantsLarge = false;
        ReadOutcome outcome = decodeState(p.request, p.commands, own, round.serverMs, &wantsLarge);
        outcome.payloads = p.request.payloads;
        for (const Reply& reply : own)
            outcome.bytes += bytesOf(reply);
        if (wantsLarge && !p.request.large) {
            p.request.large = true;
            p.request.firstRead = std::make_shared<State>(std::move(outcome.state));
            round.again.push_back(std::move(p.request));
        } else {
            round.outcomes.push_back(std::move(outcome));
        }
    }
    return round;
}

} // namespace

void readPrimitives(Connection& connection, std::vector<ReadRequest> requests,
                    const ServerClock& clock, const Clock& local, QObject* context,
                    ReadHandler handler)
{
    const qint64 sentMs = local.nowMs();
    const qint64 estimatedMs = clock.serverMs(sentMs);
    std::vector<Planned> planned;
    planned.reserve(requests.size());
    std::vector<Command> batch = timeCommands(clock);
    batch.reserve(requests.size() * 3 + 1);
    for (ReadRequest& request : requests) {
        std::vector<Command> commands = planRead(request, estimatedMs);
        batch.insert(batch.end(), commands.begin(), commands.end());
        planned.push_back({std::move(request), std::move(commands)});
    }
    connection.send(std::move(batch), context,
                    [planned = std::move(planned), handler = std::move(handler), sentMs, clock,
                     &local](BatchResult result) mutable {
                        if (!result) {
                            handler(tl::unexpected(result.error()));
                            return;
                        }
                        ReadRound round =
                            decodeRound(std::move(planned), *result, clock, local.nowMs());
                        round.sentMs = sentMs;
                        handler(std::move(round));
                    });
}

} // namespace lk
