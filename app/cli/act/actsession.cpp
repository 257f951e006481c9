// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/actsession.h"

#include "app/cli/act/actcommands.h"
#include "app/cli/act/acttext.h"
#include "app/cli/act/autorequeuerun.h"
#include "app/cli/act/confirm.h"
#include "app/cli/act/targetsearch.h"
#include "app/cli/snapshot/snapshotcommand.h"
#include "app/process/undokey.h"
#include "backend/acting/undo/groupundo.h"
#include "backend/core/names/environment.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/discovery/clustercoverage.h"
#include "backend/history/firstseenstore.h"
#include "backend/history/historypath.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/api/undetected.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/secrets/keyring.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <span>

namespace lk {

namespace {

using What = ActInvocation::What;

Connection::Options options()
{
    Connection::Options result;
    result.clientName = QByteArrayLiteral("lockkeeper-act");
    result.reconnect = false;
    return result;
}

// The layout whose action makes something new; empty: the action is done to something.
QByteArray makerOf(const QByteArray& action)
{
    for (const Layout* layout : allLayouts()) {
        const Action* found = findAction(*layout, action);
        if (found && !found->needsTarget())
            return layout->id();
    }
    return {};
}

} // namespace

ActSession::ActSession(ActInvocation invocation, Config config)
    : m_invocation(std::move(invocation))
    , m_config(std::move(config))
    , m_connection(m_invocation.url, options(), this)
    , m_undo(undoFolder(), UndoStore::WithoutKey::Nothing)
    , m_firstSeen(m_config.check.thresholds.stuckAfterMs)
    , m_executor(m_connection, m_firstSeen, m_clock, {journalPath(), m_undo, &m_journalThread},
                 this)
{
    connect(&m_connection, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionStatus::Phase::Ready && !std::exchange(m_begun, true))
            onReady();
        else if (status.phase == ConnectionStatus::Phase::Lost && !m_sent)
            fail(status.error);
    });
}

ActSession::~ActSession()
{
    m_connection.disconnect(this);
    m_executor.disconnect(this);
}

void ActSession::start()
{
    m_connection.open();
}

void ActSession::onReady()
{
    // Before anything is looked for: it may not have what its master has.
    const bool writes =
        m_invocation.what != What::Step || knownAction(m_invocation.action)->writes();
    const bool alone = m_connection.url().deployment == ServerUrl::Deployment::Node;
    if (const auto replica = clusterReplica(m_connection.greeting()); replica && (writes || !alone))
        return fail(*replica);
    if (const ServerInfo& server = m_connection.greeting(); writes && server.isReplica())
        return fail({ErrorCode::Replica, server.masterEndpoint()});
    if (m_invocation.what == What::AutoRequeue)
        return fetchKey([this] { find(); });
    connect(&m_executor, &ActionExecutor::planned, this, &ActSession::onPlanned);
    connect(&m_executor, &ActionExecutor::planDropped, this,
            [this](quint64, const Error& why) { fail(why); });
    if (m_invocation.what == What::Undo)
        return fetchKey([this] { readUndo(); });
    const Action* action = knownAction(m_invocation.action);
    const auto begin = [this, action] {
        if (action->needsTarget())
            find();
        else
            plan(nullptr);
    };
    if (action->writes())
        fetchKey(begin);
    else
        begin();
}

// Steps that were run together are undone together, the last one first.
void ActSession::readUndo()
{
    if (m_invocation.receipt.startsWith('g')) {
        const Result<Journal::Contents> journal = Journal(journalPath()).read();
        if (!journal)
            return fail(journal.error());
        Result<std::vector<JournalEntry>> steps = undoableSteps(*journal, m_invocation.receipt);
        if (!steps)
            return fail(steps.error());
        m_undoing = std::move(*steps);
    }
    planUndo();
}

// Whether it is too late is a matter of the server's clock.
void ActSession::planUndo()
{
    const qint64 sentMs = m_clock.nowMs();
    m_connection.send({Command{"TIME"}}, this, [this, sentMs](const BatchResult& result) {
        if (!result)
            return fail(result.error());
        if (const auto serverMs = timeFromReply(result->front()))
            m_executor.setClock(betterClock({}, sentMs, m_clock.nowMs(), *serverMs));
        PlanRequest request;
        request.ticket = stepTicket;
        request.action = QByteArrayLiteral("undo");
        for (const JournalEntry& step : m_undoing)
            request.receipts << step.receipt;
        if (m_undoing.empty())
            request.receipts << m_invocation.receipt;
        m_executor.plan(request);
    });
}

// Where no key is kept it goes on: that nothing can be undone then is said in the plan.
void ActSession::fetchKey(std::function<void()> then)
{
    if (!m_keyring)
        m_keyring = openKeyring();
    fetchUndoKey(m_invocation.undoKey, *m_keyring, m_undo, this,
                 [this, then = std::move(then)](const Result<void>& given) {
                     if (given)
                         then();
                     else
                         fail(given.error());
                 });
}

