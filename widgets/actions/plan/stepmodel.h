// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "widgets/controls/tables/rowmodel.h"

#include <QSet>

namespace lk {

/// A step of an action as its row shows it.
struct StepRow
{
    QString name;
    QString word;
    QString text;
    QString icon;
    ColorRole role = ColorRole::Second;
    QByteArray primitive = {}; ///< its name
    QString seen = {};         ///< the state that was planned for

    bool operator==(const StepRow&) const = default;
    void set(const QString& nowWord, const QString& nowText, const QString& nowIcon,
             ColorRole nowRole);
};

/// One row for each step of an action on several primitives: the plan, then its result.
class StepModel final : public RowModel<StepRow>
{
    Q_OBJECT

public:
    enum StepColumn { NameColumn, OutcomeColumn, TextColumn, ColumnTotal };

    explicit StepModel(QObject* parent = nullptr);

    /// The name of a row if all rows are of one primitive: the name of its server.
    struct Place
    {
        QString name;
        bool isHarmless = false; ///< refused, but that is no problem
    };

    /// places: of the plans, then of the refused steps. Empty: rows are named by their primitives.
    void setPlans(const PlanSet& set, const std::vector<Place>& places = {});
    /// Sets the current state of plans that no longer match, by name. The others are as planned.
    void setStale(const QHash<QByteArray, QString>& stale);
    /// Adds the receipt of the next step. Receipts come in the order of the plans.
    void add(const Receipt& receipt);
    /// Marks the end of the run: rows without a receipt will not get one.
    void finish();

    int planned() const { return m_planned; }
    int done() const { return int(m_receipts.size()); }
    /// Null if there is none yet.
    const Receipt* receiptAt(int row) const;
    int count(Outcome outcome) const;
    QSet<QByteArray> namesOf(Outcome outcome) const;
    /// Returns the receipts that can be undone, the last step first.
    QByteArrayList undoable() const;

private:
    std::vector<Receipt> m_receipts;
    int m_planned = 0;
};

} // namespace lk
