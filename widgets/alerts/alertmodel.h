// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// The standing of an alert, in the order in which the board shows them.
enum class AlertStanding : quint8 { Open, Acknowledged, Silenced, Past };
QString standingId(AlertStanding standing);   ///< for the program: "open"
QString standingWord(AlertStanding standing); ///< translated

/// An alert and its standing.
struct AlertRow
{
    AlertPtr alert;
    AlertStanding standing = AlertStanding::Open;

    bool operator==(const AlertRow&) const = default;
};

/// The alerts that fit the filter: open ones before past ones, the worst first, then the newest.
class AlertModel final : public RowModel<AlertRow>
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

    explicit AlertModel(QObject* parent = nullptr);

    /// nowMs: this machine's clock, which silences go by.
    void setAlerts(const AlertsPtr& alerts, qint64 nowMs);
    void setFilter(const Filter& filter);

    AlertPtr alertAt(int row) const; ///< null beyond the last
    AlertStanding standingAt(int row) const;
    int rowOf(const QByteArray& id) const; ///< -1: not among the rows
    /// Within the text of the filter; index: AlertStanding.
    std::array<qint64, 4> counts() const;
    /// One line a row, for the clipboard and files; rows empty: all of them.
    std::function<QString()> csv(const std::vector<int>& rows = {}) const;

private:
    bool fitsText(const Alert& alert) const;
    void arrange();

    std::vector<AlertRow> m_all;
    Filter m_filter;
};

/// A moment as a table shows it: the time, and the day where it is not today.
QString shortMoment(qint64 ms);

} // namespace lk
