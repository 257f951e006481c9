// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/redlock/redlocks.h"
#include "widgets/actions/plan/plandialog.h"

namespace lk {

/// Releases a lock on all servers of its group, or undoes that: the plan with a row for each
/// server, then the results. Closes with the objects that it uses.
class RedlockDialog final : public PlanDialog
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
    void agree() override;
    void planAgain() override;

private:
    void plan();
    void undo(const QByteArrayList& receipts) override;
    void stopRun() override;
    bool canPlanAgain() const override;
    void onPlanned(const RedlockPlan& plan);
    void onReceipt(const Receipt& receipt);
    void onFinished();
    void onWriteMode();
    void go(Step step);
    void updateButtons() override;
    QString hint() const;
    QString subject() const;
    QString title() const;

    QPointer<Redlocks> m_redlocks;
    const size_t m_group;
    RedlockRequest m_request;
    RedlockPlan m_planned;
    RedlockRelease* m_release = nullptr;    ///< of m_redlocks, which it ends with
    QHash<QByteArray, QString> m_endpoints; ///< by receipt
    int m_received = 0;                     ///< receipts of this run
};

} // namespace lk
