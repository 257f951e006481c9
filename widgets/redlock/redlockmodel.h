// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"
#include "widgets/theme/themecolors.h"

#include <QAbstractTableModel>

namespace lk {

/// A lock of a group, by its name. A value.
struct RedlockId
{
    size_t group = 0;
    QByteArray name;

    bool operator==(const RedlockId&) const = default;
};

/// The locks that groups of servers hold together, one a row: those in trouble first, then by name.
class RedlockModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum RedlockColumn { NameColumn, StateColumn, CountColumn, OwnerColumn, ValidColumn, Total };

    using QAbstractTableModel::QAbstractTableModel;

    /// filter: part of the name or of an owner; empty: all.
    void setReports(const std::vector<RedlockReportPtr>& reports, const QString& filter);

    /// In brief mode, a row shows only the number of servers that its owner has.
    bool isBrief() const { return m_isBrief; }
    void setBrief(bool brief);

    /// Null beyond the last; until the next setReports().
    const RedlockState* stateAt(int row) const;
    RedlockId idAt(int row) const;
    int rowOf(const RedlockId& id) const; ///< -1: not among the rows
    int withoutQuorum() const;            ///< rows without a quorum

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        size_t group = 0;
        RedlockState state;

        bool operator==(const Row&) const = default;
    };

    std::vector<Row> m_rows;
    bool m_isBrief = false;
};

/// Icon and colour of a standing. The icons differ without colour, too.
QString standingIconName(RedlockState::Standing standing);
ColorRole standingRole(RedlockState::Standing standing);
/// Returns "9 m 52 s", or the text in its place. Translated.
QString validityText(const RedlockState& state);

} // namespace lk
