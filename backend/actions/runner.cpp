// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/runner.h"

#include "backend/actions/action.h"
#include "backend/actions/actionscript.h"
#include "backend/actions/journal/undoclaim.h"
#include "backend/core/keyname.h"
#include "backend/text/errortext.h"

#include <QPointer>
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
                           const Clock& clock, ScriptTiming timing)
    : m_connection(connection)
    , m_journal(std::move(journal))
    , m_undo(std::move(undo))
    , m_clock(clock)
    , m_timing(std::move(timing))
{
    m_undo.removeExpired(clock.nowMs());
}

Result<Plan> ActionRunner::undoPlan(const QByteArray& receipt, qint64 serverMs) const
{
    const Result<UndoRecord> record = m_undo.load(receipt, serverMs);
    if (!record)
        return tl::unexpected(record.error());
    if (record->endpoint != m_connection.url().endpoint())
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
        m_journal.logIntent(receipt, plan, auditContext(reason));
    return begun ? m_journal.logOutcome(receipt, plan) : begun;
}

// One run of a plan, from being asked for to its receipt.
struct ActionRunner::Step
{
    Plan plan;
    Script script;
    QString reason;
    QPointer<QObject> context;
    ReceiptHandler handler;
    Receipt receipt;
};

void ActionRunner::run(const Plan& plan, const QString& reason, QObject* context,
                       ReceiptHandler handler)
{
    Receipt receipt;
    receipt.id = newReceiptId();
    receipt.action = plan.action;
    receipt.kind = plan.kind;
    receipt.name = plan.name;
    receipt.group = plan.group;
    receipt.undoes = plan.undoes;
    receipt.localMs = m_clock.nowMs();
    const auto refuse = [&](const Error& error) {
        receipt.text = errorText(error);
        answerLater(context, handler, receipt);
    };
    if (!m_connection.isWriteModeOn())
        return refuse({ErrorCode::SessionReadOnly, {}});
    if (!m_connection.isReady())
        return refuse(m_connection.status().error);
    const Result<Script> script = actionScript(plan.script);
    if (!script)
        return refuse(script.error());
    const auto step =
        std::make_shared<Step>(Step{plan, *script, reason, context, std::move(handler), receipt});
    askUser(step);
}

// Who the server takes this connection for goes into the journal. A server without users, before
// Redis 6, has no answer.
void ActionRunner::askUser(const StepPtr& step)
{
    const quint64 generation = m_connection.status().generation;
    if (m_aclGeneration == generation)
        return claim(step);
    m_connection.send({Command{"ACL", "WHOAMI"}}, step->context,
                      [this, step, generation](const BatchResult& result) {
                          const bool told = result && result->front().isText();
                          m_aclUser = told ? displayName(result->front().text)
                                           : m_connection.url().user;
                          m_aclGeneration = told ? generation : 0;
                          claim(step);
                      });
}

AuditContext ActionRunner::auditContext(const QString& reason) const
{
    const QString user = m_aclGeneration > 0 ? m_aclUser : m_connection.url().user;
    return auditContextHere(m_connection.url().endpoint(), reason, user);
}

void ActionRunner::claim(const StepPtr& step)
{
    if (step->plan.undoes.isEmpty())
        return send(step);
    // Two may hold the plan of one undo; not every undo could be told from its own repetition.
    claimUndo(m_connection, m_undo, step->plan.undoes, step->context,
              [this, step](const Result<void>& claimed) {
                  if (claimed)
                      return send(step);
                  step->receipt.text = errorText(claimed.error());
                  step->handler(step->receipt);
              });
}

void ActionRunner::send(const StepPtr& step)
{
    // What cannot be written down is not done.
    const Result<void> written =
        m_journal.logIntent(step->receipt, step->plan, auditContext(step->reason));
    if (!written) {
        m_undo.giveBack(step->plan.undoes);
        step->receipt.text = errorText(written.error());
        return answerLater(step->context, step->handler, step->receipt);
    }
    sendTimed(m_connection,
              {step->script, step->plan.keys, step->plan.args, step->plan.notAfterMs}, m_timing,
              step->context,
              [this, step](const ScriptAnswer& answer) { onAnswer(step, answer); });
}

void ActionRunner::onAnswer(const StepPtr& step, const ScriptAnswer& answer)
{
    Receipt receipt = step->receipt;
    receipt.serverMs = answer.server.serverMs();
    if (answer.reply) {
        readAnswer(*answer.reply, step->plan.keys, receipt);
    } else if (!answer.sent && receipt.serverMs > step->plan.notAfterMs
               && step->plan.notAfterMs > 0) {
        receipt.text = ActionText::tr("More than a day has passed by the server's clock");
    } else {
        readLoss(answer.reply.error(), answer.sent, receipt);
    }
    finish(step->plan, std::move(receipt), step->handler);
}

void ActionRunner::finish(const Plan& plan, Receipt receipt, const ReceiptHandler& handler)
{
    if (receipt.outcome == Outcome::Done) {
        receipt.revealed = plan.revealed;
        m_undo.remove(plan.undoes);
    } else if (receipt.outcome != Outcome::Unknown || plan.script == "undo-restore") {
        m_undo.giveBack(plan.undoes); // restoring compares: it may be tried again
    } else {
        m_undo.doubt(plan.undoes); // whether it ran is read before the next try
    }
    if (const auto record = undoFor(plan, receipt, m_connection.url().endpoint())) {
        if (const Result<void> saved = m_undo.save(*record); !saved) {
            receipt.undoable = false;
            receipt.undoNote = errorText(saved.error());
        } else if (!m_undo.survives()) {
            receipt.undoNote =
                ActionText::tr("until this program exits, unless the key changes; without a "
                               "keyring it is kept in memory only");
        }
    }
    // The step is taken: that its end could not be written down is said, and changes nothing else.
    if (const Result<void> written = m_journal.logOutcome(receipt, plan); !written)
        receipt.text += QStringLiteral(". ") + errorText(written.error());
    handler(receipt);
}

} // namespace lk
