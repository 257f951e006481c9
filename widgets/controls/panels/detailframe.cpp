// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/panels/detailframe.h"

#include "widgets/controls/emptystate.h"
#include "widgets/theme/boxlayout.h"

#include <QEvent>
#include <QFrame>
#include <QScrollArea>
#include <QStackedLayout>

#include <algorithm>

namespace lk {

namespace {

QFrame* separator()
{
    auto* line = new QFrame;
    line->setFixedHeight(1);
    line->setBackgroundRole(QPalette::Mid);
    line->setAutoFillBackground(true);
    return line;
}

void putOnBase(QWidget* widget)
{
    widget->setBackgroundRole(QPalette::Base);
    widget->setAutoFillBackground(true);
}

} // namespace

DetailFrame::DetailFrame(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_scroll(new QScrollArea)
    , m_nothing(new EmptyState)
{}

void DetailFrame::build(QWidget* page, QWidget* bar, const QString& name)
{
    auto* selected = new QWidget;
    m_scroll->setWidget(page);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(name);
    m_scroll->viewport()->installEventFilter(this);
    page->installEventFilter(this);
    auto* column = columnIn(selected, {}, 0, {{m_scroll, 1}});
    if (bar) {
        column->addWidget(separator());
        column->addWidget(bar);
        putOnBase(bar);
    }
    for (QWidget* ground : {page, m_scroll->viewport(), static_cast<QWidget*>(m_nothing)})
        putOnBase(ground);
    m_stack->addWidget(selected);
    m_stack->addWidget(m_nothing);
    showPage(false);
}

void DetailFrame::showPage(bool selected)
{
    m_stack->setCurrentIndex(selected ? 0 : 1);
}

// A scroll area asks its page how high it is at least, not how high it is at this width.
void DetailFrame::fit()
{
    QWidget* page = m_scroll->widget();
    const int height = page->layout()->totalHeightForWidth(m_scroll->viewport()->width());
    page->setMinimumHeight(std::max(0, height));
}

bool DetailFrame::eventFilter(QObject* watched, QEvent* event)
{
    const bool resized = watched == m_scroll->viewport() && event->type() == QEvent::Resize;
    if (resized || (watched == m_scroll->widget() && event->type() == QEvent::LayoutRequest))
        fit();
    return QWidget::eventFilter(watched, event);
}

} // namespace lk
