// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/columnfit.h"

#include "backend/text/time/duration.h"
#include "widgets/boards/celldelegate.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace lk {

namespace {

constexpr int slack = 2; // pixels: fonts round up

bool isMono(ColumnStyle style)
{
    return style == ColumnStyle::Name || style == ColumnStyle::Mono;
}

// Widths in characters. Texts that may be cut have both; numbers and states have neither.
struct Characters
{
    int least = 0; ///< where there is no room
    int most = 0;  ///< however long it is
};

Characters charactersOf(ColumnStyle style)
{
    switch (style) {
    case ColumnStyle::Name:
        return {15, 32};
    case ColumnStyle::Mono:
        return {12, 20};
    case ColumnStyle::Text:
    case ColumnStyle::Layout:
        return {12, 22};
    default:
        return {};
    }
}

// Returns the columns that go into the second line, the least important first: kind and
// configuration of a row before its state.
std::vector<int> foldable(Kind kind)
{
    std::vector<int> order;
    const auto all = columns(kind);
    const auto add = [&](const auto& fits) {
        for (size_t i = 1; i < all.size(); ++i) {
            if (fits(all[i]))
                order.push_back(int(i));
        }
    };
    for (const char* id :
         {"layout", "window", "renewals", "delayed", "overdue", "waiting-for", "oldest"})
        add([id](const Column& c) { return qstrcmp(c.id, id) == 0; });
    return order;
}

} // namespace

ColumnFit::ColumnFit(Kind kind, QTableView* table, TableArrangement* arrangement)
    : QObject(table)
    , m_kind(kind)
    , m_table(table)
    , m_arrangement(arrangement)
{
    const QAbstractItemModel* model = table->model();
    connect(model, &QAbstractItemModel::dataChanged, this, &ColumnFit::fit);
    connect(model, &QAbstractItemModel::layoutChanged, this, &ColumnFit::fit);
    connect(model, &QAbstractItemModel::rowsInserted, this, &ColumnFit::fit);
    connect(table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &ColumnFit::fit);
    connect(table->verticalScrollBar(), &QScrollBar::valueChanged, this, &ColumnFit::fit);
    connect(arrangement, &TableArrangement::released, this, &ColumnFit::fit);
    forget();
}

void ColumnFit::forget()
{
    m_widths.assign(columns(m_kind).size(), {});
    fit();
}

int ColumnFit::wanted() const
{
    return m_wanted;
}

ColumnFit::Width ColumnFit::measured(int column, int firstRow, int lastRow) const
{
    const Column& c = columns(m_kind)[size_t(column)];
    const QFontMetrics header(m_table->horizontalHeader()->font());
    const QFontMetrics cells(isMono(c.style) ? QFontMetrics(monoFont(TextSize::Body))
                                             : m_table->fontMetrics());
    // The arrow of the sorting stands beside the title of the column that sorts.
    const bool sorts = m_table->horizontalHeader()->sortIndicatorSection() == column;
    const int titled = header.horizontalAdvance(title(c)) + (sorts ? header.height() : 0);
    if (c.style == ColumnStyle::Fill) {
        const int bar = std::max(titled, fillBarWidth(cells));
        return {bar + 2 * CellDelegate::margin, bar + 2 * CellDelegate::margin};
    }
    Width text;
    const QAbstractItemModel* model = m_table->model();
    for (int row = firstRow; row <= lastRow; ++row) {
        const QModelIndex index = model->index(row, column);
        const int width = CellDelegate::textWidth(index, cells);
        text.most = std::max(text.most, width);
        text.least = std::max(text.least, CellDelegate::leastTextWidth(index, cells));
    }
    text.most = std::max(text.most, text.least); // room is left for what grows
    if (const Characters limits = charactersOf(c.style); limits.most > 0) {
        text.most = std::min(text.most, limits.most * cells.averageCharWidth());
        text.least = std::min(text.most, limits.least * cells.averageCharWidth());
    }
    const int around = 2 * CellDelegate::margin + slack;
    const int narrowest = m_table->horizontalHeader()->minimumSectionSize(); // the header insists
    return {std::max(std::max(text.most, titled) + around, narrowest),
            std::max(std::max(text.least, titled) + around, narrowest)};
}

