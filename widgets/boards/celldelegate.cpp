// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/celldelegate.h"

#include "backend/text/columns/columnparts.h"
#include "backend/text/time/duration.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/controls/tables/cellpainters.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QLocale>
#include <QPainter>
#include <QTableView>

namespace lk {

namespace {

constexpr int iconGap = 6;
constexpr int markGap = 4;
// A name may be a megabyte long: from so many characters on it is wide, no matter how wide.
constexpr int mostMeasured = 200;

void paintState(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                const QIcon& sign, const QString& word)
{
    const int side = option.fontMetrics.height();
    const QRect iconRect(rect.left(), rect.center().y() - side / 2 + 1, side, side);
    sign.paint(painter, iconRect);
    const QRect textRect = rect.adjusted(side + iconGap, 0, 0, 0);
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft,
                      option.fontMetrics.elidedText(word, Qt::ElideRight, textRect.width()));
}

// The header row of a group: whether it is open, its title and how many there are; and how the
// worst of them is.
void paintGroup(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                const BoardGroup& group, ColumnStyle style)
{
    if (style == ColumnStyle::State)
        return paintState(painter, option, rect,
                          stateIcon(group.worstState, group.worst, option.palette),
                          group.worstWord);
    if (style != ColumnStyle::Name)
        return;
    const int side = option.fontMetrics.height();
    icon(group.collapsed ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down"),
         option.palette)
        .paint(painter, QRect(rect.left(), rect.center().y() - side / 2 + 1, side, side));
    const QString count = QLocale().toString(group.count);
    const int countWidth = option.fontMetrics.horizontalAdvance(count);
    QRect place = rect.adjusted(side + iconGap, 0, -countWidth - iconGap, 0);
    QFont font = group.isVerbatim ? monoFont(TextSize::Body) : option.font;
    font.setBold(true);
    painter->setFont(font);
    painter->setPen(option.palette.color(QPalette::Text));
    const QFontMetrics metrics(font);
    const QString title = metrics.elidedText(group.title, Qt::ElideRight, place.width());
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft, title);
    place.setLeft(place.left() + metrics.horizontalAdvance(title) + iconGap);
    place.setRight(rect.right());
    painter->setFont(option.font);
    painter->setPen(themeColors(option.palette).second);
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft, count);
}

// Returns what is left above it.
QRect paintSecondLine(QPainter* painter, const QStyleOptionViewItem& option,
                      const QModelIndex& index, const QRect& rect)
{
    const auto* table = qobject_cast<const QTableView*>(option.widget);
    const QString text = table ? CellDelegate::secondLine(index, *table) : QString();
    if (text.isEmpty())
        return rect;
    painter->save();
    painter->setFont(uiFont(TextSize::Caption));
    painter->setPen(themeColors(option.palette).second);
    const QFontMetrics metrics = painter->fontMetrics();
    constexpr int below = 5; // pixels of air
    const QRect line(rect.left(), rect.bottom() + 1 - below - metrics.height(), rect.width(),
                     metrics.height());
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(text, Qt::ElideRight, line.width()));
    painter->restore();
    return QRect(rect.left(), rect.top() + below - 1, rect.width(),
                 line.top() - rect.top() - below + 1);
}

std::optional<FillBar> barOf(const StatePtr& state)
{
    const auto* limiter = state ? state->as<LimiterState>() : nullptr;
    if (!limiter || state->problem)
        return {};
    FillBar bar;
    bar.used = limiter->occupancy;
    bar.limit = limiter->limit;
    bar.usedIsUpperBound = limiter->occupancyIsUpperBound;
    bar.health = state->health;
    return bar;
}

// The widest text in the visible rows, so that their bars are equally long.
int widestBarText(const QStyleOptionViewItem& option, const PrimitiveModel& model)
{
    const auto* table = qobject_cast<const QTableView*>(option.widget);
    if (!table)
        return 0;
    const int first = std::max(0, table->rowAt(0));
    const int last = table->rowAt(table->viewport()->height() - 1);
    int widest = 0;
    for (int row = first; row <= (last < 0 ? model.rowCount() - 1 : last); ++row) {
        if (const auto bar = barOf(model.stateAt(row)))
            widest = std::max(widest, option.fontMetrics.horizontalAdvance(fillBarText(*bar)));
    }
    return widest;
}

void paintFill(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
               const StatePtr& state, const PrimitiveModel& model)
{
    std::optional<FillBar> known = barOf(state);
    if (!known)
        return;
    FillBar& bar = *known;
    bar.textWidth = widestBarText(option, model);
    paintFillBar(*painter, rect, bar, option.palette);
}

// Marks a primitive at the right end of its name; returns what is left of the cell.
QRect paintMark(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                const QIcon& mark)
{
    const int side = option.fontMetrics.height() - 2;
    mark.paint(painter, QRect(rect.right() - side, rect.center().y() - side / 2, side, side));
    return rect.adjusted(0, 0, -side - markGap, 0);
}

// Pinned ones have a flag, those with a finding its severity.
QRect paintMarks(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                 QRect rect)
{
    if (index.data(PrimitiveModel::PinnedRole).toBool())
        rect = paintMark(painter, option, rect,
                         icon(QStringLiteral("flag"), ColorRole::Accent, option.palette));
    const int severity = index.data(PrimitiveModel::FindingRole).toInt() - 1;
    if (severity >= int(Finding::Severity::Warning))
        rect = paintMark(painter, option, rect,
                         severityIcon(Finding::Severity(severity), option.palette));
    return rect;
}

