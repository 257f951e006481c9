// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/life/lifemodel.h"

#include "backend/text/time/duration.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QDateTime>

#include <algorithm>

namespace lk {

namespace {

QString iconName(TimeMark::Sort sort)
{
    switch (sort) {
    case TimeMark::Sort::Gap:
        return QStringLiteral("gap");
    case TimeMark::Sort::Server:
        return QStringLiteral("server");
    case TimeMark::Sort::Finding:
        return QStringLiteral("finding");
    case TimeMark::Sort::Alert:
        return QStringLiteral("warning");
    case TimeMark::Sort::Action:
        return QStringLiteral("journal");
    case TimeMark::Sort::Change:
        break;
    }
    return QStringLiteral("clock");
}

QIcon lifeIcon(const TimelineEntry& line)
{
    return icon(iconName(line.sort), markRole({line.fromMs, line.toMs, line.sort, false, {}, {}}),
                QApplication::palette());
}

} // namespace

LifeModel::LifeModel(QObject* parent)
    : RowModel(
          RowColumns<TimelineEntry>{
              {.title = tr("When"),
               .text =
                   [this](const TimelineEntry& line) { return lifeTimeText(line, m_severalDays); },
               .tip = [](const TimelineEntry& line) { return momentText(line.fromMs); }},
              {.title = tr("What happened"), .text = &TimelineEntry::text, .icon = lifeIcon}},
          parent)
{}

void LifeModel::setLife(Timeline life)
{
    m_all = std::move(life);
    const auto day = [](qint64 tMs) { return QDateTime::fromMSecsSinceEpoch(tMs).date(); };
    m_severalDays = !m_all.empty() && (day(m_all.front().fromMs) != QDate::currentDate() ||
                                       day(m_all.back().toMs) != day(m_all.front().fromMs));
    arrange();
}

void LifeModel::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    arrange();
}

void LifeModel::arrange()
{
    Timeline fitting;
    std::ranges::copy_if(m_all, std::back_inserter(fitting), [this](const TimelineEntry& line) {
        return m_filter.isEmpty() || line.text.contains(m_filter, Qt::CaseInsensitive) ||
               line.who.contains(m_filter, Qt::CaseInsensitive);
    });
    resetRows(std::move(fitting));
}

} // namespace lk
