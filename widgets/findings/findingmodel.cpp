// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/findingmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/text/csv.h"
#include "widgets/charts/chartformat.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QDateTime>
#include <QGuiApplication>
#include <QHash>

namespace lk {

namespace {

bool fits(const Finding& f, const NameFilter& text)
{
    return text.fits(f.code) || (f.group ? text.fits(f.name) : isFoundBy(f.kind, f.name, text)) ||
           isFoundBy(f.kind, f.key, text) || text.fits(f.message);
}

bool comesBefore(const LiveFinding& a, const LiveFinding& b, int column)
{
    switch (column) {
    case FindingModel::SeverityColumn:
        return a.finding.severity < b.finding.severity;
    case FindingModel::NameColumn:
        return a.finding.name < b.finding.name;
    case FindingModel::MessageColumn:
        return a.finding.message < b.finding.message;
    default:
        return a.finding.code < b.finding.code;
    }
}

quint64 idOf(const LiveFindingPtr& live)
{
    return live ? live->id : 0;
}

} // namespace

void FindingModel::setFindings(const LiveFindingsPtr& findings)
{
    m_findings = findings;
    arrange(!findings);
}

void FindingModel::setFilter(const Filter& filter)
{
    m_filter = filter;
    m_filter.text = filter.text.trimmed();
    arrange(true);
}

void FindingModel::setOrder(int column, bool descending)
{
    m_column = column;
    m_descending = descending;
    arrange(true);
}

void FindingModel::setHeld(bool held)
{
    if (std::exchange(m_held, held) && !held)
        arrange(false);
}

void FindingModel::keep(quint64 id)
{
    if (std::exchange(m_kept, id) != id && !m_held)
        arrange(false);
}

FindingModel::Rows FindingModel::wanted() const
{
    Rows rows;
    if (!m_findings)
        return rows;
    const NameFilter text(m_filter.text);
    for (const LiveFindingPtr& live : m_findings->rows) {
        const Finding& f = live->finding;
        const bool left = (f.silenced && !m_filter.silenced) ||
                          (m_filter.severity && f.severity != *m_filter.severity);
        if (!left && fits(f, text))
            rows.push_back({live, false});
    }
    if (m_column >= 0) {
        std::stable_sort(rows.begin(), rows.end(), [this](const Row& a, const Row& b) {
            return m_descending ? comesBefore(*b.live, *a.live, m_column)
                                : comesBefore(*a.live, *b.live, m_column);
        });
    }
    return rows;
}

std::array<qint64, 3> FindingModel::counts() const
{
    const NameFilter text(m_filter.text);
    if (!m_findings || text.isEmpty())
        return m_findings ? m_findings->bySeverity : std::array<qint64, 3>{};
    std::array<qint64, 3> counts{};
    for (const LiveFindingPtr& live : m_findings->rows) {
        if (!live->finding.silenced && fits(live->finding, text))
            ++counts[size_t(live->finding.severity)];
    }
    return counts;
}

// Every row stays in place; new ones come after them.
FindingModel::Rows FindingModel::held(Rows rows) const
{
    QHash<quint64, size_t> places;
    for (size_t i = 0; i < rows.size(); ++i)
        places.insert(rows[i].live->id, i);
    Rows result = m_rows;
    for (Row& row : result) {
        const auto it = places.constFind(row.live->id);
        row.gone = it == places.cend();
        if (!row.gone)
            row.live = std::exchange(rows[*it].live, nullptr);
    }
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
                 [](const Row& row) { return row.live != nullptr; });
    return result;
}

// moveAll: a person asked for another view; nothing of the last one is held.
void FindingModel::arrange(bool moveAll)
{
    Rows rows = wanted();
    if (m_held && !moveAll)
        return take(held(std::move(rows)));
    const int kept = m_kept != 0 && !moveAll ? rowOf(m_kept) : -1;
    if (kept >= 0) {
        const bool there = std::any_of(rows.begin(), rows.end(),
                                       [this](const Row& row) { return row.live->id == m_kept; });
        if (!there)
            rows.insert(rows.begin() + std::min<qsizetype>(kept, qsizetype(rows.size())),
                        {m_rows[size_t(kept)].live, true});
    }
    take(std::move(rows));
}

