// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/redlockcommand.h"

#include "app/cli/act/acttext.h"
#include "app/cli/act/confirm.h"
#include "app/cli/ownthread.h"
#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "app/process/undokey.h"
#include "backend/acting/undo/groupundo.h"
#include "backend/core/names/environment.h"
#include "backend/core/names/glob.h"
#include "backend/core/names/keyname.h"
#include "backend/secrets/keyring.h"
#include "backend/session/redlock/redlockrelease.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

namespace lk {

namespace {

struct RedlockActionText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

using What = RedlockWanted::What;

QString line(const QString& label, const QString& text)
{
    return QStringLiteral("  %1 %2\n").arg(label + QLatin1Char(':'), -9).arg(text);
}

QString row(const QString& endpoint, const QString& text)
{
    return QStringLiteral("  %1  %2\n").arg(endpoint, text);
}

QString redlockPlanText(const RedlockPlan& plan)
{
    QString text;
    if (!plan.set.plans.empty()) {
        const Plan& first = plan.set.plans.front();
        text += first.question + QLatin1Char('\n');
        if (!first.consequence.isEmpty())
            text += QStringLiteral("  ") + first.consequence + QLatin1Char('\n');
        text += line(RedlockActionText::tr("only if"), first.guard);
        for (const QString& command : first.commands)
            text += line(RedlockActionText::tr("runs"), command);
        text += line(RedlockActionText::tr("undo"), undoText(first.undo));
    }
    for (qsizetype i = 0; i < plan.endpoints.size(); ++i)
        text += row(plan.endpoints[i], plan.set.plans[size_t(i)].expected);
    for (const RedlockPlan::Left& left : plan.left)
        text +=
            row(left.endpoint,
                left.isFailure ? RedlockActionText::tr("not possible: %1").arg(errorText(left.why))
                               : RedlockActionText::tr("unchanged: %1").arg(errorText(left.why)));
    return text;
}

QString redlockReceiptText(const QString& endpoint, const Receipt& receipt)
{
    QString text = outcomeTitle(receipt.outcome);
    if (!receipt.text.isEmpty() && receipt.text != text)
        text += QStringLiteral(": ") + receipt.text;
    if (!receipt.id.isEmpty())
        text += QStringLiteral("  ") + QString::fromLatin1(receipt.id);
    return QStringLiteral("%1  %2\n").arg(endpoint, text);
}

QByteArray redlockReceiptJson(const QString& endpoint, const Receipt& receipt, const Plan& plan)
{
    QJsonObject json = QJsonDocument::fromJson(receiptJson(receipt, plan)).object();
    json.insert(QStringLiteral("endpoint"), endpoint);
    json.insert(QStringLiteral("group"), QString::fromLatin1(receipt.group));
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

struct GroupRequest
{
    RedlockGroup group;
    RedlockRequest request;
};

Result<GroupRequest> releaseOf(const RedlockWanted& wanted, const std::vector<RedlockGroup>& groups)
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
    return GroupRequest{fitting.front(), {wanted.name, wanted.owner}};
}

// Reads the steps from the journal. One group must contain all of their servers.
Result<GroupRequest> undoOf(const RedlockWanted& wanted, const std::vector<RedlockGroup>& groups)
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
        QStringList others = endpoints;
        for (const ServerUrl& url : group.servers)
            others.removeAll(url.endpoint());
        if (others.isEmpty())
            return GroupRequest{group, request};
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
    RedlockAction(const Invocation& invocation, const GroupRequest& task)
        : m_invocation(invocation)
        , m_request(task.request)
        , m_undo(undoFolder(), UndoStore::WithoutKey::Nothing)
        , m_keyring(openKeyring())
        , m_release(task.group, m_clock, {journalPath(), m_undo, &m_journalThread})
    {
        connect(&m_release, &RedlockRelease::planned, this, &RedlockAction::onPlanned);
        connect(&m_release, &RedlockRelease::receiptReady, this, &RedlockAction::onReceipt);
        connect(&m_release, &RedlockRelease::finished, this, &RedlockAction::onFinished);
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
        const size_t at = m_received++;
        const QString& endpoint = m_plan.endpoints[qsizetype(at)];
        if (receipt.outcome != Outcome::Succeeded)
            m_doubtful << endpoint;
        if (receipt.undoable)
            m_undoable = QString::fromLatin1(receipt.group);
        if (isJson())
            m_out.write(redlockReceiptJson(endpoint, receipt, m_plan.set.plans[at]));
        else
            m_out.print(redlockReceiptText(endpoint, receipt));
        m_out.flush();
    }

    void onFinished()
    {
        const auto done = qsizetype(m_received) - m_doubtful.size();
        for (const RedlockPlan::Left& left : m_plan.left) {
            if (left.isFailure)
                m_doubtful << left.endpoint;
        }
        QStringList lines{RedlockActionText::tr("Succeeded on %1 of %2 servers")
                              .arg(done)
                              .arg(m_plan.rows().size())};
        if (!m_doubtful.isEmpty())
            lines << RedlockActionText::tr("It may still be held on: %1")
                         .arg(m_doubtful.join(QStringLiteral(", ")));
        if (!m_undoable.isEmpty())
            lines << RedlockActionText::tr("Undo all of it with: lockkeeper redlock undo %1")
                         .arg(m_undoable);
        if (!isJson())
            m_out.print(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
        end(m_doubtful.isEmpty() ? ExitDone : ExitFound);
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
    Output m_out;
    size_t m_received = 0;  ///< receipts of the plans, in their order
    QStringList m_doubtful; ///< servers where it may still be held
    QString m_undoable;     ///< the group in the journal; empty: nothing can be undone
};

} // namespace

int runRedlockAction(const Invocation& invocation, const std::vector<RedlockGroup>& groups)
{
    const RedlockWanted& wanted = invocation.redlock;
    const Result<GroupRequest> task =
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
