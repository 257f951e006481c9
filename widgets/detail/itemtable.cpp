// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/itemtable.h"

#include "backend/core/duration.h"
#include "backend/core/keyname.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>
#include <QSet>

namespace lk {

namespace {

enum ItemColumn { NumberColumn, AgeColumn, SizeColumn, PayloadColumn, ColumnTotal };
constexpr int visibleRows = 7;
constexpr int previewChars = 160;

} // namespace

void ItemModel::setItems(const QueueState& queue, qint64 nowMs)
{
    const int before = int(m_items.size());
    const int after = int(queue.items.size());
    // Rows come and go at the end; then all of them tell something else.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_items.insert(m_items.end(), queue.items.begin() + before, queue.items.end());
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_items.resize(size_t(after));
        endRemoveRows();
    }
    m_items = queue.items;
    m_nowMs = nowMs;
    m_stuckAfterMs = queue.stuckAfterMs;
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

bool ItemModel::isStuck(const QueueItem& item) const
{
    return item.firstSeenMs && m_nowMs - *item.firstSeenMs >= m_stuckAfterMs;
}

int ItemModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_items.size());
}

int ItemModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant ItemModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const QueueItem& item = m_items[size_t(index.row())];
    const int column = index.column();
    if (role == Qt::FontRole && column == PayloadColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && column != PayloadColumn && column != AgeColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && column == AgeColumn && isStuck(item))
        return healthIcon(Health::Bad, QGuiApplication::palette());
    if (role == Qt::ToolTipRole && column == AgeColumn && item.firstSeenMs) {
        return tr("First seen in processing %1 ago. List items carry no time of their own.")
            .arg(formatDuration(m_nowMs - *item.firstSeenMs));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case NumberColumn:
        return index.row() + 1;
    case AgeColumn: {
        const QString age = item.firstSeenMs ? formatDuration(m_nowMs - *item.firstSeenMs)
                                             : QStringLiteral("\u2013");
        return isStuck(item) ? tr("%1, stuck").arg(age) : age;
    }
    case SizeColumn:
        return QLocale().formattedDataSize(item.size, 1, QLocale::DataSizeSIFormat);
    default:
        return displayPreview(item.preview, previewChars);
    }
}

QVariant ItemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole
        && (section == NumberColumn || section == SizeColumn))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NumberColumn:
        return tr("No.");
    case AgeColumn:
        return tr("In processing for");
    case SizeColumn:
        return tr("Size");
    default:
        return tr("Payload");
    }
}

ItemTable::ItemTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new ItemModel(this))
{
    setAccessibleName(tr("Items in processing"));
    setModel(m_model);
    setTextElideMode(Qt::ElideRight);
    const int em = fontMetrics().averageCharWidth();
    horizontalHeader()->setSectionResizeMode(PayloadColumn, QHeaderView::Stretch);
    horizontalHeader()->resizeSection(NumberColumn, em * 6);
    horizontalHeader()->resizeSection(AgeColumn, em * 20);
    horizontalHeader()->resizeSection(SizeColumn, em * 11);
    setFixedHeight(horizontalHeader()->sizeHint().height()
                   + visibleRows * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
}

void ItemTable::setItems(const QueueState& queue, qint64 nowMs)
{
    QSet<quint64> held;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        held.insert(m_model->items()[size_t(index.row())].fingerprint);
    m_model->setItems(queue, nowMs);
    // Items leave at one end: a row is another item then, and must not be taken for the chosen one.
    QItemSelection kept;
    bool same = true;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        const bool chosen = held.contains(queue.items[size_t(row)].fingerprint);
        same = same && chosen == selectionModel()->isRowSelected(row);
        if (chosen)
            kept.select(index, index);
    }
    if (!same)
        selectionModel()->select(kept, QItemSelectionModel::ClearAndSelect
                                           | QItemSelectionModel::Rows);
}

QByteArray ItemTable::chosen() const
{
    QByteArrayList prints;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        prints << QByteArray::number(m_model->items()[size_t(index.row())].fingerprint, 16);
    return prints.join(',');
}

} // namespace lk
