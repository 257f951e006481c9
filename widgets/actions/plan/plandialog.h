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

/// Base of the dialogs that run actions: a plan, then its result, and the buttons below. Nothing
/// that writes is sent before the plan was shown and confirmed, in write mode. Closes with its
/// session.
class PlanDialog : public QDialog
{
    Q_OBJECT

public slots:
    /// Runs the plan that is shown if all required input is given. Triggered by the button that
    /// names the action.
    virtual void agree() = 0;
    /// Reads the current state and plans again from it. Triggered by F5.
    virtual void planAgain() = 0;
    void reject() override; ///< during a run: stops it and stays open to show the result

protected:
    enum class Step : quint8 { Parameters, Planning, Confirming, Running, Receipt };

    PlanDialog(Session* session, int width, QWidget* parent);
    /// Called once, after the subclass has made its pages. The buttons in first go at the left,
    /// those in next before the other buttons.
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
    /// Fits the height to the current page, up to the room in the smallest window.
    void fit();
    void keyPressEvent(QKeyEvent* event) override;

    virtual void updateButtons() = 0;
    virtual void undo(const QByteArrayList& receipts) = 0;
    virtual bool canPlanAgain() const = 0;
    virtual void stopRun() = 0; ///< steps that have not begun are not run

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
