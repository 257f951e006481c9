// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"

#include <QAbstractTableModel>

namespace lk {

/// The standing of an alert, in the order in which the board shows them.
enum class AlertStanding : quint8 { Open, Acknowledged, Silenced, Past };
QString standingId(AlertStanding standing);   ///< for the program: "open"
QString standingWord(AlertStanding standing); ///< translated

/// The alerts that fit the filter: open ones before past ones, the worst first, then the newest.
class AlertModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum AlertColumn { SeverityColumn, NameColumn, TextColumn, StandingColumn, SinceColumn, Total };

    /// Which alerts are shown; empty: all.
    struct Filter
    {
        QString text; ///< part of the name, the rule or the message
        std::optional<AlertStanding> standing;

        bool operator==(const Filter&) const = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// nowMs: this machine's clock, which silences go by.
    void setAlerts(const AlertsPtr& alerts, qint64 nowMs);
    void setFilter(const Filter& filter);

    AlertPtr alertAt(int row) const; ///< null beyond the last
    AlertStanding standingAt(int row) const;
    int rowOf(const QByteArray& id) const; ///< -1: not among the rows
    /// Within the text of the filter; index: AlertStanding.
    std::array<qint64, 4> counts() const;
    /// One line a row, for the clipboard and files; rows empty: all of them.
    QString csv(const std::vector<int>& rows = {}) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        AlertPtr alert;
        AlertStanding standing = AlertStanding::Open;

        bool operator==(const Row&) const = default;
    };

    bool fitsText(const Alert& alert) const;
    void arrange();
    QString text(const Row& row, int column) const;

    std::vector<Row> m_all;
    std::vector<Row> m_rows;
    Filter m_filter;
};

/// A moment as a table shows it: the time, and the day where it is not today.
QString shortMoment(qint64 ms);

} // namespace lk
