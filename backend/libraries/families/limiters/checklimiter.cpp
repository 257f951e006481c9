// SPDX-License-Identifier: GPL-3.0-or-later
// Checks whether the next request would pass, from the stored state and without making a request.
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/families/limiters/limiteractions.h"

#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk::actions {

namespace {

// The permits that the next acquire finds if the stored number disagrees with the acquired ones.
// The library adds the permits that have left the window to that number and checks nothing else.
// Nothing if they agree.
std::optional<qint64> disputedPermits(const LimiterState& limiter)
{
    const bool perClient = limiter.consumersTotal > 0; // their use and drift may differ
    if (limiter.permitDrift.value_or(0) == 0 || perClient || !limiter.limit || !limiter.occupancy ||
        limiter.occupancyIsUpperBound)
        return std::nullopt;
    return std::clamp<qint64>(*limiter.limit - *limiter.occupancy + *limiter.permitDrift, 0,
                              *limiter.limit);
}

class AskLimiter final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("limiter.check"); }
    QString title() const override { return ActionText::tr("Check the next request"); }
    QString summary() const override
    {
        return ActionText::tr("check whether the next request would pass, without making it");
    }
    bool writes() const override { return false; }
    QString unavailable(const State&) const override { return {}; }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const State& state = context.state;
        const auto* limiter = state.as<LimiterState>();
        if (state.problem)
            return tl::unexpected(*state.problem);
        Plan plan = planFor(*this, state);
        plan.question = ActionText::tr("Check the next request to %1?").arg(nameOf(state));
        plan.expected = seenLimiter(state);
        Answer answer;
        const auto disputed = limiter ? disputedPermits(*limiter) : std::nullopt;
        const OptionalInt left = disputed  ? disputed
                                 : limiter ? std::optional<qint64>(limiter->remaining)
                                           : std::nullopt;
        if (!state.present) {
            answer = {true, ActionText::tr("It would pass: nothing is counted at the moment")};
        } else if (disputed == 0 && *limiter->permitDrift < 0) {
            answer = {false, ActionText::tr("It would be rejected: %1 of its permits are neither "
                                            "available nor used; repair the value")
                                 .arg(-*limiter->permitDrift)};
        } else if (!disputed && limiter && limiter->nextFreeMs && *limiter->nextFreeMs > 0) {
            answer = {false, ActionText::tr("It would be rejected: the next one passes in %1")
                                 .arg(formatDuration(*limiter->nextFreeMs))};
        } else if (left && *left > 0) {
            answer = {true, ActionText::tr("It would pass: %1 of %2 remaining")
                                .arg(*left)
                                .arg(limiter->limit.value_or(0))};
        } else if (left) {
            answer = {false, ActionText::tr("It would be rejected; when the next one passes is "
                                            "unknown")};
        } else {
            return notPossible(ActionText::tr(
                "The limit is unknown: declare it in a configuration file and pass that with "
                "--config"));
        }
        plan.answer = answer;
        return plan;
    }
};

} // namespace

const Action& checkLimiter()
{
    static const AskLimiter action;
    return action;
}

} // namespace lk::actions
