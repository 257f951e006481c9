// SPDX-License-Identifier: GPL-3.0-or-later
// How the executor plans, and keeps what it planned: reads only, on the control connection.
#include "backend/acting/executor/actionexecutor.h"

#include "backend/acting/planning/actionplace.h"
#include "backend/acting/undo/undofit.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t plansUnderWay = 8;
constexpr qsizetype undosAtATime = 32;

std::vector<QByteArray> keysOf(const Primitive& primitive)
{
    std::vector<QByteArray> keys;
    for (const auto& part : primitive.keys)
        keys.push_back(part.key);
    return keys;
}

} // namespace

void ActionExecutor::setInfo(const ServerInfo& info)
{
    if (info.role() == NodeRole::Unknown)
        return; // the user may not see it
    m_server = info;
    if (info.isReplica() && m_acting.isWriteModeOn())
        disableWriteMode();
    ServerLimits limits = m_limits;
    limits.info = info;
    if (limits.known)
        setLimits(limits);
    // The permission may have been granted by now; only another read shows it.
    if (limits.known && (!limits.hasScripts || !limits.denied.isEmpty()))
        readLimitsNow();
}

void ActionExecutor::withLimits(std::function<void()> then)
{
    if (m_limits.known)
        return then();
    m_whenLimited.push_back(std::move(then));
    readLimitsNow();
}

void ActionExecutor::readLimitsNow()
{
    if (std::exchange(m_readingLimits, true))
        return;
    readLimits(m_control, this, [this](Result<ServerLimits> limits) {
        m_readingLimits = false;
        if (limits) {
            limits->info = m_server;
            setLimits(*limits);
        }
        // Without them each finds out for itself what is wrong with the connection.
        for (const auto& then : std::exchange(m_whenLimited, {}))
            then();
    });
}

void ActionExecutor::setLimits(const ServerLimits& limits)
{
    const bool other = !m_limits.known || m_limits.refusal() != limits.refusal();
    m_limits = limits;
    if (other)
        emit limitsChanged(m_limits);
}

QString ActionExecutor::tooManyText()
{
    return tr("At most %L1 at a time: select fewer, or narrow the filter")
        .arg(PlanRequest::mostTargets);
}

void ActionExecutor::plan(const PlanRequest& request)
{
    const auto planning = std::make_shared<Planning>();
    planning->request = request;
    planning->set.ticket = request.ticket;
    planning->set.action = request.action;
    m_plannings[request.ticket] = planning;
    if (std::max(request.targets.size(), size_t(request.receipts.size())) >
        PlanRequest::mostTargets) {
        planning->set.refused.emplace_back(QByteArray(), notPossible(tooManyText()).value());
        return finishPlanning(planning);
    }
    if (request.action == "undo")
        return request.compares == 0 ? planUndo(planning) : compareUndo(planning);
    if (request.targets.empty())
        planning->request.targets.push_back({});
    withLimits([this, planning] { planNext(planning); });
}

// Each is a file: reads a few at a time, so that other writes do not have to wait.
void ActionExecutor::planUndo(const PlanningPtr& planning)
{
    const QByteArrayList some =
        planning->request.receipts.mid(qsizetype(planning->next), undosAtATime);
    if (some.isEmpty())
        return placeUndos(planning);
    planning->next += size_t(some.size());
    const qint64 now = m_serverClock.known() ? m_serverClock.serverMs(m_clock.nowMs()) : 0;
    m_runner.planUndos(
        some, now, this, [this, planning, some](const std::vector<Result<Plan>>& plans) {
            for (size_t i = 0; i < plans.size(); ++i) {
                if (plans[i])
                    planning->set.plans.push_back(*plans[i]);
                else
                    planning->set.refused.emplace_back(some[qsizetype(i)], plans[i].error());
            }
            planUndo(planning);
        });
}

void ActionExecutor::placeUndos(const PlanningPtr& planning)
{
    std::vector<Plan>& plans = planning->set.plans;
    for (; planning->placed < plans.size(); ++planning->placed) {
        Plan& plan = plans[planning->placed];
        if (!NodeWait::isThere(m_control, plan.keys))
            return planning->nodes.await(
                m_control, plan.keys, this,
                [this, planning, &plans](const std::optional<Error>& nodeDown) {
                    const auto at = plans.begin() + std::ptrdiff_t(planning->placed);
                    if (nodeDown) {
                        planning->set.refused.emplace_back(at->undoes, *nodeDown);
                        plans.erase(at);
                    }
                    placeUndos(planning);
                });
        plan = withNode(std::move(plan));
    }
    finishPlanning(planning);
}

