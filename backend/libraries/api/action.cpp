// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/action.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/keyactions.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

std::optional<Error> problemWith(const ActionParameter& parameter, const QByteArray& value)
{
    const QString name = QStringLiteral("--") + QString::fromLatin1(parameter.name);
    switch (parameter.type) {
    case ActionParameter::Type::Duration:
        if (const auto ms = parseDuration(QString::fromUtf8(value)); !ms)
            return Error{ErrorCode::BadArgument, name + QStringLiteral(": ") + ms.error().detail};
        break;
    case ActionParameter::Type::Count: {
        bool ok = false;
        if (value.toLongLong(&ok) < 1 || !ok)
            return Error{ErrorCode::BadArgument,
                         ActionText::tr("%1 must be a whole number, 1 or more").arg(name)};
        break;
    }
    case ActionParameter::Type::Choice:
        if (!parameter.choices.contains(value))
            return Error{ErrorCode::BadArgument,
                         ActionText::tr("%1 takes %2")
                             .arg(name, QString::fromLatin1(parameter.choices.join(", ")))};
        break;
    case ActionParameter::Type::Text:
    case ActionParameter::Type::Flag:
    case ActionParameter::Type::Payload:
    case ActionParameter::Type::Items:
        break;
    }
    return std::nullopt;
}

} // namespace

QByteArray ActionRequest::text(const QByteArray& name) const
{
    const auto it = values.find(name);
    return it == values.end() ? QByteArray() : it->second;
}

std::optional<qint64> ActionRequest::durationMs(const QByteArray& name) const
{
    if (!has(name))
        return std::nullopt;
    const Result<qint64> ms = parseDuration(QString::fromUtf8(text(name)));
    return ms ? std::optional(*ms) : std::nullopt;
}

std::optional<qint64> ActionRequest::count(const QByteArray& name) const
{
    bool ok = false;
    const qint64 number = text(name).toLongLong(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

QString Action::unavailable(const State& state) const
{
    const QString owned = ownedElsewhere(state);
    return !state.present ? ActionText::tr("it no longer exists") : owned;
}

QString Action::ownedElsewhere(const State& state) const
{
    const auto* lock = state.as<LockState>();
    if (!writes() || !lock || lock->partOf->isEmpty() || *lock->partOf == redlockPart)
        return {};
    return ActionText::tr("it belongs to %1, which alone acquires and releases it")
        .arg(displayName(*lock->partOf));
}

std::vector<Command> Action::prefetch(const State&, const ActionRequest&,
                                      std::span<const Reply>) const
{
    return {};
}

const ActionParameter* Action::parameter(const QByteArray& name,
                                         const std::vector<ActionParameter>& all) const
{
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const ActionParameter& p) { return p.name == name; });
    return it == all.end() ? nullptr : &*it;
}

ActionList actionsFor(const Layout& layout)
{
    ActionList all = layout.actions();
    if (layout.allowsKeyActions()) {
        all.push_back(&actions::setTtl());
        all.push_back(&actions::deleteKeys());
    }
    return all;
}

const Action* findAction(const Layout& layout, const QByteArray& id)
{
    const ActionList all = actionsFor(layout);
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const Action* action) { return action->id() == id; });
    return it == all.end() ? nullptr : *it;
}

ActionList knownActions()
{
    ActionList all;
    const auto add = [&all](const Action* action) {
        const bool known = std::any_of(all.begin(), all.end(),
                                       [&](const Action* a) { return a->id() == action->id(); });
        if (!known)
            all.push_back(action);
    };
    for (Kind kind : allKinds) {
        for (const Layout* layout : allLayouts()) {
            if (layout->kind() != kind)
                continue;
            for (const Action* action : actionsFor(*layout)) {
                if (!action->id().startsWith("key."))
                    add(action);
            }
        }
    }
    add(&actions::setTtl());
    add(&actions::deleteKeys());
    return all;
}

const Action* knownAction(const QByteArray& id)
{
    const auto all = knownActions();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Action* a) { return a->id() == id; });
    return found == all.end() ? nullptr : *found;
}

bool takesJobs(const Action& action, JobRole role)
{
    const std::vector<JobRole> roles = action.jobRoles();
    return std::find(roles.begin(), roles.end(), role) != roles.end();
}

std::optional<Kind> kindOfAction(const QByteArray& id)
{
    for (const Kind kind : allKinds) {
        if (id.startsWith(kindId(kind) + '.'))
            return kind;
    }
    return std::nullopt;
}

std::optional<Error> problemWith(const ActionRequest& request, const Action& action)
{
    const std::vector<ActionParameter> all = action.parameters();
    for (const auto& [name, value] : request.values) {
        const ActionParameter* known = action.parameter(name, all);
        if (!known)
            return Error{ErrorCode::BadArgument,
                         ActionText::tr("%1 does not take --%2")
                             .arg(QString::fromLatin1(action.id()), displayName(name))};
        if (const auto problem = problemWith(*known, value))
            return problem;
    }
    for (const ActionParameter& p : all) {
        if (p.required && !request.has(p.name))
            return Error{ErrorCode::BadArgument,
                         ActionText::tr("%1 needs --%2")
                             .arg(QString::fromLatin1(action.id()), QString::fromLatin1(p.name))};
    }
    return std::nullopt;
}

Plan planFor(const Action& action, const State& state)
{
    Plan plan;
    plan.action = action.id();
    plan.verb = action.title();
    if (state.primitive) {
        plan.kind = state.primitive->kind;
        plan.layout = state.primitive->id.layout;
        plan.name = state.primitive->id.name;
        plan.journalName = redactedKey(plan.kind, plan.name);
    }
    return plan;
}

QString shown(const Command& command)
{
    return command.display();
}

QString doubtText(const Primitive& primitive)
{
    return primitive.certainty() >= Certainty::Certain
               ? QString()
               : ActionText::tr("Likely a %1, but not proven to be one: check the key before you "
                                "change it.")
                     .arg(layoutTitle(primitive.id.layout));
}

} // namespace lk
