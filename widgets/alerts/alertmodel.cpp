// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/alertmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/findings/findings.h"
#include "backend/text/csv.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QDateTime>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

QString standingId(AlertStanding standing)
{
    constexpr std::array ids{"open", "acknowledged", "silenced", "past"};
    return QLatin1String(ids[size_t(standing)]);
}

QString standingWord(AlertStanding standing)
{
    switch (standing) {
    case AlertStanding::Open:
        return AlertModel::tr("open");
    case AlertStanding::Acknowledged:
        return AlertModel::tr("acknowledged");
    case AlertStanding::Silenced:
        return AlertModel::tr("silenced");
    case AlertStanding::Past:
        break;
    }
    return AlertModel::tr("past");
}

QString shortMoment(qint64 ms)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(ms);
    const QString time = moment.time().toString(QStringLiteral("HH:mm:ss"));
    return moment.date() == QDate::currentDate()
               ? time
               : moment.date().toString(QStringLiteral("yyyy-MM-dd ")) + time;
}

void AlertModel::setAlerts(const AlertsPtr& alerts, qint64 nowMs)
{
    m_all.clear();
    if (alerts) {
        for (const AlertPtr& alert : alerts->open) {
            m_all.push_back({alert, alert->acknowledgedMs != 0         ? AlertStanding::Acknowledged
                                    : alerts->silenceOf(*alert, nowMs) ? AlertStanding::Silenced
                                                                       : AlertStanding::Open});
        }
        std::stable_sort(m_all.begin(), m_all.end(),
                         [](const Row& a, const Row& b) { return a.standing < b.standing; });
        for (const AlertPtr& alert : alerts->past)
            m_all.push_back({alert, AlertStanding::Past});
    }
    arrange();
}

void AlertModel::setFilter(const Filter& filter)
{
    m_filter = filter;
    arrange();
}

bool AlertModel::fitsText(const Alert& alert) const
{
    const NameFilter text(m_filter.text.trimmed());
    return text.isEmpty() || text.fits(alert.name) || text.fits(alert.rule) ||
           text.fits(alert.text);
}

void AlertModel::arrange()
{
    std::vector<Row> rows;
    for (const Row& row : m_all) {
        if ((!m_filter.standing || row.standing == *m_filter.standing) && fitsText(*row.alert))
            rows.push_back(row);
    }
    if (rows == m_rows)
        return;
    const bool same =
        rows.size() == m_rows.size() &&
        std::equal(rows.begin(), rows.end(), m_rows.begin(),
                   [](const Row& a, const Row& b) { return a.alert->id == b.alert->id; });
    if (same) {
        m_rows = std::move(rows);
        emit dataChanged(index(0, 0), index(rowCount() - 1, Total - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

std::array<qint64, 4> AlertModel::counts() const
{
    std::array<qint64, 4> counts{};
    for (const Row& row : m_all) {
        if (fitsText(*row.alert))
            ++counts[size_t(row.standing)];
    }
    return counts;
}

AlertPtr AlertModel::alertAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) ? m_rows[size_t(row)].alert : nullptr;
}

AlertStanding AlertModel::standingAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) ? m_rows[size_t(row)].standing
                                                : AlertStanding::Past;
}

int AlertModel::rowOf(const QByteArray& id) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&](const Row& row) { return row.alert->id == id; });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

int AlertModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int AlertModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Total;
}

QString AlertModel::text(const Row& row, int column) const
{
    const Alert& alert = *row.alert;
    switch (column) {
    case SeverityColumn:
        return severityWord(alert.severity);
    case NameColumn:
        return displayName(alert.name).left(200);
    case TextColumn:
        return alert.text;
    case StandingColumn:
        return alert.isOpen() ? standingWord(row.standing)
                              : tr("resolved after %1")
                                    .arg(formatDuration(
                                        std::max<qint64>(0, alert.resolvedMs - alert.firedMs)));
    default:
        return shortMoment(alert.firedMs);
    }
}

QVariant AlertModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const Row& row = m_rows[size_t(index.row())];
    const Alert& alert = *row.alert;
    const bool faint = row.standing != AlertStanding::Open;
    const QPalette palette = QGuiApplication::palette();
    switch (role) {
    case Qt::DecorationRole:
        if (index.column() == SeverityColumn)
            return faint ? icon(severityIconName(alert.severity), ColorRole::Second, palette)
                         : severityIcon(alert.severity, palette);
        if (index.column() != NameColumn)
            return {};
        return icon(alert.kind ? kindIconName(*alert.kind) : QStringLiteral("server"),
                    ColorRole::Second, palette);
    case Qt::FontRole:
        return index.column() == NameColumn ? monoFont(TextSize::Body) : QVariant();
    case Qt::ForegroundRole:
        return faint ? QVariant(themeColors(palette).second) : QVariant();
    case Qt::ToolTipRole:
        return plainTip(QStringLiteral("%1\n%2\n%3")
                            .arg(displayName(alert.name), alert.text,
                                 tr("fired %1").arg(momentText(alert.firedMs))));
    case Qt::DisplayRole:
        return text(row, index.column());
    default:
        return {};
    }
}

QVariant AlertModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case NameColumn:
        return tr("Name");
    case TextColumn:
        return tr("Message");
    case StandingColumn:
        return tr("State");
    default:
        return tr("Fired");
    }
}

QString AlertModel::csv(const std::vector<int>& rows) const
{
    const auto moment = [](qint64 ms) {
        return ms == 0 ? QString()
                       : QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(Qt::ISODate);
    };
    QStringList lines{
        QStringLiteral("severity,state,rule,kind,name,seen,since,fired,resolved,acknowledged,by")};
    for (int i = 0; i < int(m_rows.size()); ++i) {
        if (!rows.empty() && std::find(rows.begin(), rows.end(), i) == rows.end())
            continue;
        const Alert& a = *m_rows[size_t(i)].alert;
        QStringList cells;
        for (const QString& cell :
             {QString::fromLatin1(severityId(a.severity)), standingId(m_rows[size_t(i)].standing),
              exactName(a.rule),
              a.kind ? QString::fromLatin1(kindId(*a.kind)) : QStringLiteral("server"),
              exactName(a.name), a.text, moment(a.sinceMs), moment(a.firedMs), moment(a.resolvedMs),
              moment(a.acknowledgedMs), a.acknowledgedBy})
            cells << csvCell(cell);
        lines << cells.join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace lk
