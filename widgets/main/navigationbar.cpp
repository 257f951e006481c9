// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/navigationbar.h"

#include "backend/findings/findings.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/main/navigationbutton.h"
#include "widgets/theme/accessiblerole.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QEvent>
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

int NavigationBar::addBoard(const QString& iconName, const QString& title, const QString& shortcut)
{
    const int id = int(m_buttons->buttons().size());
    auto* button = new NavigationButton(iconName, title);
    button->setToolTip(shortcut.isEmpty() ? title
                                          : QStringLiteral("%1 (%2)").arg(title, shortcut));
    m_buttons->addButton(button, id);
    m_layout->insertWidget(m_layout->count() - 1, button);
    return id;
}

void NavigationBar::setCount(int board, qint64 count, Health worst)
{
    QString description = count >= 0 ? tr("primitives: %1").arg(count) : QString();
    if (worst == Health::Watch)
        description += tr(", warnings");
    else if (worst == Health::Bad)
        description += tr(", some need attention");
    static_cast<NavigationButton*>(m_buttons->button(board))
        ->setCount(count, worst >= Health::Watch ? healthIconName(worst) : QString(),
                   healthRole(worst), description);
}

void NavigationBar::setFindings(int board, qint64 count, std::optional<Finding::Severity> worst)
{
    const QString description =
        worst ? tr("findings: %1, highest severity: %2").arg(count).arg(severityWord(*worst))
              : tr("no findings");
    static_cast<NavigationButton*>(m_buttons->button(board))
        ->setCount(count, worst ? severityIconName(*worst) : QString(),
                   worst ? severityRole(*worst) : ColorRole::Text, description);
}

void NavigationBar::setCurrent(int board)
{
    m_buttons->button(board)->setChecked(true);
}

int NavigationBar::current() const
{
    return m_buttons->checkedId();
}

void NavigationBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

void NavigationBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.surface);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), colors.border);
}

} // namespace lk