void ActSession::find()
{
    const MaskedName masked = readMasked(m_invocation.name);
    if (masked.masked && !masked.lasting)
        return fail({ErrorCode::NotPossible,
                     tr("%1 is not a token's name: the digest of so short a code differs in each "
                        "output. Give the whole code")
                         .arg(displayName(m_invocation.name))});
    m_search =
        std::make_unique<TargetSearch>(m_invocation.url, m_config, m_clock, m_invocation.action,
                                       m_invocation.name, m_invocation.pace);
    connect(m_search.get(), &TargetSearch::failed, this, &ActSession::fail);
    connect(m_search.get(), &TargetSearch::found, this, &ActSession::plan);
    connect(m_search.get(), &TargetSearch::nothing, this, &ActSession::onNothing);
    m_search->start();
}

void ActSession::onNothing()
{
    if (readMasked(m_invocation.name).masked)
        return fail({ErrorCode::NotFound, tr("%1 not found").arg(shownTarget())});
    m_connection.send(
        {Command{"TYPE", m_invocation.name}}, this, [this](const BatchResult& result) {
            if (!result)
                return fail(result.error());
            if (result->front().isError())
                return fail(errorFromReply(result->front().text)); // denied, or on another node
            assume(result->front().text);
        });
}

// The name as it was given; a token's code is masked.
QString ActSession::shownTarget() const
{
    const bool given = readMasked(m_invocation.name).masked;
    return given ? displayName(m_invocation.name)
                 : shownKey(kindOfAction(m_invocation.action).value_or(Kind::Lock),
                            m_invocation.name);
}

void ActSession::assume(const QByteArray& type)
{
    const std::optional<Kind> kind = kindOfAction(m_invocation.action);
    const Layout* layout = kind ? plainestLayout(*kind, keyTypeFromName(type)) : nullptr;
    if (!layout)
        return fail({ErrorCode::NotFound, (type == "none" ? tr("%1 not found")
                                                          : tr("%1 exists, but is not recognized: "
                                                               "declare it in the configuration"))
                                              .arg(shownTarget())});
    // The user named it, but no layout detected it: it is possible that no worker takes from it.
    plan(undetected(*layout, m_invocation.name, type == "none"));
}

// Only a console that ran knows how old jobs are; jobs that are first seen now count from now on.
void ActSession::loadRecords()
{
    FirstSeenStore store(historyPath(), m_invocation.url.endpoint());
    connect(
        &store, &FirstSeenStore::loaded, this,
        [this](const std::vector<FirstSeenRecord>& firstSeen) { m_firstSeen.restore(firstSeen); });
    store.load();
}

// Another console may know more of the others by now.
void ActSession::saveRecords(const QByteArray& queue)
{
    FirstSeenStore(historyPath(), m_invocation.url.endpoint())
        .saveQueue(queue, m_firstSeen.firstSeen());
}

void ActSession::plan(PrimitivePtr primitive)
{
    if (m_invocation.what == What::AutoRequeue)
        return autoRequeue(primitive);
    m_target = primitive;
    PlanRequest request;
    request.ticket = stepTicket;
    request.action = m_invocation.action;
    request.request = m_invocation.request;
    if (primitive) {
        const Layout* layout = findLayout(primitive->id.layout);
        if (!layout || !findAction(*layout, m_invocation.action))
            return fail({ErrorCode::NotPossible,
                         tr("%2 is a %3, which does not support %1")
                             .arg(QString::fromLatin1(m_invocation.action), shownName(*primitive),
                                  layout ? layout->title() : QString())});
        if (primitive->kind == Kind::Queue)
            loadRecords();
        request.targets.push_back({primitive});
    } else {
        request.layout = makerOf(m_invocation.action);
    }
    m_executor.plan(request);
}

void ActSession::onPlanned(const PlanSet& set)
{
    if (set.ticket == revokeTicket) {
        if (set.plans.empty())
            return onRevoked(tl::unexpected<Error>(set.refused.front().second));
        return m_executor.run(revokeTicket, tr("its code could not be printed"));
    }
    if (m_target && m_firstSeen.takeChanged())
        saveRecords(m_target->id.name);
    onRefused(set);
    if (set.plans.empty())
        return fail(set.refused.front().second);
    if (set.plans.front().answer)
        return onAnswer(*set.plans.front().answer);
    m_plans = set.plans;
    QString text;
    // The steps of one action say the same but for their jobs.
    for (const Plan& plan : std::span(m_plans).first(m_undoing.empty() ? 1 : m_plans.size()))
        text += planText(plan, m_invocation.url.endpoint());
    if (m_undoing.empty() && m_plans.size() > 1)
        text +=
            QStringLiteral("  ") +
            tr("%Ln more step(s) like this one, %1 jobs in total", nullptr, int(m_plans.size()) - 1)
                .arg(QLocale().toString(objectsOf(m_plans))) +
            QLatin1Char('\n');
    if (m_invocation.dryRun) {
        m_out.print(text + m_leftOut);
        return end(m_out.end(ExitDone));
    }
    if (needsReason())
        return;
    if (!m_invocation.yes && !agreed(text + m_leftOut))
        return end(ExitFound);
    run();
}

