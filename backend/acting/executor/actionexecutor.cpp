// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/executor/actionexecutor.h"

#include "backend/acting/planning/actionplace.h"
#include "backend/acting/planning/preflight.h"

namespace lk {

namespace {

constexpr int paceMs = 20; // between two steps of many
constexpr qint64 longestWriteModeMs = 24LL * 3600 * 1000;

// The connection does not reconnect by itself: after a loss the user checks first, and turns write
// mode on again.
Connection::Options actingOptions()
{
    Connection::Options options;
    options.access = Connection::Access::Acting;
    options.clientName = QByteArrayLiteral("lockkeeper-act");
    options.reconnect = false;
    return options;
}

// In a cluster, the node that the deployment was named by may be down by now.
std::vector<ServerUrl> nodesThatAnswer(Link& link)
{
    std::vector<ServerUrl> urls;
    for (const Link* node : link.dataNodes()) {
        if (link.followsCluster() && node->isReady())
            urls.push_back(node->url());
    }
    return urls;
}

} // namespace

ActionExecutor::ActionExecutor(Link& control, FirstSeen& firstSeen, const Clock& clock,
                               ActionFiles files, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_acting(control.url(), actingOptions(), this)
    , m_firstSeen(firstSeen)
    , m_clock(clock)
    , m_files(std::move(files))
    , m_runner(m_acting, Journal(m_files.journal), m_files.undo, clock, {}, m_files.journalThread)
    , m_writeModeTimer(this)
    , m_server(control.greeting())
{
    m_runner.setSeen(control);
    m_writeModeTimer.setSingleShot(true);
    connect(&m_writeModeTimer, &QTimer::timeout, this, &ActionExecutor::disableWriteMode);
    connect(&m_control, &Link::statusChanged, this, &ActionExecutor::onControlStatus);
    connect(&m_acting, &Router::statusChanged, this, &ActionExecutor::onActingStatus);
}

void ActionExecutor::setPassword(const QString& user, const QString& password)
{
    m_acting.setPassword(user, password);
}

void ActionExecutor::setSentinelPassword(const QString& user, const QString& password)
{
    m_acting.setSentinelPassword(user, password);
}

void ActionExecutor::enableWriteMode(qint64 forMs)
{
    if (m_files.journal.isEmpty() || !m_control.isReady() || forMs <= 0)
        return;
    m_wantedMs = std::min(forMs, longestWriteModeMs);
    if (m_closing)
        return; // opened once it is closed: what it knows of the server may be out of date
    if (m_acting.isReady())
        return beginWriteMode();
    if (m_acting.status().phase == ConnectionStatus::Phase::Lost)
        m_acting.close();
    openActing();
}

void ActionExecutor::openActing()
{
    m_acting.setKnownNodes(nodesThatAnswer(m_control));
    m_acting.open(); // does nothing while connecting
}

// Plans for one server are not run on another.
void ActionExecutor::onControlStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Lost)
        disableWriteMode();
    if (status.phase != ConnectionStatus::Phase::Ready)
        return;
    if (!m_control.greeting().mayBeSameProcess(m_server))
        dropPlans(tr("A different server now answers at this address: replan"));
    m_server = m_control.greeting();
    m_limits.known = false;
    if (m_files.journal.isEmpty())
        return; // without a journal no action is possible
    readLimitsNow();
    m_runner.removeExpiredUndo();
}

void ActionExecutor::onActingStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Ready && m_wantedMs > 0 && !m_closing) {
        beginWriteMode();
    } else if (status.phase == ConnectionStatus::Phase::Lost) {
        const bool wanted = std::exchange(m_wantedMs, 0) > 0;
        disableWriteMode();
        if (wanted)
            emit writeModeFailed(status.error);
    }
}

void ActionExecutor::beginWriteMode()
{
    const qint64 ms = std::exchange(m_wantedMs, 0);
    if (const auto refusal = preflightConnection(m_control, m_acting)) {
        disableWriteMode();
        emit writeModeFailed(*refusal);
        return;
    }
    m_acting.setWriteMode(true);
    m_writeModeTimer.start(int(ms));
    emit writeModeUntilChanged(m_clock.nowMs() + ms);
}

void ActionExecutor::disableWriteMode()
{
    m_wantedMs = 0;
    m_writeModeTimer.stop();
    for (const Run& run : m_runs)
        stop(run.ticket);
    if (m_acting.isWriteModeOn()) {
        emit writeModeEnding();
        m_acting.setWriteMode(false);
        emit writeModeUntilChanged(0);
        dropPlans(tr("Write mode has ended since this was planned: replan"));
    }
    closeWhenAnswered();
}

// Waits for the replies to sent commands before closing: otherwise their outcome would be unknown.
void ActionExecutor::closeWhenAnswered()
{
    if (m_acting.status().phase == ConnectionStatus::Phase::Closed)
        return;
    if (!m_acting.isReady()) {
        m_closing = false;
        return m_acting.close();
    }
    if (std::exchange(m_closing, true))
        return;
    m_acting.send({Command{"PING"}}, this, [this](const BatchResult&) {
        if (!std::exchange(m_closing, false))
            return;
        m_acting.close();
        if (m_wantedMs > 0)
            openActing();
    });
}

