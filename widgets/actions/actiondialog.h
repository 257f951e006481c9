// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/actionexecutor.h"
#include "backend/session/session.h"
#include "widgets/actions/actiondraft.h"

#include <QDialog>
#include <QPointer>

class QMenu;
class QPushButton;
class QStackedWidget;

namespace lk {

class DangerButton;
class ParameterForm;
class PlanFollower;
class PlanView;
class ReceiptView;
class StepModel;

/// One action from what it has to be told to what came of it: fields, plan, receipt. Nothing is
/// sent that writes before the plan was shown and its verb pressed. A plan that what it is about
/// has left behind says so and is made again by F5, as is one that ended as a conflict. Closes with
/// its session.
class ActionDialog final : public QDialog
{
    Q_OBJECT

public:
    ActionDialog(Session* session, ActionDraft draft, QWidget* parent);
    ~ActionDialog() override;

    /// Opens a dialog over the window of that widget, and over it alone; it deletes itself.
    static ActionDialog* open(Session* session, ActionDraft draft, QWidget* over);

public slots:
    /// What the button with the verb does: runs the plan that is shown, if all it asks for is
    /// given.
    void agree();
    /// What F5 does: reads what is there now, and plans anew of that.
    void planAgain();
    void reject() override; ///< while it runs: stops, and stays to tell what came of it

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Step : quint8 { Asking, Planning, Agreeing, Running, Told };

    void buildButtons();
    void buildForm();
    void begin();
    void plan();
    void undo(const QByteArrayList& receipts);
    void takeUp(const PlanRequest& ask);
    void onRefreshed(quint64 ticket, const FreshStates& states);
    void refreshTargets(const FreshStates& states);
    void onPlanned(const PlanSet& set);
    void onPlanDropped(quint64 ticket, const Error& why);
    void discardPlans();
    void showPlan();
    bool showAnswer();
    void onReceipt(quint64 ticket, const Receipt& receipt);
    void onFinished(quint64 ticket);
    void onStale();
    void go(Step step);
    void updateButtons();
    void fit();

    bool isMany() const { return m_draft.targets.size() > 1 || m_draft.receipts.size() > 1; }
    bool canPlanAgain() const;
    bool writes() const { return !m_draft.action || m_draft.action->writes(); }
    QString hint() const;

    QPointer<Session> m_session;
    ActionDraft m_draft;
    Step m_step = Step::Asking;
    PlanSet m_set;
    PlanRequest m_ask; ///< what m_set is made of
    bool m_each;       ///< each target is asked with what is known of it
    PlanFollower* m_follower;
    quint64 m_awaited = 0; ///< ticket of the planning, or of the reading before it; 0: none
    QStackedWidget* m_pages;
    ParameterForm* m_form = nullptr; ///< null with undo
    StepModel* m_steps;              // before the views that show it
    PlanView* m_plan;
    ReceiptView* m_receipt;
    QPushButton* m_back = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_turnOn = nullptr;
    QMenu* m_writeModeMenu = nullptr;
    DangerButton* m_run = nullptr;
};

} // namespace lk
