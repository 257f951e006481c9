// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockrelease.h"

#include "backend/libraries/api/undetected.h"
#include "backend/text/errortext.h"

#include <algorithm>

namespace lk {

namespace {

struct RedlockReleaseText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockRelease)
};

constexpr quint64 stepTicket = 1;
constexpr qint64 writeModeMs = 600'000; // longer than a step takes

Connection::Options controlOptions()
{
    Connection::Options result;
    result.clientName = QByteArrayLiteral("lockkeeper-act");
    result.reconnect = false;
    return result;
}

} // namespace

int RedlockPlan::failures() const
{
    return int(std::count_if(left.begin(), left.end(), [](const Left& l) { return l.isFailure; }));
}

QStringList RedlockPlan::rows() const
{
    QStringList all = endpoints;
    for (const Left& each : left)
        all << each.endpoint;
    return all;
}

struct RedlockRelease::Server
{
    enum class Step : quint8 { Connecting, Planning, Planned, Opening, Running, Ended };

    Server(const ServerUrl& url, const Clock& clock, const ActionFiles& files)
        : control(url, controlOptions())
        , executor(control, firstSeen, clock, files, nullptr)
    {}

    Router control; ///< reads
    FirstSeen firstSeen;
    ActionExecutor executor;
    std::optional<Plan> plan;
    RedlockPlan::Left left; ///< if there is no plan
    std::optional<Receipt> receipt;
    Step step = Step::Connecting;
};

RedlockRelease::RedlockRelease(RedlockGroup group, const Clock& clock, ActionFiles files)
    : m_group(std::move(group))
    , m_clock(clock)
    , m_files(std::move(files))
{}

RedlockRelease::~RedlockRelease()
{
    for (const auto& server : m_servers) {
        server->control.disconnect(this);
        server->executor.disconnect(this);
    }
}

void RedlockRelease::planAll(const RedlockRequest& request)
{
    m_request = request;
    m_planning = m_group.servers.size();
    for (const ServerUrl& url : m_group.servers) {
        Server& its = *m_servers.emplace_back(std::make_unique<Server>(url, m_clock, m_files));
        connect(&its.control, &Router::statusChanged, this,
                [this, &its](const ConnectionStatus& status) { onControlStatus(its, status); });
        connect(&its.executor, &ActionExecutor::planned, this,
                [this, &its](const PlanSet& set) { keep(its, set); });
        connect(&its.executor, &ActionExecutor::writeModeUntilChanged, this,
                [this, &its](qint64 untilMs) {
                    if (untilMs == 0 || its.step != Server::Step::Opening)
                        return;
                    its.step = Server::Step::Running;
                    its.executor.run(stepTicket, m_reason, {}, m_run);
                });
        connect(&its.executor, &ActionExecutor::writeModeFailed, this,
                [this, &its](const Error& why) { refuse(its, why); });
        connect(&its.executor, &ActionExecutor::planDropped, this,
                [this, &its](quint64, const Error& why) { refuse(its, why); });
        connect(&its.executor, &ActionExecutor::receiptReady, this,
                [&its](quint64, const Receipt& receipt) { its.receipt = receipt; });
        connect(&its.executor, &ActionExecutor::finished, this, [this, &its] { end(its); });
        its.control.open();
    }
}

// A server that is lost before its step was sent is refused, and later the receipt reports it.
void RedlockRelease::onControlStatus(Server& server, const ConnectionStatus& status)
{
    using Phase = ConnectionStatus::Phase;
    if (status.phase == Phase::Ready && server.step == Server::Step::Connecting) {
        server.step = Server::Step::Planning;
        readOwner(server);
    } else if (status.phase == Phase::Lost && server.step <= Server::Step::Planning) {
        leave(server, status.error, true);
    } else if (status.phase == Phase::Lost && server.step == Server::Step::Opening) {
        refuse(server, status.error);
    }
}

// Reads the owner first: if the lock is free or another client's, no action is needed. Reads one
// byte more than the owner's length, to detect longer values with the same beginning.
void RedlockRelease::readOwner(Server& server)
{
    const auto last = QByteArray::number(m_request.owner.size());
    std::vector<Command> commands{{"TIME"}};
    if (m_request.receipts.isEmpty()) {
        commands.push_back({"TYPE", m_request.name});
        commands.push_back({"GETRANGE", m_request.name, "0", last});
        commands.push_back({"HEXISTS", m_request.name, m_request.owner});
    }
    server.control.send(commands, this,
                        [this, &server, sentMs = m_clock.nowMs()](const BatchResult& result) {
                            takeOwner(server, sentMs, result);
                        });
}

