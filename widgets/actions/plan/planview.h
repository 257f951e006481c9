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

/// All of what is going to be done, before anything is; and what a person says to it.
class PlanView final : public QWidget
{
    Q_OBJECT

public:
    explicit PlanView(StepModel* steps, QWidget* parent = nullptr);

    /// While the server is read.
    void showWaiting(const QString& title);
    /// asTable: the steps are shown one a row. typed: what has to be typed before it can be done;
    /// empty: nothing.
    void showPlan(const PlanSet& set, const QString& title, const QString& server, bool asTable,
                  const QString& typed);
    /// Which of so many plans are no longer of what is there, and what is there instead.
    void setStale(const QHash<QByteArray, QString>& stale, int plans);
    /// What stands in the way now; empty: nothing.
    void setHint(const QString& text);

    /// On production nobody acts without saying why.
    void setReasonRequired(bool required);
    QString reason() const;
    /// What is required was typed: the name, and a reason.
    bool isConfirmed() const;
    /// What is still missing, for the hint; empty: nothing.
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
