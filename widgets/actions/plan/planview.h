// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QScrollArea;
class QTableView;

namespace lk {

class FactGrid;
class InlineMessage;
class StepModel;

/// A table of steps, one row each.
QTableView* makeStepTable(StepModel* model);

/// The whole plan before anything runs, and the user's confirmation.
class PlanView final : public QWidget
{
    Q_OBJECT

public:
    explicit PlanView(StepModel* steps, QWidget* parent = nullptr);

    /// While the server is read.
    void showWaiting(const QString& title);
    /// asTable: shows the steps as rows. typed: the text that the user must type; empty: none.
    void showPlan(const PlanSet& set, const QString& title, const QString& server, bool asTable,
                  const QString& typed);
    /// Sets which plans no longer match the server, each with the current state. plans: the number
    /// of all plans.
    void setStale(const QHash<QByteArray, QString>& stale, int plans);
    /// Shows what prevents the run. Empty if nothing does.
    void setHint(const QString& text);

    /// Requires a reason, as on production.
    void setReasonRequired(bool required);
    QString reason() const;
    /// Returns true if all required input was typed: the name and a reason.
    bool isConfirmed() const;
    /// Returns what is still missing, for the hint. Empty if nothing is.
    QString missing() const;

signals:
    void changed();

private:
    void fitScroll();

    QScrollArea* m_scroll;
    QLabel* m_title;
    QLabel* m_consequence;
    FactGrid* m_facts;
    QTableView* m_table;
    InlineMessage* m_refused;
    QWidget* m_reasonRow;
    QLineEdit* m_reason;
    QWidget* m_typedRow;
    QLabel* m_typedLabel;
    QLineEdit* m_typedField;
    InlineMessage* m_stale;
    InlineMessage* m_hint;
    QString m_typed;
    bool m_reasonRequired = false;
};

} // namespace lk
