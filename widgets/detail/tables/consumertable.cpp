// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/consumertable.h"

#include "backend/core/names/keyname.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"

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
        const Consumer& c = model->at(index.row())->consumer;
        FillBar bar;
        bar.used = c.occupancy;
        bar.limit = c.limit;
        bar.health = c.limit && c.occupancy >= *c.limit ? Health::Warning : Health::Ok;
        painter->setFont(option.font);
        paintFillBar(*painter, QRectF(option.rect.adjusted(8, 0, -8, 0)), bar, option.palette);
    }
};

QString tipText(const ConsumerRow& row)
{
    return displayName(row.consumer.key);
}

bool isApart(const ConsumerRow& row)
{
    return row.slot != row.mainSlot;
}

// The delegate draws a bar.
QString usedText(const ConsumerRow& row)
{
    const std::optional<qint64>& limit = row.consumer.limit;
    return QStringLiteral("%1/%2")
        .arg(row.consumer.occupancy)
        .arg(limit ? QString::number(*limit) : QStringLiteral("?"));
}

QString nextFreeText(const ConsumerRow& row)
{
    const auto& nextFreeMs = row.consumer.nextFreeMs;
    return !nextFreeMs        ? QStringLiteral("\u2013")
           : *nextFreeMs == 0 ? ConsumerModel::tr("now")
                              : formatDuration(*nextFreeMs);
}

QIcon slotIcon(const ConsumerRow& row)
{
    return isApart(row) ? healthIcon(Health::Warning, QGuiApplication::palette()) : QIcon();
}

QString slotTip(const ConsumerRow& row)
{
    return isApart(row) ? ConsumerModel::tr("Not the resource's slot (%1): on a cluster one "
                                            "script cannot use both")
                              .arg(row.mainSlot)
                        : ConsumerModel::tr("Same slot as the resource's key");
}

QString spokenSlot(const ConsumerRow& row)
{
    return isApart(row) ? ConsumerModel::tr("%1, different").arg(row.slot)
                        : QString::number(row.slot);
}

RowColumns<ConsumerRow> consumerColumns()
{
    return RowColumns<ConsumerRow>{
        {.title = ConsumerModel::tr("Name"),
         .text = [](const ConsumerRow& row) { return displayPreview(row.consumer.name, 80); },
         .isMono = always<ConsumerRow>,
         .tip = tipText},
        {.title = ConsumerModel::tr("Used / limit"), .tip = tipText, .spoken = usedText},
        {.title = ConsumerModel::tr("Next free"),
         .text = nextFreeText,
         .isNumber = true,
         .tip = tipText},
        {.title = ConsumerModel::tr("Slot"),
         .text = [](const ConsumerRow& row) { return QString::number(row.slot); },
         .isNumber = true,
         .icon = slotIcon,
         .tip = slotTip,
         .spoken = spokenSlot}};
}

} // namespace

ConsumerModel::ConsumerModel(QObject* parent)
    : RowModel(consumerColumns(), parent)
{}

void ConsumerModel::setConsumers(const std::vector<Consumer>& consumers, int mainSlot)
{
    std::vector<ConsumerRow> all;
    for (const Consumer& consumer : consumers)
        all.push_back({consumer, keySlot(consumer.key), mainSlot});
    setRows(std::move(all));
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
    fitHeight(std::clamp(int(consumers.size()), 1, consumerTableVisibleRows));
}

} // namespace lk
