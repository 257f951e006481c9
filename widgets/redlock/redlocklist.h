// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/redlock/redlockmodel.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace lk {

class TableArrangement;

/// The locks on several servers, above those on one: a title, the problems of a group, and a row
/// for each lock. Hidden if no group is declared.
class RedlockList final : public QWidget
{
    Q_OBJECT

public:
    explicit RedlockList(QWidget* parent = nullptr);

    void show(const std::vector<RedlockReportPtr>& reports, const QString& filter);
    RedlockModel& model() const { return *m_model; }
    QTableView* table() const { return m_table; }
    void select(const RedlockId& id);
    void clearSelection();

signals:
    void selected(const lk::RedlockId& id); ///< by the user
    void wanted();                          ///< the menu of the selected one, at the cursor

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int widthOf(int column) const;
    void fit();

    RedlockModel* m_model;
    QLabel* m_title;
    QLabel* m_note;
    QTableView* m_table;
    TableArrangement* m_arrangement;
    bool m_restoring = false;
};

} // namespace lk
