// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/navigation/navigationbutton.h"

#include "widgets/theme/accessiblerole.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QLocale>
#include <QPainter>

namespace lk {

namespace {

constexpr int padding = 12;
constexpr int iconSide = 18;

} // namespace

NavigationButton::NavigationButton(const QString& iconName, const QString& title, QWidget* parent)
    : QAbstractButton(parent)
    , m_iconName(iconName)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleRole(this, QAccessible::PageTab);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

void NavigationButton::setBadge(const BoardBadge& badge)
{
    if (m_badge == badge)
        return;
    m_badge = badge;
    setAccessibleDescription(badge.description);
    update();
}

QSize NavigationButton::sizeHint() const
{
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + iconSide + 100, metrics.height() + 18};
}

void NavigationButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    if (isChecked()) {
        painter.fillRect(rect(), colors.tint(ColorRole::Accent));
        painter.fillRect(QRect(0, 0, 3, height()), colors.accent);
    } else if (underMouse()) {
        painter.fillRect(rect(), colors.tint(ColorRole::Second));
    }
    if (hasFocus()) {
        painter.setPen(colors.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5));
    }
    const QRect iconRect(padding, (height() - iconSide) / 2, iconSide, iconSide);
    lk::icon(m_iconName, isChecked() ? ColorRole::Accent : ColorRole::Second, palette())
        .paint(&painter, iconRect);

    int right = width() - padding;
    const int mark = painter.fontMetrics().height() - 2;
    if (!m_badge.iconName.isEmpty()) {
        lk::icon(m_badge.iconName, m_badge.iconRole, palette())
            .paint(&painter, QRect(right - mark, (height() - mark) / 2, mark, mark));
    }
    right -= mark + 6;
    QFont numbers = uiFont(TextSize::Caption);
    const QString count = m_badge.count >= 0 ? QLocale().toString(m_badge.count) : QString();
    painter.setFont(numbers);
    painter.setPen(colors.second);
    const int countWidth = painter.fontMetrics().horizontalAdvance(count);
    painter.drawText(QRect(right - countWidth, 0, countWidth, height()),
                     Qt::AlignVCenter | Qt::AlignRight, count);

    QFont title = font();
    title.setWeight(isChecked() ? QFont::DemiBold : QFont::Normal);
    painter.setFont(title);
    painter.setPen(colors.text);
    const QRect textRect(padding + iconSide + 8, 0, right - countWidth - padding - iconSide - 12,
                         height());
    painter.drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, textRect.width()));
}

} // namespace lk
