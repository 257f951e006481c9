// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/consumertable.h"

#include "backend/core/names/keyname.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>

namespace lk {

namespace {

enum ConsumerColumn { NameColumn, UsedColumn, FreeColumn, SlotColumn, ColumnTotal };
constexpr int consumerTableVisibleRows = 6;

class UsedDelegate final : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        RowDelegate::paint(painter, option, index);
        const auto* model = static_cast<const ConsumerModel*>(index.model());
        const Consumer& c = model->consumer(index.row());
        FillBar bar;
        bar.used = c.occupancy;
        bar.limit = c.limit;
        bar.health = c.limit && c.occupancy >= *c.limit ? Health::Warning : Health::Ok;
        painter->setFont(option.font);
        paintFillBar(*painter, QRectF(option.rect.adjusted(8, 0, -8, 0)), bar, option.palette);
    }
};

} // namespace

void ConsumerModel::setConsumers(std::vector<Consumer> consumers, int mainSlot)
{
    m_mainSlot = mainSlot;
    const int before = int(m_consumers.size());
    const int after = int(consumers.size());
    // Rows come and go at the end; then all of them tell something else.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_consumers.insert(m_consumers.end(), consumers.begin() + before, consumers.end());
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_consumers.resize(size_t(after));
        endRemoveRows();
    }
    m_consumers = std::move(consumers);
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

int ConsumerModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_consumers.size());
}

int ConsumerModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant ConsumerModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Consumer& c = m_consumers[size_t(index.row())];
    const bool isNumber = index.column() == FreeColumn || index.column() == SlotColumn;
    if (index.column() == SlotColumn) {
        const int slot = keySlot(c.key);
        const bool apart = slot != m_mainSlot;
        if (role == Qt::DisplayRole)
            return QString::number(slot);
        if (role == Qt::AccessibleTextRole)
            return apart ? tr("%1, different").arg(slot) : QString::number(slot);
        if (role == Qt::ToolTipRole)
            return apart ? tr("Not the resource's slot (%1): on a cluster one script cannot use "
                              "both")
                               .arg(m_mainSlot)
                         : tr("Same slot as the resource's key");
        if (role == Qt::DecorationRole && apart)
            return healthIcon(Health::Warning, QGuiApplication::palette());
    }
    if (role == Qt::ToolTipRole)
        return plainTip(displayName(c.key));
    if (role == Qt::FontRole && index.column() == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && isNumber)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::AccessibleTextRole && index.column() == UsedColumn) {
        return QStringLiteral("%1/%2")
            .arg(c.occupancy)
            .arg(c.limit ? QString::number(*c.limit) : QStringLiteral("?"));
    }
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == NameColumn)
        return displayPreview(c.name, 80);
    if (index.column() == FreeColumn) {
        return !c.nextFreeMs        ? QStringLiteral("\u2013")
               : *c.nextFreeMs == 0 ? tr("now")
                                    : formatDuration(*c.nextFreeMs);
    }
    return {}; // the delegate draws the bar
}

QVariant ConsumerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section >= FreeColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Name");
    case UsedColumn:
        return tr("Used / limit");
    case FreeColumn:
        return tr("Next free");
    default:
        return tr("Slot");
    }
}

ConsumerTable::ConsumerTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new ConsumerModel(this))
{
    setAccessibleName(tr("Consumers"));
    setModel(m_model);
    setItemDelegateForColumn(UsedColumn, new UsedDelegate(this));
    horizontalHeader()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    horizontalHeader()->resizeSection(UsedColumn, fontMetrics().averageCharWidth() * 18);
    horizontalHeader()->resizeSection(FreeColumn, fontMetrics().averageCharWidth() * 10);
    horizontalHeader()->resizeSection(SlotColumn, fontMetrics().averageCharWidth() * 12);
}

void ConsumerTable::setConsumers(const std::vector<Consumer>& consumers, int mainSlot)
{
    m_model->setConsumers(consumers, mainSlot);
    const int rows = std::clamp(int(consumers.size()), 1, consumerTableVisibleRows);
    setFixedHeight(horizontalHeader()->sizeHint().height() +
                   rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
}

} // namespace lk
