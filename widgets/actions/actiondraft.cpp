// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/actiondraft.h"

#include "backend/acting/executor/actionexecutor.h"
#include "backend/acting/planning/scriptless.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/errortext.h"

#include <algorithm>
#include <map>
#include <set>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActionDraft)
};

// An owner is kept up to so many bytes: one that fills them may have been cut.
constexpr qsizetype wholeOwnerBytes = 128;

using Offered = std::map<QByteArray, const Action*>; // by layout

// Empty if at least one target can do it: the plan explains the others, one by one.
QString whyNot(const std::vector<StatePtr>& targets, const Offered& offered)
{
    if (targets.size() > PlanRequest::mostTargets)
        return ActionExecutor::tooManyText();
    QString first;
    for (const StatePtr& state : targets) {
        const QString why = offered.at(state->primitive->id.layout)->unavailable(*state);
        if (why.isEmpty())
            return {};
        if (first.isEmpty())
            first = why;
    }
    return first;
}

// There are many targets and few layouts.
std::vector<const Layout*> layoutsOf(const std::vector<StatePtr>& targets)
{
    std::set<QByteArray> ids;
    std::vector<const Layout*> layouts;
    for (const StatePtr& state : targets) {
        if (ids.insert(state->primitive->id.layout).second)
            layouts.push_back(findLayout(state->primitive->id.layout));
    }
    return layouts;
}

// Empty if one of them has no such action.
Offered offeredBy(const std::vector<const Layout*>& layouts, const QByteArray& id)
{
    Offered offered;
    for (const Layout* layout : layouts) {
        const Action* action = layout ? findAction(*layout, id) : nullptr;
        if (!action)
            return {};
        offered[layout->id()] = action;
    }
    return offered;
}

} // namespace

QString whyNothing(const ServerLimits& limits)
{
    const std::optional<Error> refusal = limits.refusal();
    return refusal ? errorText(*refusal) : QString();
}

std::vector<ActionOffer> offersFor(const std::vector<StatePtr>& targets, const ServerLimits& limits)
{
    const QString nothing = whyNothing(limits);
    std::vector<ActionOffer> offers;
    const Layout* layout =
        targets.empty() ? nullptr : findLayout(targets.front()->primitive->id.layout);
    if (!layout)
        return offers;
    const std::vector<const Layout*> layouts = layoutsOf(targets);
    for (const Action* action : actionsFor(*layout)) {
        const Offered offered = offeredBy(layouts, action->id());
        if (offered.empty() || !action->needsTarget())
            continue;
        const QString title = action->title();
        const QString dots = title.endsWith(QLatin1Char('?')) ? QString() : QStringLiteral("…");
        const int count = int(targets.size());
        const QString text =
            count == 1 ? title + dots
            : targets.size() > PlanRequest::mostTargets
                ? Text::tr("%1 for more than %L2…").arg(title).arg(PlanRequest::mostTargets)
                : Text::tr("%1 for %Ln selected…", nullptr, count).arg(title);
        offers.push_back({action, text,
                          limits.isPast || (action->writes() && !nothing.isEmpty() &&
                                            !mayDoWithoutScripts(action->id(), limits))
                              ? nothing
                              : whyNot(targets, offered)});
    }
    return offers;
}

std::vector<CreateAction> createActionsOf(Kind kind)
{
    std::vector<CreateAction> creates;
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() != kind)
            continue;
        for (const Action* action : actionsFor(*layout)) {
            const bool known =
                std::any_of(creates.begin(), creates.end(), [&](const CreateAction& create) {
                    return create.action->id() == action->id();
                });
            if (!action->needsTarget() && !known)
                creates.push_back({layout->id(), action});
        }
    }
    return creates;
}

std::optional<QByteArray> knownValue(const ActionParameter& parameter, const State& state)
{
    const auto* lock = state.as<LockState>();
    if (parameter.name == "owner" && lock && lock->ownerKnown && !lock->owner.isEmpty() &&
        lock->owner.size() < wholeOwnerBytes)
        return lock->owner;
    return std::nullopt;
}

} // namespace lk
