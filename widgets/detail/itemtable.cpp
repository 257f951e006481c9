// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/itemtable.h"

#include "backend/core/keyname.h"
#include "backend/text/duration.h"
#include "widgets/controls/rowdelegate.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QGuiApplication>
#include <QHash>
#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostRowsSeen = 6;
constexpr int leastRowsSeen = 2;
constexpr int previewChars = 160;
constexpr int leastPayloadChars = 8; // before the table scrolls sideways

QString unknown()
{
    return QStringLiteral("\u2013");
}

// A payload is told by its beginning.
class PayloadDelegate final : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        RowDelegate::initStyleOption(option, index);
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight,
                                                      option->rect.width() - 2 * margin);
    }
};

} // namespace

void ItemModel::setItems(const QueueState& queue, qint64 nowMs)
{
    setItems(queue.items, QByteArrayLiteral("processing"), nowMs, queue.stuckAfterMs);
}

void ItemModel::setItems(const std::vector<QueueItem>& items, const QByteArray& role, qint64 nowMs,
                         qint64 stuckAfterMs)
{
    const int before = int(m_items.size());
    const int after = int(items.size());
    // Rows come and go at the end; then all of them tell something else.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_items.insert(m_items.end(), items.begin() + before, items.end());
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_items.resize(size_t(after));
        endRemoveRows();
    }
    m_items = items;
    m_nowMs = nowMs;
    m_stuckAfterMs = stuckAfterMs;
    if (m_role != role) {
        m_role = role;
        emit headerDataChanged(Qt::Horizontal, TimeColumn, TimeColumn);
    }
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

QString ItemModel::timeText(const QueueItem& item) const
{
    if (m_role == "delayed") {
        if (!item.facts.dueMs)
            return unknown();
        return *item.facts.dueMs <= m_nowMs ? tr("now", "due")
                                            : formatDuration(*item.facts.dueMs - m_nowMs);
    }
    const QString age = item.firstSeenMs ? formatDuration(m_nowMs - *item.firstSeenMs) : unknown();
    return isStuck(item) ? tr("%1, stuck").arg(age) : age;
}

QString ItemModel::toolTip(const QueueItem& item, int column) const
{
    if (column == TimeColumn && item.facts.dueMs)
        return tr("Due at %1").arg(momentText(*item.facts.dueMs));
    if (column == TimeColumn && item.firstSeenMs)
        return tr("First seen in progress %1 ago, at %2. Jobs in a list have no timestamp of "
                  "their own.")
            .arg(formatDuration(m_nowMs - *item.firstSeenMs), momentText(*item.firstSeenMs));
    if (column == PayloadColumn)
        return tr("%1\nin %2")
            .arg(displayPreview(item.preview, 400), displayPreview(item.key, 120));
    return {};
}

QVariant ItemModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const QueueItem& item = m_items[size_t(index.row())];
    const int column = index.column();
    if (role == Qt::FontRole && column == PayloadColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && column != PayloadColumn && column != TimeColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && column == TimeColumn && isStuck(item))
        return healthIcon(Health::Bad, QGuiApplication::palette());
    if (role == Qt::ToolTipRole) {
        const QString tip = toolTip(item, column);
        return tip.isEmpty() ? QVariant() : plainTip(tip);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case NumberColumn:
        return index.row() + 1;
    case TimeColumn:
        return timeText(item);
    case SizeColumn:
        return QLocale().formattedDataSize(item.size, 1, QLocale::DataSizeSIFormat);
    default:
        return displayPreview(item.preview, previewChars);
    }
}

QVariant ItemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole &&
        (section == NumberColumn || section == SizeColumn))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NumberColumn:
        return tr("No.");
    case TimeColumn:
        return m_role == "delayed" ? tr("Due in") : tr("In progress for");
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
    setAccessibleName(tr("Jobs"));
    setObjectName(QStringLiteral("jobTable"));
    setModel(m_model);
    setItemDelegateForColumn(ItemModel::PayloadColumn, new PayloadDelegate(this));
    setSelectionMode(ExtendedSelection);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(ScrollPerPixel);
    fitHeight();
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ItemTable::chosenChanged);
}

