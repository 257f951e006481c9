// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/panels/section.h"

#include "widgets/theme/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace lk {

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_title(new QLabel(title))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    QFont font = uiFont(TextSize::Body);
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    m_layout->addWidget(m_title);
}

void Section::setTitle(const QString& title)
{
    m_title->setText(title);
}

void Section::setBody(QWidget* body)
{
    m_layout->addWidget(body, 1);
}

} // namespace lk