void RedlockRelease::takeOwner(Server& server, qint64 sentMs, const BatchResult& result)
{
    if (server.step != Server::Step::Planning)
        return;
    if (!result)
        return leave(server, result.error(), true);
    if (const auto serverMs = timeFromReply(result->front()))
        server.executor.setClock(betterClock({}, sentMs, m_clock.nowMs(), *serverMs));
    if (!m_request.receipts.isEmpty())
        return planUndo(server);
    const Reply& type = (*result)[1];
    if (type.isError())
        return leave(server, errorFromReply(type.text), true);
    const KeyType keyType = keyTypeFromName(type.text);
    if (keyType == KeyType::None)
        return leave(server, {ErrorCode::NotFound, RedlockReleaseText::tr("free on this server")},
                     false);
    const bool isHash = keyType == KeyType::Hash;
    if (!isHash && keyType != KeyType::String)
        return leave(server, {ErrorCode::WrongType, {}}, true);
    const Reply& value = (*result)[isHash ? 3 : 2];
    if (value.isError())
        return leave(server, errorFromReply(value.text), true);
    if (isHash ? value.integer != 1 : value.text != m_request.owner)
        return leave(server,
                     {ErrorCode::NotPossible,
                      RedlockReleaseText::tr("held by another owner on this server")},
                     false);
    planRelease(server, keyType);
}

void RedlockRelease::planRelease(Server& server, KeyType type)
{
    // The operator declared it.
    const Layout& layout = *ownerLockLayout(type);
    auto lock = std::make_shared<Primitive>(*undetected(layout, m_request.name, false));
    auto declaration = std::make_shared<Declaration>();
    declaration->kind = Kind::Lock;
    declaration->pattern = m_request.name;
    declaration->layout = layout.id();
    lock->declaration = declaration;
    PlanRequest request;
    request.ticket = stepTicket;
    request.action = QByteArrayLiteral("lock.release");
    request.targets.push_back({lock});
    request.request.values["owner"] = m_request.owner;
    server.executor.plan(request);
}

void RedlockRelease::planUndo(Server& server)
{
    PlanRequest request;
    request.ticket = stepTicket;
    request.action = QByteArrayLiteral("undo");
    request.receipts = m_request.receipts.value(server.control.url().endpoint()).mid(0, 1);
    if (request.receipts.isEmpty())
        return leave(
            server, {ErrorCode::NotFound, RedlockReleaseText::tr("nothing to undo on this server")},
            false);
    server.executor.plan(request);
}

void RedlockRelease::keep(Server& server, const PlanSet& set)
{
    if (server.step != Server::Step::Planning)
        return;
    if (set.plans.empty())
        return leave(server, set.refused.front().second, true);
    server.plan = set.plans.front();
    server.step = Server::Step::Planned;
    endPlanning();
}

void RedlockRelease::leave(Server& server, const Error& why, bool isFailure)
{
    server.left = {server.control.url().endpoint(), why, isFailure};
    server.step = Server::Step::Ended;
    endPlanning();
}

void RedlockRelease::endPlanning()
{
    if (--m_planning > 0)
        return;
    RedlockPlan plan;
    plan.set.action = QByteArrayLiteral("lock.release");
    for (const auto& server : m_servers) {
        if (server->plan) {
            plan.set.action = server->plan->action;
            plan.set.plans.push_back(*server->plan);
            plan.endpoints << server->control.url().endpoint();
        } else {
            plan.left.push_back(server->left);
            plan.set.refused.emplace_back(server->left.endpoint.toUtf8(), server->left.why);
        }
    }
    emit planned(plan);
}

void RedlockRelease::runAll(const QString& reason)
{
    m_reason = reason;
    m_run = newGroupId();
    for (const auto& server : m_servers) {
        if (server->plan)
            m_waiting.push_back(server.get());
    }
    runNext();
}

void RedlockRelease::runNext()
{
    if (m_waiting.empty())
        return emit finished();
    Server& server = *m_waiting.front();
    m_waiting.pop_front();
    server.step = Server::Step::Opening;
    if (server.control.isReady())
        server.executor.enableWriteMode(writeModeMs);
    else
        refuse(server, server.control.status().error);
}

// Ends a run that never began.
void RedlockRelease::refuse(Server& server, const Error& why)
{
    if (server.step != Server::Step::Opening && server.step != Server::Step::Running)
        return;
    Receipt receipt;
    receipt.action = server.plan->action;
    receipt.kind = server.plan->kind;
    receipt.name = server.plan->name;
    receipt.group = m_run;
    receipt.outcome = Outcome::Refused;
    receipt.text = errorText(why);
    receipt.localMs = m_clock.nowMs();
    server.receipt = receipt;
    end(server);
}

// The next one is begun later, so as not to run inside the signal's sender.
void RedlockRelease::end(Server& server)
{
    if (server.step == Server::Step::Ended)
        return;
    if (!server.receipt)
        return refuse(server, server.control.status().error);
    server.step = Server::Step::Ended;
    server.executor.disableWriteMode();
    QMetaObject::invokeMethod(
        this,
        [this, receipt = *server.receipt] {
            emit receiptReady(receipt);
            runNext();
        },
        Qt::QueuedConnection);
}

} // namespace lk
