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

} // namespace

void LifeModel::setLife(LifeLines life)
{
    beginResetModel();
    m_all = std::move(life);
    const auto day = [](qint64 tMs) { return QDateTime::fromMSecsSinceEpoch(tMs).date(); };
    m_severalDays = !m_all.empty() && (day(m_all.front().fromMs) != QDate::currentDate() ||
                                       day(m_all.back().toMs) != day(m_all.front().fromMs));
    arrange();
    endResetModel();
}

void LifeModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text.trimmed();
    arrange();
    endResetModel();
}

void LifeModel::arrange()
{
    m_fitting.clear();
    std::ranges::copy_if(m_all, std::back_inserter(m_fitting), [this](const LifeLine& line) {
        return m_filter.isEmpty() || line.text.contains(m_filter, Qt::CaseInsensitive) ||
               line.who.contains(m_filter, Qt::CaseInsensitive);
    });
}

int LifeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_fitting.size());
}

int LifeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant LifeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const LifeLine& line = m_fitting[size_t(index.row())];
    const bool when = index.column() == WhenColumn;
    switch (role) {
    case Qt::DisplayRole:
        return when ? lifeTimeText(line, m_severalDays) : line.text;
    case Qt::ToolTipRole:
        return plainTip(when ? momentText(line.fromMs) : line.text);
    case Qt::DecorationRole:
        if (when)
            return {};
        return icon(iconName(line.sort),
                    markRole({line.fromMs, line.toMs, line.sort, false, {}, {}}),
                    QApplication::palette());
    default:
        return {};
    }
}

QVariant LifeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == WhenColumn ? tr("When") : tr("What happened");
}

} // namespace lk
