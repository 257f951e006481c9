// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/runner.h"

#include "backend/actions/action.h"
#include "backend/actions/actionscript.h"
#include "backend/core/keyname.h"
#include "backend/redis/serverinfo.h"

#include <QRandomGenerator>

namespace lk {

namespace {

QByteArray newId(char prefix)
{
    quint64 number = QRandomGenerator::system()->generate64() & 0xffffffffffffULL;
    return prefix + QByteArray::number(number, 16).rightJustified(12, '0');
}

QByteArray newReceiptId()
{
    return newId('r');
}

bool isUnknownScript(const BatchResult& result)
{
    return result && result->back().isError()
           && result->back().text.startsWith("NOSCRIPT No matching script");
}

void answerLater(QObject* context, ReceiptHandler handler, const Receipt& receipt)
{
    QMetaObject::invokeMethod(
        context, [handler = std::move(handler), receipt] { handler(receipt); },
        Qt::QueuedConnection);
}

} // namespace

QByteArray newGroupId()
{
    return newId('g');
}

ActionRunner::ActionRunner(Connection& connection, Journal journal, UndoStore undo,
                           const Clock& clock)
    : m_connection(connection)
    , m_journal(std::move(journal))
    , m_undo(std::move(undo))
    , m_clock(clock)
{
    m_undo.removeExpired(clock.nowMs());
}

Result<Plan> ActionRunner::undoPlan(const QByteArray& receipt) const
{
    const Result<UndoRecord> record = m_undo.load(receipt, m_clock.nowMs());
    if (!record)
        return tl::unexpected(record.error());
    if (record->endpoint != m_connection.url().endpoint())
        return notPossible(ActionText::tr("That step was taken on %1").arg(record->endpoint));
    Plan plan;
    plan.action = QByteArrayLiteral("undo");
    plan.kind = record->kind;
    plan.name = record->name;
    plan.journalName = record->journalName;
    plan.verb = ActionText::tr("Undo");
    plan.question = ActionText::tr("Undo %1 of %2?")
                        .arg(QString::fromLatin1(record->action), displayName(plan.journalName));
    plan.consequence = ActionText::tr("It is as it was before that step.");
    plan.expected = ActionText::tr("as the step left it");
    plan.guard = ActionText::tr("nothing has touched it since");
    const bool restores = record->script == "undo-restore";
    plan.script = record->script;
    plan.keys = record->keys;
    for (const QByteArray& key : plan.keys) {
        const QByteArray told = plan.toldKey(key);
        plan.commands << (restores ? shown({"RESTORE", told, "…", "REPLACE"}) : displayName(told));
    }
    plan.args = record->args;
    plan.undoes = receipt;
    plan.undo.why = ActionText::tr("it is an undo itself");
    return plan;
}

Result<void> ActionRunner::record(const Plan& plan, const QString& text, const QString& reason)
{
    Receipt receipt;
    receipt.id = newReceiptId();
    receipt.action = plan.action;
    receipt.kind = plan.kind;
    receipt.name = plan.name;
    receipt.outcome = Outcome::Done;
    receipt.text = text;
    receipt.localMs = m_clock.nowMs();
    const Result<void> begun =
        m_journal.sending(receipt, plan, occasionHere(m_connection.url().endpoint(), reason));
    return begun ? m_journal.came(receipt, plan) : begun;
}

void ActionRunner::run(const Plan& plan, const QString& reason, QObject* context,
                       ReceiptHandler handler)
{
    Receipt receipt;
    receipt.id = newReceiptId();
    receipt.action = plan.action;
    receipt.kind = plan.kind;
    receipt.name = plan.name;
    receipt.group = plan.group;
    receipt.localMs = m_clock.nowMs();
    const auto refuse = [&](const Error& error) {
        receipt.text = errorText(error);
        answerLater(context, handler, receipt);
    };
    if (!m_connection.isArmed())
        return refuse({ErrorCode::SessionReadOnly, {}});
    if (!m_connection.isReady())
        return refuse(m_connection.status().error);
    const Result<Script> script = actionScript(plan.script);
    if (!script)
        return refuse(script.error());
    // Two may hold the plan of one undo; not every undo could be told from its own repetition.
    if (!plan.undoes.isEmpty() && !m_undo.claim(plan.undoes))
        return refuse({ErrorCode::NotFound, ActionText::tr("%1 was undone already, or its undo is "
                                                           "under way")
                                                .arg(QString::fromLatin1(plan.undoes))});
    // What cannot be written down is not done.
    const Result<void> written = m_journal.sending(
        receipt, plan, occasionHere(m_connection.url().endpoint(), reason));
    if (!written) {
        m_undo.giveBack(plan.undoes);
        return refuse(written.error());
    }

    const std::vector<QByteArray> args = actionArgs(plan.args);
    const Command time{"TIME"};
    // NOSCRIPT means that nothing has run: the one case in which it is sent again, whole.
    m_connection.sendArmed(
        {time, script->evalSha(plan.keys, args)}, context,
        [this, plan, receipt, context, handler, time,
         whole = script->eval(plan.keys, args)](const BatchResult& result) {
            const auto take = [this, plan, receipt, handler](const BatchResult& last) {
                Receipt answered = receipt;
                if (last) {
                    answered.serverMs = timeFromReply(last->front()).value_or(0);
                    readAnswer(last->back(), plan.keys, answered);
                } else {
                    readLoss(last.error(), answered);
                }
                finish(plan, std::move(answered), handler);
            };
            if (!isUnknownScript(result))
                return take(result);
            if (m_connection.isReady() && m_connection.isArmed())
                return m_connection.sendArmed({time, whole}, context, take);
            Receipt refused = receipt;
            refused.text = errorText({ErrorCode::Cancelled, {}});
            finish(plan, std::move(refused), handler);
        });
}

void ActionRunner::finish(const Plan& plan, Receipt receipt, const ReceiptHandler& handler)
{
    if (receipt.outcome == Outcome::Done) {
        receipt.revealed = plan.revealed;
        m_undo.remove(plan.undoes);
    } else if (receipt.outcome != Outcome::Unknown || plan.script == "undo-restore") {
        // Restoring compares: it may be tried again. What pushes may not, as long as nobody knows.
        m_undo.giveBack(plan.undoes);
    }
    if (const auto record = undoFor(plan, receipt, m_connection.url().endpoint())) {
        if (const Result<void> saved = m_undo.save(*record); !saved) {
            receipt.undoable = false;
            receipt.undoNote = errorText(saved.error());
        }
    }
    // The step is taken: that its end could not be written down is said, and changes nothing else.
    if (const Result<void> written = m_journal.came(receipt, plan); !written)
        receipt.text += QStringLiteral(". ") + errorText(written.error());
    handler(receipt);
}

} // namespace lk
