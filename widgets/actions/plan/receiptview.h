// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/theme/themecolors.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace lk {

class CodeView;
class StepModel;

/// The result of a run: a single step in full, several steps as a table that fills up.
class ReceiptView final : public QWidget
{
    Q_OBJECT

public:
    explicit ReceiptView(StepModel* steps, QWidget* parent = nullptr);

    /// Shows the answer of an action that only reads.
    void showAnswer(const Plan& plan, const QString& server);
    void showAnswers(const QString& title);
    /// what: the step in words, without secrets.
    void showReceipt(const Receipt& receipt, const QString& what, const QString& server);
    /// The caller fills in the steps and then calls updateMany().
    void beginMany(const QString& title);
    void updateMany(bool ended);

    /// Whether workers take the jobs that were queued, or that it is being watched.
    void showTaken(const QString& text);

    /// Clears the code, which is shown only once.
    void forget();

signals:
    /// receipts: the last step first.
    void undoWanted(const QByteArrayList& receipts);

private:
    void updateIcon();
    void setHead(const QString& iconName, ColorRole role, const QString& title,
                 const QString& text);
    void setReceipt(const Receipt* receipt);
    void setFacts(std::vector<FactGrid::Row> rows);
    void copyReceipt();

    QLabel* m_icon;
    QString m_iconName;
    ColorRole m_iconRole = ColorRole::Second;
    QLabel* m_title;
    QLabel* m_text;
    CodeView* m_code;
    FactGrid* m_facts;
    std::vector<FactGrid::Row> m_rows; ///< those of m_facts but for the workers
    QProgressBar* m_progress;
    QTableView* m_table;
    QPushButton* m_copy;
    QPushButton* m_undo;
    QPushButton* m_undoAll;
    StepModel* m_steps;
    bool m_many = false;
    bool m_running = false; ///< only with several steps: some are still to come
    QString m_heading;
    QByteArray m_receipt; ///< the one shown or selected
};

} // namespace lk
