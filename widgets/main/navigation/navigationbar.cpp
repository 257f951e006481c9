// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/navigation/navigationbar.h"

#include "widgets/board/board.h"
#include "widgets/main/navigation/navigationbutton.h"
#include "widgets/theme/accessiblerole.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace lk {

NavigationBar::NavigationBar(QWidget* parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
    , m_layout(new QVBoxLayout(this))
{
    setAccessibleRole(this, QAccessible::PageTabList);
    setAccessibleName(tr("Boards"));
    setFixedWidth(184);
    m_layout->setContentsMargins(0, 8, 1, 8);
    m_layout->setSpacing(0);
    auto* mark = new QLabel;
    mark->setPixmap(applicationIcon().pixmap(28, 28));
    auto* name = new QLabel(QStringLiteral("Lockkeeper"));
    QFont font = uiFont(TextSize::Title);
    font.setWeight(QFont::DemiBold);
    name->setFont(font);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 4, 12, 12);
    head->setSpacing(8);
    head->addWidget(mark);
    head->addWidget(name, 1);
    m_layout->addLayout(head);
    m_layout->addStretch(1);
    connect(m_buttons, &QButtonGroup::idClicked, this, &NavigationBar::chosen);
}

void NavigationBar::addBoard(const Board* board, const QString& shortcut)
{
    auto* button = new NavigationButton(board->iconName(), board->title());
    button->setToolTip(shortcut.isEmpty()
                           ? board->title()
                           : QStringLiteral("%1 (%2)").arg(board->title(), shortcut));
    m_buttons->addButton(button, int(m_buttons->buttons().size()));
    m_layout->insertWidget(m_layout->count() - 1, button);
    connect(board, &Board::badgeChanged, button,
            [board, button] { button->setBadge(board->badge()); });
}

void NavigationBar::setCurrent(int board)
{
    if (QAbstractButton* button = m_buttons->button(board)) {
        button->setChecked(true);
    } else if (QAbstractButton* last = m_buttons->checkedButton()) {
        m_buttons->setExclusive(false);
        last->setChecked(false);
        m_buttons->setExclusive(true);
    }
}

int NavigationBar::current() const
{
    return m_buttons->checkedId();
}

void NavigationBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), colors.border);
}

} // namespace lk
