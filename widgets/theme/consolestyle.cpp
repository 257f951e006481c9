// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/consolestyle.h"

#include <QStyleOptionToolButton>
#include <QToolButton>

namespace lk {

namespace {

constexpr int arrow = 8; // pixels wide
constexpr int gap = 6;   // on either side of it

bool opensMenu(const QStyleOption* option)
{
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    return button && button->features & QStyleOptionToolButton::HasMenu
           && !(button->features & QStyleOptionToolButton::MenuButtonPopup);
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
    return result;
}

void ConsoleStyle::drawControl(ControlElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const
{
    if (element != CE_ToolButtonLabel || !opensMenu(option))
        return QProxyStyle::drawControl(element, option, painter, widget);
    QStyleOptionToolButton label(*qstyleoption_cast<const QStyleOptionToolButton*>(option));
    label.rect = visualRect(label.direction, label.rect,
                            label.rect.adjusted(0, 0, -(arrow + gap), 0));
    QProxyStyle::drawControl(element, &label, painter, widget);
}

void ConsoleStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                 QPainter* painter, const QWidget* widget) const
{
    // Of the button the option keeps no more than its rectangle here.
    const auto* opener = qobject_cast<const QToolButton*>(widget);
    if (element != PE_IndicatorArrowDown || !opener || !opener->menu()
        || opener->popupMode() == QToolButton::MenuButtonPopup)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    const QRect button = widget->rect();
    QStyleOption beside(*option);
    beside.rect = visualRect(option->direction, button,
                             QRect(button.right() - gap - arrow, button.center().y() - arrow / 2,
                                   arrow, arrow));
    QProxyStyle::drawPrimitive(element, &beside, painter, widget);
}

} // namespace lk
