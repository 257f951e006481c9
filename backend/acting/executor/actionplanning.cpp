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

// Without them each finds out for itself what is wrong with the connection.
Task<> ActionExecutor::limitsRead()
{
    if (m_limits.known)
        co_return;
    co_await Awaited<Passed>([this](auto then) {
        m_whenLimited.push_back(then);
        readLimitsNow();
    });
}

void ActionExecutor::readLimitsNow()
{
    if (std::exchange(m_readingLimits, true))
        return;
    launch(readLimits(m_control, this), [this](Result<ServerLimits> limits) {
        m_readingLimits = false;
        if (limits) {
            limits->info = m_server;
            setLimits(*limits);
        }
        for (const auto& then : std::exchange(m_whenLimited, {}))
            then({});
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
        return launch(request.compares == 0 ? planUndos(planning) : compareUndos(planning));
    if (request.targets.empty())
        planning->request.targets.push_back({});
    planning->underWay = std::min(plansUnderWay, planning->request.targets.size());
    for (size_t i = planning->underWay; i > 0; --i)
        launch(planTargets(planning));
}

// Each is a file: reads a few at a time, so that other writes do not have to wait.
Task<> ActionExecutor::planUndos(PlanningPtr planning)
{
    const QByteArrayList& receipts = planning->request.receipts;
    PlanSet& set = planning->set;
    std::vector<Plan> found;
    for (qsizetype next = 0; next < receipts.size(); next += undosAtATime) {
        const QByteArrayList some = receipts.mid(next, undosAtATime);
        const qint64 now = m_serverClock.known() ? m_serverClock.serverMs(m_clock.nowMs()) : 0;
        const std::vector<Result<Plan>> plans = co_await m_runner.planUndos(some, now, this);
        for (size_t i = 0; i < plans.size(); ++i) {
            if (plans[i])
                found.push_back(*plans[i]);
            else
                set.refused.emplace_back(some[qsizetype(i)], plans[i].error());
        }
    }
    for (Plan& plan : found) {
        if (!NodeWait::isThere(m_control, plan.keys)) {
            const std::optional<Error> nodeDown =
                co_await planning->nodes.await(m_control, plan.keys, this);
            if (nodeDown) {
                set.refused.emplace_back(plan.undoes, *nodeDown);
                continue;
            }
        }
        set.plans.push_back(withNode(std::move(plan)));
    }
    finishPlanning(planning);
}

Task<> ActionExecutor::compareUndos(PlanningPtr planning)
{
    std::vector<Plan> shown;
    if (const PlanSet* kept = m_kept.find(planning->request.compares))
        shown = kept->plans;
    if (shown.size() > PlanRequest::mostCompared)
        shown.resize(PlanRequest::mostCompared);
    const Result<std::vector<size_t>> unfit =
        co_await findUnfitUndos(m_control, shown, m_serverClock, m_clock, this);
    const Error touched = notPossible(tr("it has changed since the action to undo")).value();
    for (size_t i = 0; i < shown.size(); ++i) {
        if (!unfit)
            planning->set.refused.emplace_back(shown[i].name, unfit.error());
        else if (std::find(unfit->begin(), unfit->end(), i) != unfit->end())
            planning->set.refused.emplace_back(shown[i].name, touched);
        else
            planning->set.plans.push_back(shown[i]);
    }
    finishPlanning(planning);
}

void ActionExecutor::refresh(quint64 ticket, const std::vector<PrimitivePtr>& primitives)
{
    launch(readFreshStates(m_control, primitives, m_firstSeen, m_serverClock, m_clock, this),
           [this, ticket](const FreshStates& states) { emit refreshed(ticket, states); });
}

// One of several that take the targets in turn.
Task<> ActionExecutor::planTargets(PlanningPtr planning)
{
    co_await limitsRead();
    const std::vector<PlanRequest::Target>& targets = planning->request.targets;
    while (planning->next < targets.size()) {
        const PlanRequest::Target& target = targets[planning->next++];
        Result<Plan> plan = co_await planOne(planning, target);
        if (plan) {
            std::vector<Plan> further = std::exchange(plan->further, {});
            add(planning->set, std::move(*plan));
            for (Plan& step : further)
                add(planning->set, std::move(step));
            continue;
        }
        if (plan.error().code == ErrorCode::NoPerm)
            readLimitsNow();
        const PrimitivePtr& primitive = target.primitive;
        planning->set.refused.emplace_back(
            primitive ? redactedKey(primitive->kind, primitive->name()) : QByteArray(),
            plan.error());
    }
    if (--planning->underWay == 0)
        finishPlanning(planning);
}

Task<Result<Plan>> ActionExecutor::planOne(PlanningPtr planning, PlanRequest::Target target)
{
    const PrimitivePtr& primitive = target.primitive;
    const Layout* layout =
        findLayout(primitive ? primitive->id.layout.text() : planning->request.layout);
    const Action* action = layout ? findAction(*layout, planning->request.action) : nullptr;
    if (!action) {
        co_await nextTurn(this);
        co_return notPossible(ActionText::tr("It does not support this action"));
    }
    ActionRequest request = planning->request.request;
    for (const auto& [name, value] : target.own)
        request.values[name] = value;
    if (primitive) {
        const std::vector<QByteArray> keys = keysOf(*primitive);
        const std::optional<Error> nodeDown = co_await planning->nodes.await(m_control, keys, this);
        if (nodeDown)
            co_return tl::unexpected<Error>(*nodeDown);
    }
    const PlanTarget planned{primitive, &m_firstSeen};
    Result<Plan> plan = co_await planAction(m_control, planned, *action, request, m_limits,
                                            m_serverClock, m_clock, this);
    co_return plan;
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

} // namespace lk