// Reports the steps of a group that cannot be undone, and leaves them out.
void ActSession::onRefused(const PlanSet& set)
{
    m_missed = set.refused.size();
    for (const auto& [receipt, why] : set.refused) {
        const auto step = std::find_if(m_undoing.begin(), m_undoing.end(),
                                       [&](const JournalEntry& e) { return e.receipt == receipt; });
        if (step != m_undoing.end())
            m_leftOut +=
                tr("%1 was not undone: %2").arg(step->name, errorText(why)) + QLatin1Char('\n');
    }
}

void ActSession::onAnswer(const Answer& answer)
{
    if (m_invocation.json)
        m_out.write(answerJson(answer));
    else
        m_out.print(answer.text + QLatin1Char('\n'));
    end(m_out.end(answer.yes ? ExitDone : ExitFound));
}

void ActSession::autoRequeue(const PrimitivePtr& queue)
{
    const QString why = AutoRequeue::unavailable(*queue);
    if (!why.isEmpty())
        return fail({ErrorCode::NotPossible, why});
    const ActionRequest& request = m_invocation.request;
    const qint64 forMs = request.durationMs("for").value_or(AutoRequeueRun::presetForMs);
    const qint64 olderThanMs =
        request.durationMs("older-than")
            .value_or(AutoRequeue::thresholdOf(*queue, m_config.check.thresholds.stuckAfterMs));
    const QString text =
        AutoRequeueRun::text(*queue, olderThanMs, forMs, m_invocation.url.endpoint());
    if (m_invocation.dryRun) {
        m_out.print(text);
        return end(m_out.end(ExitDone));
    }
    if (needsReason())
        return;
    const QString word =
        isProduction(m_invocation.environment) ? displayName(queue->id.name) : tr("yes");
    if (!m_invocation.yes && !confirmOnTerminal(text, word))
        return end(ExitFound);
    loadRecords();
    m_sent = true;
    m_run = std::make_unique<AutoRequeueRun>(m_executor, m_clock, queue, olderThanMs,
                                             m_invocation.reason.trimmed(), m_out, this);
    connect(m_run.get(), &AutoRequeueRun::ended, this, [this, name = queue->id.name](bool early) {
        saveRecords(name);
        end(m_out.end(early ? ExitFound : ExitDone));
    });
    m_run->start(forMs);
}

// An action on production requires a reason. Returns true if the run has ended without one.
bool ActSession::needsReason()
{
    if (!isProduction(m_invocation.environment) || !m_invocation.reason.trimmed().isEmpty())
        return false;
    fail({ErrorCode::BadArgument, tr("--reason is required on production")});
    return true;
}

// On production, and if much changes, the user has to type more than "yes".
bool ActSession::agreed(const QString& text)
{
    const Plan& plan = m_plans.front();
    const bool several = isSeveral();
    const qint64 number = m_undoing.empty() ? objectsOf(m_plans) : qint64(m_plans.size());
    const bool grave = isProduction(m_invocation.environment) || number > 10;
    // The user must not have to type a name that contains a secret code.
    const QString name = several                         ? QString::number(number)
                         : plan.journalName == plan.name ? displayName(plan.name)
                                                         : m_invocation.url.endpoint();
    return confirmOnTerminal(text, grave ? name : tr("yes"));
}

void ActSession::end(int code)
{
    m_executor.disconnect(this);
    m_executor.disableWriteMode();
    m_connection.disconnect(this);
    m_connection.close();
    QCoreApplication::exit(code);
}

void ActSession::fail(const Error& error)
{
    const bool refused = error.code == ErrorCode::NotPossible ||
                         error.code == ErrorCode::NotFound || error.code == ErrorCode::NoPerm ||
                         error.code == ErrorCode::ReadOnly || error.code == ErrorCode::Replica ||
                         error.code == ErrorCode::Moved || error.code == ErrorCode::WrongType ||
                         error.code == ErrorCode::Undecodable;
    // The Sentinel group has another master by now: the advice to connect to it does not apply.
    const bool failedOver = m_begun && error.code == ErrorCode::Replica &&
                            m_invocation.url.deployment == ServerUrl::Deployment::Sentinel;
    const int code = reportError(
        failedOver ? notPossible(tr("The master is %1 now and the plan is void: run the command "
                                    "again")
                                     .arg(error.detail))
                         .value()
                   : error);
    end(refused && m_begun ? ExitFound : code);
}

} // namespace lk
