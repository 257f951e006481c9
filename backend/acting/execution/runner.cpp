// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/runner.h"

#include "backend/acting/execution/actionscript.h"
#include "backend/acting/journal/undoclaim.h"
#include "backend/acting/planning/actionplace.h"
#include "backend/acting/planning/scriptless.h"
#include "backend/acting/undo/undoplan.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/redis/replies.h"
#include "backend/redis/server/capabilities.h"
#include "backend/text/errortext.h"

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

// Fills in the step's outcome from the script's answer.
void readScriptAnswer(const ScriptAnswer& answer, const Plan& plan, Receipt& receipt)
{
    receipt.serverMs = answer.server.serverMs();
    if (answer.reply) {
        readAnswer(*answer.reply, plan.keys, receipt);
    } else if (!answer.sent && receipt.serverMs > plan.notAfterMs && plan.notAfterMs > 0) {
        receipt.text = ActionText::tr("More than a day has passed by the server's clock");
    } else {
        readLoss(answer.reply.error(), answer.sent, receipt);
    }
}

// The same without a script. There is no deadline: a lost command may still arrive at any time.
void readIfEqualAnswer(const BatchResult& result, const Plan& plan, Receipt& receipt)
{
    if (result)
        return readAnswer(answerOfIfEqual(result->front()), plan.keys, receipt);
    const bool kept = wasKept(result.error());
    readLoss(result.error(), !kept, receipt);
    if (!kept)
        receipt.text = ActionText::tr("No reply (%1): it ran once or not at all. It is not sent "
                                      "again. Check the state before you try again")
                           .arg(errorText(result.error()));
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

Task<std::vector<Result<Plan>>> ActionRunner::planUndos(QByteArrayList receipts, qint64 serverMs,
                                                        QObject* context)
{
    const auto plans = std::make_shared<std::vector<Result<Plan>>>();
    const auto read = [undo = m_undo, receipts, serverMs, here = placesOf(*m_seen),
                       plans](Journal&) {
        for (const QByteArray& receipt : receipts)
            plans->push_back(undoPlan(undo, receipt, here, serverMs));
        return Result<void>();
    };
    co_await Awaited<Result<void>>([&](auto then) { m_journal.write(read, context, then); });
    co_return *plans;
}

Task<Result<void>> ActionRunner::record(Plan plan, QString text, QString reason, QObject* context)
{
    Receipt receipt = newReceipt(plan, m_clock);
    receipt.outcome = Outcome::Succeeded;
    receipt.text = text;
    const Result<void> written = co_await Awaited<Result<void>>([&](auto then) {
        m_journal.logDone(receipt, plan, auditContext(plan, reason), context, then);
    });
    co_return written;
}

Task<Receipt> ActionRunner::refuse(Plan plan, Error why, QObject* context)
{
    Receipt receipt = newReceipt(plan, m_clock);
    receipt.text = errorText(why);
    co_await nextTurn(context);
    co_return receipt;
}

Task<Receipt> ActionRunner::run(Plan plan, QString reason, QObject* context)
{
    const bool byScript = plan.script != ifEqualScript;
    const Result<Script> script = byScript ? actionScript(plan.script) : Script({});
    std::optional<Error> obstacle;
    if (!m_connection.isWriteModeOn())
        obstacle = Error{ErrorCode::SessionReadOnly, {}};
    else if (!m_connection.isReady())
        obstacle = m_connection.status().error;
    else if (!script)
        obstacle = script.error();
    if (obstacle) {
        const Receipt refused = co_await refuse(plan, *obstacle, context);
        co_return refused;
    }
    Receipt receipt = newReceipt(plan, m_clock);
    co_await readUser(context);
    // Two may hold the plan of one undo; not every undo could be told from its own repetition.
    if (!plan.undoes.isEmpty()) {
        const Result<void> claimed =
            co_await claimUndo(m_connection, m_journal, m_undo, plan.undoes, context);
        if (!claimed) {
            receipt.text = errorText(claimed.error());
            co_return receipt;
        }
    }
    // A step that cannot be journaled is not run. Nothing is sent before the intent is on disk.
    const QString node = nodeOfKeys(m_connection, plan.keys);
    const Result<void> logged = co_await Awaited<Result<void>>([&](auto then) {
        m_journal.logIntent(receipt, plan, auditContext(plan, reason), context, then);
    });
    if (!logged) {
        giveBack(plan.undoes);
        receipt.text = errorText(logged.error());
        co_return receipt;
    }
    if (byScript) {
        const ScriptCall call{*script, plan.keys, plan.args, plan.notAfterMs};
        const ScriptAnswer answer = co_await sendTimed(m_connection, call, m_timing, context);
        readScriptAnswer(answer, plan, receipt);
    } else if (const auto command = removeIfEqual(serverVersion(m_connection.greeting()),
                                                  plan.keys.front(), plan.args.front())) {
        const BatchResult result = co_await actingReplies(m_connection, *command, context);
        readIfEqualAnswer(result, plan, receipt);
    } else { // another server than the one that it was planned for
        receipt.text = errorText({ErrorCode::Cancelled, {}});
    }
    if (receipt.outcome == Outcome::Succeeded)
        receipt.revealed = plan.revealed;
    // The undo record is on disk before the outcome says that the step can be undone. If the
    // outcome cannot be journaled, the receipt reports it, and nothing else changes: the step has
    // run.
    const auto told = std::make_shared<Receipt>(std::move(receipt));
    const auto conclude = [undo = m_undo, plan, told, endpoint = m_connection.url().endpoint(),
                           node](Journal& journal) {
        finalizeUndo(undo, plan, *told, endpoint, node);
        const Result<void> written = journal.logOutcome(*told, plan);
        if (!written)
            told->text += QStringLiteral(". ") + errorText(written.error());
        return written;
    };
    co_await Awaited<Result<void>>([&](auto then) { m_journal.write(conclude, context, then); });
    co_return *told;
}

// Reads the server's user of this connection for the journal. A server without users, before Redis
// 6, has no answer.
Task<> ActionRunner::readUser(QObject* context)
{
    const quint64 generation = m_connection.status().generation;
    if (m_aclGeneration == generation ||
        !mayTry(serverVersion(m_connection.greeting()), Feature::Acl))
        co_return;
    const Command whoAmI{"ACL", "WHOAMI"};
    const BatchResult result = co_await replies(m_connection, whoAmI, context);
    const bool told = result && result->front().isText();
    m_aclUser = told ? displayName(result->front().text) : m_connection.url().user;
    m_aclGeneration = told ? generation : 0;
}

AuditContext ActionRunner::auditContext(const Plan& plan, const QString& reason) const
{
    const QString user = m_aclGeneration > 0 ? m_aclUser : m_connection.url().user;
    AuditContext context = auditContextHere(m_connection.url().endpoint(), reason, user);
    context.node = nodeOfKeys(m_connection, plan.keys);
    return context;
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

} // namespace lk