void ActionExecutor::reveal(const PrimitivePtr& token)
{
    if (!m_acting.isWriteModeOn())
        return emit revealFailed({ErrorCode::SessionReadOnly, {}});
    Plan plan;
    plan.action = QByteArrayLiteral("token.reveal");
    plan.kind = token->kind;
    plan.layout = token->id.layout;
    plan.name = token->id.name;
    plan.journalName = redactedKey(plan.kind, plan.name);
    plan.keys = {token->keys.front().key};
    launch(record(plan, tr("The code was shown"), {}, this),
           [this, token](const Result<void>& written) {
               if (written)
                   emit codeRevealed(token->id);
               else
                   emit revealFailed(written.error());
           });
}

void ActionExecutor::run(quint64 ticket, const QString& reason,
                         const std::vector<size_t>& selection, const QByteArray& group)
{
    std::optional<PlanSet> set = m_kept.take(ticket);
    const bool known = set && std::all_of(selection.begin(), selection.end(),
                                          [&](size_t place) { return place < set->plans.size(); });
    if (!known)
        return emit planDropped(
            ticket, notPossible(tr("This plan is no longer available: replan")).value());
    Run& run = m_runs.emplace_back(Run{ticket, reason, {}});
    for (const size_t place : selection)
        run.waiting.push_back(set->plans[place]);
    if (selection.empty())
        run.waiting.assign(set->plans.begin(), set->plans.end());
    if (run.waiting.size() > 1 || !group.isEmpty()) {
        const QByteArray id = group.isEmpty() ? newGroupId() : group;
        for (Plan& plan : run.waiting)
            plan.group = id;
    }
    if (!m_busy)
        launch(runAll());
}

void ActionExecutor::stop(quint64 ticket)
{
    for (Run& run : m_runs) {
        if (run.ticket == ticket) {
            run.waiting.clear();
            run.stopped = true;
        }
    }
}

Task<> ActionExecutor::runAll()
{
    m_busy = true; // also while others are told: who runs something then finds it taken up below
    while (!m_runs.empty()) {
        while (!m_runs.front().waiting.empty()) {
            const Plan plan = std::move(m_runs.front().waiting.front());
            m_runs.front().waiting.pop_front();
            co_await runOne(plan);
        }
        const quint64 ticket = m_runs.front().ticket;
        m_runs.pop_front();
        emit finished(ticket);
    }
    m_busy = false;
}

// Waits for the master of the plan's keys. A plan that was confirmed before write mode ended, or
// before the user stopped the run, is skipped even if the node has come back since.
Task<> ActionExecutor::runOne(Plan plan)
{
    Run& run = m_runs.front();
    const std::optional<Error> nodeDown = co_await run.nodes.await(m_acting, plan.keys, this);
    if (run.stopped)
        co_return;
    const auto refusal = nodeDown ? nodeDown : movedSince(plan);
    Task<Receipt> step =
        refusal ? m_runner.refuse(plan, *refusal, this) : m_runner.run(plan, run.reason, this);
    const Receipt receipt = co_await std::move(step);
    forgetMoved(plan, receipt);
    if (receipt.outcome == Outcome::Refused && m_acting.isWriteModeOn())
        readLimitsNow(); // a permission may have been taken away
    emit receiptReady(run.ticket, receipt);
    emit touched(QList<QByteArray>(plan.keys.begin(), plan.keys.end()));
    const qint64 afterMs = run.waiting.empty() ? 0 : run.waiting.front().afterMs;
    co_await pauseFor(std::max(paceMs, int(afterMs)), this);
}

// A plan made from one node's data is not run on another, even if that has all of the first one's
// keys.
std::optional<Error> ActionExecutor::movedSince(const Plan& plan)
{
    if (!m_acting.followsCluster() || plan.keys.empty())
        return std::nullopt;
    const QString now = nodeOfKeys(m_control, plan.keys);
    if (!plan.node.isEmpty() && now != plan.node)
        return notPossible(tr("The keys are now on %1 instead of %2: replan")
                               .arg(nodeText(now), nodeText(plan.node)))
            .value();
    return preflightNode(m_control, m_acting.nodeOf(plan.keys.front()));
}

// A job that was requeued and is taken again at once, between two reads, begins anew: with its old
// age it would be requeued a second time, while a worker has just begun with it.
void ActionExecutor::forgetMoved(const Plan& plan, const Receipt& receipt)
{
    if (plan.kind != Kind::Queue || receipt.outcome != Outcome::Succeeded)
        return;
    for (size_t i = 0; i < plan.items.size() && i < receipt.items.size(); ++i) {
        if (receipt.items[i])
            m_firstSeen.forget(plan.name, fingerprintOf(plan.items[i]));
    }
}

} // namespace lk
