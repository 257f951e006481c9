// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QStringList>
#include <QVariantMap>

class QTableView;

namespace lk {

/// The user's arrangement of a table: the widths of columns that were set by hand, and the sort
/// order. A double click on a column's edge returns its width to the program. GUI thread; child of
/// the table.
class TableArrangement final : public QObject
{
    Q_OBJECT

public:
    /// ids: one for each column, in their order; for settings, so not translated. The table has its
    /// model.
    /// name: by which arrangementsIn() has it; empty: not at all.
    TableArrangement(QTableView* table, const QStringList& ids, const QString& name = {});

    /// Sets the program's width of a column. A column set by hand keeps its own.
    void resize(int column, int width);
    bool isByHand(int column) const { return m_byHand.contains(column); }
    int byHand(int column) const { return m_byHand.value(column); }

    QVariantMap state() const;
    void setState(const QVariantMap& state);

signals:
    void released(); ///< columns that were set by hand are the program's again: resize() them

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void onResized(int column, int width);

    QTableView* m_table;
    const QStringList m_ids;
    QMap<int, int> m_byHand; ///< pixels, by column
    bool m_pressed = false;  ///< the mouse, on the header
};

/// How the named tables in that widget are arranged, by their names.
QVariantMap arrangementsIn(const QWidget& root);
void setArrangementsIn(const QWidget& root, const QVariantMap& state);

} // namespace lk
