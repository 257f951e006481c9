// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/actiondesk.h"

#include "backend/layouts/layout.h"

namespace lk {

namespace {

constexpr size_t plansUnderWay = 8;
constexpr int paceMs = 20; // between two steps of many
constexpr qint64 longestArmedMs = 24LL * 3600 * 1000;

} // namespace

ActionDesk::ActionDesk(Connection& control, FirstSeen& sights, const Clock& clock, Files files,
                       QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_sights(sights)
    , m_clock(clock)
    , m_files(std::move(files))
    , m_runner(control, Journal(m_files.journal), UndoStore(m_files.undo), clock)
    , m_arming(this)
    , m_pace(this)
{
    m_arming.setSingleShot(true);
    m_pace.setSingleShot(true);
    m_pace.setInterval(paceMs);
    connect(&m_arming, &QTimer::timeout, this, &ActionDesk::disarm);
    connect(&m_pace, &QTimer::timeout, this, &ActionDesk::runNext);
    // Whoever comes back after an outage looks first, and arms again.
    connect(&m_control, &Connection::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionStatus::Phase::Lost)
            disarm();
    });
}

void ActionDesk::arm(qint64 forMs)
{
    if (m_files.journal.isEmpty() || !m_control.isReady() || forMs <= 0)
        return;
    const qint64 ms = std::min(forMs, longestArmedMs);
    m_control.setArmed(true);
    m_arming.start(int(ms));
    emit armedUntilChanged(m_clock.nowMs() + ms);
}

void ActionDesk::disarm()
{
    m_arming.stop();
    m_waiting.clear();
    if (!m_control.isArmed())
        return;
    m_control.setArmed(false);
    emit armedUntilChanged(0);
}

void ActionDesk::plan(const PlanAsk& ask)
{
    const auto planning = std::make_shared<Planning>();
    planning->ask = ask;
    planning->set.ticket = ask.ticket;
    planning->set.action = ask.action;
    if (ask.action == "undo") {
        const Result<Plan> plan = m_runner.undoPlan(ask.receipt);
        if (plan)
            planning->set.plans.push_back(*plan);
        else
            planning->set.refused.emplace_back(ask.receipt, plan.error());
        emit planned(planning->set);
        return;
    }
    if (ask.targets.empty())
        planning->ask.targets.push_back(nullptr);
    planNext(planning);
}

void ActionDesk::planNext(const PlanningPtr& planning)
{
    while (planning->next < planning->ask.targets.size() && planning->underWay < plansUnderWay) {
        ++planning->underWay;
        planOne(planning, planning->ask.targets[planning->next++]);
    }
    if (planning->underWay == 0)
        emit planned(planning->set);
}

void ActionDesk::planOne(const PlanningPtr& planning, const PrimitivePtr& target)
{
    const Layout* layout = findLayout(target ? target->id.layout : planning->ask.layout);
    const Action* action = layout ? findAction(*layout, planning->ask.action) : nullptr;
    const auto take = [this, planning, target](const Result<Plan>& plan) {
        if (plan)
            planning->set.plans.push_back(*plan);
        else
            planning->set.refused.emplace_back(target ? target->id.name : QByteArray(), plan.error());
        --planning->underWay;
        planNext(planning);
    };
    if (!action) {
        QMetaObject::invokeMethod(
            this, [take] { take(notPossible(ActionText::tr("It has no such action"))); },
            Qt::QueuedConnection);
        return;
    }
    planAction(m_control, {target, &m_sights}, *action, planning->ask.request, m_serverClock,
               m_clock, this, take);
}

void ActionDesk::run(const PlanSet& set, const QString& reason)
{
    if (!m_waiting.empty() || m_busy)
        return; // one at a time: the window does not offer another meanwhile
    m_ticket = set.ticket;
    m_reason = reason;
    m_waiting.assign(set.plans.begin(), set.plans.end());
    runNext();
}

void ActionDesk::stop()
{
    m_waiting.clear();
}

void ActionDesk::runNext()
{
    if (m_waiting.empty()) {
        m_busy = false;
        emit finished(m_ticket);
        return;
    }
    const Plan plan = m_waiting.front();
    m_waiting.pop_front();
    m_busy = true;
    m_runner.run(plan, m_reason, this,
                 [this, plan](const Receipt& receipt) { onReceipt(plan, receipt); });
}

void ActionDesk::onReceipt(const Plan& plan, const Receipt& receipt)
{
    emit receiptReady(m_ticket, receipt);
    emit touched(QList<QByteArray>(plan.keys.begin(), plan.keys.end()));
    m_pace.start();
}

} // namespace lk