void ActionExecutor::compareUndo(const PlanningPtr& planning)
{
    const PlanSet* kept = m_kept.find(planning->request.compares);
    if (!kept)
        return finishPlanning(planning);
    std::vector<Plan> shown = kept->plans;
    if (shown.size() > PlanRequest::mostCompared)
        shown.resize(PlanRequest::mostCompared);
    findUnfitUndos(m_control, shown, m_serverClock, m_clock, this,
                   [this, planning, shown](const Result<std::vector<size_t>>& unfit) {
                       const Error touched =
                           notPossible(tr("it has changed since the action to undo")).value();
                       for (size_t i = 0; i < shown.size(); ++i) {
                           if (!unfit)
                               planning->set.refused.emplace_back(shown[i].name, unfit.error());
                           else if (std::find(unfit->begin(), unfit->end(), i) != unfit->end())
                               planning->set.refused.emplace_back(shown[i].name, touched);
                           else
                               planning->set.plans.push_back(shown[i]);
                       }
                       finishPlanning(planning);
                   });
}

void ActionExecutor::refresh(quint64 ticket, const std::vector<PrimitivePtr>& primitives)
{
    readFreshStates(m_control, primitives, m_firstSeen, m_serverClock, m_clock, this,
                    [this, ticket](const FreshStates& states) { emit refreshed(ticket, states); });
}

void ActionExecutor::planNext(const PlanningPtr& planning)
{
    while (planning->next < planning->request.targets.size() &&
           planning->underWay < plansUnderWay) {
        ++planning->underWay;
        planOne(planning, planning->request.targets[planning->next++]);
    }
    if (planning->underWay == 0)
        finishPlanning(planning);
}

void ActionExecutor::finishPlanning(const PlanningPtr& planning)
{
    m_plannings.erase(planning->request.ticket);
    if (planning->discarded)
        return;
    const PlanSet& set = planning->set;
    const bool runnable = !set.plans.empty() && !set.plans.front().answer;
    if (planning->request.compares == 0 && runnable) {
        for (const quint64 ticket : m_kept.keep(set))
            emit planDropped(ticket,
                             notPossible(tr("Newer plans have replaced this one: replan")).value());
    }
    emit planned(set);
}

void ActionExecutor::discard(quint64 ticket)
{
    m_kept.take(ticket);
    if (const auto it = m_plannings.find(ticket); it != m_plannings.end())
        it->second->discarded = true;
}

void ActionExecutor::dropPlans(const QString& why)
{
    for (const quint64 ticket : m_kept.dropAll())
        emit planDropped(ticket, notPossible(why).value());
}

void ActionExecutor::add(PlanSet& set, Plan plan) const
{
    plan.undo.lasts = m_files.undo.lasts();
    const QString why = m_files.undo.whyNothing();
    if (plan.undo.kind != UndoWay::Kind::None && !why.isEmpty()) {
        plan.undo = {};
        plan.undo.why = why;
    }
    set.plans.push_back(withNode(std::move(plan)));
}

Plan ActionExecutor::withNode(Plan plan) const
{
    plan.node = nodeOfKeys(m_control, plan.keys);
    return plan;
}

void ActionExecutor::planOne(const PlanningPtr& planning, const PlanRequest::Target& asked)
{
    const PrimitivePtr& target = asked.primitive;
    const Layout* layout = findLayout(target ? target->id.layout.text() : planning->request.layout);
    const Action* action = layout ? findAction(*layout, planning->request.action) : nullptr;
    const auto take = [this, planning, target](const Result<Plan>& plan) {
        if (plan) {
            Plan first = *plan;
            std::vector<Plan> further = std::exchange(first.further, {});
            add(planning->set, std::move(first));
            for (Plan& step : further)
                add(planning->set, std::move(step));
        } else {
            if (plan.error().code == ErrorCode::NoPerm)
                readLimitsNow();
            planning->set.refused.emplace_back(
                target ? redactedKey(target->kind, target->name()) : QByteArray(), plan.error());
        }
        --planning->underWay;
        planNext(planning);
    };
    if (!action) {
        QMetaObject::invokeMethod(
            this, [take] { take(notPossible(ActionText::tr("It does not support this action"))); },
            Qt::QueuedConnection);
        return;
    }
    ActionRequest request = planning->request.request;
    for (const auto& [name, value] : asked.own)
        request.values[name] = value;
    planning->nodes.await(
        m_control, target ? keysOf(*target) : std::vector<QByteArray>(), this,
        [this, target, action, request, take](const std::optional<Error>& nodeDown) {
            if (nodeDown)
                return take(tl::unexpected(*nodeDown));
            planAction(m_control, {target, &m_firstSeen}, *action, request, m_limits, m_serverClock,
                       m_clock, this, take);
        });
}

} // namespace lk
