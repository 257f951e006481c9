// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timeplot.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <qcustomplot.h>

#include <cmath>

namespace lk {

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
    case QEvent::Leave:
        setHover(std::nullopt);
        return false;
    case QEvent::Wheel: {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        const double anchor = (wheel->position().x() - m_plot->axisRect()->left()) / plotWidth();
        if (wheel->angleDelta().y() != 0)
            m_view.zoom(std::pow(0.8, wheel->angleDelta().y() / 120.0), std::clamp(anchor, 0., 1.));
        else
            m_view.pan(-wheel->angleDelta().x() / 1200.0);
        emit moved();
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
        m_dragX.reset();
        m_plot->unsetCursor();
    } else if (event->type() == QEvent::MouseButtonPress) {
        parentWidget()->setFocus(Qt::MouseFocusReason);
        if (mouse->button() != Qt::LeftButton)
            return false;
        m_dragX = x;
    } else if (m_dragX && x != *m_dragX) {
        m_plot->setCursor(Qt::ClosedHandCursor);
        m_view.pan(double(*m_dragX - x) / plotWidth());
        m_dragX = x;
        emit moved();
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
    m_crosshair->replot(); // its own buffer: the lines are not drawn again
}

} // namespace lk
