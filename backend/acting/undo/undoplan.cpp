// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/undoplan.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"

namespace lk {

Result<Plan> undoPlan(const UndoStore& undo, const QByteArray& receipt, const QStringList& here,
                      qint64 serverMs)
{
    const Result<UndoRecord> record = undo.load(receipt, serverMs);
    if (!record)
        return tl::unexpected(record.error());
    if (!here.contains(record->endpoint) && !here.contains(record->node))
        return notPossible(ActionText::tr("That action was run on %1").arg(record->endpoint));
    Plan plan;
    plan.action = QByteArrayLiteral("undo");
    plan.kind = record->kind;
    plan.name = record->name;
    plan.journalName = record->journalName;
    plan.verb = ActionText::tr("Undo");
    plan.question = ActionText::tr("Undo %1 of %2?")
                        .arg(QString::fromLatin1(record->action), displayName(plan.journalName));
    plan.consequence = ActionText::tr("The keys are as they were before that action.");
    plan.expected = ActionText::tr("as the action left it");
    plan.guard = ActionText::tr("unchanged since");
    const bool restores = record->script == "undo-restore";
    plan.script = record->script;
    plan.keys = record->keys;
    for (const QByteArray& key : plan.keys) {
        const QByteArray told = plan.redactedKey(key);
        plan.commands << (restores ? shown({"RESTORE", told, "…", "REPLACE"}) : displayName(told));
    }
    plan.args = record->args;
    plan.undoes = receipt;
    plan.notAfterMs = record->expiresMs;
    plan.undo.why = ActionText::tr("it is itself an undo");
    return plan;
}

} // namespace lk
