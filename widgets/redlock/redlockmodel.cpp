// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlockmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>

#include <algorithm>

namespace lk {

namespace {

using Standing = RedlockState::Standing;

constexpr int longestText = 200; // characters of a name or an owner in a row

bool fits(const RedlockState& state, const NameFilter& filter)
{
    return filter.isEmpty() || filter.fits(state.name) ||
           std::any_of(state.votes.begin(), state.votes.end(), [&](const RedlockVote& vote) {
               return vote.present && filter.fits(vote.owner);
           });
}

QString cell(const RedlockState& state, int column)
{
    switch (column) {
    case RedlockModel::NameColumn:
        return displayPreview(state.name, longestText);
    case RedlockModel::StateColumn:
        return standingText(state.standing);
    case RedlockModel::CountColumn:
        return redlockCounts(state);
    case RedlockModel::OwnerColumn:
        return state.holds > 0 ? displayPreview(state.owner, longestText) : QString();
    default:
        return validityText(state);
    }
}

} // namespace

QString standingIconName(Standing standing)
{
    switch (standing) {
    case Standing::Free:
        return QStringLiteral("unlock");
    case Standing::Held:
        return QStringLiteral("ok");
    case Standing::NoQuorum:
    case Standing::Split:
        return QStringLiteral("warning");
    case Standing::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

ColorRole standingRole(Standing standing)
{
    switch (standing) {
    case Standing::Held:
        return ColorRole::Ok;
    case Standing::NoQuorum:
    case Standing::Split:
    case Standing::Unknown:
        return ColorRole::Warning;
    case Standing::Free:
        break;
    }
    return ColorRole::Second;
}

QString validityText(const RedlockState& state)
{
    if (state.standing != Standing::Held)
        return {};
    return state.validityMs ? formatDuration(*state.validityMs) : RedlockModel::tr("no TTL");
}

void RedlockModel::setReports(const std::vector<RedlockReportPtr>& reports, const QString& filter)
{
    const NameFilter wanted(filter.trimmed());
    std::vector<Row> rows;
    for (size_t group = 0; group < reports.size(); ++group) {
        if (!reports[group])
            continue;
        for (const RedlockState& state : reports[group]->locks) {
            if (fits(state, wanted))
                rows.push_back({group, state});
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.state.lacksQuorum() > b.state.lacksQuorum();
    });
    if (rows == m_rows)
        return;
    const bool same =
        rows.size() == m_rows.size() &&
        std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const Row& a, const Row& b) {
            return a.group == b.group && a.state.name == b.state.name;
        });
    if (same) {
        m_rows = std::move(rows);
        emit dataChanged(index(0, 0), index(rowCount() - 1, Total - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void RedlockModel::setBrief(bool brief)
{
    if (brief == m_isBrief)
        return;
    m_isBrief = brief;
    if (rowCount() > 0)
        emit dataChanged(index(0, CountColumn), index(rowCount() - 1, CountColumn));
}

const RedlockState* RedlockModel::stateAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) ? &m_rows[size_t(row)].state : nullptr;
}

RedlockId RedlockModel::idAt(int row) const
{
    const RedlockState* state = stateAt(row);
    return state ? RedlockId{m_rows[size_t(row)].group, state->name} : RedlockId();
}

int RedlockModel::rowOf(const RedlockId& id) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
        return row.group == id.group && row.state.name == id.name;
    });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

int RedlockModel::withoutQuorum() const
{
    return int(std::count_if(m_rows.begin(), m_rows.end(),
                             [](const Row& row) { return row.state.lacksQuorum(); }));
}

int RedlockModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RedlockModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Total;
}

QVariant RedlockModel::data(const QModelIndex& index, int role) const
{
    const RedlockState* state = index.isValid() ? stateAt(index.row()) : nullptr;
    if (!state)
        return {};
    const bool mono = index.column() == NameColumn || index.column() == OwnerColumn;
    switch (role) {
    case Qt::DisplayRole:
        if (m_isBrief && index.column() == CountColumn)
            return tr("%1 of %2").arg(state->holds).arg(state->votes.size());
        return cell(*state, index.column());
    case Qt::FontRole:
        return mono ? QVariant(monoFont(TextSize::Body)) : QVariant();
    case Qt::DecorationRole:
        return index.column() == StateColumn
                   ? QVariant(icon(standingIconName(state->standing), standingRole(state->standing),
                                   QGuiApplication::palette()))
                   : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == ValidColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                             : QVariant();
    case Qt::ToolTipRole:
        return plainTip(
            QStringLiteral("%1\n%2").arg(displayName(state->name), redlockText(*state)));
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn
                   ? QVariant(QStringLiteral("%1, %2").arg(displayPreview(state->name, longestText),
                                                           redlockText(*state)))
                   : QVariant();
    default:
        return {};
    }
}

QVariant RedlockModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == ValidColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Name");
    case StateColumn:
        return tr("State");
    case CountColumn:
        return tr("Servers");
    case OwnerColumn:
        return tr("Owner");
    default:
        return tr("Valid for");
    }
}

} // namespace lk
