// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/session/session.h"
#include "widgets/actions/actiondraft.h"
#include "widgets/actions/plan/plandialog.h"

namespace lk {

class ParameterForm;
class PlanFollower;

/// The dialog for one action, from its parameters to its result: fields, plan, receipt. It says if
/// the plan no longer matches the server. F5 then plans again, as it does after a conflict.
class ActionDialog final : public PlanDialog
{
    Q_OBJECT

public:
    ActionDialog(Session* session, ActionDraft draft, QWidget* parent);
    ~ActionDialog() override;

    /// Opens a dialog over the window of that widget, and over it alone; it deletes itself.
    static ActionDialog* open(Session* session, ActionDraft draft, QWidget* over);

public slots:
    void agree() override;
    void planAgain() override;

private:
    void buildForm();
    void begin();
    void plan();
    void undo(const QByteArrayList& receipts) override;
    void stopRun() override;
    void takeUp(const PlanRequest& request);
    void onRefreshed(quint64 ticket, const FreshStates& states);
    void refreshTargets(const FreshStates& states);
    void onPlanned(const PlanSet& set);
    void onPlanDropped(quint64 ticket, const Error& why);
    void discardPlans();
    void showPlan();
    bool showAnswer();
    void onReceipt(quint64 ticket, const Receipt& receipt);
    void onFinished(quint64 ticket);
    void watchTaken(const Receipt& receipt);
    void onStale();
    void go(Step step);
    void updateButtons() override;

    bool isMany() const { return m_draft.targets.size() > 1 || m_draft.receipts.size() > 1; }
    bool canPlanAgain() const override;
    bool writes() const { return !m_draft.action || m_draft.action->writes(); }
    QString hint() const;

    ActionDraft m_draft;
    PlanSet m_set;
    PlanRequest m_request; ///< the request that produced m_set
    bool m_each;           ///< each target has its own known values
    PlanFollower* m_follower;
    QByteArray m_watched;  ///< the receipt of the step whose jobs may be taken; empty: none
    quint64 m_awaited = 0; ///< ticket of the planning, or of the reading before it; 0: none
    ParameterForm* m_form = nullptr; ///< null with undo
    QPushButton* m_back;
    QPushButton* m_next;
};

} // namespace lk
