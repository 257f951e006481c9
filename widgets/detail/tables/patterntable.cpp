// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/patterntable.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/detect/periodname.h"
#include "backend/text/numbers/datasize.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace lk {

namespace {

using Rows = PatternState::Rows;

constexpr int patternTableVisibleRows = 8;
constexpr int previewChars = 160;
constexpr int gap = 8;

bool hasBars(Rows rows)
{
    return rows == Rows::Counts || rows == Rows::Weights;
}

// The day or hour in a bitmap's name, the rest of which all of them share; else the whole of it.
QByteArray periodOf(const QByteArray& name)
{
    const QByteArray form = periodForm(name);
    const auto first = std::mismatch(form.begin(), form.end(), name.begin()).first - form.begin();
    const auto after =
        std::mismatch(form.rbegin(), form.rend(), name.rbegin()).first - form.rbegin();
    return form.isEmpty() ? name : name.mid(first, name.size() - first - after);
}

// The bar, and its number right-aligned beside it.
class BarDelegate final : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        RowDelegate::paint(painter, option, index); // the ground and the number
        const QVariant share = index.data(PatternModel::ShareRole);
        const int number = std::max(option.fontMetrics.horizontalAdvance(index.data().toString()),
                                    option.fontMetrics.horizontalAdvance(QStringLiteral("00,000")));
        const QRect bar = option.rect.adjusted(margin, 0, -margin - number - gap, 0);
        paintShare(*painter, bar, share.isValid() ? std::optional(share.toDouble()) : std::nullopt,
                   themeColors(option.palette).accent, option.palette);
    }
};

} // namespace

void PatternModel::setPattern(const PatternState& pattern)
{
    const int before = int(m_rows.size());
    const int after = int(pattern.rows.size());
    // Adds or removes rows at the end; then all rows have new data.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_rows.resize(size_t(after));
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_rows.resize(size_t(after));
        endRemoveRows();
    }
    m_rows = pattern.rows;
    if (pattern.rowsAre == Rows::Counts)
        std::reverse(m_rows.begin(), m_rows.end());
    m_largest = 0;
    for (const PatternRow& row : m_rows)
        m_largest = std::max(m_largest, row.value.value_or(0));
    if (std::exchange(m_rowsAre, pattern.rowsAre) != pattern.rowsAre)
        emit headerDataChanged(Qt::Horizontal, 0, ColumnTotal - 1);
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

int PatternModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int PatternModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QString PatternModel::placeText(int row) const
{
    switch (m_rowsAre) {
    case Rows::Rotation:
        return row == 0 ? tr("due now") : row == 1 ? tr("next") : QLocale().toString(row + 1);
    case Rows::Records: // as GETRANGE counts
        return QLocale().toString(row);
    default:
        return QLocale().toString(row + 1);
    }
}

QString PatternModel::labelText(const PatternRow& row) const
{
    const QByteArray label = m_rowsAre == Rows::Counts ? periodOf(row.label) : row.label;
    return label.isEmpty() ? tr("(empty)") : displayPreview(label, previewChars);
}

QString PatternModel::valueText(const PatternRow& row) const
{
    if (!row.value)
        return QStringLiteral("\u2013");
    return m_rowsAre == Rows::Weights ? tr("%1 %").arg(QLocale().toString(*row.value * 100, 'f', 1))
                                      : QLocale().toString(*row.value, 'f', 0);
}

QVariant PatternModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const PatternRow& row = m_rows[size_t(index.row())];
    const int column = index.column();
    const bool empty = column == LabelColumn && row.label.isEmpty();
    switch (role) {
    case Qt::DisplayRole:
        return column == PlaceColumn   ? placeText(index.row())
               : column == LabelColumn ? labelText(row)
               : hasBars(m_rowsAre)    ? valueText(row)
                                       : QString();
    case Qt::ToolTipRole:
        return column != LabelColumn
                   ? QVariant()
                   : plainTip(tr("%1, %2").arg(displayPreview(row.label, previewChars),
                                               dataSizeText(row.bytes)));
    case Qt::FontRole:
        return column == LabelColumn && !empty ? monoFont(TextSize::Body) : QVariant();
    case Qt::ForegroundRole:
        return empty || (column == PlaceColumn && (m_rowsAre != Rows::Rotation || index.row() > 1))
                   ? QVariant(themeColors(QGuiApplication::palette()).second)
                   : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(column == LabelColumn ||
                                  (column == PlaceColumn && m_rowsAre == Rows::Rotation)
                              ? Qt::AlignLeft
                              : Qt::AlignRight) |
            Qt::AlignVCenter);
    case ShareRole: {
        const double whole = m_rowsAre == Rows::Weights ? 1 : m_largest;
        return row.value ? QVariant(whole > 0 ? *row.value / whole : 0.0) : QVariant();
    }
    default:
        return {};
    }
}

QVariant PatternModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnTotal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool left =
            section == LabelColumn || (section == PlaceColumn && m_rowsAre == Rows::Rotation);
        return QVariant::fromValue(Qt::Alignment(left ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole)
        return {};
    if (section == PlaceColumn)
        return m_rowsAre == Rows::Rotation ? tr("Position") : tr("No.");
    if (section == BarColumn)
        return m_rowsAre == Rows::Weights ? tr("Chance") : tr("Users active");
    switch (m_rowsAre) {
    case Rows::Rotation:
    case Rows::Weights:
        return tr("Member");
    case Rows::Trail:
        return tr("Page");
    case Rows::Counts:
        return tr("Period");
    case Rows::Records:
        return tr("Record");
    default:
        return tr("Item");
    }
}

PatternTable::PatternTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new PatternModel(this))
{
    setModel(m_model);
    setItemDelegateForColumn(PatternModel::BarColumn, new BarDelegate(this));
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int em = fontMetrics().averageCharWidth();
    horizontalHeader()->setSectionResizeMode(PatternModel::LabelColumn, QHeaderView::Stretch);
    horizontalHeader()->resizeSection(PatternModel::BarColumn, em * 34);
}

void PatternTable::setPattern(const PatternState& pattern)
{
    m_model->setPattern(pattern);
    setColumnHidden(PatternModel::PlaceColumn, hasBars(pattern.rowsAre));
    setColumnHidden(PatternModel::BarColumn, !hasBars(pattern.rowsAre));
    const int em = fontMetrics().averageCharWidth();
    horizontalHeader()->resizeSection(PatternModel::PlaceColumn,
                                      em * (pattern.rowsAre == Rows::Rotation ? 11 : 6));
    const int rows = std::clamp(int(pattern.rows.size()), 1, patternTableVisibleRows);
    setFixedHeight(horizontalHeader()->sizeHint().height() +
                   rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
}

} // namespace lk
