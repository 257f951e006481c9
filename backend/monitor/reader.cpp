// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/reader.h"

#include "backend/monitor/observation.h"
#include "backend/redis/serverinfo.h"

#include <algorithm>

namespace lk {

namespace {

struct Planned
{
    ReadRequest request;
    std::vector<Command> commands;
};

ReadContext contextFor(const ReadRequest& request, qint64 nowMs)
{
    const State* known = request.firstLook ? request.firstLook.get() : request.previous.get();
    return {nowMs, request.depth, request.large, known, request.payloads, request.unchanged};
}

std::vector<Command> planFor(const ReadRequest& request, qint64 nowMs)
{
    const Layout* layout = findLayout(request.primitive->id.layout);
    return layout ? layout->plan(*request.primitive, contextFor(request, nowMs))
                  : std::vector<Command>();
}

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
            p.request.firstLook = std::make_shared<State>(std::move(outcome.state));
            round.again.push_back(std::move(p.request));
        } else {
            round.outcomes.push_back(std::move(outcome));
        }
    }
    return round;
}

} // namespace

ReadOutcome decodeState(const ReadRequest& request, std::span<const Command> plan,
                        std::span<const Reply> replies, qint64 nowMs, bool* wantsLarge)
{
    ReadOutcome outcome;
    outcome.handle = request.handle;
    outcome.large = request.large;
    const Layout* layout = findLayout(request.primitive->id.layout);
    std::optional<Error> problem = errorIn(*request.primitive, plan, replies);
    if (layout) {
        Result<Reading> reading =
            layout->decode(*request.primitive, replies, contextFor(request, nowMs));
        if (reading) {
            outcome.state = std::move(reading->state);
            if (wantsLarge)
                *wantsLarge = reading->wantsLarge;
            problem.reset();
        } else {
            problem = reading.error();
        }
    }
    if (problem)
        outcome.state = problemState(request.primitive, nowMs, *problem);
    outcome.state.primitive = request.primitive;
    outcome.state.asOfMs = nowMs;
    observe(outcome.state, request.previous.get());
    return outcome;
}

std::optional<ReadOutcome> decodeFromProbe(const ReadRequest& request, const Probe& probe)
{
    const std::vector<Command> plan = planFor(request, probe.nowMs);
    // Plans ask in the order in which the probe does: the same replies, without a copy.
    const bool same = plan.size() <= probe.asked.size()
                      && std::equal(plan.begin(), plan.end(), probe.asked.begin());
    std::vector<Reply> picked;
    if (!same) {
        for (const Command& command : plan) {
            const auto it = std::find(probe.asked.begin(), probe.asked.end(), command);
            if (it == probe.asked.end())
                return std::nullopt;
            picked.push_back(probe.replies[size_t(it - probe.asked.begin())]);
        }
    }
    const std::span<const Reply> replies =
        same ? std::span(probe.replies).first(plan.size()) : std::span<const Reply>(picked);
    bool wantsLarge = false;
    ReadOutcome outcome = decodeState(request, plan, replies, probe.nowMs, &wantsLarge);
    if (wantsLarge)
        return std::nullopt;
    return outcome;
}

qint64 readCost(const std::vector<ReadRequest>& requests, qint64 nowMs)
{
    qint64 cost = 0;
    for (const ReadRequest& request : requests)
        cost += qint64(planFor(request, nowMs).size());
    return cost;
}

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
        std::vector<Command> commands = planFor(request, estimatedMs);
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
