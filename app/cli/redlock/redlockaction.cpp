// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/redlockaction.h"

#include "app/cli/act/confirm.h"
#include "app/cli/ownthread.h"
#include "app/cli/redlock/redlocksteptext.h"
#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "app/process/undokey.h"
#include "backend/acting/undo/groupundo.h"
#include "backend/core/names/environment.h"
#include "backend/core/names/glob.h"
#include "backend/core/names/keyname.h"
#include "backend/secrets/keyring.h"
#include "backend/session/redlock/redlockrelease.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct RedlockActionText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

using What = RedlockWanted::What;

struct Task
{
    RedlockGroup group;
    RedlockRequest request;
};

bool hasServer(const RedlockGroup& group, const QString& endpoint)
{
    return std::any_of(group.servers.begin(), group.servers.end(),
                       [&](const ServerUrl& url) { return url.endpoint() == endpoint; });
}

Result<Task> releaseOf(const RedlockWanted& wanted, const std::vector<RedlockGroup>& groups)
{
    std::vector<RedlockGroup> fitting;
    for (const RedlockGroup& group : groups) {
        if (globMatches(group.match, wanted.name))
            fitting.push_back(group);
    }
    if (fitting.empty())
        return failure(
            ErrorCode::NotFound,
            RedlockActionText::tr("No [[redlock]] matches %1").arg(displayName(wanted.name)));
    if (fitting.size() > 1)
        return failure(
            ErrorCode::NotPossible,
            RedlockActionText::tr("%1 matches several [[redlock]] groups, on lines %2 and %3: each "
                                  "name must be in one group")
                .arg(displayName(wanted.name))
                .arg(fitting[0].line)
                .arg(fitting[1].line));
    return Task{fitting.front(), {wanted.name, wanted.owner}};
}

// Reads the steps from the journal. One group must contain all of their servers.
Result<Task> undoOf(const RedlockWanted& wanted, const std::vector<RedlockGroup>& groups)
{
    const Result<Journal::Contents> journal = Journal(journalPath()).read();
    if (!journal)
        return tl::unexpected(journal.error());
    const Result<std::vector<JournalEntry>> steps = undoableSteps(*journal, wanted.group);
    if (!steps)
        return tl::unexpected(steps.error());
    RedlockRequest request;
    for (const JournalEntry& step : *steps)
        request.receipts[step.endpoint] << step.receipt;
    const QStringList endpoints = request.receipts.keys();
    for (const RedlockGroup& group : groups) {
        if (std::all_of(endpoints.begin(), endpoints.end(),
                        [&](const QString& endpoint) { return hasServer(group, endpoint); }))
            return Task{group, request};
    }
    return failure(
        ErrorCode::NotFound,
        RedlockActionText::tr("No [[redlock]] has the servers of %1: %2")
            .arg(QString::fromLatin1(wanted.group), endpoints.join(QStringLiteral(", "))));
}

// One run, until the event loop ends with its exit code.
class RedlockAction final : public QObject
{
public:
    RedlockAction(const Invocation& invocation, const Task& task)
        : m_invocation(invocation)
        , m_request(task.request)
        , m_undo(undoFolder(), UndoStore::WithoutKey::Nothing)
        , m_keyring(openKeyring())
        , m_release(task.group, m_clock, {journalPath(), m_undo, &m_journalThread})
    {
        connect(&m_release, &RedlockRelease::planned, this, &RedlockAction::onPlanned);
        connect(&m_release, &RedlockRelease::receiptReady, this, &RedlockAction::onReceipt);
        connect(&m_release, &RedlockRelease::finished, this, [this] {
            if (!isJson())
                m_out.print(redlockEndText(m_plan, m_receipts));
            end(m_missed == 0 && m_plan.failures() == 0 ? ExitDone : ExitFound);
        });
    }

    // Where no key is kept it goes on: that nothing can be undone then is said in the plan.
    void start()
    {
        fetchUndoKey(m_invocation.redlock.undoKey, *m_keyring, m_undo, this,
                     [this](const Result<void>& given) {
                         if (given)
                             m_release.plan(m_request);
                         else
                             end(reportError(given.error()));
                     });
    }

private:
    bool isJson() const { return m_invocation.format == Invocation::Format::Json; }

    void onPlanned(const RedlockPlan& plan)
    {
        m_plan = plan;
        const RedlockWanted& wanted = m_invocation.redlock;
        const QString text = redlockPlanText(plan);
        if (plan.set.plans.empty()) {
            tell(text);
            const bool none = plan.failures() == int(plan.left.size());
            const QString what =
                m_request.receipts.isEmpty()
                    ? RedlockActionText::tr("%1 does not hold %2 on any server that answers")
                          .arg(displayPreview(wanted.owner, 80), displayName(wanted.name))
                    : RedlockActionText::tr("None of it can be undone any more");
            const int code = reportError({ErrorCode::NotPossible, what});
            return end(none ? code : int(ExitFound));
        }
        if (wanted.dryRun) {
            m_out.print(text);
            return end(plan.failures() == 0 ? ExitDone : ExitFound);
        }
        const bool production = isProduction(wanted.environment);
        if (production && wanted.reason.trimmed().isEmpty())
            return end(reportError({ErrorCode::BadArgument,
                                    RedlockActionText::tr("--reason is required on production")}));
        const QString word =
            production ? displayName(plan.set.plans.front().name) : RedlockActionText::tr("yes");
        if (!wanted.yes && !confirmOnTerminal(text, word))
            return end(ExitFound);
        m_release.run(wanted.reason);
    }

    void onReceipt(const Receipt& receipt)
    {
        const size_t at = m_receipts.size();
        m_receipts.push_back(receipt);
        m_missed += receipt.outcome == Outcome::Succeeded ? 0 : 1;
        const QString& endpoint = m_plan.endpoints[qsizetype(at)];
        if (isJson())
            m_out.write(redlockReceiptJson(endpoint, receipt, m_plan.set.plans[at]));
        else
            m_out.print(redlockReceiptText(endpoint, receipt));
        m_out.flush();
    }

    void end(int code)
    {
        m_release.disconnect(this);
        QCoreApplication::exit(m_out.end(code));
    }

    const Invocation& m_invocation;
    const RedlockRequest m_request;
    SystemClock m_clock;
    OwnThread m_journalThread{QStringLiteral("journal")};
    UndoStore m_undo;
    std::unique_ptr<SecretStore> m_keyring;
    RedlockRelease m_release;
    RedlockPlan m_plan;
    std::vector<Receipt> m_receipts; ///< the plans' receipts, in the same order
    Output m_out;
    int m_missed = 0;
};

} // namespace

int runRedlockAction(const Invocation& invocation, const std::vector<RedlockGroup>& groups)
{
    const RedlockWanted& wanted = invocation.redlock;
    const Result<Task> task =
        wanted.what == What::Undo ? undoOf(wanted, groups) : releaseOf(wanted, groups);
    if (!task) {
        reportError(task.error());
        return task.error().code == ErrorCode::FileError ? ExitUsage : ExitFound;
    }
    RedlockAction action(invocation, *task);
    QMetaObject::invokeMethod(
        &action, [&action] { action.start(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
