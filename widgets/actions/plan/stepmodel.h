// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "widgets/theme/themecolors.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>

namespace lk {

/// One row for each step of an action on many: what is planned, then what came of it.
class StepModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum StepColumn { NameColumn, OutcomeColumn, TextColumn, ColumnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    /// What a row is called instead of its primitive, where all are of one: of which server it is.
    struct Place
    {
        QString name;
        bool isHarmless = false; ///< refused, and nothing is wrong with that
    };

    /// places: of the plans, then of what was refused; empty: rows are named by their primitives.
    void setPlans(const PlanSet& set, const std::vector<Place>& places = {});
    /// By name: what is there instead of what was planned for. The others are as planned.
    void setStale(const QHash<QByteArray, QString>& stale);
    /// Of the next step: they come in the plans' order.
    void add(const Receipt& receipt);
    /// What has no receipt now will have none.
    void finish();

    int planned() const { return m_planned; }
    int done() const { return int(m_receipts.size()); }
    /// Null where there is none (yet).
    const Receipt* receiptAt(int row) const;
    int count(Outcome outcome) const;
    QSet<QByteArray> namesOf(Outcome outcome) const;
    /// What can be undone, the last step first.
    QByteArrayList undoable() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        QString name;
        QString word;
        QString text;
        QString icon;
        ColorRole role = ColorRole::Second;
        QByteArray primitive = {}; ///< its name
        QString seen = {};         ///< what was planned for
    };

    std::vector<Row> m_rows;
    bool m_hasPlaces = false;
    std::vector<Receipt> m_receipts;
    int m_planned = 0;
};

} // namespace lk
