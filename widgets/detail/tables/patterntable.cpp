// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/patterntable.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/detect/periodname.h"
#include "backend/text/numbers/datasize.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/controls/tables/rowdelegate.h"

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

QString placeText(Rows rowsAre, int place)
{
    if (rowsAre == Rows::Rotation && place < 2)
        return place == 0 ? PatternModel::tr("due now") : PatternModel::tr("next");
    return QLocale().toString(rowsAre == Rows::Records ? place : place + 1); // as GETRANGE counts
}

QString labelText(Rows rowsAre, const QByteArray& stored)
{
    const QByteArray label = rowsAre == Rows::Counts ? periodOf(stored) : stored;
    return label.isEmpty() ? PatternModel::tr("(empty)") : displayPreview(label, previewChars);
}

QString valueText(Rows rowsAre, std::optional<double> value)
{
    if (!value)
        return QStringLiteral("\u2013");
    return rowsAre == Rows::Weights
               ? PatternModel::tr("%1 %").arg(QLocale().toString(*value * 100, 'f', 1))
               : QLocale().toString(*value, 'f', 0);
}

QString labelTitle(Rows rowsAre)
{
    switch (rowsAre) {
    case Rows::Rotation:
    case Rows::Weights:
        return PatternModel::tr("Member");
    case Rows::Trail:
        return PatternModel::tr("Page");
    case Rows::Counts:
        return PatternModel::tr("Period");
    case Rows::Records:
        return PatternModel::tr("Record");
    default:
        return PatternModel::tr("Item");
    }
}

RowColumns<PatternLine> patternColumns(Rows rowsAre)
{
    const bool rotates = rowsAre == Rows::Rotation;
    return RowColumns<PatternLine>{
        {.title = rotates ? PatternModel::tr("Position") : PatternModel::tr("No."),
         .text = [rowsAre](const PatternLine& line) { return placeText(rowsAre, line.place); },
         .isNumber = !rotates,
         .isFaint = [rotates](const PatternLine& line) { return !rotates || line.place > 1; }},
        {.title = labelTitle(rowsAre),
         .text = [rowsAre](const PatternLine& line) { return labelText(rowsAre, line.row.label); },
         .isMono = [](const PatternLine& line) { return !line.row.label.isEmpty(); },
         .tip =
             [](const PatternLine& line) {
                 return PatternModel::tr("%1, %2").arg(displayPreview(line.row.label, previewChars),
                                                       dataSizeText(line.row.bytes));
             },
         .isFaint = [](const PatternLine& line) { return line.row.label.isEmpty(); }},
        {.title = rowsAre == Rows::Weights ? PatternModel::tr("Chance")
                                           : PatternModel::tr("Users active"),
         .text =
             [rowsAre](const PatternLine& line) {
                 return hasBars(rowsAre) ? valueText(rowsAre, line.row.value) : QString();
             },
         .isNumber = true}};
}

} // namespace

PatternModel::PatternModel(QObject* parent)
    : RowModel(patternColumns(Rows::None), parent)
{}

void PatternModel::setPattern(const PatternState& pattern)
{
    std::vector<PatternRow> shown = pattern.rows;
    if (pattern.rowsAre == Rows::Counts)
        std::reverse(shown.begin(), shown.end());
    double whole = pattern.rowsAre == Rows::Weights ? 1 : 0;
    if (pattern.rowsAre != Rows::Weights) {
        for (const PatternRow& row : shown)
            whole = std::max(whole, row.value.value_or(0));
    }
    std::vector<PatternLine> lines;
    for (const PatternRow& row : shown)
        lines.push_back({row, int(lines.size()), whole});
    if (std::exchange(m_rowsAre, pattern.rowsAre) != pattern.rowsAre)
        setColumns(patternColumns(m_rowsAre));
    setRows(std::move(lines));
}

QVariant PatternModel::data(const QModelIndex& index, int role) const
{
    const PatternLine* line = role == ShareRole ? at(index.row()) : nullptr;
    if (!line)
        return RowModel::data(index, role);
    const std::optional<double>& value = line->row.value;
    return value ? QVariant(line->whole > 0 ? *value / line->whole : 0.0) : QVariant();
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
    fitHeight(std::clamp(int(pattern.rows.size()), 1, patternTableVisibleRows));
}

} // namespace lk
