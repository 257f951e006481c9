// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QDialog>
#include <QPointer>

class QMenu;
class QPushButton;
class QStackedWidget;

namespace lk {

class DangerButton;
class PlanView;
class ReceiptView;
class StepModel;

/// The frame of a dialog that acts: a plan, then what came of it, and the buttons below. Nothing is
/// sent that writes before the plan was shown and its verb pressed, in write mode. Closes with its
/// session.
class PlanDialog : public QDialog
{
    Q_OBJECT

public slots:
    /// What the button with the verb does: runs the plan that is shown, if all it asks for is
    /// given.
    virtual void agree() = 0;
    /// What F5 does: reads what is there now, and plans anew of that.
    virtual void planAgain() = 0;
    void reject() override; ///< while it runs: stops, and stays to tell what came of it

protected:
    enum class Step : quint8 { Parameters, Planning, Confirming, Running, Receipt };

    PlanDialog(Session* session, int width, QWidget* parent);
    /// Once, by whoever has made its pages: first and next stand at the left and before the others.
    void buildButtons(std::initializer_list<QPushButton*> first = {},
                      std::initializer_list<QPushButton*> next = {});

    Session* session() const { return m_session; }
    Step step() const { return m_step; }
    void enter(Step step) { m_step = step; }
    QStackedWidget& pages() const { return *m_pages; }
    StepModel& stepModel() const { return *m_steps; }
    PlanView& planView() const { return *m_plan; }
    ReceiptView& receiptView() const { return *m_receipt; }
    QPushButton& cancelButton() const { return *m_cancel; }
    QPushButton& againButton() const { return *m_again; }
    DangerButton& runButton() const { return *m_run; }

    /// hasPlan: there is something to agree to; canRun: as far as the plan itself goes.
    void showButtons(bool hasPlan, bool canRun);
    /// As high as the page that is seen needs, up to what the smallest window has room for.
    void fit();
    void keyPressEvent(QKeyEvent* event) override;

    virtual void updateButtons() = 0;
    virtual void undo(const QByteArrayList& receipts) = 0;
    virtual bool canPlanAgain() const = 0;
    virtual void stopRun() = 0; ///< what has not begun is left

private:
    QPointer<Session> m_session;
    const int m_width;
    Step m_step = Step::Planning;
    QStackedWidget* m_pages;
    StepModel* m_steps; // before the views that show it
    PlanView* m_plan;
    ReceiptView* m_receipt;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_turnOn = nullptr;
    QMenu* m_writeModeMenu = nullptr;
    DangerButton* m_run = nullptr;
};

} // namespace lk
