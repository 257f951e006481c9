// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/planfollower.h"

#include "backend/core/derived/statechange.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "backend/text/errortext.h"

#include <span>

namespace lk {

namespace {

constexpr int pauseMs = 300; // between two checks of values that change all the time
// With many plans; the others come next.
constexpr auto mostAtATime = qsizetype(PlanRequest::mostCompared);

// The server could not be asked: this does not concern the plan.
bool isNoAnswer(ErrorCode code)
{
    return code == ErrorCode::Timeout || code == ErrorCode::ServerClosed ||
           code == ErrorCode::Network || code == ErrorCode::Cancelled ||
           code == ErrorCode::Refused || code == ErrorCode::Busy || code == ErrorCode::Loading;
}

// Joins the steps of one primitive into one plan.
QHash<QByteArray, Plan> wholePlans(const PlanSet& set)
{
    QHash<QByteArray, Plan> whole;
    for (const Plan& plan : set.plans) {
        const auto known = whole.find(plan.name);
        if (known == whole.end())
            whole.insert(plan.name, plan);
        else
            known->seen.insert(known->seen.end(), plan.seen.begin(), plan.seen.end());
    }
    return whole;
}

} // namespace

PlanFollower::PlanFollower(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(pauseMs);
    connect(&m_soon, &QTimer::timeout, this, &PlanFollower::planDue);
    connect(&session->states(), &SessionStates::changed, this, &PlanFollower::onChanged);
    connect(&session->acting(), &SessionActing::planned, this, &PlanFollower::onPlanned);
}

PlanFollower::~PlanFollower()
{
    stop();
}

void PlanFollower::follow(const PlanSet& set, const PlanRequest& request)
{
    stop();
    if (!m_session || set.plans.empty())
        return;
    m_request = request;
    m_request.compares = set.ticket;
    if (!request.receipts.isEmpty())
        return followUndo(set);
    if (request.targets.empty())
        return;
    QHash<PrimitiveId, const PlanRequest::Target*> targets;
    for (const PlanRequest::Target& target : request.targets)
        targets.insert(target.primitive->id, &target);
    m_plans = wholePlans(set);
    const QHash<PrimitiveId, Handle> handles =
        m_session->states().handlesOf(QSet<PrimitiveId>(targets.keyBegin(), targets.keyEnd()));
    for (auto it = handles.cbegin(); it != handles.cend(); ++it) {
        if (!m_plans.contains(it.key().name))
            continue;
        m_targets.insert(it.value(), *targets.value(it.key()));
    }
    const QList<Handle> all = m_targets.keys();
    begin({all.begin(), all.end()});
    // The plans are slightly old: checks at once for changes since then.
    if (all.size() <= mostAtATime) {
        m_due = QSet<Handle>(all.begin(), all.end());
        m_soon.start();
    }
}

// Compares the state that a step has left with the current state. With many plans, only as many as
// are read.
void PlanFollower::followUndo(const PlanSet& set)
{
    const size_t compared = std::min(set.plans.size(), PlanRequest::mostCompared);
    for (const Plan& plan : std::span(set.plans).first(compared)) {
        m_plans.insert(plan.name, plan);
        m_undoKeys.unite(QSet<QByteArray>(plan.keys.begin(), plan.keys.end()));
    }
    begin(m_session->states().handlesWith(m_undoKeys));
    m_due.insert(noHandle);
    m_soon.start();
}

void PlanFollower::begin(const std::vector<Handle>& handles)
{
    for (const Handle handle : handles)
        m_seen.insert(handle, m_session->states().at(handle));
    m_session->polling().setPlanned(handles);
}

void PlanFollower::stop()
{
    if (m_session && !m_plans.isEmpty())
        m_session->polling().setPlanned({});
    m_soon.stop();
    m_awaited = 0;
    m_seen.clear();
    m_targets.clear();
    m_undoKeys.clear();
    m_plans.clear();
    m_due.clear();
    m_stale.clear();
}

void PlanFollower::onChanged(const DeltaPtr& delta)
{
    if (m_plans.isEmpty())
        return;
    for (const StateChange& change : delta->changes) {
        const auto seen = m_seen.find(change.handle);
        if (seen == m_seen.end()) {
            if (change.state && SessionStates::hasOneOf(*change.state->primitive, m_undoKeys))
                see(change.handle);
            continue;
        }
        if (*seen && change.state && isSameContent(**seen, *change.state))
            continue;
        *seen = change.state;
        m_due.insert(change.handle);
    }
    if (!m_due.isEmpty() && !m_soon.isActive() && m_awaited == 0)
        m_soon.start();
}

// A primitive has appeared.
void PlanFollower::see(Handle handle)
{
    const QList<Handle> all = m_seen.keys() << handle;
    begin({all.begin(), all.end()});
    m_due.insert(handle);
}

void PlanFollower::planDue()
{
    if (!m_session || m_due.isEmpty() || m_awaited != 0)
        return;
    PlanRequest request = m_request;
    if (!m_request.receipts.isEmpty()) {
        m_due.clear();
        m_awaited = m_session->acting().plan(request);
        return;
    }
    request.targets.clear();
    for (auto it = m_due.begin();
         it != m_due.end() && qsizetype(request.targets.size()) < mostAtATime;) {
        request.targets.push_back(m_targets.value(*it));
        it = m_due.erase(it);
    }
    m_awaited = m_session->acting().plan(std::move(request));
}

void PlanFollower::onPlanned(const PlanSet& set)
{
    if (m_awaited == 0 || set.ticket != m_awaited)
        return;
    m_awaited = 0;
    const QHash<QByteArray, QString> before = m_stale;
    for (const Plan& now : wholePlans(set)) {
        const auto shown = m_plans.constFind(now.name);
        if (shown != m_plans.cend())
            setStale(now.name, stillFits(*shown, now) ? QString() : now.expected);
    }
    for (const auto& [name, error] : set.refused) {
        if (m_plans.contains(name) && !isNoAnswer(error.code))
            setStale(name, errorText(error));
    }
    if (!m_due.isEmpty())
        m_soon.start();
    if (m_stale != before)
        emit changed();
}

void PlanFollower::setStale(const QByteArray& name, const QString& why)
{
    if (why.isEmpty())
        m_stale.remove(name);
    else
        m_stale.insert(name, why);
}

} // namespace lk
