// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/autorequeue/autorequeue.h"

#include "backend/acting/execution/actionscript.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/api/targetlist.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

#include <QRandomGenerator>
#include <QSysInfo>

namespace lk {

namespace {

const QByteArray requeue = QByteArrayLiteral("queue.requeue");

QString reasonOf(const QString& why)
{
    const QString word = QStringLiteral("auto-requeue");
    return why.isEmpty() ? word : word + QStringLiteral(": ") + why;
}

// The readable part names the owner of the lock; the random part makes the token unique.
QByteArray newToken()
{
    const quint64 number = QRandomGenerator::system()->generate64();
    return "lockkeeper:" + QSysInfo::machineHostName().toUtf8() + ':' +
           QByteArray::number(number, 16).rightJustified(16, '0');
}

} // namespace

QString AutoRequeue::unavailable(const Primitive& queue)
{
    const Layout* layout = findLayout(queue.id.layout);
    if (!layout || !findAction(*layout, requeue))
        return tr("This queue does not support requeueing");
    // A library has its own rule for abandoned jobs, and its own check returns them.
    const std::vector<ActionParameter> all = findAction(*layout, requeue)->parameters();
    if (findAction(*layout, requeue)->parameter("job", all))
        return tr("Auto-requeue is for plain lists. %1 returns the abandoned jobs of this library: "
                  "queue requeue %2 --all, or --older-than with an age")
            .arg(findAction(*layout, requeue)->title(), displayName(queue.name()));
    if (actions::listOf(queue, JobRole::Processing).isEmpty())
        return tr("This queue's processing list is unknown");
    if (const auto ready = actions::writableList(queue, JobRole::Ready); !ready)
        return ready.error().detail;
    return {};
}

QByteArray AutoRequeue::lockKey(const Primitive& queue)
{
    const QByteArray ready = actions::listOf(queue, JobRole::Ready);
    const QByteArray name = ready.isEmpty() ? queue.id.name : ready;
    const QByteArray prefix = QByteArrayLiteral("lockkeeper:watcher:");
    return keySlot(prefix + name) == keySlot(name) ? prefix + name : prefix + '{' + name + '}';
}

qint64 AutoRequeue::thresholdOf(const Primitive& queue, qint64 presetMs)
{
    if (queue.declaration && queue.declaration->stuckAfterMs)
        return *queue.declaration->stuckAfterMs;
    return presetMs > 0 ? presetMs : QueueState().stuckAfterMs;
}

std::vector<std::pair<QString, QString>>
AutoRequeue::describe(const Primitive& queue, qint64 olderThanMs, AutoRequeuePace pace)
{
    const QByteArray ready = actions::listOf(queue, JobRole::Ready);
    std::vector<std::pair<QString, QString>> lines;
    if (const QString doubt = doubtText(queue); !doubt.isEmpty())
        lines.emplace_back(tr("note"), doubt);
    const std::pair<QString, QString> rest[] = {
        {tr("requeues"), tr("jobs in %1 for %2 or longer, to the front of %3")
                             .arg(displayName(actions::listOf(queue, JobRole::Processing)),
                                  formatDuration(olderThanMs),
                                  displayName(ready.isEmpty() ? queue.id.name : ready))},
        {tr("means"), tr("another worker picks the job up; if the original one is still "
                         "alive, the job runs twice")},
        {tr("how often"), tr("every %1, at most %2 jobs at a time")
                              .arg(formatDuration(pace.everyMs))
                              .arg(pace.mostItems)},
        {tr("only if"), tr("this console holds the lock %1, %2 at a time; other consoles "
                           "stand by")
                            .arg(displayName(lockKey(queue)), formatDuration(pace.leaseMs))},
        {tr("skips"), tr("jobs seen for the first time: ages count from when they were first "
                         "seen")},
        {tr("undo"), tr("each run by its receipt, where undo is available; the journal lists them "
                        "as \"auto-requeue\"")}};
    lines.insert(lines.end(), std::begin(rest), std::end(rest));
    return lines;
}

AutoRequeue::AutoRequeue(ActionExecutor& executor, const Clock& clock, PrimitivePtr queue,
                         qint64 olderThanMs, AutoRequeuePace pace, QObject* parent,
                         const QString& reason)
    : QObject(parent)
    , m_executor(executor)
    , m_clock(clock)
    , m_queue(std::move(queue))
    , m_pace(pace)
    , m_reason(reasonOf(reason))
    , m_token(newToken())
    , m_timer(this)
{
    m_status.queue = m_queue->id;
    m_status.olderThanMs = olderThanMs;
    m_timer.setInterval(pace.everyMs);
    connect(&m_timer, &QTimer::timeout, this, &AutoRequeue::runRound);
    connect(&m_executor, &ActionExecutor::planned, this, &AutoRequeue::onPlanned);
    connect(&m_executor, &ActionExecutor::receiptReady, this, &AutoRequeue::onReceipt);
    connect(&m_executor, &ActionExecutor::finished, this, &AutoRequeue::onFinished);
    connect(&m_executor, &ActionExecutor::writeModeEnding, this, [this] {
        stop(m_executor.isConnected()        ? tr("write mode is off")
             : m_executor.acting().isReady() ? tr("the connection was lost")
                                             : tr("the connection was lost; its lock expires"));
    });
}

void AutoRequeue::start()
{
    const QString why = unavailable(*m_queue);
    setPhase(AutoRequeueStatus::Phase::Starting);
    if (!why.isEmpty())
        return stop(why);
    if (!m_executor.acting().isWriteModeOn() || !m_executor.isConnected())
        return stop(tr("write mode is off"));
    m_timer.start();
    runRound();
}

void AutoRequeue::stop(const QString& why)
{
    if (!m_status.isOn())
        return;
    m_timer.stop();
    m_round.reset();
    m_whenPlanned = nullptr;
    m_whenFinished = nullptr;
    m_executor.stop(m_ticket);
    if (!m_underWay)
        m_executor.discard(std::exchange(m_ticket, 0));
    release();
    m_status.why = why;
    if (!std::exchange(m_begun, false))
        return setPhase(AutoRequeueStatus::Phase::Ended);
    m_status.phase = AutoRequeueStatus::Phase::Ended; // reported after it is in the journal
    const int count = int(m_status.requeued);
    const QString text =
        m_underWay ? tr("stopped, %1; %n requeued, one run still in progress", nullptr, count)
                   : tr("stopped, %1; %n requeued", nullptr, count);
    launch(journal(text.arg(why), this), [this](const Result<void>& written) {
        if (!written) // it has ended anyway
            m_status.why += QStringLiteral(". ") + errorText(written.error());
        emit changed(m_status);
    });
}

Task<Result<void>> AutoRequeue::journal(const QString& text, QObject* context)
{
    Plan plan;
    plan.action = QByteArrayLiteral("queue.auto-requeue");
    plan.kind = Kind::Queue;
    plan.layout = m_queue->id.layout;
    plan.name = plan.journalName = m_queue->id.name;
    plan.guard = tr("no other console holds the lock");
    plan.keys = {lockKey(*m_queue)};
    return m_executor.record(plan, text, m_reason, context);
}

// Whole and at once: after this nothing may be sent any more, not even a second try by SHA.
void AutoRequeue::release()
{
    const Result<Script> script = actionScript("lock-release");
    const qint64 deadline = m_server.nowMs() + ScriptTiming().beginWithinMs;
    Link& acting = m_executor.acting();
    if (m_server.serverMs() > 0 && script && acting.isReady() && acting.isWriteModeOn())
        acting.sendActing({script->eval({lockKey(*m_queue)}, actionArgs({m_token}, deadline))},
                          nullptr, [](const BatchResult&) {});
}

void AutoRequeue::setPhase(AutoRequeueStatus::Phase phase)
{
    m_status.phase = phase;
    emit changed(m_status);
}

// True if the lease was requested so recently that the lock must still be ours.
bool AutoRequeue::isFresh() const
{
    return m_clock.nowMs() - m_heldAtMs < m_pace.leaseMs / 2;
}

void AutoRequeue::runRound()
{
    if (m_round)
        return; // a slow server: the last round is not over
    m_round = std::make_unique<QObject>();
    launch(round());
}

// Takes or prolongs the lock and requeues what is stuck. stop() ends it where it waits.
Task<> AutoRequeue::round()
{
    const Result<Script> script = actionScript("auto-requeue-lock");
    if (!script)
        co_return stop(errorText(script.error()));
    m_heldAtMs = m_clock.nowMs();
    const bool ours = m_status.phase == AutoRequeueStatus::Phase::Here;
    const ScriptCall call{*script,
                          {lockKey(*m_queue)},
                          {m_token, QByteArray::number(m_pace.leaseMs), ours ? "keep" : "take"}};
    const ScriptTiming timing;
    const ScriptAnswer answer =
        co_await sendTimed(m_executor.acting(), call, timing, m_round.get());
    m_server = answer.server;
    bool goesOn = isHeld(answer.reply);
    if (goesOn && !ours)
        goesOn = co_await begin();
    if (goesOn)
        co_await requeueStuck();
    m_round.reset();
}

// If the lock is not held, stops or stands by.
bool AutoRequeue::isHeld(const Result<Reply>& answer)
{
    const auto stopped = [this](const QString& why) {
        stop(why);
        return false;
    };
    if (!answer)
        return stopped(errorText(answer.error()));
    if (answer->isError())
        return stopped(errorText(errorFromReply(answer->text)));
    Receipt receipt;
    readAnswer(*answer, {lockKey(*m_queue)}, receipt);
    if (receipt.outcome == Outcome::Succeeded)
        return true;
    if (receipt.outcome == Outcome::Unknown)
        return stopped(receipt.text);
    // Else the script refused: what it was to keep is gone, or is no lock.
    const bool elsewhere = answer->items[0].text == "conflict";
    if (m_status.phase == AutoRequeueStatus::Phase::Here)
        return stopped(elsewhere ? tr("another console took over") : tr("its lock was lost"));
    if (!elsewhere)
        return stopped(receipt.text);
    m_status.holder = answer->items[2].text;
    if (m_status.phase != AutoRequeueStatus::Phase::Elsewhere)
        setPhase(AutoRequeueStatus::Phase::Elsewhere);
    return false;
}

// Writes the start to the journal before the first step.
Task<bool> AutoRequeue::begin()
{
    // While another console requeued jobs, one may have been taken again between two reads of ours:
    // it is younger than it seems here. Only what is stuck since then counts.
    if (m_status.phase == AutoRequeueStatus::Phase::Elsewhere)
        m_restUntilMs = m_clock.nowMs() + m_status.olderThanMs;
    m_status.sinceMs = m_serverClock.serverMs(m_clock.nowMs());
    m_status.holder.clear();
    m_begun = true;
    const QString text =
        tr("requeues jobs in progress for more than %1").arg(formatDuration(m_status.olderThanMs));
    const Result<void> written = co_await journal(text, m_round.get());
    if (written) {
        setPhase(AutoRequeueStatus::Phase::Here);
    } else {
        m_begun = false;
        stop(errorText(written.error()));
    }
    co_return m_status.phase == AutoRequeueStatus::Phase::Here;
}

// Makes the same plans as the user's own request would, for one processing list after the other.
Task<> AutoRequeue::requeueStuck()
{
    m_left = m_pace.mostItems;
    std::vector<QByteArray> lists;
    for (const KeyRole& key : m_queue->keys) {
        if (key.role == jobRoleId(JobRole::Processing) && !key.key.isEmpty())
            lists.push_back(key.key);
    }
    for (; !lists.empty() && m_left > 0; lists.pop_back()) {
        PlanRequest request;
        request.ticket = m_ticket = m_executor.newTicket();
        request.action = requeue;
        request.targets = {{m_queue}};
        request.request.values = {{"older-than", QByteArray::number(m_status.olderThanMs) + "ms"},
                                  {"from", lists.back()},
                                  {"most", QByteArray::number(m_left)}};
        const PlanSet set = co_await Awaited<PlanSet>([&](auto then) {
            m_whenPlanned = then;
            m_executor.plan(request);
        });
        if (!set.refused.empty()) {
            const Error& error = set.refused.front().second;
            // Usually no job is old enough. Other obstacles may be temporary.
            if (error.code != ErrorCode::NotPossible)
                co_return stop(errorText(error));
            note(errorText(error));
            continue;
        }
        note({});
        const bool resting = m_clock.nowMs() < m_restUntilMs;
        if (resting || !isFresh() || m_executor.isBusy()) {
            m_executor.discard(std::exchange(m_ticket, 0));
            co_return; // the next round reads again
        }
        m_underWay = true;
        co_await Awaited<Passed>([&](auto then) {
            m_whenFinished = then;
            m_executor.run(set.ticket, m_reason);
        });
    }
}

void AutoRequeue::onPlanned(const PlanSet& set)
{
    if (m_ticket == 0 || set.ticket != m_ticket)
        return;
    if (const auto then = std::exchange(m_whenPlanned, nullptr))
        then(set);
}

void AutoRequeue::note(const QString& text)
{
    if (m_status.note == text)
        return;
    m_status.note = text;
    emit changed(m_status);
}

void AutoRequeue::onReceipt(quint64 ticket, const Receipt& receipt)
{
    if (m_ticket == 0 || ticket != m_ticket)
        return;
    m_underWay = false;
    if (receipt.outcome == Outcome::Succeeded) {
        m_status.requeued += receipt.count;
        m_left -= receipt.count;
        emit changed(m_status);
    } else if (receipt.outcome != Outcome::Conflict) {
        stop(receipt.text);
    }
}

void AutoRequeue::onFinished(quint64 ticket)
{
    if (m_ticket == 0 || ticket != m_ticket)
        return;
    m_ticket = 0;
    m_underWay = false;
    if (const auto then = std::exchange(m_whenFinished, nullptr))
        then({});
}

} // namespace lk
