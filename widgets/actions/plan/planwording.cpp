// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/planwording.h"

#include "backend/acting/planning/actionplace.h"
#include "backend/core/names/environment.h"
#include "backend/core/names/keyname.h"
#include "backend/session/session.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActionDialog)
};

constexpr qint64 manyObjects = 10;      // more are asked about by their number
constexpr qsizetype longestTyped = 120; // bytes of a name

bool isUndo(const ActionDraft& draft)
{
    return !draft.action;
}

size_t asked(const ActionDraft& draft)
{
    return isUndo(draft) ? size_t(draft.receipts.size()) : draft.targets.size();
}

qint64 numberOf(const PlanSet& set)
{
    return isOfOne(set) ? objectsOf(set.plans) : qint64(set.plans.size());
}

} // namespace

QString titleOf(const ActionDraft& draft)
{
    const int count = int(asked(draft));
    if (isUndo(draft))
        return count > 1 ? Text::tr("Undo %Ln action(s)", nullptr, count) : Text::tr("Undo");
    return count > 1 ? Text::tr("%1 for %Ln selected", nullptr, count).arg(draft.action->title())
                     : draft.action->title();
}

QString headingOf(const ActionDraft& draft, const PlanSet& set)
{
    if (set.plans.empty())
        return Text::tr("%1 is not possible").arg(titleOf(draft));
    if (asked(draft) <= 1 && isOfOne(set))
        return set.plans.front().question;
    if (set.plans.size() == asked(draft))
        return Text::tr("%1?").arg(titleOf(draft));
    const QLocale locale;
    const QString some = locale.toString(qlonglong(set.plans.size()));
    const QString all = locale.toString(qlonglong(asked(draft)));
    return isUndo(draft)
               ? Text::tr("Undo %1 of %2 actions?").arg(some, all)
               : Text::tr("%1 for %2 of %3 selected?").arg(draft.action->title(), some, all);
}

QString verbOf(const PlanSet& set)
{
    const qint64 number = numberOf(set);
    const QString verb = set.plans.front().verb;
    return number > manyObjects || set.plans.size() > 1
               ? Text::tr("%1 (%2)").arg(verb, QLocale().toString(number))
               : verb;
}

QString toBeTyped(const PlanSet& set, const Session& session)
{
    if (set.plans.empty())
        return {};
    const bool production = isProduction(session.environment());
    if (numberOf(set) > manyObjects || (production && !isOfOne(set)))
        return QLocale().toString(numberOf(set));
    if (!production)
        return {};
    // A name with a secret code must not be typed, and a long one need not be.
    const Plan& plan = set.plans.front();
    const bool typable = plan.journalName == plan.name && plan.name.size() <= longestTyped;
    return typable ? displayName(plan.name) : session.name();
}

QString serverOf(const Session& session, const PlanSet& set)
{
    const QString endpoint = session.url().endpoint();
    QStringList parts{endpoint};
    if (session.name() != endpoint)
        parts.prepend(session.name());
    const auto isElsewhere = [&](const Plan& p) { return p.node != set.plans.front().node; };
    if (!set.plans.empty() && !set.plans.front().node.isEmpty() &&
        std::none_of(set.plans.begin(), set.plans.end(), isElsewhere))
        parts << Text::tr("node %1").arg(nodeText(set.plans.front().node));
    return parts.join(QStringLiteral(", "));
}

} // namespace lk