void ItemTable::setItems(const std::vector<QueueItem>& items, const QByteArray& role, qint64 nowMs,
                         qint64 stuckAfterMs)
{
    // Of two alike one may be chosen: how many of each.
    QHash<quint64, int> held;
    if (role == m_role) {
        for (const QModelIndex& index : selectionModel()->selectedRows())
            ++held[m_model->items()[size_t(index.row())].fingerprint];
    }
    const bool another = role != m_role;
    m_role = role;
    m_model->setItems(items, role, nowMs, stuckAfterMs);
    if (another) {
        setColumnHidden(ItemModel::TimeColumn, !m_model->hasTimes());
        clearSelection();
        setCurrentIndex({});
        m_rowsSeen = leastRowsSeen;
    }
    fitColumns();
    fitHeight();
    // Items leave at one end: a row is another item then, and must not be taken for the chosen one.
    QItemSelection kept;
    bool same = true;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        int& left = held[items[size_t(row)].fingerprint];
        const bool chosen = left > 0;
        left -= chosen ? 1 : 0;
        same = same && chosen == selectionModel()->isRowSelected(row);
        if (chosen)
            kept.select(index, index);
    }
    if (!same)
        selectionModel()->select(kept,
                                 QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

// As high as its rows, within bounds. It does not shrink while one state is shown: what stands
// below would jump with every job that ends.
void ItemTable::fitHeight()
{
    m_rowsSeen = std::clamp(m_model->rowCount(), std::max(m_rowsSeen, leastRowsSeen), mostRowsSeen);
    const int bar = m_wider ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() +
                   m_rowsSeen * verticalHeader()->defaultSectionSize() + bar + 2 * frameWidth());
}

// Times and sizes are never cut; the payload takes what is left, and has a beginning at the least.
void ItemTable::fitColumns()
{
    const QFontMetrics body(font());
    const QFontMetrics header(horizontalHeader()->font());
    const int icon = body.height() + 6;
    int used = 0;
    for (const int column :
         {ItemModel::NumberColumn, ItemModel::TimeColumn, ItemModel::SizeColumn}) {
        if (isColumnHidden(column))
            continue;
        int width = header.horizontalAdvance(
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const QModelIndex index = m_model->index(row, column);
            width = std::max(width, body.horizontalAdvance(index.data().toString()) +
                                        (index.data(Qt::DecorationRole).isValid() ? icon : 0));
        }
        width += 2 * RowDelegate::margin + 2;
        if (columnWidth(column) != width)
            setColumnWidth(column, width);
        used += width;
    }
    const int least = body.averageCharWidth() * leastPayloadChars + 2 * RowDelegate::margin;
    const int payload = std::max(least, viewport()->width() - used);
    m_wider = used + payload > viewport()->width();
    if (columnWidth(ItemModel::PayloadColumn) != payload)
        setColumnWidth(ItemModel::PayloadColumn, payload);
}

void ItemTable::resizeEvent(QResizeEvent* event)
{
    FlatTable::resizeEvent(event);
    if (event->size().width() == event->oldSize().width())
        return;
    fitColumns();
    fitHeight();
}

void ItemTable::setEmptyText(const QString& text)
{
    if (text == m_emptyText)
        return;
    m_emptyText = text;
    viewport()->update();
}

void ItemTable::paintEvent(QPaintEvent* event)
{
    FlatTable::paintEvent(event);
    if (m_model->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).second);
    painter.drawText(viewport()->rect().adjusted(RowDelegate::margin, 0, -RowDelegate::margin, 0),
                     Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

JobChoice ItemTable::chosen() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    JobChoice choice;
    choice.role = m_role;
    QByteArrayList prints;
    for (const int row : rows) {
        const QueueItem& item = m_model->items()[size_t(row)];
        prints << QByteArray::number(item.fingerprint, 16);
        choice.inSeveralKeys =
            choice.inSeveralKeys || (row != rows.front() && item.key != choice.key);
        choice.key = item.key;
    }
    choice.fingerprints = prints.join(',');
    choice.count = int(rows.size());
    return choice;
}

const QueueItem* ItemTable::current() const
{
    const int row = currentIndex().row();
    return row >= 0 && row < m_model->rowCount() ? &m_model->items()[size_t(row)] : nullptr;
}

} // namespace lk
