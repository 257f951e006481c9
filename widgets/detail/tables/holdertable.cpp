// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/holdertable.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr int holderTableVisibleRows = 8;
constexpr int nameChars = 80;
const QString unknown = QStringLiteral("\u2013");

} // namespace

void HolderModel::setLock(const LockState& lock, qint64 nowMs)
{
    const int before = rowCount();
    const int after = int(lock.holders.size() + lock.waiting.size());
    const auto take = [&] {
        m_holders = lock.holders;
        m_waiting = lock.waiting;
        m_shared = std::any_of(m_holders.begin(), m_holders.end(),
                               [](const LockHolder& h) { return h.shared; });
        m_nowMs = nowMs;
    };
    // Rows come and go at the end; then all of them tell something else.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        take();
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        take();
        endRemoveRows();
    } else {
        take();
    }
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

const LockHolder* HolderModel::holder(int row) const
{
    return row >= 0 && size_t(row) < m_holders.size() ? &m_holders[size_t(row)] : nullptr;
}

int HolderModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_holders.size() + m_waiting.size());
}

int HolderModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QString HolderModel::partText(int row) const
{
    const LockHolder* h = holder(row);
    if (!h)
        return size_t(row) == m_holders.size() ? tr("waits, next") : tr("waits");
    const QString times = QLocale().toString(h->holds);
    if (h->shared)
        return h->holds > 1 ? tr("reads, %1 times").arg(times) : tr("reads");
    if (m_shared)
        return h->holds > 1 ? tr("writes, %1 times").arg(times) : tr("writes");
    return h->holds > 1 ? tr("holds %1").arg(times) : tr("holds it");
}

QString HolderModel::ttlText(int row) const
{
    const LockHolder* h = holder(row);
    const std::optional<qint64> left =
        h ? h->leaseMs : m_waiting[size_t(row) - m_holders.size()].leftMs;
    if (!left)
        return unknown;
    if (*left > 0)
        return formatDuration(*left);
    return h ? tr("expired") : tr("gave up");
}

QString HolderModel::sinceText(int row) const
{
    const LockHolder* h = holder(row);
    return h && h->sinceMs ? formatDuration(std::max<qint64>(0, m_nowMs - *h->sinceMs)) : unknown;
}

QVariant HolderModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int row = index.row();
    const LockHolder* h = holder(row);
    const QByteArray& name = h ? h->name : m_waiting[size_t(row) - m_holders.size()].name;
    const QByteArray label = h ? h->label : QByteArray();
    const bool isTime = index.column() == TtlColumn || index.column() == SinceColumn;
    if (role == Qt::ToolTipRole && index.column() == NameColumn)
        return plainTip(displayName(name));
    if (role == Qt::FontRole && index.column() == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && isTime)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && index.column() == TtlColumn && h && h->leaseMs &&
        *h->leaseMs <= 0)
        return healthIcon(Health::Warning, QGuiApplication::palette());
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case NameColumn:
        return displayPreview(label.isEmpty() ? name : label, nameChars);
    case PartColumn:
        return partText(row);
    case SinceColumn:
        return sinceText(row);
    default:
        return ttlText(row);
    }
}

QVariant HolderModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section >= SinceColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Who");
    case PartColumn:
        return tr("Role");
    case SinceColumn:
        return tr("Since");
    default:
        return tr("TTL");
    }
}

HolderTable::HolderTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new HolderModel(this))
{
    setAccessibleName(tr("Holders and waiting clients"));
    setSelectionMode(SingleSelection);
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
    // Of both only what the library keeps: the pane is narrow, and the names are what counts.
    setColumnHidden(HolderModel::SinceColumn, !anySince);
    setColumnHidden(HolderModel::TtlColumn, !anyEnd);
    const int rows = std::clamp(m_model->rowCount(), 1, holderTableVisibleRows);
    setFixedHeight(horizontalHeader()->sizeHint().height() +
                   rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
}

QByteArray HolderTable::chosen() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    const LockHolder* holder = rows.isEmpty() ? nullptr : m_model->holder(rows.front().row());
    return holder ? holder->name : QByteArray();
}

} // namespace lk
