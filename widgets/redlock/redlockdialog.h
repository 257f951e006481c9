// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/redlock/redlocks.h"
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

/// Releases a lock on all servers of its group, or takes that back: the plan with a row for each
/// server, then what came of it there. Nothing is sent that writes before the plan was shown and
/// its verb pressed, in write mode. Closes with what it acts by.
class RedlockDialog final : public QDialog
{
    Q_OBJECT

public:
    RedlockDialog(Session* session, Redlocks* redlocks, size_t group, RedlockRequest request,
                  QWidget* parent);
    ~RedlockDialog() override;

    /// Opens a dialog over the window of that widget; it deletes itself.
    static RedlockDialog* open(Session* session, Redlocks* redlocks, size_t group,
                               RedlockRequest request, QWidget* over);

public slots:
    /// What the button with the verb does: runs the plan that is shown, if all it asks for is
    /// given.
    void agree();
    /// What F5 does.
    void planAgain();
    void reject() override; ///< while it runs: stops, and stays to tell what came of it

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Step : quint8 { Planning, Agreeing, Running, Told };

    void buildButtons();
    void plan();
    void undo(const QByteArrayList& receipts);
    void onPlanned(quint64 ticket, const RedlockPlan& plan);
    void onReceipt(quint64 ticket, const Receipt& receipt);
    void onFinished(quint64 ticket);
    void onWriteMode();
    void go(Step step);
    void updateButtons();
    void fit();
    QString hint() const;
    QString subject() const;
    QString title() const;

    QPointer<Session> m_session;
    QPointer<Redlocks> m_redlocks;
    const size_t m_group;
    RedlockRequest m_request;
    RedlockPlan m_planned;
    quint64 m_ticket = 0;
    Step m_step = Step::Planning;
    QHash<QByteArray, QString> m_endpoints; ///< by receipt
    int m_came = 0;                         ///< receipts of this run
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
