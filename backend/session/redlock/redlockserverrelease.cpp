// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockserverrelease.h"

#include "backend/acting/planning/planner.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/api/undetected.h"
#include "backend/text/errortext.h"

namespace lk {

namespace {

Connection::Options options(Connection::Access access)
{
    Connection::Options result;
    result.access = access;
    result.clientName = QByteArrayLiteral("lockkeeper-act");
    result.reconnect = false;
    return result;
}

} // namespace

RedlockServerRelease::RedlockServerRelease(const ServerUrl& url, const Clock& clock,
                                           ActionFiles files, QObject* parent)
    : QObject(parent)
    , m_clock(clock)
    , m_undo(files.undo)
    , m_control(url, options(Connection::Access::ReadOnly), this)
    , m_acting(url, options(Connection::Access::Acting), this)
    , m_runner(m_acting, Journal(files.journal), files.undo, clock, {}, files.journalThread)
{
    connect(&m_control, &Router::statusChanged, this, &RedlockServerRelease::onControlStatus);
    connect(&m_acting, &Router::statusChanged, this, &RedlockServerRelease::onActingStatus);
}

RedlockServerRelease::~RedlockServerRelease()
{
    m_control.disconnect(this);
    m_acting.disconnect(this);
}

void RedlockServerRelease::plan(const RedlockRequest& request)
{
    m_request = request;
    m_step = Step::Connecting;
    m_control.open();
}

void RedlockServerRelease::onControlStatus(const ConnectionStatus& status)
{
    using Phase = ConnectionStatus::Phase;
    if (status.phase == Phase::Ready && m_step == Step::Connecting) {
        m_step = Step::Planning;
        readOwner();
    } else if (status.phase == Phase::Lost &&
               (m_step == Step::Connecting || m_step == Step::Planning)) {
        leave(status.error, true);
    }
}

// Reads the owner first: if the lock is free or another client's, no action is needed. Reads one
// byte more than the owner's length, to detect longer values with the same beginning.
void RedlockServerRelease::readOwner()
{
    const auto last = QByteArray::number(m_request.owner.size());
    std::vector<Command> commands{{"TIME"}};
    if (m_request.receipts.isEmpty()) {
        commands.push_back({"TYPE", m_request.name});
        commands.push_back({"GETRANGE", m_request.name, "0", last});
        commands.push_back({"HEXISTS", m_request.name, m_request.owner});
    }
    m_control.send(commands, this, [this, sentMs = m_clock.nowMs()](const BatchResult& r) {
        takeOwner(sentMs, r);
    });
}

void RedlockServerRelease::takeOwner(qint64 sentMs, const BatchResult& result)
{
    if (m_step != Step::Planning)
        return;
    if (!result)
        return leave(result.error(), true);
    const auto serverMs = timeFromReply(result->front());
    if (serverMs)
        m_serverClock = betterClock({}, sentMs, m_clock.nowMs(), *serverMs);
    if (!m_request.receipts.isEmpty())
        return planUndo(serverMs.value_or(0));
    const Reply& type = (*result)[1];
    if (type.isError())
        return leave(errorFromReply(type.text), true);
    const KeyType keyType = keyTypeFromName(type.text);
    if (keyType == KeyType::None)
        return leave({ErrorCode::NotFound, tr("free on this server")}, false);
    const Layout* layout = ownerLockLayout(keyType);
    if (!layout)
        return leave({ErrorCode::WrongType, {}}, true);
    const bool isHash = keyType == KeyType::Hash;
    const Reply& value = (*result)[isHash ? 3 : 2];
    if (value.isError())
        return leave(errorFromReply(value.text), true);
    if (isHash ? value.integer != 1 : value.text != m_request.owner)
        return leave({ErrorCode::NotPossible, tr("held by another owner on this server")}, false);
    planRelease(*layout);
}

void RedlockServerRelease::planUndo(qint64 serverMs)
{
    const QByteArrayList receipts = m_request.receipts.value(endpoint());
    if (receipts.isEmpty())
        return leave({ErrorCode::NotFound, tr("nothing to undo on this server")}, false);
    m_runner.planUndos({receipts.front()}, serverMs, this,
                       [this](const std::vector<Result<Plan>>& plans) { keep(plans.front()); });
}

void RedlockServerRelease::planRelease(const Layout& layout)
{
    // The operator declared it.
    auto lock = std::make_shared<Primitive>(*undetected(layout, m_request.name, false));
    auto declaration = std::make_shared<Declaration>();
    declaration->kind = Kind::Lock;
    declaration->pattern = m_request.name;
    declaration->layout = layout.id();
    lock->declaration = declaration;
    const Action* action = findAction(layout, "lock.release");
    readLimits(m_control, this, [this, lock, action](Result<ServerLimits> limits) {
        if (!limits)
            return keep(tl::unexpected<Error>(limits.error()));
        limits->info = m_control.greeting();
        ActionRequest request;
        request.values["owner"] = m_request.owner;
        planAction(m_control, {lock}, *action, request, *limits, m_serverClock, m_clock, this,
                   [this](const Result<Plan>& plan) { keep(plan); });
    });
}

void RedlockServerRelease::keep(const Result<Plan>& plan)
{
    if (m_step != Step::Planning)
        return;
    if (!plan)
        return leave(plan.error(), true);
    m_plan = *plan;
    m_plan->undo.lasts = m_undo.lasts();
    const QString why = m_undo.whyNothing();
    if (m_plan->undo.kind != UndoWay::Kind::None && !why.isEmpty()) {
        m_plan->undo = {};
        m_plan->undo.why = why;
    }
    m_step = Step::Planned;
    emit planEnded();
}

void RedlockServerRelease::leave(const Error& why, bool isFailure)
{
    m_left = {endpoint(), why, isFailure};
    m_step = Step::Ended;
    emit planEnded();
}

// If the process differs from the planned one, it is another server.
void RedlockServerRelease::run(const QString& reason, const QByteArray& group)
{
    m_reason = reason;
    m_plan->group = group;
    m_step = Step::Opening;
    m_acting.open();
}

void RedlockServerRelease::onActingStatus(const ConnectionStatus& status)
{
    if (m_step != Step::Opening)
        return; // the receipt reports sent commands
    if (status.phase == ConnectionStatus::Phase::Lost)
        return refuse(status.error);
    if (status.phase != ConnectionStatus::Phase::Ready)
        return;
    if (const auto refusal = preflightConnection(m_control, m_acting))
        return refuse(*refusal);
    m_step = Step::Running;
    m_acting.setWriteMode(true);
    m_runner.run(*m_plan, m_reason, this, [this](const Receipt& receipt) { end(receipt); });
}

// Ends a run that never began.
void RedlockServerRelease::refuse(const Error& why)
{
    Receipt receipt;
    receipt.action = m_plan->action;
    receipt.kind = m_plan->kind;
    receipt.name = m_plan->name;
    receipt.group = m_plan->group;
    receipt.outcome = Outcome::Refused;
    receipt.text = errorText(why);
    receipt.localMs = m_clock.nowMs();
    end(receipt);
}

void RedlockServerRelease::end(const Receipt& receipt)
{
    m_step = Step::Ended;
    m_acting.setWriteMode(false);
    m_acting.close();
    emit ran(receipt);
}

} // namespace lk
