// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/holdertable.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr int holderTableVisibleRows = 8;
constexpr int nameChars = 80;
const QString unknown = QStringLiteral("\u2013");

QString partText(const LockHolder& holder, bool shared)
{
    const QString times = QLocale().toString(holder.holds);
    if (holder.shared)
        return holder.holds > 1 ? HolderModel::tr("reads, %1 times").arg(times)
                                : HolderModel::tr("reads");
    if (shared)
        return holder.holds > 1 ? HolderModel::tr("writes, %1 times").arg(times)
                                : HolderModel::tr("writes");
    return holder.holds > 1 ? HolderModel::tr("holds %1").arg(times) : HolderModel::tr("holds it");
}

QString ttlText(const HolderRow& row)
{
    if (!row.holder.leaseMs)
        return unknown;
    if (*row.holder.leaseMs > 0)
        return formatDuration(*row.holder.leaseMs);
    return row.waits ? HolderModel::tr("gave up") : HolderModel::tr("expired");
}

QString whoText(const HolderRow& row)
{
    const LockHolder& holder = row.holder;
    return displayPreview(holder.label.isEmpty() ? holder.name : holder.label, nameChars);
}

QString sinceText(const HolderRow& row)
{
    const auto& sinceMs = row.holder.sinceMs;
    return sinceMs && !row.waits ? formatDuration(std::max<qint64>(0, row.nowMs - *sinceMs))
                                 : unknown;
}

QIcon ttlIcon(const HolderRow& row)
{
    return !row.waits && row.holder.leaseMs && *row.holder.leaseMs <= 0
               ? healthIcon(Health::Warning, QGuiApplication::palette())
               : QIcon();
}

RowColumns<HolderRow> holderColumns()
{
    return RowColumns<HolderRow>{
        {.title = HolderModel::tr("Who"),
         .text = whoText,
         .isMono = always<HolderRow>,
         .tip = [](const HolderRow& row) { return displayName(row.holder.name); }},
        {.title = HolderModel::tr("Role"), .text = &HolderRow::part},
        {.title = HolderModel::tr("Since"), .text = sinceText, .isNumber = true},
        {.title = HolderModel::tr("TTL"), .text = ttlText, .isNumber = true, .icon = ttlIcon}};
}

} // namespace

HolderModel::HolderModel(QObject* parent)
    : RowModel(holderColumns(), parent)
{}

void HolderModel::setLock(const LockState& lock, qint64 nowMs)
{
    const bool shared = std::any_of(lock.holders.begin(), lock.holders.end(),
                                    [](const LockHolder& h) { return h.shared; });
    std::vector<HolderRow> all;
    for (const LockHolder& holder : lock.holders)
        all.push_back({holder, false, partText(holder, shared), nowMs});
    for (size_t i = 0; i < lock.waiting.size(); ++i) {
        LockHolder waiter;
        waiter.name = lock.waiting[i].name;
        waiter.leaseMs = lock.waiting[i].leftMs;
        all.push_back({waiter, true, i == 0 ? tr("waits, next") : tr("waits"), nowMs});
    }
    setRows(std::move(all));
}

const LockHolder* HolderModel::holder(int row) const
{
    const HolderRow* found = at(row);
    return found && !found->waits ? &found->holder : nullptr;
}

HolderTable::HolderTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new HolderModel(this))
{
    setAccessibleName(tr("Holders and waiting clients"));
    setModel(m_model);
    setContextMenuPolicy(Qt::CustomContextMenu);
    const int character = fontMetrics().averageCharWidth();
    horizontalHeader()->setSectionResizeMode(HolderModel::NameColumn, QHeaderView::Stretch);
    horizontalHeader()->resizeSection(HolderModel::PartColumn, character * 14);
    horizontalHeader()->resizeSection(HolderModel::SinceColumn, character * 11);
    horizontalHeader()->resizeSection(HolderModel::TtlColumn, character * 12);
}

void HolderTable::setLock(const LockState& lock, qint64 nowMs)
{
    const QByteArray before = chosen();
    m_model->setLock(lock, nowMs);
    if (const QByteArray now = chosen(); !before.isEmpty() && now != before) {
        clearSelection();
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const LockHolder* holder = m_model->holder(row);
            if (holder && holder->name == before)
                selectRow(row);
        }
    }
    const bool anySince = std::any_of(lock.holders.begin(), lock.holders.end(),
                                      [](const LockHolder& h) { return h.sinceMs.has_value(); });
    const bool anyEnd = !lock.waiting.empty() ||
                        std::any_of(lock.holders.begin(), lock.holders.end(),
                                    [](const LockHolder& h) { return h.leaseMs.has_value(); });
    // Shows only columns that the library keeps: the pane is narrow, and the names matter most.
    setColumnHidden(HolderModel::SinceColumn, !anySince);
    setColumnHidden(HolderModel::TtlColumn, !anyEnd);
    fitHeight(std::clamp(m_model->rowCount(), 1, holderTableVisibleRows));
}

QByteArray HolderTable::chosen() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    const LockHolder* holder = rows.isEmpty() ? nullptr : m_model->holder(rows.front().row());
    return holder ? holder->name : QByteArray();
}

} // namespace lk
