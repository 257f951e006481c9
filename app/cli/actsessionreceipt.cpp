// SPDX-License-Identifier: GPL-3.0-or-later
// What comes after a step: its receipt, what is there where that does not tell, and a token that
// nobody got to know.
#include "app/cli/actsession.h"

#include "app/cli/acttext.h"
#include "app/cli/snapshotcommand.h"
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/planner.h"
#include "backend/core/keyname.h"
#include "backend/layouts/layout.h"
#include "backend/text/errortext.h"

namespace lk {

void ActSession::onReceipt(const Receipt& receipt)
{
    checkOutcome(m_plan, receipt, [this, receipt](const std::optional<OutcomeSeen>& seen) {
        tellReceipt(receipt, seen);
    });
}

// After an unknown outcome whoever acted has to look, so that is done at once. The receipt has
// come: its script can write nothing more, and what is seen does not change by it.
void ActSession::checkOutcome(const Plan& plan, const Receipt& receipt, SeenHandler then)
{
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

void ActSession::tellReceipt(const Receipt& receipt, const std::optional<OutcomeSeen>& seen)
{
    const int code = receipt.outcome == Outcome::Done ? ExitDone : ExitFound;
    if (m_invocation.json && receipt.revealed.isEmpty())
        m_out.write(receiptJson(receipt, m_plan, seen));
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
    // A code stands alone on stdout: whatever takes it gets it and nothing else. One that nobody
    // got is good for nobody, and is not left behind.
    if (m_invocation.json)
        m_out.write(receiptJson(receipt, m_plan, seen));
    else
        m_out.print(QString::fromUtf8(receipt.revealed) + QLatin1Char('\n'));
    if (!m_out.flush())
        return revoke();
    if (!m_invocation.json)
        tell(receiptText(receipt, seen));
    end(code);
}

// As an action of its own: planned from what is there, guarded, journaled.
void ActSession::revoke()
{
    const Layout* layout = findLayout(m_plan.layout);
    if (!layout || m_plan.keys.empty())
        return onRevoked(failure(ErrorCode::NotFound, QString::fromLatin1(m_plan.layout)));
    Declaration declaration;
    declaration.kind = layout->kind();
    declaration.pattern = m_plan.keys.front();
    declaration.layout = layout->id();
    const Claim claim = layout->declared(declaration, m_plan.keys.front());
    auto token = std::make_shared<Primitive>();
    token->kind = layout->kind();
    token->id = claim.id;
    token->keys = claim.keys;
    planAction(m_connection, {token, nullptr}, actions::revokeToken(), {}, m_limits, {}, m_clock,
               this, [this](const Result<Plan>& plan) {
                   if (!plan)
                       return onRevoked(tl::unexpected<Error>(plan.error()));
                   m_runner.run(*plan, tr("its code could not be printed"), this,
                                [this](const Receipt& receipt) { onRevoked(receipt); });
               });
}

void ActSession::onRevoked(const Result<Receipt>& receipt)
{
    if (receipt && receipt->outcome == Outcome::Done)
        tellLine(tr("%1. The token was revoked again, receipt %2")
                     .arg(m_out.problem(), QString::fromLatin1(receipt->id)));
    else
        tellLine(tr("%1, and the token %2 could not be revoked (%3): it is valid until it expires")
                     .arg(m_out.problem(), displayName(m_plan.journalName),
                          receipt ? receipt->text : errorText(receipt.error())));
    end(ExitUsage);
}

} // namespace lk
