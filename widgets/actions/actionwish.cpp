// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/actionwish.h"

#include "backend/layouts/layout.h"

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActionWish)
};

// An owner is kept up to so many bytes: one that fills them may have been cut.
constexpr qsizetype wholeOwnerBytes = 128;

const Action* actionOf(const State& state, const QByteArray& id)
{
    const Layout* layout = findLayout(state.primitive->id.layout);
    return layout ? findAction(*layout, id) : nullptr;
}

// Empty as soon as one of them can: what cannot be done is told by the plan, one by one.
QString whyNot(const std::vector<StatePtr>& targets, const QByteArray& id)
{
    QString first;
    for (const StatePtr& state : targets) {
        const QString why = actionOf(*state, id)->unavailable(*state);
        if (why.isEmpty())
            return {};
        if (first.isEmpty())
            first = why;
    }
    return first;
}

} // namespace

std::vector<ActionOffer> offersFor(const std::vector<StatePtr>& targets)
{
    std::vector<ActionOffer> offers;
    const Layout* layout = targets.empty() ? nullptr
                                           : findLayout(targets.front()->primitive->id.layout);
    if (!layout)
        return offers;
    for (const Action* action : actionsFor(*layout)) {
        const bool all = std::all_of(targets.begin(), targets.end(), [&](const StatePtr& state) {
            return actionOf(*state, action->id()) != nullptr;
        });
        if (!all || !action->needsTarget())
            continue;
        const QString title = action->title();
        const QString dots = title.endsWith(QLatin1Char('?')) ? QString() : QStringLiteral("…");
        const int count = int(targets.size());
        offers.push_back({action,
                          count == 1 ? title + dots
                                     : Text::tr("%1 for %n selected…", nullptr, count).arg(title),
                          whyNot(targets, action->id())});
    }
    return offers;
}

std::vector<Maker> makersOf(Kind kind)
{
    std::vector<Maker> makers;
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() != kind)
            continue;
        for (const Action* action : actionsFor(*layout)) {
            const bool known =
                std::any_of(makers.begin(), makers.end(),
                            [&](const Maker& maker) { return maker.action->id() == action->id(); });
            if (!action->needsTarget() && !known)
                makers.push_back({layout->id(), action});
        }
    }
    return makers;
}

std::optional<QByteArray> knownValue(const ActionParameter& parameter, const State& state)
{
    const auto* lock = state.as<LockState>();
    if (parameter.name == "owner" && lock && lock->ownerKnown && !lock->owner.isEmpty()
        && lock->owner.size() < wholeOwnerBytes)
        return lock->owner;
    return std::nullopt;
}

} // namespace lk