ColumnStyle styleOf(const QModelIndex& index)
{
    return ColumnStyle(index.data(PrimitiveModel::StyleRole).toInt());
}

// In which its text may be shown, the best first.
QStringList formsOf(const QModelIndex& index)
{
    const QString text = index.data().toString();
    return styleOf(index) == ColumnStyle::Duration ? shorterForms(text) : QStringList{text};
}

int besideText(ColumnStyle style, const QFontMetrics& metrics)
{
    // A name may have a mark behind it.
    return style == ColumnStyle::State  ? metrics.height() + iconGap
           : style == ColumnStyle::Name ? metrics.height() + markGap
                                        : 0;
}

bool isNumber(ColumnStyle style)
{
    return style == ColumnStyle::Count || style == ColumnStyle::Figure ||
           style == ColumnStyle::Duration;
}

} // namespace

int CellDelegate::textWidth(const QModelIndex& index, const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(index.data().toString().left(mostMeasured)) +
           besideText(styleOf(index), metrics);
}

int CellDelegate::leastTextWidth(const QModelIndex& index, const QFontMetrics& metrics)
{
    const QString last = formsOf(index).last().left(mostMeasured);
    int text = metrics.horizontalAdvance(last);
    // It grows while it is read, and is widest just below a second.
    if (styleOf(index) == ColumnStyle::Duration && last.endsWith(QLatin1String(" ms"))) {
        const bool atLeast = last.startsWith(QChar(0x2265));
        text = std::max(text, metrics.horizontalAdvance(atLeast ? QStringLiteral("\u2265 888 ms")
                                                                : QStringLiteral("888 ms")));
    }
    return text + besideText(styleOf(index), metrics);
}

QString CellDelegate::shownText(const QModelIndex& index, const QFontMetrics& metrics,
                                int cellWidth)
{
    const ColumnStyle style = styleOf(index);
    const int beside = style == ColumnStyle::State ? besideText(style, metrics) : 0;
    const int room = cellWidth - 2 * margin - beside;
    const QStringList forms = formsOf(index);
    for (const QString& form : forms) {
        if (metrics.horizontalAdvance(form) <= room)
            return form;
    }
    if (isNumber(style))
        return forms.last();
    const bool mono = style == ColumnStyle::Name || style == ColumnStyle::Mono;
    return metrics.elidedText(forms.last(), mono ? Qt::ElideMiddle : Qt::ElideRight, room);
}

int CellDelegate::twoLineHeight(const QFontMetrics& metrics)
{
    return rowHeight(metrics) + QFontMetrics(uiFont(TextSize::Caption)).height();
}

QString CellDelegate::secondLine(const QModelIndex& index, const QTableView& table)
{
    QStringList parts;
    const QAbstractItemModel& model = *index.model();
    for (int column = index.column() + 1; column < model.columnCount(); ++column) {
        if (!table.isColumnHidden(column))
            continue;
        const QModelIndex its = index.siblingAtColumn(column);
        const QString text = its.data().toString();
        if (text.isEmpty() || text == columnparts::unknown())
            continue; // it says nothing
        if (styleOf(its) == ColumnStyle::Layout || styleOf(its) == ColumnStyle::Text)
            parts.prepend(text);
        else
            parts << tr("%1: %2").arg(model.headerData(column, Qt::Horizontal).toString(), text);
    }
    return parts.join(QStringLiteral(" \u00b7 "));
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem cell(option);
    initStyleOption(&cell, index);
    const auto style = ColumnStyle(index.data(PrimitiveModel::StyleRole).toInt());
    const auto* model = qobject_cast<const PrimitiveModel*>(index.model());
    const StatePtr state = model ? model->stateAt(index.row()) : nullptr;
    const QString text = cell.text;
    painter->save();
    if (const BoardGroup* group = model ? model->groupAt(index.row()) : nullptr) {
        painter->fillRect(cell.rect, themeColors(cell.palette).ground);
        paintGround(painter, cell);
        paintGroup(painter, cell, cell.rect.adjusted(margin, 0, -margin, 0), *group, style);
        painter->restore();
        return;
    }
    paintGround(painter, cell);
    if (state) {
        const QRect rect = cell.rect.adjusted(margin, 0, -margin, 0);
        painter->setFont(cell.font);
        if (style == ColumnStyle::State) {
            paintState(painter, cell, rect, stateIcon(*state, cell.palette), text);
        } else if (style == ColumnStyle::Fill) {
            paintFill(painter, cell, rect, state, *model);
        } else {
            const bool mono = style == ColumnStyle::Name || style == ColumnStyle::Mono;
            QRect place = rect;
            if (style == ColumnStyle::Name) {
                place = paintSecondLine(painter, cell, index, place);
                place = paintMarks(painter, cell, index, place);
            }
            if (mono)
                painter->setFont(monoFont(TextSize::Body));
            const QFontMetrics metrics(painter->font());
            const bool quiet = style == ColumnStyle::Text || style == ColumnStyle::Layout;
            painter->setPen(quiet ? themeColors(cell.palette).second
                                  : cell.palette.color(QPalette::Text));
            painter->drawText(place, int(cell.displayAlignment),
                              shownText(index, metrics, place.width() + 2 * margin));
        }
    }
    painter->restore();
}

} // namespace lk
