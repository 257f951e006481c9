// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"

#include "backend/session/ask.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/sessionstates.h"

namespace lk {

SessionActing::SessionActing(SessionStates& states, Monitor* monitor, const QString& journal,
                             QThread* workerThread)
    : m_states(states)
    , m_monitor(monitor)
    , m_journal(new JournalReader(journal))
    , m_hasJournal(!journal.isEmpty())
{
    m_limits.isPast = !monitor;
    m_journal->moveToThread(workerThread);
    connect(m_journal, &JournalReader::contentsRead, this, &SessionActing::journalRead);
    connect(m_journal, &JournalReader::failed, this, &SessionActing::journalFailed);
    connect(&states, &SessionStates::forgotten, this, &SessionActing::hideCode);
    if (m_monitor)
        connectExecutor();
}

SessionActing::~SessionActing()
{
    m_journal->deleteLater();
}

void SessionActing::connectExecutor()
{
    ActionExecutor& executor = m_monitor->executor();
    connect(&executor, &ActionExecutor::writeModeUntilChanged, this, [this](qint64 untilMs) {
        m_writeModeUntilMs = untilMs;
        emit writeModeChanged();
        if (untilMs == 0 && !std::exchange(m_revealed, {}).isEmpty())
            emit codesChanged();
    });
    connect(&executor, &ActionExecutor::writeModeFailed, this, &SessionActing::writeModeFailed);
    connect(&executor, &ActionExecutor::codeRevealed, this, &SessionActing::onCodeRevealed);
    connect(&executor, &ActionExecutor::revealFailed, this, &SessionActing::revealFailed);
    connect(&executor, &ActionExecutor::limitsChanged, this, [this](const ServerLimits& limits) {
        m_limits = limits;
        emit limitsChanged();
    });
    connect(&executor, &ActionExecutor::planned, this, &SessionActing::planned);
    connect(&executor, &ActionExecutor::planDropped, this, &SessionActing::planDropped);
    connect(&executor, &ActionExecutor::refreshed, this, &SessionActing::refreshed);
    connect(&executor, &ActionExecutor::receiptReady, this,
            [this](quint64 ticket, const Receipt& receipt) {
                if (ticket <= m_lastTicket) // excludes auto-requeue's own actions
                    m_undoable.note(ticket, receipt);
                emit receiptReady(ticket, receipt);
            });
    connect(&executor, &ActionExecutor::finished, this, &SessionActing::runFinished);
    connect(m_monitor, &Monitor::takenSeen, this, &SessionActing::takenSeen);
    connect(&m_monitor->autoRequeues(), &AutoRequeues::changed, this,
            [this](const AutoRequeueStatus& status) {
                m_autoRequeues.insert(status.queue, status);
                emit autoRequeueChanged(status.queue);
            });
}

void SessionActing::enableWriteMode(qint64 forMs)
{
    ask(m_monitor, [forMs](Monitor& m) { m.executor().enableWriteMode(forMs); });
}

void SessionActing::disableWriteMode()
{
    ask(m_monitor, [](Monitor& m) { m.executor().disableWriteMode(); });
}

void SessionActing::revealCode(Handle token)
{
    if (const StatePtr s = m_states.at(token); s && s->kind() == Kind::Token)
        ask(m_monitor, [primitive = s->primitive](Monitor& m) { m.executor().reveal(primitive); });
}

void SessionActing::hideCode(Handle token)
{
    if (m_revealed.remove(token))
        emit codesChanged();
}

// Write mode may have ended while the entry was written.
void SessionActing::onCodeRevealed(const PrimitiveId& token)
{
    const Handle handle = m_states.handlesOf({token}).value(token);
    if (!isWriteModeOn() || handle == noHandle)
        return;
    m_revealed.insert(handle);
    emit codesChanged();
}

quint64 SessionActing::plan(PlanRequest request)
{
    request.ticket = ++m_lastTicket;
    const quint64 ticket = request.ticket;
    ask(m_monitor, [request = std::move(request)](Monitor& m) { m.executor().plan(request); });
    return ticket;
}

quint64 SessionActing::planAction(const QByteArray& action,
                                  std::vector<PlanRequest::Target> targets,
                                  const ActionRequest& request)
{
    return plan(PlanRequest{0, action, std::move(targets), {}, {}, request});
}

quint64 SessionActing::refresh(const std::vector<PrimitivePtr>& primitives)
{
    const quint64 ticket = ++m_lastTicket;
    ask(m_monitor, [ticket, primitives](Monitor& m) { m.executor().refresh(ticket, primitives); });
    return ticket;
}

quint64 SessionActing::planUndo(const QByteArrayList& receipts)
{
    return plan(PlanRequest{0, "undo", {}, {}, receipts, {}});
}

void SessionActing::run(quint64 ticket, const QString& reason, const std::vector<size_t>& selection)
{
    ask(m_monitor, [=](Monitor& m) { m.executor().run(ticket, reason, selection); });
}

void SessionActing::watchTaken(const Plan& plan, const Receipt& receipt, const PrimitivePtr& queue)
{
    ask(m_monitor, [=](Monitor& m) { m.watchTaken(plan, receipt, queue); });
}

void SessionActing::discardPlans(quint64 ticket)
{
    ask(m_monitor, [ticket](Monitor& m) { m.executor().discard(ticket); });
}

void SessionActing::stopRun(quint64 ticket)
{
    ask(m_monitor, [ticket](Monitor& m) { m.executor().stop(ticket); });
}

void SessionActing::startAutoRequeue(const PrimitivePtr& queue, qint64 olderThanMs)
{
    ask(m_monitor,
        [queue, olderThanMs](Monitor& m) { m.autoRequeues().start(queue, olderThanMs); });
}

void SessionActing::stopAutoRequeue(const PrimitiveId& queue)
{
    ask(m_monitor, [queue](Monitor& m) { m.autoRequeues().stop(queue, tr("stopped here")); });
}

void SessionActing::readJournal()
{
    QMetaObject::invokeMethod(m_journal, &JournalReader::read);
}

} // namespace lk
