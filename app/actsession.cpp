// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actsession.h"

#include "app/acttext.h"
#include "app/snapshotcommand.h"
#include "app/targetsearch.h"
#include "app/watchrun.h"
#include "backend/actions/obstacles.h"
#include "backend/core/environment.h"
#include "backend/core/keyname.h"
#include "backend/layouts/layout.h"
#include "backend/monitor/firstseenstore.h"
#include "backend/monitor/planner.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace lk {

namespace {

using What = ActInvocation::What;

void print(FILE* to, const QString& text)
{
    std::fputs(text.toUtf8().constData(), to);
    std::fflush(to);
}

Connection::Options options(Connection::Access access)
{
    Connection::Options result;
    result.access = access;
    result.clientName = QByteArrayLiteral("lockkeeper-act");
    result.reconnect = false;
    return result;
}

// The layout that a key is taken for where no layout claims it: the plainest of its kind.
QByteArray plainLayout(const QByteArray& action, const QByteArray& type)
{
    if (action.startsWith("lock.") && (type == "string" || type == "none"))
        return QByteArrayLiteral("set-nx-px");
    if (action.startsWith("queue.") && (type == "list" || type == "none"))
        return QByteArrayLiteral("reliable-list");
    if (action.startsWith("token."))
        return type == "hash" ? QByteArrayLiteral("hash-token")
               : type == "string" || type == "none" ? QByteArrayLiteral("string-token")
                                                    : QByteArray();
    return {};
}

} // namespace

ActSession::ActSession(ActInvocation invocation, Config config)
    : m_invocation(std::move(invocation))
    , m_config(std::move(config))
    , m_connection(m_invocation.url, options(Connection::Access::ReadOnly), this)
    , m_acting(m_invocation.url, options(Connection::Access::Acting), this)
    , m_runner(m_acting, Journal(journalPath()), UndoStore(undoFolder()), m_clock)
    , m_sights(m_config.check.thresholds.stuckAfterMs)
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
    if (m_invocation.what == What::Undo)
        return onPlan(m_runner.undoPlan(m_invocation.receipt));
    if (m_invocation.what == What::Watch)
        return find();
    const auto all = knownActions();
    const auto it = std::find_if(all.begin(), all.end(),
                                 [this](const Action* a) { return a->id() == m_invocation.action; });
    m_action = *it;
    if (m_action->needsTarget())
        find();
    else
        plan(nullptr);
}

void ActSession::find()
{
    m_search = std::make_unique<TargetSearch>(m_invocation.url, m_config, m_clock,
                                              m_invocation.action, m_invocation.name);
    connect(m_search.get(), &TargetSearch::failed, this, &ActSession::fail);
    connect(m_search.get(), &TargetSearch::found, this, &ActSession::plan);
    connect(m_search.get(), &TargetSearch::nothing, this, &ActSession::onNothing);
    m_search->start();
}

void ActSession::onNothing()
{
    m_connection.send({Command{"TYPE", m_invocation.name}}, this, [this](const BatchResult& result) {
        if (!result)
            return fail(result.error());
        if (result->front().isError())
            return fail(errorFromReply(result->front().text)); // denied, or on another node
        assume(result->front().text);
    });
}

