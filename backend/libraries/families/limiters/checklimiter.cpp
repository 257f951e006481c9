// SPDX-License-Identifier: GPL-3.0-or-later
// Would the next request pass? Answered by what is stored, without making one.
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/families/limiters/limiteractions.h"

#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk::actions {

namespace {

// Permits that the next acquire finds where the stored number disagrees with what is taken: it
// credits to that number what has left the window, and looks at nothing else. Nothing where they
// agree.
std::optional<qint64> disputedPermits(const LimiterState& limiter)
{
    const bool perClient = limiter.consumersTotal > 0; // the fullest one's use, another one's drift
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
