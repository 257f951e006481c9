// SPDX-License-Identifier: GPL-3.0-or-later
// What the dialog does about a plan that what it is about has left behind.
#include "widgets/actions/actiondialog.h"

#include "backend/monitor/session.h"
#include "widgets/actions/parameterform.h"
#include "widgets/actions/planfollower.h"
#include "widgets/actions/planview.h"
#include "widgets/actions/stepmodel.h"

namespace lk {

void ActionDialog::planAgain()
{
    if (!m_session || !canPlanAgain())
        return;
    if (!m_wish.action)
        return undo(m_wish.receipts);
    refreshTargets();
    plan();
}

// As they are now. Of a run those that ended as a conflict: what is done is not done twice.
void ActionDialog::refreshTargets()
{
    QSet<PrimitiveId> ids;
    for (const StatePtr& state : m_wish.targets)
        ids.insert(state->primitive->id);
    const QHash<PrimitiveId, Handle> handles = m_session->handlesOf(ids);
    const QSet<QByteArray> conflicts =
        m_step == Step::Told ? m_steps->namesOf(Outcome::Conflict) : QSet<QByteArray>();
    std::vector<StatePtr> targets;
    for (const StatePtr& state : m_wish.targets) {
        if (m_step == Step::Told && !conflicts.contains(state->primitive->id.name))
            continue;
        const auto handle = handles.constFind(state->primitive->id);
        const StatePtr now = handle == handles.cend() ? nullptr : m_session->state(*handle);
        targets.push_back(now ? now : state);
    }
    if (!m_each && targets.size() == 1) {
        // What was filled in because it was known is known better now; what a person typed stays.
        const ActionRequest request = m_form->request();
        for (const ActionParameter& parameter : m_wish.action->parameters()) {
            const auto before = knownValue(parameter, *m_wish.targets.front());
            const auto now = knownValue(parameter, *targets.front());
            if (before && now && request.text(parameter.name) == *before)
                m_form->prefill(parameter.name, *now);
        }
    }
    m_wish.targets = std::move(targets);
}

bool ActionDialog::canPlanAgain() const
{
    if (m_step == Step::Agreeing)
        return m_set.plans.empty() || !m_follower->stale().isEmpty();
    return m_step == Step::Told && m_wish.action && !m_wish.targets.empty()
           && m_steps->count(Outcome::Conflict) > 0;
}

// What is shown is no longer what is there: said at once, whatever the person is doing.
void ActionDialog::onStale()
{
    if (m_step != Step::Agreeing)
        return;
    const QHash<QByteArray, QString>& stale = m_follower->stale();
    m_steps->setStale(stale);
    m_plan->setStale(stale, int(m_set.plans.size()));
    updateButtons();
    fit();
}

} // namespace lk
