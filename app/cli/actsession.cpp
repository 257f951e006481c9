// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/actsession.h"

#include "app/cli/actcommands.h"
#include "app/cli/acttext.h"
#include "app/cli/autorequeuerun.h"
#include "app/cli/snapshotcommand.h"
#include "app/cli/targetsearch.h"
#include "app/process/undokey.h"
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/planner.h"
#include "backend/actions/undo/groupundo.h"
#include "backend/core/environment.h"
#include "backend/core/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/discovery/clustercoverage.h"
#include "backend/layouts/layout.h"
#include "backend/polling/firstseenstore.h"
#include "backend/redis/serverinfo.h"
#include "backend/secrets/keyring.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <unistd.h>

namespace lk {

namespace {

using What = ActInvocation::What;

Connection::Options options(Connection::Access access)
{
    Connection::Options result;
    result.access = access;
    result.clientName = QByteArrayLiteral("lockkeeper-act");
    result.reconnect = false;
    return result;
}

} // namespace

ActSession::ActSession(ActInvocation invocation, Config config)
    : m_invocation(std::move(invocation))
    , m_config(std::move(config))
    , m_connection(m_invocation.url, options(Connection::Access::ReadOnly), this)
    , m_acting(m_invocation.url, options(Connection::Access::Acting), this)
    , m_undo(undoFolder(), UndoStore::WithoutKey::Nothing)
    , m_runner(m_acting, Journal(journalPath()), m_undo, m_clock, {}, &m_journalThread)
    , m_firstSeen(m_config.check.thresholds.stuckAfterMs)
{
    connect(&m_connection, &Connection::statusChanged, this,
            [this](const ConnectionStatus& status) {
                if (status.phase == ConnectionStatus::Phase::Ready && !std::exchange(m_begun, true))
                    onReady();
                else if (status.phase == ConnectionStatus::Phase::Lost && !m_sent)
                    fail(status.error);
            });
}

ActSession::~ActSession()
{
    m_connection.disconnect(this);
    m_acting.disconnect(this);
}

void ActSession::start()
{
    m_connection.open();
}

void ActSession::onReady()
{
    if (const auto replica = clusterReplica(m_connection.greeting()))
        return fail(*replica);
    if (m_invocation.what == What::Undo)
        return fetchKey([this] { planUndo(); });
    if (m_invocation.what == What::Watch)
        return fetchKey([this] { find(); });
    const auto all = knownActions();
    const auto it = std::find_if(
        all.begin(), all.end(), [this](const Action* a) { return a->id() == m_invocation.action; });
    m_action = *it;
    const auto begin = [this] {
        if (m_action->needsTarget())
            find();
        else
            plan(nullptr);
    };
    if (m_action->writes())
        fetchKey(begin);
    else
        begin();
}

// Whether it is too late is a matter of the server's clock.
void ActSession::planUndo()
{
    m_connection.send({Command{"TIME"}}, this, [this](const BatchResult& result) {
        if (!result)
            return fail(result.error());
        const qint64 serverMs = timeFromReply(result->front()).value_or(0);
        if (m_invocation.receipt.startsWith('g'))
            undoGroup(serverMs);
        else
            onPlan(m_runner.undoPlan(m_invocation.receipt, serverMs));
    });
}

// Without a keyring it goes on: that nothing can be undone then is said in the plan.
void ActSession::fetchKey(std::function<void()> then)
{
    if (!m_keyring)
        m_keyring = openKeyring();
    fetchUndoKey(*m_keyring, this, [this, then = std::move(then)](const Result<QByteArray>& key) {
        if (key)
            m_undo.setKey(*key);
        then();
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
    m_search = std::make_unique<TargetSearch>(m_invocation.url, m_config, m_clock,
                                              m_invocation.action, m_invocation.name);
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

// As it was given, but for a token's code.
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
        return fail({ErrorCode::NotFound, tr("%1 not found").arg(shownTarget())});
    Declaration declaration;
    declaration.kind = layout->kind();
    declaration.pattern = m_invocation.name;
    declaration.layout = layout->id();
    const Claim claim = layout->declared(declaration, m_invocation.name);
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = layout->kind();
    primitive->id = claim.id;
    primitive->keys = claim.keys;
    // A person named it, but nobody has seen it: no worker may take from there.
    if (type == "none" && !primitive->keys.empty())
        primitive->keys.front().assumed = true;
    plan(primitive);
}

// Only a console that watched knows how old items are; what is seen now counts from now on.
void ActSession::loadRecords()
{
    FirstSeenStore store(firstSeenPath(), m_invocation.url.endpoint());
    connect(
        &store, &FirstSeenStore::loaded, this,
        [this](const std::vector<FirstSeenRecord>& firstSeen) { m_firstSeen.restore(firstSeen); });
    store.load();
}

// Another console may know more of the others by now.
void ActSession::saveRecords(const QByteArray& queue)
{
    FirstSeenStore(firstSeenPath(), m_invocation.url.endpoint())
        .saveQueue(queue, m_firstSeen.firstSeen());
}

void ActSession::plan(PrimitivePtr primitive)
{
    if (m_invocation.what == What::Watch)
        return watch(primitive);
    m_target = primitive;
    if (primitive) {
        const Layout* layout = findLayout(primitive->id.layout);
        m_action = layout ? findAction(*layout, m_invocation.action) : nullptr;
        if (!m_action)
            return fail({ErrorCode::NotPossible,
                         tr("%2 is a %3, which does not support %1")
                             .arg(QString::fromLatin1(m_invocation.action), shownName(*primitive),
                                  layout ? layout->title() : QString())});
        if (primitive->kind == Kind::Queue)
            loadRecords();
    }
    readLimits(m_connection, this, [this, primitive](const Result<ServerLimits>& limits) {
        if (!limits)
            return fail(limits.error());
        m_limits = *limits;
        planAction(m_connection, {primitive, &m_firstSeen}, *m_action, m_invocation.request,
                   m_limits, {}, m_clock, this, [this, primitive](const Result<Plan>& plan) {
                       if (primitive && m_firstSeen.takeChanged())
                           saveRecords(primitive->id.name);
                       onPlan(plan);
                   });
    });
}

void ActSession::onPlan(const Result<Plan>& planned)
{
    if (!planned)
        return fail(planned.error());
    Plan plan = *planned;
    if (plan.answer) {
        if (m_invocation.json)
            m_out.write(answerJson(*plan.answer));
        else
            m_out.print(plan.answer->text + QLatin1Char('\n'));
        return end(m_out.end(plan.answer->yes ? ExitDone : ExitFound));
    }
    if (plan.undo.kind != UndoWay::Kind::None && !m_undo.survives()) {
        plan.undo = {};
        plan.undo.why = tr("undo is not available after this command: its data is encrypted with "
                           "a key from the keyring, and there is no keyring");
    }
    if (m_invocation.dryRun) {
        m_out.print(planText(plan, m_invocation.url.endpoint()));
        return end(m_out.end(ExitDone));
    }
    if (needsReason())
        return;
    const bool grave = isProduction(m_invocation.environment) || plan.objects > 10;
    // What holds a secret code is not to be typed.
    const QString name =
        plan.journalName == plan.name ? displayName(plan.name) : m_invocation.url.endpoint();
    const QString word = grave ? name : tr("yes");
    if (!m_invocation.yes && !agreed(planText(plan, m_invocation.url.endpoint()), word))
        return end(ExitFound);
    connectToAct([this, plan] { run(plan); });
}

// What was run together, the last step first. What cannot be taken back is said and left.
void ActSession::undoGroup(qint64 serverMs)
{
    Result<GroupUndo> undo = planGroupUndo(m_runner, m_invocation.receipt, serverMs);
    if (!undo)
        return fail(undo.error());
    QString text;
    for (auto plan = undo->plans.rbegin(); plan != undo->plans.rend(); ++plan)
        text += planText(*plan, m_invocation.url.endpoint());
    text += undo->leftOut;
    if (m_invocation.dryRun) {
        m_out.print(text);
        return end(m_out.end(ExitDone));
    }
    if (needsReason())
        return;
    const auto count = undo->plans.size();
    const bool grave = isProduction(m_invocation.environment) || count > 10;
    if (!m_invocation.yes && !agreed(text, grave ? QString::number(count) : tr("yes")))
        return end(ExitFound);
    tell(undo->leftOut);
    m_missed = undo->missed;
    m_group = std::move(undo->plans);
    connectToAct([this] {
        m_sent = true;
        m_acting.setWriteMode(true);
        runNext();
    });
}

void ActSession::runNext()
{
    if (m_group.empty())
        return end(m_out.end(m_missed == 0 ? ExitDone : ExitFound));
    const Plan plan = std::move(m_group.back());
    m_group.pop_back();
    m_runner.run(plan, m_invocation.reason, this, [this, plan](const Receipt& receipt) {
        m_missed += receipt.outcome == Outcome::Done ? 0 : 1;
        checkOutcome(plan, receipt, [this, plan, receipt](const std::optional<OutcomeSeen>& seen) {
            if (m_invocation.json)
                m_out.write(receiptJson(receipt, plan, seen));
            else
                m_out.print(displayName(plan.journalName) + QStringLiteral(": ") +
                            receiptText(receipt, seen));
            m_out.flush();
            runNext();
        });
    });
}

void ActSession::watch(const PrimitivePtr& queue)
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
    const QString word =
        isProduction(m_invocation.environment) ? displayName(queue->id.name) : tr("yes");
    if (!m_invocation.yes && !agreed(text, word))
        return end(ExitFound);
    loadRecords();
    m_sent = true;
    m_watch = std::make_unique<AutoRequeueRun>(
        m_connection, m_firstSeen, m_clock, queue, olderThanMs,
        ActionExecutor::Files{journalPath(), m_undo, &m_journalThread}, m_out, this);
    connect(m_watch.get(), &AutoRequeueRun::ended, this, [this, name = queue->id.name](bool early) {
        saveRecords(name);
        end(m_out.end(early ? ExitFound : ExitDone));
    });
    m_watch->start(forMs);
}

// On production nobody acts without saying why. True: it has ended for want of a reason.
bool ActSession::needsReason()
{
    if (!isProduction(m_invocation.environment) || !m_invocation.reason.trimmed().isEmpty())
        return false;
    fail({ErrorCode::BadArgument, tr("--reason is required on production")});
    return true;
}

// Asks on the terminal. On production, and where much changes, the name is typed.
bool ActSession::agreed(const QString& text, const QString& word)
{
    if (!::isatty(STDIN_FILENO)) {
        tellLine(tr("Nothing was changed: not a terminal; use --yes"));
        return false;
    }
    tell(text);
    tell(tr("Type %1 to continue: ").arg(word));
    QFile in;
    const bool open = in.open(stdin, QIODevice::ReadOnly);
    const QString typed = open ? QString::fromUtf8(in.readLine()).trimmed() : QString();
    if (typed == word)
        return true;
    tell(tr("Nothing was changed.") + QLatin1Char('\n'));
    return false;
}

// Over a connection of its own: the first one has asked not to touch what it reads, and on some
// servers nobody may write in that mode.
void ActSession::connectToAct(std::function<void()> then)
{
    connect(&m_acting, &Connection::statusChanged, this,
            [this, then = std::move(then)](const ConnectionStatus& status) {
                if (m_sent)
                    return;
                if (status.phase == ConnectionStatus::Phase::Lost)
                    return fail(status.error);
                if (status.phase != ConnectionStatus::Phase::Ready)
                    return;
                if (const auto refusal =
                        preflightConnection(m_connection.greeting(), m_acting.greeting()))
                    return fail(*refusal);
                then();
            });
    m_acting.open();
}

void ActSession::run(const Plan& plan)
{
    m_sent = true;
    m_plan = plan;
    m_acting.setWriteMode(true);
    m_runner.run(plan, m_invocation.reason, this,
                 [this](const Receipt& receipt) { onReceipt(receipt); });
}

void ActSession::end(int code)
{
    m_acting.setWriteMode(false);
    for (Connection* connection : {&m_connection, &m_acting}) {
        connection->disconnect(this);
        connection->close();
    }
    QCoreApplication::exit(code);
}

void ActSession::fail(const Error& error)
{
    const bool refused = error.code == ErrorCode::NotPossible ||
                         error.code == ErrorCode::NotFound || error.code == ErrorCode::NoPerm ||
                         error.code == ErrorCode::ReadOnly || error.code == ErrorCode::Replica ||
                         error.code == ErrorCode::Moved || error.code == ErrorCode::WrongType ||
                         error.code == ErrorCode::Undecodable;
    const int code = reportError(error);
    end(refused && m_begun ? ExitFound : code);
}

} // namespace lk
