// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/jobstatebar.h"

#include "backend/text/jobstatetitle.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QLocale>
#include <QToolButton>

#include <algorithm>

namespace lk {

JobStateBar::JobStateBar(QWidget* parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2);
    m_grid->setVerticalSpacing(2);
}

void JobStateBar::setStates(const std::vector<JobState>& states)
{
    const bool same =
        std::equal(states.begin(), states.end(), m_states.begin(), m_states.end(),
                   [](const JobState& a, const JobState& b) { return a.name == b.name; });
    m_states = states;
    if (!same)
        makeButtons();
    for (size_t i = 0; i < m_states.size(); ++i) {
        QAbstractButton* button = m_buttons->button(int(i));
        const QString title = jobStateTitle(m_states[i]);
        const QString count =
            m_states[i].count ? QLocale().toString(*m_states[i].count) : QStringLiteral("\u2013");
        button->setText(QStringLiteral("%1 %2").arg(title, count));
        button->setAccessibleName(tr("Show jobs: %1, %2").arg(title, count));
    }
    placeButtons();
}

void JobStateBar::makeButtons()
{
    for (QAbstractButton* button : m_buttons->buttons())
        delete button;
    for (size_t i = 0; i < m_states.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setFont(uiFont(TextSize::Caption));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        m_buttons->addButton(button, int(i));
        connect(button, &QToolButton::clicked, this,
                [this, name = m_states[i].name] { emit chosen(name); });
    }
    m_columns = 0;
}

void JobStateBar::setCurrent(const QByteArray& name)
{
    for (size_t i = 0; i < m_states.size(); ++i) {
        if (m_states[i].name == name)
            m_buttons->button(int(i))->setChecked(true);
    }
}

// Returns the width of a grid with that many columns.
int JobStateBar::widthOf(int columns) const
{
    int width = -m_grid->horizontalSpacing();
    for (int column = 0; column < columns; ++column) {
        int widest = 0;
        for (int i = column; i < int(m_states.size()); i += columns)
            widest = std::max(widest, m_buttons->button(i)->sizeHint().width());
        width += widest + m_grid->horizontalSpacing();
    }
    return width;
}

void JobStateBar::placeButtons()
{
    const int count = int(m_states.size());
    int columns = count;
    for (int rows = 2; columns > 1 && widthOf(columns) > width(); ++rows)
        columns = (count + rows - 1) / rows;
    if (columns == m_columns || count == 0)
        return;
    m_columns = columns;
    for (QAbstractButton* button : m_buttons->buttons())
        m_grid->removeWidget(button);
    for (int i = 0; i < count; ++i)
        m_grid->addWidget(m_buttons->button(i), i / columns, i % columns, Qt::AlignLeft);
    for (int column = 0; column < count; ++column)
        m_grid->setColumnStretch(column, 0);
    m_grid->setColumnStretch(columns, 1);
    updateGeometry();
}

// The widest one: their rows may be many.
QSize JobStateBar::minimumSizeHint() const
{
    int widest = 0;
    for (const QAbstractButton* button : m_buttons->buttons())
        widest = std::max(widest, button->sizeHint().width());
    return {widest, QWidget::minimumSizeHint().height()};
}

void JobStateBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeButtons();
}

} // namespace lk
