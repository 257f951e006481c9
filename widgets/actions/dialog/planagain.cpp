// SPDX-License-Identifier: GPL-3.0-or-later
// How the dialog starts, follows and discards plans.
#include "widgets/actions/dialog/actiondialog.h"

#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionstates.h"
#include "widgets/actions/parameterform.h"
#include "widgets/actions/plan/planfollower.h"
#include "widgets/actions/plan/planview.h"
#include "widgets/actions/plan/planwording.h"
#include "widgets/actions/plan/stepmodel.h"

namespace lk {

void ActionDialog::planAgain()
{
    if (!session() || !canPlanAgain())
        return;
    if (!m_draft.action)
        return undo(m_draft.receipts);
    if (step() == Step::Receipt) { // of a run those that ended as a conflict: nothing is done twice
        const QSet<QByteArray> conflicts = stepModel().namesOf(Outcome::Conflict);
        std::erase_if(m_draft.targets, [&](const StatePtr& state) {
            return !conflicts.contains(state->primitive->id.name);
        });
    }
    QSet<PrimitiveId> ids;
    for (const StatePtr& state : m_draft.targets)
        ids.insert(state->primitive->id);
    const QHash<PrimitiveId, Handle> handles = session()->states().handlesOf(ids);
    std::vector<PrimitivePtr> targets;
    for (const StatePtr& state : m_draft.targets) {
        const StatePtr known =
            session()->states().at(handles.value(state->primitive->id, noHandle));
        targets.push_back(known ? known->primitive : state->primitive);
    }
    m_follower->stop();
    discardPlans();
    go(Step::Planning);
    // The window's state may be older than the change that caused the conflict.
    m_awaited = session()->acting().refresh(targets);
}

void ActionDialog::takeUp(const PlanRequest& request)
{
    setWindowTitle(tr("%1 – Lockkeeper").arg(titleOf(m_draft)));
    m_follower->stop();
    discardPlans();
    m_request = request;
    go(Step::Planning);
    m_awaited = session()->acting().plan(request);
}

// Plans that are no longer shown must not run.
void ActionDialog::discardPlans()
{
    if (session() && m_awaited != 0)
        session()->acting().discardPlans(m_awaited);
    if (session() && m_set.ticket != 0 && step() != Step::Running)
        session()->acting().discardPlans(m_set.ticket);
    m_awaited = 0;
    m_set = {};
}

// These plans will not run: shows why, and offers to plan again.
void ActionDialog::onPlanDropped(quint64 ticket, const Error& why)
{
    if (ticket == 0 || ticket != m_set.ticket ||
        (step() != Step::Confirming && step() != Step::Running))
        return;
    m_follower->stop();
    m_set = {};
    m_set.refused.emplace_back(QByteArray(), why);
    showPlan();
}

void ActionDialog::onRefreshed(quint64 ticket, const FreshStates& states)
{
    if (m_awaited == 0 || ticket != m_awaited)
        return;
    refreshTargets(states);
    plan();
}

// Updates the targets to their current states. A target that could not be read stays as it was, and
// the plan says why.
void ActionDialog::refreshTargets(const FreshStates& states)
{
    std::vector<StatePtr> targets = m_draft.targets;
    for (size_t i = 0; i < targets.size() && i < states.size(); ++i) {
        if (states[i] && !states[i]->problem)
            targets[i] = states[i];
    }
    if (!m_each && targets.size() == 1) {
        // Updates values that were filled in automatically; values that the user typed stay.
        const ActionRequest request = m_form->request();
        for (const ActionParameter& parameter : m_draft.action->parameters()) {
            const auto before = knownValue(parameter, *m_draft.targets.front());
            const auto now = knownValue(parameter, *targets.front());
            if (before && now && request.text(parameter.name) == *before)
                m_form->prefill(parameter.name, *now);
        }
    }
    m_draft.targets = std::move(targets);
}

bool ActionDialog::canPlanAgain() const
{
    if (step() == Step::Confirming)
        return m_set.plans.empty() || !m_follower->stale().isEmpty();
    return step() == Step::Receipt && m_draft.action && !m_draft.targets.empty() &&
           stepModel().count(Outcome::Conflict) > 0;
}

// The plan no longer matches the server: says so at once.
void ActionDialog::onStale()
{
    if (step() != Step::Confirming)
        return;
    const QHash<QByteArray, QString>& stale = m_follower->stale();
    stepModel().setStale(stale);
    planView().setStale(stale, isOfOne(m_set) ? 1 : int(m_set.plans.size()));
    updateButtons();
    fit();
}

} // namespace lk