void FindingModel::take(Rows rows)
{
    if (rows == m_rows)
        return;
    const int before = int(m_rows.size());
    const int after = int(rows.size());
    const bool same = before == after && std::equal(rows.begin(), rows.end(), m_rows.begin(),
                                                    [](const Row& a, const Row& b) {
                                                        return a.live->id == b.live->id;
                                                    });
    if (!same) {
        // Room for both orders while rows move, so that each that stays is found again.
        if (after > before) {
            beginInsertRows({}, before, after - 1);
            m_rows.resize(size_t(after));
            endInsertRows();
        }
        rows.resize(m_rows.size());
        reorder(std::move(rows));
        if (after < before) {
            beginRemoveRows({}, after, before - 1);
            m_rows.resize(size_t(after));
            endRemoveRows();
        }
    } else {
        m_rows = std::move(rows);
    }
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

void FindingModel::reorder(Rows rows)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    QHash<quint64, int> places;
    for (const QModelIndex& index : before)
        places.insert(idOf(m_rows[size_t(index.row())].live), -1);
    places.remove(0);
    for (size_t row = 0; !places.isEmpty() && row < rows.size(); ++row) {
        const auto it = places.find(idOf(rows[row].live));
        if (it != places.end())
            *it = int(row);
    }
    QModelIndexList moved;
    for (const QModelIndex& index : before) {
        const int row = places.value(idOf(m_rows[size_t(index.row())].live), -1);
        moved.append(row < 0 ? QModelIndex() : createIndex(row, index.column()));
    }
    changePersistentIndexList(before, moved);
    m_rows = std::move(rows);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

LiveFindingPtr FindingModel::findingAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) ? m_rows[size_t(row)].live : nullptr;
}

bool FindingModel::isGone(int row) const
{
    return row >= 0 && row < int(m_rows.size()) && m_rows[size_t(row)].gone;
}

int FindingModel::rowOf(quint64 id) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&](const Row& row) { return idOf(row.live) == id; });
    return id == 0 || it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

int FindingModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int FindingModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant FindingModel::data(const QModelIndex& index, int role) const
{
    const LiveFindingPtr live = index.isValid() ? findingAt(index.row()) : nullptr;
    if (!live)
        return {};
    const Finding& finding = live->finding;
    const int column = index.column();
    const bool faint = isGone(index.row()) || finding.silenced;
    const QPalette palette = QGuiApplication::palette();
    switch (role) {
    case Qt::DecorationRole:
        if (column == SeverityColumn)
            return faint ? icon(severityIconName(finding.severity), ColorRole::Second, palette)
                         : severityIcon(finding.severity, palette);
        if (column != NameColumn)
            return {};
        return icon(live->boardless || finding.ofServer ? QStringLiteral("server")
                                                        : kindIconName(live->kind),
                    ColorRole::Second, palette);
    case Qt::FontRole:
        return column == NameColumn || column == CodeColumn ? monoFont(TextSize::Body) : QVariant();
    case Qt::ForegroundRole:
        return faint || column == CodeColumn ? QVariant(themeColors(palette).second) : QVariant();
    case Qt::ToolTipRole:
        return plainTip(isGone(index.row())
                            ? tr("%1\n%2\nResolved.").arg(shownName(finding), finding.message)
                            : QStringLiteral("%1\n%2").arg(shownName(finding), finding.message));
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (column) {
    case SeverityColumn:
        return isGone(index.row()) ? tr("resolved")
               : finding.silenced  ? tr("silenced")
                                   : severityWord(finding.severity);
    case NameColumn:
        return shownName(finding).left(200);
    case MessageColumn:
        return finding.message;
    default:
        return QString::fromLatin1(finding.code);
    }
}

QVariant FindingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case NameColumn:
        return tr("Name");
    case MessageColumn:
        return tr("Message");
    default:
        return tr("Code");
    }
}

RowsText FindingModel::csv(const std::vector<int>& rows) const
{
    std::vector<LiveFindingPtr> findings;
    if (rows.empty()) {
        for (const Row& row : m_rows)
            findings.push_back(row.live);
    }
    for (const int row : rows) {
        if (LiveFindingPtr live = findingAt(row))
            findings.push_back(std::move(live));
    }
    return [findings = std::move(findings)] {
        QStringList lines{QStringLiteral("severity,code,kind,name,key,seen,since,silenced")};
        for (const LiveFindingPtr& live : findings) {
            const Finding& f = live->finding;
            QStringList cells;
            for (const QString& cell :
                 {QString::fromLatin1(severityId(f.severity)), QString::fromLatin1(f.code),
                  QString::fromLatin1(kindIdOf(f)), shownName(f), shownKey(f), f.message,
                  QDateTime::fromMSecsSinceEpoch(live->sinceMs).toUTC().toString(Qt::ISODate),
                  f.silenced ? QStringLiteral("yes") : QStringLiteral("no")})
                cells << csvCell(cell);
            lines << cells.join(QLatin1Char(','));
        }
        return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
    };
}

} // namespace lk
