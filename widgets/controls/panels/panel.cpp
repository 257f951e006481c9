// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/panels/panel.h"

#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace lk {

Panel::Panel(const QString& title, QWidget* body, QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(title))
{
    auto* layout = new QVBoxLayout(this);
    // Contents without a panel title have their own, as a chart does, with room above it.
    layout->setContentsMargins(1, title.isEmpty() ? 6 : 12, 1, 8);
    layout->setSpacing(8);
    QFont font = uiFont(TextSize::Body);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_title->setContentsMargins(15, 0, 15, 0);
    layout->addWidget(m_title);
    m_title->setVisible(!title.isEmpty()); // in a layout: by itself it would be a window
    layout->addWidget(body, 1);
}

void Panel::setTitle(const QString& title)
{
    m_title->setText(title);
}

void Panel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    painter.setPen(colors.border);
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

} // namespace lk
