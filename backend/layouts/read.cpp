// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/read.h"

#include "backend/core/observation.h"

#include <algorithm>

namespace lk {

namespace {

ReadContext contextFor(const ReadRequest& request, qint64 nowMs)
{
    const State* known = request.firstRead ? request.firstRead.get() : request.previous.get();
    return {nowMs, request.depth, request.large, known, request.payloads, request.unchanged};
}

} // namespace

std::vector<Command> planRead(const ReadRequest& request, qint64 nowMs)
{
    const Layout* layout = findLayout(request.primitive->id.layout);
    return layout ? layout->plan(*request.primitive, contextFor(request, nowMs))
                  : std::vector<Command>();
}

ReadOutcome decodeState(const ReadRequest& request, std::span<const Command> plan,
                        std::span<const Reply> replies, qint64 nowMs, bool* wantsLarge)
{
    ReadOutcome outcome;
    outcome.handle = request.handle;
    outcome.large = request.large;
    const Layout* layout = findLayout(request.primitive->id.layout);
    std::optional<Error> problem = errorIn(*request.primitive, plan, replies);
    if (layout) {
        Result<DecodeResult> reading =
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
    const std::vector<Command> plan = planRead(request, probe.nowMs);
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

} // namespace lk
