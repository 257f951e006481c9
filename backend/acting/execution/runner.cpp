// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/runner.h"

#include "backend/acting/execution/actionscript.h"
#include "backend/acting/journal/undoclaim.h"
#include "backend/acting/planning/actionplace.h"
#include "backend/acting/planning/scriptless.h"
#include "backend/acting/undo/undoplan.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/redis/server/capabilities.h"
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

Receipt newReceipt(const Plan& plan, const Clock& clock)
{
    Receipt receipt;
    receipt.id = newReceiptId();
    receipt.action = plan.action;
    receipt.kind = plan.kind;
    receipt.name = plan.name;
    receipt.group = plan.group;
    receipt.undoes = plan.undoes;
    receipt.localMs = clock.nowMs();
    return receipt;
}

// The step's outcome decides about the undo record that it used, and about its own.
void finalizeUndo(UndoStore undo, const Plan& plan, Receipt& receipt, const QString& endpoint,
                  const QString& node)
{
    if (receipt.outcome == Outcome::Succeeded)
        undo.remove(plan.undoes);
    else if (receipt.outcome != Outcome::Unknown || plan.script == "undo-restore")
        undo.giveBack(plan.undoes); // restoring compares: it may be tried again
    else
        undo.doubt(plan.undoes); // whether it ran is read before the next try
    auto record = undoFor(plan, receipt, endpoint);
    if (!record)
        return;
    record->node = node;
    if (const Result<void> saved = undo.save(*record); !saved) {
        receipt.undoable = false;
        receipt.undoNote = errorText(saved.error());
    } else if (undo.lasts() == UndoLasts::Program) {
        receipt.undoNote =
            ActionText::tr("until this program exits, unless the key changes; without a keyring it "
                           "is kept in memory only");
    } else if (undo.lasts() == UndoLasts::UntilLogout) {
        receipt.undoNote = ActionText::tr("until you log out of this machine, unless the key "
                                          "changes: the kernel keeps what decrypts it");
    }
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

ActionRunner::ActionRunner(Link& connection, const Journal& journal, UndoStore undo,
                           const Clock& clock, ScriptTiming timing, QThread* journalThread)
    : m_connection(connection)
    , m_journal(journal, journalThread)
    , m_undo(std::move(undo))
    , m_clock(clock)
    , m_timing(std::move(timing))
{}

void ActionRunner::removeExpiredUndo()
{
    m_journal.write(
        [undo = m_undo, nowMs = m_clock.nowMs()](Journal&) mutable {
            undo.removeExpired(nowMs);
            return Result<void>();
        },
        nullptr, {});
}

void ActionRunner::planUndos(const QByteArrayList& receipts, qint64 serverMs, QObject* context,
                             UndoPlansHandler handler)
{
    const auto plans = std::make_shared<std::vector<Result<Plan>>>();
    const QStringList here = placesOf(*m_seen);
    m_journal.write(
        [undo = m_undo, receipts, serverMs, here, plans](Journal&) {
            for (const QByteArray& receipt : receipts)
                plans->push_back(undoPlan(undo, receipt, here, serverMs));
            return Result<void>();
        },
        context, [plans, handler = std::move(handler)](const Result<void>&) { handler(*plans); });
}

void ActionRunner::record(const Plan& plan, const QString& text, const QString& reason,
                          QObject* context, JournalWriter::Handler handler)
{
    Receipt receipt = newReceipt(plan, m_clock);
    receipt.outcome = Outcome::Succeeded;
    receipt.text = text;
    m_journal.logDone(receipt, plan, auditContext(plan, reason), context, std::move(handler));
}

// One run of a plan, from the request to its receipt.
struct ActionRunner::Step
{
    Plan plan;
    Script script;
    QString reason;
    QPointer<QObject> context;
    ReceiptHandler handler;
    Receipt receipt;
    QString node = {}; ///< the node it is sent to; see nodeOfKeys()
};

void ActionRunner::run(const Plan& plan, const QString& reason, QObject* context,
                       ReceiptHandler handler)
{
    if (!m_connection.isWriteModeOn())
        return refuse(plan, {ErrorCode::SessionReadOnly, {}}, context, std::move(handler));
    if (!m_connection.isReady())
        return refuse(plan, m_connection.status().error, context, std::move(handler));
    const Result<Script> script =
        plan.script == ifEqualScript ? Script({}) : actionScript(plan.script);
    if (!script)
        return refuse(plan, script.error(), context, std::move(handler));
    const auto step = std::make_shared<Step>(
        Step{plan, *script, reason, context, std::move(handler), newReceipt(plan, m_clock)});
    askUser(step);
}

void ActionRunner::refuse(const Plan& plan, const Error& why, QObject* context,
                          ReceiptHandler handler)
{
    Receipt receipt = newReceipt(plan, m_clock);
    receipt.text = errorText(why);
    answerLater(context, std::move(handler), receipt);
}

// Reads the server's user of this connection for the journal. A server without users, before Redis
// 6, has no answer.
void ActionRunner::askUser(const StepPtr& step)
{
    const quint64 generation = m_connection.status().generation;
    if (m_aclGeneration == generation ||
        !mayTry(serverVersion(m_connection.greeting()), Feature::Acl))
        return claim(step);
    m_connection.send({Command{"ACL", "WHOAMI"}}, step->context,
                      [this, step, generation](const BatchResult& result) {
                          const bool told = result && result->front().isText();
                          m_aclUser =
                              told ? displayName(result->front().text) : m_connection.url().user;
                          m_aclGeneration = told ? generation : 0;
                          claim(step);
                      });
}

AuditContext ActionRunner::auditContext(const Plan& plan, const QString& reason) const
{
    const QString user = m_aclGeneration > 0 ? m_aclUser : m_connection.url().user;
    AuditContext context = auditContextHere(m_connection.url().endpoint(), reason, user);
    context.node = nodeOfKeys(m_connection, plan.keys);
    return context;
}

void ActionRunner::claim(const StepPtr& step)
{
    if (step->plan.undoes.isEmpty())
        return logIntent(step);
    // Two may hold the plan of one undo; not every undo could be told from its own repetition.
    claimUndo(m_connection, m_journal, m_undo, step->plan.undoes, step->context,
              [this, step](const Result<void>& claimed) {
                  if (claimed)
                      return logIntent(step);
                  step->receipt.text = errorText(claimed.error());
                  step->handler(step->receipt);
              });
}

void ActionRunner::giveBack(const QByteArray& undoes)
{
    m_journal.write(
        [undo = m_undo, undoes](Journal&) mutable {
            undo.giveBack(undoes);
            return Result<void>();
        },
        nullptr, {});
}

// A step that cannot be journaled is not run. Nothing is sent before the intent is on disk.
void ActionRunner::logIntent(const StepPtr& step)
{
    step->node = nodeOfKeys(m_connection, step->plan.keys);
    m_journal.logIntent(step->receipt, step->plan, auditContext(step->plan, step->reason),
                        step->context, [this, step](const Result<void>& written) {
                            if (written)
                                return send(step);
                            giveBack(step->plan.undoes);
                            step->receipt.text = errorText(written.error());
                            step->handler(step->receipt);
                        });
}

void ActionRunner::send(const StepPtr& step)
{
    if (step->plan.script == ifEqualScript)
        return sendIfEqual(step);
    sendTimed(m_connection, {step->script, step->plan.keys, step->plan.args, step->plan.notAfterMs},
              m_timing, step->context,
              [this, step](const ScriptAnswer& answer) { onAnswer(step, answer); });
}

// Without a script there is no deadline: a lost command may still arrive at any time.
void ActionRunner::sendIfEqual(const StepPtr& step)
{
    const auto command = removeIfEqual(serverVersion(m_connection.greeting()),
                                       step->plan.keys.front(), step->plan.args.front());
    if (!command) { // another server than the one that it was planned for
        step->receipt.text = errorText({ErrorCode::Cancelled, {}});
        return finish(step, step->receipt);
    }
    m_connection.sendActing({*command}, step->context, [this, step](const BatchResult& result) {
        Receipt receipt = step->receipt;
        if (result) {
            readAnswer(answerOfIfEqual(result->front()), step->plan.keys, receipt);
        } else {
            const bool kept = wasKept(result.error());
            readLoss(result.error(), !kept, receipt);
            if (!kept)
                receipt.text = ActionText::tr("No reply (%1): it ran once or not at all. It is not "
                                              "sent again. Check the state before you try again")
                                   .arg(errorText(result.error()));
        }
        finish(step, std::move(receipt));
    });
}

void ActionRunner::onAnswer(const StepPtr& step, const ScriptAnswer& answer)
{
    Receipt receipt = step->receipt;
    receipt.serverMs = answer.server.serverMs();
    if (answer.reply) {
        readAnswer(*answer.reply, step->plan.keys, receipt);
    } else if (!answer.sent && receipt.serverMs > step->plan.notAfterMs &&
               step->plan.notAfterMs > 0) {
        receipt.text = ActionText::tr("More than a day has passed by the server's clock");
    } else {
        readLoss(answer.reply.error(), answer.sent, receipt);
    }
    finish(step, std::move(receipt));
}

// The undo record is on disk before the outcome says that the step can be undone. If the outcome
// cannot be journaled, the receipt reports it, and nothing else changes: the step has run.
void ActionRunner::finish(const StepPtr& step, Receipt receipt)
{
    if (receipt.outcome == Outcome::Succeeded)
        receipt.revealed = step->plan.revealed;
    const auto told = std::make_shared<Receipt>(std::move(receipt));
    const QString endpoint = m_connection.url().endpoint();
    m_journal.write(
        [undo = m_undo, plan = step->plan, told, endpoint, node = step->node](Journal& journal) {
            finalizeUndo(undo, plan, *told, endpoint, node);
            const Result<void> written = journal.logOutcome(*told, plan);
            if (!written)
                told->text += QStringLiteral(". ") + errorText(written.error());
            return written;
        },
        step->context, [step, told](const Result<void>&) { step->handler(*told); });
}

} // namespace lk
