// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/consolestyle.h"

#include "widgets/theme/themecolors.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QPainter>
#include <QStyleOptionToolButton>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

constexpr int arrow = 8; // pixels wide
constexpr int gap = 6;   // on either side of it

constexpr int besideText = 12; // on either side of a button's text, at least
constexpr int inField = 3;     // between a field's frame and its text, in addition

constexpr int scrollBar = 12;      // pixels across
constexpr int handleInset = 3;     // on either side of the handle
constexpr int shortestHandle = 32; // along; still easy to catch

bool opensMenu(const QStyleOption* option)
{
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    return button && button->features & QStyleOptionToolButton::HasMenu &&
           !(button->features & QStyleOptionToolButton::MenuButtonPopup);
}

// The scrolled contents continue below their scroll bar.
QColor groundOf(const QStyleOption& option, const QWidget* bar)
{
    const QWidget* holder =
        bar && bar->parentWidget() ? bar->parentWidget()->parentWidget() : nullptr;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(holder);
    const QWidget* ground = area ? area->viewport() : nullptr;
    return ground ? ground->palette().color(ground->backgroundRole())
                  : option.palette.color(QPalette::Window);
}

// The handle's place along a bar of that length, and how long it is.
QRect handleRect(const QStyleOptionSlider& bar)
{
    const bool upright = bar.orientation == Qt::Vertical;
    const int length = upright ? bar.rect.height() : bar.rect.width();
    const qint64 range = qint64(bar.maximum) - bar.minimum;
    int handle = length;
    if (range > 0) {
        const qint64 share = qint64(length) * bar.pageStep / (range + bar.pageStep);
        handle = int(std::clamp<qint64>(share, qMin(shortestHandle, length), length));
    }
    const int at = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                   length - handle, bar.upsideDown);
    return upright ? QRect(bar.rect.x(), bar.rect.y() + at, bar.rect.width(), handle)
                   : QRect(bar.rect.x() + at, bar.rect.y(), handle, bar.rect.height());
}

} // namespace

ConsoleStyle::ConsoleStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{}

QSize ConsoleStyle::sizeFromContents(ContentsType type, const QStyleOption* option,
                                     const QSize& size, const QWidget* widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ToolButton && opensMenu(option))
        result.rwidth() += arrow + gap;
    if (type == CT_PushButton)
        result.setWidth(std::max(result.width(), size.width() + 2 * besideText));
    return result;
}

void ConsoleStyle::drawControl(ControlElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const
{
    if (element != CE_ToolButtonLabel || !opensMenu(option))
        return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionToolButton label(*qstyleoption_cast<const QStyleOptionToolButton*>(option));
    label.rect =
        visualRect(label.direction, label.rect, label.rect.adjusted(0, 0, -(arrow + gap), 0));
    QProxyStyle::drawControl(element, &label, painter, widget);
}

int ConsoleStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                              const QWidget* widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent:
        return scrollBar;
    case PM_ScrollBarSliderMin:
        return shortestHandle;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QRect ConsoleStyle::subElementRect(SubElement element, const QStyleOption* option,
                                   const QWidget* widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    return element == SE_LineEditContents && frame && frame->lineWidth > 0
               ? rect.adjusted(inField, 0, -inField, 0)
               : rect;
}

QRect ConsoleStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                   SubControl part, const QWidget* widget) const
{
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    const QRect handle = handleRect(*bar);
    QRect rect;
    switch (part) {
    case SC_ScrollBarGroove:
        rect = bar->rect;
        break;
    case SC_ScrollBarSlider:
        rect = handle;
        break;
    case SC_ScrollBarSubPage:
        rect = bar->rect;
        if (bar->orientation == Qt::Vertical)
            rect.setBottom(handle.top() - 1);
        else
            rect.setRight(handle.left() - 1);
        break;
    case SC_ScrollBarAddPage:
        rect = bar->rect;
        if (bar->orientation == Qt::Vertical)
            rect.setTop(handle.bottom() + 1);
        else
            rect.setLeft(handle.right() + 1);
        break;
    default: // no arrows
        return {};
    }
    return visualRect(bar->direction, bar->rect, rect);
}

void ConsoleStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                      QPainter* painter, const QWidget* widget) const
{
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::drawComplexControl(control, option, painter, widget);
    painter->fillRect(bar->rect, groundOf(*bar, widget));
    if (bar->maximum <= bar->minimum)
        return;
    const bool under = bar->state & State_MouseOver && bar->activeSubControls & SC_ScrollBarSlider;
    const bool held = bar->state & State_Sunken && bar->activeSubControls & SC_ScrollBarSlider;
    QColor colour = bar->palette.color(QPalette::WindowText);
    colour.setAlphaF(held ? 0.85F : under ? 0.7F : 0.5F);
    const QRectF handle(subControlRect(CC_ScrollBar, bar, SC_ScrollBarSlider, widget)
                            .adjusted(handleInset, handleInset, -handleInset, -handleInset));
    if (handle.isEmpty())
        return;
    const qreal radius = std::min(handle.width(), handle.height()) / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawRoundedRect(handle, radius, radius);
    painter->restore();
}

void ConsoleStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                 QPainter* painter, const QWidget* widget) const
{
    // The cell that has the focus: a thin frame over the row's own colour, flat as all else.
    if (element == PE_FrameFocusRect && qobject_cast<const QAbstractItemView*>(widget)) {
        painter->save();
        painter->setPen(themeColors(option->palette).accent);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
        painter->restore();
        return;
    }
    // Fusion's frame of a field is darker than its ground: on a dark one it is not seen.
    if (element == PE_FrameLineEdit && isDark(option->palette)) {
        const ThemeColors& colors = themeColors(option->palette);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(option->state & State_HasFocus ? colors.accent : colors.border);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter->restore();
        return;
    }
    // The option contains only the button's rectangle here.
    const auto* opener = qobject_cast<const QToolButton*>(widget);
    if (element != PE_IndicatorArrowDown || !opener || !opener->menu() ||
        opener->popupMode() == QToolButton::MenuButtonPopup)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    const QRect button = widget->rect();
    QStyleOption beside(*option);
    beside.rect = visualRect(
        option->direction, button,
        QRect(button.right() - gap - arrow, button.center().y() - arrow / 2, arrow, arrow));
    QProxyStyle::drawPrimitive(element, &beside, painter, widget);
}

} // namespace lk