void ActSession::assume(const QByteArray& type)
{
    const Layout* layout = findLayout(plainLayout(m_invocation.action, type));
    if (!layout)
        return fail({ErrorCode::NotFound,
                     tr("Nothing called %1 is known as such here").arg(displayName(m_invocation.name))});
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
void ActSession::loadSights()
{
    FirstSeenStore store(firstSeenPath(), m_invocation.url.endpoint());
    connect(&store, &FirstSeenStore::loaded, this,
            [this](const std::vector<FirstSight>& sights) { m_sights.restore(sights); });
    store.load();
}

// Another console may know more of the others by now.
void ActSession::saveSights(const QByteArray& queue)
{
    FirstSeenStore(firstSeenPath(), m_invocation.url.endpoint())
        .saveQueue(queue, m_sights.sights());
}

void ActSession::plan(PrimitivePtr primitive)
{
    if (m_invocation.what == What::Watch)
        return watch(primitive);
    if (primitive) {
        const Layout* layout = findLayout(primitive->id.layout);
        m_action = layout ? findAction(*layout, m_invocation.action) : nullptr;
        if (!m_action)
            return fail({ErrorCode::NotPossible,
                         tr("%1 makes no sense for %2, which is a %3")
                             .arg(QString::fromLatin1(m_invocation.action),
                                  displayName(primitive->id.name),
                                  layout ? layout->title() : QString())});
        if (primitive->kind == Kind::Queue)
            loadSights();
    }
    planAction(m_connection, {primitive, &m_sights}, *m_action, m_invocation.request, {}, m_clock,
               this, [this, primitive](const Result<Plan>& plan) {
                   if (primitive && m_sights.takeChanged())
                       saveSights(primitive->id.name);
                   onPlan(plan);
               });
}

void ActSession::onPlan(const Result<Plan>& plan)
{
    if (!plan)
        return fail(plan.error());
    if (plan->answer) {
        print(stdout, plan->answer->text + QLatin1Char('\n'));
        return end(plan->answer->yes ? ExitDone : ExitFound);
    }
    if (m_invocation.dryRun) {
        print(stdout, planText(*plan, m_invocation.url.endpoint()));
        return end(ExitDone);
    }
    const bool grave = isProduction(m_invocation.environment) || plan->objects > 10;
    const QString word = grave ? displayName(plan->journalName) : tr("yes");
    if (!m_invocation.yes && !agreed(planText(*plan, m_invocation.url.endpoint()), word))
        return end(ExitFound);
    connectToAct(*plan);
}

void ActSession::watch(const PrimitivePtr& queue)
{
    const QString why = QueueWatcher::unavailable(*queue);
    if (!why.isEmpty())
        return fail({ErrorCode::NotPossible, why});
    const ActionRequest& request = m_invocation.request;
    const qint64 forMs = request.durationMs("for").value_or(WatchRun::presetForMs);
    const qint64 olderThanMs =
        request.durationMs("older-than")
            .value_or(QueueWatcher::thresholdOf(*queue, m_config.check.thresholds.stuckAfterMs));
    const QString text = WatchRun::text(*queue, olderThanMs, forMs, m_invocation.url.endpoint());
    if (m_invocation.dryRun) {
        print(stdout, text);
        return end(ExitDone);
    }
    const QString word =
        isProduction(m_invocation.environment) ? displayName(queue->id.name) : tr("yes");
    if (!m_invocation.yes && !agreed(text, word))
        return end(ExitFound);
    loadSights();
    m_sent = true;
    m_watch = std::make_unique<WatchRun>(m_connection, m_sights, m_clock, queue, olderThanMs, this);
    connect(m_watch.get(), &WatchRun::ended, this, [this, name = queue->id.name](bool early) {
        saveSights(name);
        end(early ? ExitFound : ExitDone);
    });
    m_watch->start(forMs);
}

// Asks on the terminal. On production, and where much changes, the name is typed.
bool ActSession::agreed(const QString& text, const QString& word)
{
    if (!::isatty(STDIN_FILENO)) {
        print(stderr, QStringLiteral("lockkeeper: ")
                          + tr("Nothing was done: without a terminal to ask on, say --yes")
                          + QLatin1Char('\n'));
        return false;
    }
    print(stderr, text);
    print(stderr, tr("Type %1 to go on: ").arg(word));
    QFile in;
    const bool open = in.open(stdin, QIODevice::ReadOnly);
    const QString typed = open ? QString::fromUtf8(in.readLine()).trimmed() : QString();
    if (typed == word)
        return true;
    print(stderr, tr("Nothing was done.") + QLatin1Char('\n'));
    return false;
}

// Over a connection of its own: the first one has asked not to touch what it reads, and on some
// servers nobody may write in that mode.
void ActSession::connectToAct(const Plan& plan)
{
    connect(&m_acting, &Connection::statusChanged, this,
            [this, plan](const ConnectionStatus& status) {
                if (m_sent)
                    return;
                if (status.phase == ConnectionStatus::Phase::Lost)
                    return fail(status.error);
                if (status.phase != ConnectionStatus::Phase::Ready)
                    return;
                if (const auto obstacle =
                        obstacleToActing(m_connection.greeting(), m_acting.greeting()))
                    return fail(*obstacle);
                run(plan);
            });
    m_acting.open();
}

void ActSession::run(const Plan& plan)
{
    m_sent = true;
    m_acting.setArmed(true);
    m_runner.run(plan, m_invocation.reason, this,
                 [this](const Receipt& receipt) { onReceipt(receipt); });
}

void ActSession::onReceipt(const Receipt& receipt)
{
    m_acting.setArmed(false);
    // A code stands alone on stdout: whatever takes it gets it and nothing else.
    if (!receipt.revealed.isEmpty())
        print(stdout, QString::fromUtf8(receipt.revealed) + QLatin1Char('\n'));
    print(receipt.revealed.isEmpty() ? stdout : stderr, receiptText(receipt));
    end(receipt.outcome == Outcome::Done ? ExitDone : ExitFound);
}

void ActSession::end(int code)
{
    for (Connection* connection : {&m_connection, &m_acting}) {
        connection->disconnect(this);
        connection->close();
    }
    QCoreApplication::exit(code);
}

void ActSession::fail(const Error& error)
{
    const bool refused = error.code == ErrorCode::NotPossible || error.code == ErrorCode::NotFound
                         || error.code == ErrorCode::NoPerm || error.code == ErrorCode::ReadOnly
                         || error.code == ErrorCode::Replica
                         || error.code == ErrorCode::Moved || error.code == ErrorCode::WrongType || error.code == ErrorCode::Undecodable;
    const int code = reportError(error);
    end(refused && m_begun ? ExitFound : code);
}

} // namespace lk
