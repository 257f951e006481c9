// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/queuewatcher.h"

#include "backend/actions/actionscript.h"
#include "backend/actions/targetlist.h"
#include "backend/core/duration.h"
#include "backend/core/keyname.h"
#include "backend/layouts/layout.h"
#include "backend/redis/keyslot.h"

#include <QRandomGenerator>
#include <QSysInfo>

namespace lk {

namespace {

const QByteArray requeue = QByteArrayLiteral("queue.requeue");

// By which the journal tells its steps from those of a person.
QString watcherReason()
{
    return QStringLiteral("watcher");
}

// Whose it is can be read from the lock; that it is nobody else's is the random part.
QByteArray newToken()
{
    const quint64 number = QRandomGenerator::system()->generate64();
    return "lockkeeper:" + QSysInfo::machineHostName().toUtf8() + ':'
           + QByteArray::number(number, 16).rightJustified(16, '0');
}

} // namespace

QString QueueWatcher::unavailable(const Primitive& queue)
{
    const Layout* layout = findLayout(queue.id.layout);
    if (!layout || !findAction(*layout, requeue))
        return tr("Nothing can be put back in such a queue");
    if (queue.key("processing").isEmpty())
        return tr("No processing list of this queue is known");
    if (const auto ready = actions::writableList(queue, "ready"); !ready)
        return ready.error().detail;
    return {};
}

QByteArray QueueWatcher::lockKey(const Primitive& queue)
{
    const QByteArray ready = queue.key("ready");
    const QByteArray name = ready.isEmpty() ? queue.id.name : ready;
    const QByteArray prefix = QByteArrayLiteral("lockkeeper:watcher:");
    return keySlot(prefix + name) == keySlot(name) ? prefix + name : prefix + '{' + name + '}';
}

qint64 QueueWatcher::thresholdOf(const Primitive& queue, qint64 presetMs)
{
    if (queue.declaration && queue.declaration->stuckAfterMs)
        return *queue.declaration->stuckAfterMs;
    return presetMs > 0 ? presetMs : QueueState().stuckAfterMs;
}

std::vector<std::pair<QString, QString>> QueueWatcher::describe(const Primitive& queue,
                                                                qint64 olderThanMs, Pace pace)
{
    const QByteArray ready = queue.key("ready");
    return {{tr("puts back"), tr("what has been in %1 for %2 or longer, to be taken next from %3")
                                  .arg(displayName(queue.key("processing")),
                                       formatDuration(olderThanMs),
                                       displayName(ready.isEmpty() ? queue.id.name : ready))},
            {tr("means"), tr("another worker takes it; one that still has it in hand does it, too")},
            {tr("how often"), tr("every %1, at most %2 items at a time")
                                  .arg(formatDuration(pace.everyMs))
                                  .arg(pace.mostItems)},
            {tr("only if"), tr("this console holds %1, for %2 at a time; no other one watches then")
                                .arg(displayName(lockKey(queue)), formatDuration(pace.leaseMs))},
            {tr("leaves"), tr("what was seen only now: ages count from first sight")},
            {tr("undo"), tr("each step by its receipt; the journal has them as \"watcher\"")}};
}

QueueWatcher::QueueWatcher(ActionDesk& desk, const Clock& clock, PrimitivePtr queue,
                           qint64 olderThanMs, Pace pace, QObject* parent)
    : QObject(parent)
    , m_desk(desk)
    , m_clock(clock)
    , m_queue(std::move(queue))
    , m_pace(pace)
    , m_token(newToken())
    , m_timer(this)
{
    m_watch.queue = m_queue->id;
    m_watch.olderThanMs = olderThanMs;
    m_timer.setInterval(pace.everyMs);
    connect(&m_timer, &QTimer::timeout, this, &QueueWatcher::turn);
    connect(&m_desk, &ActionDesk::planned, this, &QueueWatcher::onPlanned);
    connect(&m_desk, &ActionDesk::receiptReady, this, &QueueWatcher::onReceipt);
    connect(&m_desk, &ActionDesk::finished, this, &QueueWatcher::onFinished);
    connect(&m_desk, &ActionDesk::disarming, this, [this] {
        stop(m_desk.isConnected()       ? tr("the session is read-only again")
             : m_desk.acting().isReady() ? tr("the connection was lost")
                                         : tr("the connection was lost; its lock ends by itself"));
    });
}

void QueueWatcher::start()
{
    const QString why = unavailable(*m_queue);
    setPhase(QueueWatch::Phase::Starting);
    if (!why.isEmpty())
        return stop(why);
    if (!m_desk.acting().isArmed() || !m_desk.isConnected())
        return stop(tr("the session is read-only"));
    m_timer.start();
    turn();
}

void QueueWatcher::stop(const QString& why)
{
    if (!m_watch.isOn())
        return;
    m_timer.stop();
    m_turn.reset();
    m_desk.stop(m_ticket);
    if (!m_underWay)
        m_ticket = 0;
    release();
    m_watch.why = why;
    if (m_watch.phase == QueueWatch::Phase::Here) {
        const int count = int(m_watch.putBack);
        const Result<void> written =
            journal((m_underWay ? tr("ended, %1; %n put back, one step is still under way",
                                     nullptr, count)
                                : tr("ended, %1; %n put back", nullptr, count))
                        .arg(why));
        if (!written) // it is over all the same
            m_watch.why += QStringLiteral(". ") + errorText(written.error());
    }
    setPhase(QueueWatch::Phase::Ended);
}

Result<void> QueueWatcher::journal(const QString& text)
{
    Plan plan;
    plan.action = QByteArrayLiteral("queue.watch");
    plan.kind = Kind::Queue;
    plan.layout = m_queue->id.layout;
    plan.name = plan.journalName = m_queue->id.name;
    plan.guard = tr("nobody else has the lock");
    plan.keys = {lockKey(*m_queue)};
    return m_desk.record(plan, text, watcherReason());
}

// Whole and at once: after this nothing may be sent any more, not even a second try by SHA.
void QueueWatcher::release()
{
    const Result<Script> script = actionScript("lock-release");
    const qint64 deadline = m_server.nowMs() + ScriptTiming().beginWithinMs;
    Connection& acting = m_desk.acting();
    if (m_server.serverMs() > 0 && script && acting.isReady() && acting.isArmed())
        acting.sendArmed({script->eval({lockKey(*m_queue)}, actionArgs({m_token}, deadline))},
                         nullptr, [](const BatchResult&) {});
}

void QueueWatcher::setPhase(QueueWatch::Phase phase)
{
    m_watch.phase = phase;
    emit changed(m_watch);
}

// The lease was asked for so lately that the lock must still be ours.
bool QueueWatcher::isFresh() const
{
    return m_clock.nowMs() - m_heldAtMs < m_pace.leaseMs / 2;
}

void QueueWatcher::turn()
{
    if (m_turn)
        return; // a slow server: the last turn is not over
    const Result<Script> script = actionScript("watcher-hold");
    if (!script)
        return stop(errorText(script.error()));
    m_turn = std::make_unique<QObject>();
    m_heldAtMs = m_clock.nowMs();
    const bool ours = m_watch.phase == QueueWatch::Phase::Here;
    sendTimed(m_desk.acting(),
              {*script,
               {lockKey(*m_queue)},
               {m_token, QByteArray::number(m_pace.leaseMs), ours ? "keep" : "take"}},
              {}, m_turn.get(), [this](const ScriptAnswer& answer) {
                  m_server = answer.server;
                  onHeld(answer.reply);
              });
}

void QueueWatcher::onHeld(const Result<Reply>& answer)
{
    if (!answer)
        return stop(errorText(answer.error()));
    if (answer->isError())
        return stop(errorText(errorFromReply(answer->text)));
    Receipt receipt;
    readAnswer(*answer, {lockKey(*m_queue)}, receipt);
    if (receipt.outcome == Outcome::Done)
        return onHolding();
    const bool ours = m_watch.phase == QueueWatch::Phase::Here;
    if (receipt.outcome != Outcome::Conflict)
        return stop(ours && receipt.outcome == Outcome::Refused ? tr("its lock was lost")
                                                                : receipt.text);
    if (ours)
        return stop(tr("another console took the watch over"));
    m_watch.holder = answer->items[2].text;
    m_turn.reset();
    if (m_watch.phase != QueueWatch::Phase::Elsewhere)
        setPhase(QueueWatch::Phase::Elsewhere);
}

void QueueWatcher::onHolding()
{
    if (m_watch.phase != QueueWatch::Phase::Here) {
        // While another put items back, one may have been taken again between two looks of ours: it
        // is younger than it seems here. Only what is stuck under this watch counts.
        if (m_watch.phase == QueueWatch::Phase::Elsewhere)
            m_restUntilMs = m_clock.nowMs() + m_watch.olderThanMs;
        m_watch.sinceMs = m_serverClock.serverMs(m_clock.nowMs());
        m_watch.holder.clear();
        const Result<void> written =
            journal(tr("watches, and puts back what is older than %1")
                        .arg(formatDuration(m_watch.olderThanMs)));
        if (!written)
            return stop(errorText(written.error()));
        setPhase(QueueWatch::Phase::Here);
    }
    m_left = m_pace.mostItems;
    m_lists.clear();
    for (const KeyRole& key : m_queue->keys) {
        if (key.role == "processing" && !key.key.isEmpty())
            m_lists.push_back(key.key);
    }
    lookAtNext();
}

// What is planned is what a person would get who asks for the same.
void QueueWatcher::lookAtNext()
{
    if (m_lists.empty() || m_left <= 0) {
        m_turn.reset();
        return;
    }
    PlanAsk ask;
    ask.ticket = m_ticket = m_desk.newTicket();
    ask.action = requeue;
    ask.targets = {{m_queue}};
    ask.request.values = {{"older-than", QByteArray::number(m_watch.olderThanMs) + "ms"},
                          {"from", m_lists.back()},
                          {"most", QByteArray::number(m_left)}};
    m_lists.pop_back();
    m_desk.plan(ask);
}

void QueueWatcher::onPlanned(const PlanSet& set)
{
    if (m_ticket == 0 || set.ticket != m_ticket)
        return;
    if (!set.refused.empty()) {
        const Error& error = set.refused.front().second;
        // That nothing is old enough is the rule; what else keeps it from acting may pass.
        if (error.code != ErrorCode::NotPossible)
            return stop(errorText(error));
        note(errorText(error));
        return lookAtNext();
    }
    note({});
    const bool resting = m_clock.nowMs() < m_restUntilMs;
    if (resting || !isFresh() || m_desk.isBusy()) {
        m_ticket = 0;
        m_turn.reset();
        return; // the next turn looks anew
    }
    m_underWay = true;
    m_desk.run(set, watcherReason());
}

void QueueWatcher::note(const QString& text)
{
    if (m_watch.note == text)
        return;
    m_watch.note = text;
    emit changed(m_watch);
}

void QueueWatcher::onReceipt(quint64 ticket, const Receipt& receipt)
{
    if (m_ticket == 0 || ticket != m_ticket)
        return;
    m_underWay = false;
    if (receipt.outcome == Outcome::Done) {
        m_watch.putBack += receipt.count;
        m_left -= receipt.count;
        emit changed(m_watch);
    } else if (receipt.outcome != Outcome::Conflict) {
        stop(receipt.text);
    }
}

void QueueWatcher::onFinished(quint64 ticket)
{
    if (m_ticket == 0 || ticket != m_ticket)
        return;
    m_ticket = 0;
    m_underWay = false;
    if (m_watch.isOn())
        lookAtNext();
}

} // namespace lk
