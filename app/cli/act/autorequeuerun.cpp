// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/autorequeuerun.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

namespace lk {

AutoRequeueRun::AutoRequeueRun(ActionExecutor& executor, const Clock& clock, PrimitivePtr queue,
                               qint64 olderThanMs, const QString& reason, Output& out,
                               QObject* parent)
    : QObject(parent)
    , m_out(out)
    , m_executor(executor)
    , m_autoRequeue(m_executor, clock, std::move(queue), olderThanMs, {}, this, reason)
    , m_until(this)
{
    m_until.setSingleShot(true);
    connect(&m_until, &QTimer::timeout, this, [this] { finish(tr("the time limit was reached")); });
    connect(&m_executor, &ActionExecutor::writeModeUntilChanged, this, [this](qint64 untilMs) {
        if (untilMs > 0)
            m_autoRequeue.start();
    });
    connect(&m_executor, &ActionExecutor::writeModeFailed, this, [this](const Error& error) {
        m_told.why = errorText(error);
        leave();
    });
    connect(&m_autoRequeue, &AutoRequeue::changed, this, &AutoRequeueRun::onChanged);
    connect(
        &m_executor, &ActionExecutor::receiptReady, this, [this](quint64, const Receipt& receipt) {
            const QString what = tr("%1: %n requeued", nullptr, int(receipt.count))
                                     .arg(outcomeTitle(receipt.outcome));
            say(receipt.undoable ? tr("%1; undo with %2").arg(what, QString::fromLatin1(receipt.id))
                                 : tr("%1; %2").arg(what, receipt.undoNote));
        });
    connect(&m_signals, &EndSignals::received, this, [this](EndSignal signal) {
        finish(signal == EndSignal::Hangup ? tr("the terminal was closed") : tr("interrupted"));
    });
}

AutoRequeueRun::~AutoRequeueRun() = default;

QString AutoRequeueRun::text(const Primitive& queue, qint64 olderThanMs, qint64 forMs,
                             const QString& endpoint)
{
    QString all =
        tr("Auto-requeue stuck jobs of %1?").arg(displayName(queue.id.name)) + QLatin1Char('\n');
    auto lines = AutoRequeue::describe(queue, olderThanMs, {});
    lines.insert(lines.begin(), {tr("server"), endpoint});
    lines.emplace_back(
        tr("ends"), tr("after %1, at Ctrl+C, or when its lock is lost").arg(formatDuration(forMs)));
    for (const auto& [label, line] : lines)
        all += QStringLiteral("  %1 %2\n").arg(label + QLatin1Char(':'), -9).arg(line);
    return all;
}

// Ends the run if the output fails: the user would no longer see what it does.
void AutoRequeueRun::say(const QString& text)
{
    const bool told = !m_out.failed();
    m_out.print(text + QLatin1Char('\n'));
    if (!m_out.flush() && told) // the caller may be a signal of auto-requeue
        QMetaObject::invokeMethod(
            this, [this] { finish(tr("its output cannot be written")); }, Qt::QueuedConnection);
}

void AutoRequeueRun::start(qint64 forMs)
{
    m_executor.enableWriteMode(
        forMs + 60'000); // longer than the watch: it ends by itself, with its lock released
    m_until.start(int(forMs));
}

void AutoRequeueRun::onChanged(const AutoRequeueStatus& status)
{
    const QString name = displayName(status.queue.name);
    if (status.phase != m_told.phase && status.phase == AutoRequeueStatus::Phase::Here)
        say(tr("Auto-requeue is on for %1").arg(name));
    else if (status.phase == AutoRequeueStatus::Phase::Elsewhere)
        say(tr("Another console requeues this queue's jobs (%1); standing by")
                .arg(displayName(status.holder)));
    const bool ends =
        status.phase == AutoRequeueStatus::Phase::Ended && status.phase != m_told.phase;
    m_told = status;
    if (!ends)
        return;
    m_until.stop();
    if (m_executor.isBusy()) // a step is under way: what comes of it counts
        connect(&m_executor, &ActionExecutor::finished, this, &AutoRequeueRun::leave,
                Qt::SingleShotConnection);
    else
        leave();
}

void AutoRequeueRun::leave()
{
    say(tr("Stopped: %1. %n job(s) requeued", nullptr, int(m_told.requeued)).arg(m_told.why));
    // Answered after all that was sent before: the lock is released by then.
    m_executor.acting().send({Command{"PING"}}, this, [this](const BatchResult&) {
        m_executor.disableWriteMode();
        emit ended(!m_wanted);
    });
}

void AutoRequeueRun::finish(const QString& why)
{
    m_wanted = true;
    if (m_autoRequeue.status().phase != AutoRequeueStatus::Phase::Off)
        return m_autoRequeue.stop(why);
    m_told.why = why; // it never began
    leave();
}

} // namespace lk
