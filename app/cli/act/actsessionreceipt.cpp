// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ActSession that follows a step: the receipt, the check after an unknown outcome, and
// the revocation of a token whose code could not be printed.
#include "app/cli/act/actsession.h"

#include "app/cli/act/acttext.h"
#include "app/cli/snapshot/snapshotcommand.h"
#include "backend/acting/execution/takencheck.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/api/undetected.h"
#include "backend/text/errortext.h"

namespace lk {

namespace {

constexpr qint64 writeModeMs = 3'600'000; // longer than the longest run takes

} // namespace

// Opens a connection of its own: the first one has asked not to touch the keys that it reads, and
// some servers refuse writes in that mode.
void ActSession::run()
{
    connect(&m_executor, &ActionExecutor::writeModeFailed, this, &ActSession::fail);
    connect(&m_executor, &ActionExecutor::receiptReady, this, &ActSession::onReceipt);
    connect(&m_executor, &ActionExecutor::finished, this, &ActSession::onFinished);
    connect(&m_executor, &ActionExecutor::writeModeUntilChanged, this, [this](qint64 untilMs) {
        if (untilMs > 0 && !std::exchange(m_sent, true))
            m_executor.run(stepTicket, m_invocation.reason);
    });
    tell(m_leftOut);
    m_executor.enableWriteMode(writeModeMs);
}

void ActSession::onReceipt(quint64 ticket, const Receipt& receipt)
{
    if (ticket == revokeTicket)
        return onRevoked(receipt);
    const Plan plan = m_plans[m_received++];
    checkOutcome(plan, receipt, [this, plan, receipt](const std::optional<OutcomeSeen>& seen) {
        ++m_told;
        if (isSeveral())
            tellStep(plan, receipt, seen);
        else
            tellReceipt(plan, receipt, seen);
    });
}

// A step that is left undone has no receipt: write mode ended before it.
void ActSession::onFinished(quint64 ticket)
{
    if (ticket != stepTicket)
        return;
    m_finished = true;
    m_missed += m_plans.size() - m_received;
    if (m_target && m_firstSeen.takeChanged())
        saveRecords(m_target->id.name);
    endWhenTold();
}

// Ends a group once no more receipts come and all of them have been printed.
void ActSession::endWhenTold()
{
    if (isSeveral() && m_finished && m_told == m_received)
        end(m_out.end(m_missed == 0 ? ExitDone : ExitFound));
}

// After an unknown outcome the user has to look at the server, so this does it at once. As the
// receipt has come, the script can write nothing more and cannot change the result. Jobs that were
// queued again count once a worker takes them. Only the last step waits for that, as it takes up
// to ten seconds.
void ActSession::checkOutcome(const Plan& plan, const Receipt& receipt, SeenHandler then)
{
    if (m_target && m_received == m_plans.size() && TakenCheck::applies(plan, receipt)) {
        auto* check = new TakenCheck(m_connection, plan, receipt, m_target, m_clock, this);
        connect(check, &TakenCheck::finished, this,
                [check, then = std::move(then)](const OutcomeSeen& seen) {
                    check->deleteLater();
                    then(seen);
                });
        return check->start();
    }
    if (receipt.outcome != Outcome::Unknown)
        return then({});
    auto* check = new OutcomeCheck(m_invocation.url, plan, m_target, m_clock, this);
    connect(check, &OutcomeCheck::finished, this,
            [check, then = std::move(then)](const OutcomeSeen& seen) {
                check->deleteLater();
                then(seen);
            });
    check->start();
}

void ActSession::tellStep(const Plan& plan, const Receipt& receipt,
                          const std::optional<OutcomeSeen>& seen)
{
    m_missed += receipt.outcome == Outcome::Succeeded ? 0 : 1;
    if (m_invocation.json)
        m_out.write(receiptJson(receipt, plan, seen));
    else
        m_out.print(displayName(plan.journalName) + QStringLiteral(": ") +
                    receiptText(receipt, seen));
    m_out.flush();
    endWhenTold();
}

void ActSession::tellReceipt(const Plan& plan, const Receipt& receipt,
                             const std::optional<OutcomeSeen>& seen)
{
    const int code = receipt.outcome == Outcome::Succeeded ? ExitDone : ExitFound;
    if (m_invocation.json && receipt.revealed.isEmpty())
        m_out.write(receiptJson(receipt, plan, seen));
    else if (receipt.revealed.isEmpty())
        m_out.print(receiptText(receipt, seen));
    if (receipt.revealed.isEmpty()) {
        if (m_out.flush() || m_out.readerLeft())
            return end(code);
        tellLine(tr("%1. %2, receipt %3")
                     .arg(m_out.problem(), outcomeTitle(receipt.outcome),
                          QString::fromLatin1(receipt.id)));
        return end(ExitUsage);
    }
    // The code is alone on stdout, so that its reader gets nothing else. A code that could not be
    // printed is useless and is revoked.
    if (m_invocation.json)
        m_out.write(receiptJson(receipt, plan, seen));
    else
        m_out.print(QString::fromUtf8(receipt.revealed) + QLatin1Char('\n'));
    if (!m_out.flush())
        return revoke(plan);
    if (!m_invocation.json)
        tell(receiptText(receipt, seen));
    end(code);
}

// As an action of its own: planned from what is there, guarded, journaled.
void ActSession::revoke(const Plan& plan)
{
    m_revoking = plan;
    const Layout* layout = findLayout(plan.layout);
    if (!layout || plan.keys.empty())
        return onRevoked(failure(ErrorCode::NotFound, QString::fromLatin1(plan.layout)));
    PlanRequest request;
    request.ticket = revokeTicket;
    request.action = QByteArrayLiteral("token.revoke");
    request.targets.push_back({undetected(*layout, plan.keys.front(), false)});
    m_executor.plan(request);
}

void ActSession::onRevoked(const Result<Receipt>& receipt)
{
    if (receipt && receipt->outcome == Outcome::Succeeded)
        tellLine(tr("%1. The token was revoked again, receipt %2")
                     .arg(m_out.problem(), QString::fromLatin1(receipt->id)));
    else
        tellLine(tr("%1, and the token %2 could not be revoked (%3): it is valid until it expires")
                     .arg(m_out.problem(), displayName(m_revoking->journalName),
                          receipt ? receipt->text : errorText(receipt.error())));
    end(ExitUsage);
}

} // namespace lk
