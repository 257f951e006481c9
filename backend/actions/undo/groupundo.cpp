// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/undo/groupundo.h"

#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QSet>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::GroupUndo)
};

} // namespace

Result<GroupUndo> planGroupUndo(const ActionRunner& runner, const QByteArray& group,
                                qint64 serverMs)
{
    const Result<Journal::Contents> journal = runner.journal().read();
    if (!journal)
        return tl::unexpected(journal.error());
    QSet<QByteArray> undone;
    for (const JournalEntry& entry : journal->entries) {
        if (entry.outcome == Outcome::Done)
            undone.insert(entry.undoes);
    }
    GroupUndo undo;
    bool known = false;
    for (const JournalEntry& entry : journal->entries) {
        if (entry.group != group)
            continue;
        known = true;
        if (entry.outcome != Outcome::Done || undone.contains(entry.receipt))
            continue;
        const Result<Plan> plan = runner.undoPlan(entry.receipt, serverMs);
        if (plan) {
            undo.plans.push_back(*plan);
        } else {
            undo.leftOut +=
                Text::tr("%1 was not undone: %2").arg(entry.name, errorText(plan.error())) +
                QLatin1Char('\n');
            ++undo.missed;
        }
    }
    if (undo.plans.empty()) {
        const QString name = QString::fromLatin1(group);
        return failure(ErrorCode::NotFound,
                       known ? Text::tr("Nothing in %1 can be undone any more").arg(name)
                             : Text::tr("The journal has no group %1").arg(name));
    }
    if (undo.plans.size() > 1) {
        const QByteArray own = newGroupId();
        for (Plan& plan : undo.plans)
            plan.group = own;
    }
    return undo;
}

} // namespace lk
