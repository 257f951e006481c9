// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/findingmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "widgets/charts/chartformat.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"

#include <QDateTime>

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

bool isFaint(const FindingRow& row)
{
    return row.gone || row.live->finding.silenced;
}

QIcon severityIconOf(const FindingRow& row)
{
    return severityIcon(row.live->finding.severity, QGuiApplication::palette(), isFaint(row));
}

QIcon kindIconOf(const FindingRow& row)
{
    const LiveFinding& live = *row.live;
    return icon(live.boardless || live.finding.ofServer ? QStringLiteral("server")
                                                        : kindIconName(live.kind),
                ColorRole::Second, QGuiApplication::palette());
}

QString severityText(const FindingRow& row)
{
    const Finding& finding = row.live->finding;
    return row.gone           ? FindingModel::tr("resolved")
           : finding.silenced ? FindingModel::tr("silenced")
                              : severityWord(finding.severity);
}

QString findingTip(const FindingRow& row)
{
    const Finding& finding = row.live->finding;
    return (row.gone ? FindingModel::tr("%1\n%2\nResolved.") : QStringLiteral("%1\n%2"))
        .arg(shownName(finding), finding.message);
}

RowColumns<FindingRow> findingColumns()
{
    RowColumns<FindingRow> columns{
        {.title = FindingModel::tr("Severity"), .text = severityText, .icon = severityIconOf},
        {.title = FindingModel::tr("Name"),
         .text = [](const FindingRow& row) { return shownName(row.live->finding).left(200); },
         .isMono = always<FindingRow>,
         .icon = kindIconOf},
        {.title = FindingModel::tr("Message"),
         .text = [](const FindingRow& row) { return row.live->finding.message; }},
        {.title = FindingModel::tr("Code"),
         .text = [](const FindingRow& row) { return QString::fromLatin1(row.live->finding.code); },
         .isMono = always<FindingRow>}};
    for (RowColumn<FindingRow>& column : columns) {
        column.tip = findingTip;
        column.isFaint = isFaint;
    }
    columns.back().isFaint = always<FindingRow>;
    return columns;
}

QStringList csvCells(const FindingRow& row)
{
    const Finding& f = row.live->finding;
    return {QString::fromLatin1(severityId(f.severity)),
            QString::fromLatin1(f.code),
            QString::fromLatin1(kindIdOf(f)),
            shownName(f),
            shownKey(f),
            f.message,
            QDateTime::fromMSecsSinceEpoch(row.live->sinceMs).toUTC().toString(Qt::ISODate),
            f.silenced ? QStringLiteral("yes") : QStringLiteral("no")};
}

quint64 idOf(const FindingRow& row)
{
    return row.live->id;
}

} // namespace

FindingModel::FindingModel(QObject* parent)
    : RowModel(findingColumns(), parent)
{}

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
        std::stable_sort(rows.begin(), rows.end(),
                         [this](const FindingRow& a, const FindingRow& b) {
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
    Rows result = this->rows();
    for (FindingRow& row : result) {
        const auto it = places.constFind(row.live->id);
        row.gone = it == places.cend();
        if (!row.gone)
            row.live = std::exchange(rows[*it].live, nullptr);
    }
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
                 [](const FindingRow& row) { return row.live != nullptr; });
    return result;
}

// moveAll: a person asked for another view; nothing of the last one is held.
void FindingModel::arrange(bool moveAll)
{
    Rows rows = wanted();
    if (m_held && !moveAll)
        return setRows(held(std::move(rows)), idOf);
    const int kept = m_kept != 0 && !moveAll ? rowOf(m_kept) : -1;
    if (kept >= 0) {
        if (std::ranges::find(rows, m_kept, idOf) == rows.end())
            rows.insert(rows.begin() + std::min<qsizetype>(kept, qsizetype(rows.size())),
                        {at(kept)->live, true});
    }
    setRows(std::move(rows), idOf);
}

LiveFindingPtr FindingModel::findingAt(int row) const
{
    return at(row) ? at(row)->live : nullptr;
}

bool FindingModel::isGone(int row) const
{
    return at(row) && at(row)->gone;
}

int FindingModel::rowOf(quint64 id) const
{
    return rowWhere([&](const FindingRow& row) { return row.live->id == id; });
}

RowsText FindingModel::csv(const std::vector<int>& rows) const
{
    return csvOf(rows, QStringLiteral("severity,code,kind,name,key,seen,since,silenced"), csvCells);
}

} // namespace lk