int ColumnFit::room() const
{
    return m_table->viewport()->width();
}

// Hides as many columns as needed, which go into the second line, and shows the others. Returns the
// least width of the shown columns. The sorting column and columns with a width set by the user
// stay.
int ColumnFit::fold(int least)
{
    const int sorts = m_table->horizontalHeader()->sortIndicatorSection();
    const bool dragged = QGuiApplication::mouseButtons() != Qt::NoButton; // perhaps a column's edge
    bool any = false;
    for (const int column : foldable(m_kind)) {
        const bool stays = column == sorts || m_arrangement->isByHand(column);
        const bool folds = dragged ? m_table->isColumnHidden(column) : least > room() && !stays;
        if (folds)
            least -= m_widths[size_t(column)].least;
        if (m_table->isColumnHidden(column) != folds)
            m_table->setColumnHidden(column, folds);
        any = any || folds;
    }
    QHeaderView* rows = m_table->verticalHeader();
    const int height = any ? CellDelegate::twoLineHeight(m_table->fontMetrics())
                           : RowDelegate::rowHeight(m_table->fontMetrics());
    if (rows->defaultSectionSize() != height) {
        rows->setDefaultSectionSize(height);
        m_table->doItemsLayout(); // higher rows may need a scroll bar, which takes some of the room
    }
    return least;
}

void ColumnFit::fit()
{
    if (m_fitting)
        return;
    m_fitting = true;
    const int rows = m_table->model()->rowCount();
    const int first = std::max(0, m_table->rowAt(0));
    const int bottom = m_table->rowAt(m_table->viewport()->height() - 1);
    const int last = bottom < 0 ? std::min(rows, first + 60) - 1 : bottom;
    int wanted = 0;
    int least = 0;
    for (size_t i = 0; i < m_widths.size(); ++i) {
        const Width now = measured(int(i), first, last);
        m_widths[i] = {std::max(m_widths[i].most, now.most),
                       std::max(m_widths[i].least, now.least)};
        const bool byHand = m_arrangement->isByHand(int(i));
        wanted += byHand ? m_arrangement->byHand(int(i)) : m_widths[i].most;
        least += byHand ? m_arrangement->byHand(int(i)) : m_widths[i].least;
    }
    const bool another = wanted != m_wanted;
    m_wanted = wanted;
    if (another)
        emit wantedChanged(); // may give the table more room
    // The room beyond the least widths goes to the name first, because it identifies the row. The
    // other columns get equal shares of what they want.
    int wide = 0; // all that stand in columns of their own
    least = fold(least);
    for (size_t i = 0; i < m_widths.size(); ++i) {
        if (!m_table->isColumnHidden(int(i)))
            wide +=
                m_arrangement->isByHand(int(i)) ? m_arrangement->byHand(int(i)) : m_widths[i].most;
    }
    const bool nameByHand = m_arrangement->isByHand(0);
    const int nameLacks = nameByHand ? 0 : m_widths[0].most - m_widths[0].least;
    const int toName = std::clamp(room() - least, 0, nameLacks);
    const int toOthers = wide - least - nameLacks;
    const double share =
        toOthers > 0 ? std::clamp(double(room() - least - toName) / double(toOthers), 0.0, 1.0)
                     : 0.0;
    int left = room() - m_widths[0].least - toName;
    if (nameByHand)
        left = room() - m_arrangement->byHand(0);
    for (size_t i = 1; i < m_widths.size(); ++i) {
        if (m_table->isColumnHidden(int(i)))
            continue;
        const Width& w = m_widths[i];
        const int width = w.least + int(double(w.most - w.least) * share);
        left -= m_arrangement->isByHand(int(i)) ? m_arrangement->byHand(int(i)) : width;
        m_arrangement->resize(int(i), width);
    }
    // It takes what is over, too.
    m_arrangement->resize(0, m_widths[0].least + toName + std::max(0, left));
    m_fitting = false;
}

} // namespace lk
