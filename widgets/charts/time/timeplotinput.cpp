// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time/timeplot.h"
#include "widgets/charts/timeaxis.h"

#include <QMouseEvent>
#include <QResizeEvent>
#include <QWheelEvent>
#include <qcustomplot.h>

namespace lk {

namespace {

constexpr int clickReach = 3; // pixels that a click may move

} // namespace

bool TimePlot::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
        return dragged(event);
    case QEvent::MouseButtonDblClick:
        emit followWanted();
        return true;
    case QEvent::Resize: // it draws itself then, which needs a pixel to draw on
        return static_cast<QResizeEvent*>(event)->size().isEmpty();
    case QEvent::Leave:
        setHover(std::nullopt);
        return false;
    case QEvent::Wheel: {
        auto* wheel = static_cast<QWheelEvent*>(event);
        const double anchor = (wheel->position().x() - m_plot->axisRect()->left()) / plotWidth();
        // Events that the axis ignores go on to the page; the plot itself would keep them.
        wheel->setAccepted(m_axis->wheel(*wheel, anchor));
        return true;
    }
    default:
        return QWidget::eventFilter(watched, event);
    }
}

bool TimePlot::dragged(QEvent* event)
{
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const int x = mouse->pos().x();
    if (event->type() == QEvent::MouseButtonRelease) {
        // Pressed and released at one place: that moment is meant.
        if (m_pressX && std::abs(x - *m_pressX) <= clickReach &&
            m_plot->axisRect()->rect().contains(mouse->pos()))
            m_axis->click(timeAt(x));
        m_pressX.reset();
        m_dragX.reset();
        m_plot->unsetCursor();
    } else if (event->type() == QEvent::MouseButtonPress) {
        parentWidget()->setFocus(Qt::MouseFocusReason);
        if (mouse->button() != Qt::LeftButton)
            return false;
        m_dragX = m_pressX = x;
    } else if (m_dragX && x != *m_dragX) {
        m_plot->setCursor(Qt::ClosedHandCursor);
        m_axis->pan(double(*m_dragX - x) / plotWidth());
        m_dragX = x;
    }
    setHover(mouse->pos());
    return true;
}

void TimePlot::setHover(std::optional<QPoint> position)
{
    if (position && !m_plot->axisRect()->rect().contains(*position))
        position.reset();
    if (m_hover == position)
        return;
    m_hover = position;
    m_axis->setCursor(position ? std::optional(timeAt(position->x())) : std::nullopt);
    m_crosshair->replot();
}

} // namespace lk
