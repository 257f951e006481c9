// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/alertmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namefilter.h"
#include "backend/findings/findings.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"

#include <QDateTime>

#include <algorithm>

namespace lk {

namespace {

bool isFaint(const AlertRow& row)
{
    return row.standing != AlertStanding::Open;
}

QIcon severityIconOf(const AlertRow& row)
{
    return severityIcon(row.alert->severity, QGuiApplication::palette(), isFaint(row));
}

QIcon kindIconOf(const AlertRow& row)
{
    const std::optional<Kind>& kind = row.alert->kind;
    return icon(kind ? kindIconName(*kind) : QStringLiteral("server"), ColorRole::Second,
                QGuiApplication::palette());
}

QString standingText(const AlertRow& row)
{
    const Alert& alert = *row.alert;
    return alert.isOpen()
               ? standingWord(row.standing)
               : AlertModel::tr("resolved after %1")
                     .arg(formatDuration(std::max<qint64>(0, alert.resolvedMs - alert.firedMs)));
}

QString alertTip(const AlertRow& row)
{
    const Alert& alert = *row.alert;
    return QStringLiteral("%1\n%2\n%3")
        .arg(displayName(alert.name), alert.text,
             AlertModel::tr("fired %1").arg(momentText(alert.firedMs)));
}

RowColumns<AlertRow> alertColumns()
{
    RowColumns<AlertRow> columns{
        {.title = AlertModel::tr("Severity"),
         .text = [](const AlertRow& row) { return severityWord(row.alert->severity); },
         .icon = severityIconOf},
        {.title = AlertModel::tr("Name"),
         .text = [](const AlertRow& row) { return displayName(row.alert->name).left(200); },
         .isMono = always<AlertRow>,
         .icon = kindIconOf},
        {.title = AlertModel::tr("Message"),
         .text = [](const AlertRow& row) { return row.alert->text; }},
        {.title = AlertModel::tr("State"), .text = standingText},
        {.title = AlertModel::tr("Fired"),
         .text = [](const AlertRow& row) { return shortMoment(row.alert->firedMs); }}};
    for (RowColumn<AlertRow>& column : columns) {
        column.tip = alertTip;
        column.isFaint = isFaint;
    }
    return columns;
}

QStringList csvCells(const AlertRow& row)
{
    const auto moment = [](qint64 ms) {
        return ms == 0 ? QString()
                       : QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(Qt::ISODate);
    };
    const Alert& a = *row.alert;
    return {QString::fromLatin1(severityId(a.severity)),
            standingId(row.standing),
            exactName(a.rule),
            a.kind ? QString::fromLatin1(kindId(*a.kind)) : QStringLiteral("server"),
            exactName(a.name),
            a.text,
            moment(a.sinceMs),
            moment(a.firedMs),
            moment(a.resolvedMs),
            moment(a.acknowledgedMs),
            a.acknowledgedBy};
}

} // namespace

AlertModel::AlertModel(QObject* parent)
    : RowModel(alertColumns(), parent)
{}

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
        std::stable_sort(m_all.begin(), m_all.end(), [](const AlertRow& a, const AlertRow& b) {
            return a.standing < b.standing;
        });
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
    std::vector<AlertRow> rows;
    for (const AlertRow& row : m_all) {
        if ((!m_filter.standing || row.standing == *m_filter.standing) && fitsText(*row.alert))
            rows.push_back(row);
    }
    setRows(std::move(rows), [](const AlertRow& row) { return row.alert->id; });
}

std::array<qint64, 4> AlertModel::counts() const
{
    std::array<qint64, 4> counts{};
    for (const AlertRow& row : m_all) {
        if (fitsText(*row.alert))
            ++counts[size_t(row.standing)];
    }
    return counts;
}

AlertPtr AlertModel::alertAt(int row) const
{
    return at(row) ? at(row)->alert : nullptr;
}

AlertStanding AlertModel::standingAt(int row) const
{
    return at(row) ? at(row)->standing : AlertStanding::Past;
}

int AlertModel::rowOf(const QByteArray& id) const
{
    return rowWhere([&](const AlertRow& row) { return row.alert->id == id; });
}

std::function<QString()> AlertModel::csv(const std::vector<int>& rows) const
{
    return csvOf(
        rows,
        QStringLiteral("severity,state,rule,kind,name,seen,since,fired,resolved,acknowledged,by"),
        csvCells);
}

} // namespace lk
