// SPDX-License-Identifier: GPL-3.0-or-later
// How a session acts: write mode, plans, runs, auto-requeue and the journal. Uses the executor in
// the I/O thread and the journal's reader in the worker thread.
#include "backend/session/monitor/monitor.h"
#include "backend/session/session.h"

namespace lk {

void Session::connectExecutor()
{
    ActionExecutor& executor = m_monitor->executor();
    connect(&executor, &ActionExecutor::writeModeUntilChanged, this, [this](qint64 untilMs) {
        m_writeModeUntilMs = untilMs;
        emit writeModeChanged();
        if (untilMs == 0 && !std::exchange(m_revealed, {}).isEmpty())
            emit codesChanged();
    });
    connect(&executor, &ActionExecutor::writeModeFailed, this, &Session::writeModeFailed);
    connect(&executor, &ActionExecutor::codeRevealed, this, &Session::onCodeRevealed);
    connect(&executor, &ActionExecutor::revealFailed, this, &Session::revealFailed);
    connect(&executor, &ActionExecutor::limitsChanged, this, [this](const ServerLimits& limits) {
        m_limits = limits;
        emit limitsChanged();
    });
    connect(&executor, &ActionExecutor::planned, this, &Session::planned);
    connect(&executor, &ActionExecutor::planDropped, this, &Session::planDropped);
    connect(&executor, &ActionExecutor::refreshed, this, &Session::refreshed);
    connect(&executor, &ActionExecutor::receiptReady, this,
            [this](quint64 ticket, const Receipt& receipt) {
                if (ticket <= m_lastTicket) // excludes auto-requeue's own actions
                    m_undoable.note(ticket, receipt);
                emit receiptReady(ticket, receipt);
            });
    connect(&executor, &ActionExecutor::finished, this, &Session::runFinished);
    connect(m_monitor, &Monitor::takenSeen, this, &Session::takenSeen);
    connect(&m_monitor->autoRequeues(), &AutoRequeues::changed, this,
            [this](const AutoRequeueStatus& status) {
                m_autoRequeues.insert(status.queue, status);
                emit autoRequeueChanged(status.queue);
            });
}

void Session::enableWriteMode(qint64 forMs)
{
    ask([forMs](Monitor& m) { m.executor().enableWriteMode(forMs); });
}

void Session::disableWriteMode()
{
    ask([](Monitor& m) { m.executor().disableWriteMode(); });
}

void Session::revealCode(Handle token)
{
    if (const StatePtr s = state(token); s && s->kind() == Kind::Token)
        ask([primitive = s->primitive](Monitor& m) { m.executor().reveal(primitive); });
}

void Session::hideCode(Handle token)
{
    if (m_revealed.remove(token))
        emit codesChanged();
}

// Write mode may have ended while the entry was written.
void Session::onCodeRevealed(const PrimitiveId& token)
{
    const Handle handle = handlesOf({token}).value(token);
    if (!isWriteModeOn() || handle == noHandle)
        return;
    m_revealed.insert(handle);
    emit codesChanged();
}

quint64 Session::plan(PlanRequest request)
{
    request.ticket = ++m_lastTicket;
    const quint64 ticket = request.ticket;
    ask([request = std::move(request)](Monitor& m) { m.executor().plan(request); });
    return ticket;
}

quint64 Session::planAction(const QByteArray& action, std::vector<PlanRequest::Target> targets,
                            const ActionRequest& request)
{
    return plan(PlanRequest{0, action, std::move(targets), {}, {}, request});
}

quint64 Session::refresh(const std::vector<PrimitivePtr>& primitives)
{
    const quint64 ticket = ++m_lastTicket;
    ask([ticket, primitives](Monitor& m) { m.executor().refresh(ticket, primitives); });
    return ticket;
}

quint64 Session::planUndo(const QByteArrayList& receipts)
{
    return plan(PlanRequest{0, "undo", {}, {}, receipts, {}});
}

void Session::run(quint64 ticket, const QString& reason, const std::vector<size_t>& selection)
{
    ask([=](Monitor& m) { m.executor().run(ticket, reason, selection); });
}

void Session::watchTaken(const Plan& plan, const Receipt& receipt, const PrimitivePtr& queue)
{
    ask([=](Monitor& m) { m.watchTaken(plan, receipt, queue); });
}

void Session::discardPlans(quint64 ticket)
{
    ask([ticket](Monitor& m) { m.executor().discard(ticket); });
}

void Session::stopRun(quint64 ticket)
{
    ask([ticket](Monitor& m) { m.executor().stop(ticket); });
}

void Session::startAutoRequeue(const PrimitivePtr& queue, qint64 olderThanMs)
{
    ask([queue, olderThanMs](Monitor& m) { m.autoRequeues().start(queue, olderThanMs); });
}

void Session::stopAutoRequeue(const PrimitiveId& queue)
{
    ask([queue](Monitor& m) { m.autoRequeues().stop(queue, tr("stopped here")); });
}

void Session::readJournal()
{
    QMetaObject::invokeMethod(m_journal, &JournalReader::read);
}

} // namespace lk
