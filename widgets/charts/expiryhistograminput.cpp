// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard input of ExpiryHistogram.
#include "widgets/charts/expiryhistogram.h"

#include "widgets/charts/redrawgate.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

namespace lk {

void ExpiryHistogram::setChoosable(const QString& does)
{
    m_does = does;
    setMouseTracking(!does.isEmpty());
}

std::optional<int> ExpiryHistogram::barAt(const QPoint& place) const
{
    const QRect plot = plotRect();
    if (place.y() < plot.top() || place.y() > rect().bottom())
        return std::nullopt;
    const std::vector<Bar> all = bars();
    for (size_t i = 0; i < all.size(); ++i) {
        if (place.x() >= all[i].place.left() - 2 && place.x() <= all[i].place.right() + 2)
            return int(i);
    }
    return std::nullopt;
}

QRect ExpiryHistogram::barPlace(int index) const
{
    const std::vector<Bar> all = bars();
    return index >= 0 && index < int(all.size()) ? all[size_t(index)].place.toRect() : QRect();
}

// An empty bar cannot be chosen.
void ExpiryHistogram::choose(int index)
{
    const std::vector<Bar> all = bars();
    if (!m_does.isEmpty() && index >= 0 && index < int(all.size()) && all[size_t(index)].count > 0)
        emit chosen(all[size_t(index)].stretch);
}

// To the next bar that counts something; none beyond the last.
void ExpiryHistogram::moveCurrent(int by)
{
    const std::vector<Bar> all = bars();
    const int last = int(all.size()) - 1;
    for (int i = m_current ? *m_current + by : by > 0 ? 0 : last; i >= 0 && i <= last; i += by) {
        if (all[size_t(i)].count > 0) {
            m_current = i;
            break;
        }
    }
    setAccessibleDescription(description());
    update();
}

QString ExpiryHistogram::currentText() const
{
    const std::vector<Bar> all = bars();
    const bool there = !m_does.isEmpty() && m_current && *m_current < int(all.size());
    if (!there)
        return {};
    const Bar& bar = all[size_t(*m_current)];
    return bar.count > 0 ? tr("%1 (Return: %2)").arg(bar.text, m_does) : bar.text;
}

void ExpiryHistogram::focusInEvent(QFocusEvent* event)
{
    ChartWidget::focusInEvent(event);
    const bool byKey =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byKey && !m_does.isEmpty() && !m_current)
        moveCurrent(1);
    setAccessibleDescription(description());
}

bool ExpiryHistogram::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::optional<int> at = barAt(help->pos());
        QString text;
        if (at) {
            const Bar bar = bars()[size_t(*at)];
            text = bar.count > 0 && !m_does.isEmpty() ? bar.text + QLatin1Char('\n') + m_does
                                                      : bar.text;
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void ExpiryHistogram::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton ? barAt(event->pos()) : std::nullopt;
    ChartWidget::mousePressEvent(event);
    event->setAccepted(m_pressed.has_value());
}

void ExpiryHistogram::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<int> pressed = std::exchange(m_pressed, std::nullopt);
    ChartWidget::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && pressed && pressed == barAt(event->pos()))
        choose(*pressed);
}

void ExpiryHistogram::mouseMoveEvent(QMouseEvent* event)
{
    ChartWidget::mouseMoveEvent(event);
    const std::optional<int> at = m_does.isEmpty() ? std::nullopt : barAt(event->pos());
    if (at && bars()[size_t(*at)].count > 0)
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
}

void ExpiryHistogram::wheelEvent(QWheelEvent* event)
{
    const bool zooms =
        event->modifiers().testFlag(Qt::ControlModifier) && event->angleDelta().y() != 0;
    if (zooms)
        step(event->angleDelta().y() > 0 ? 1 : -1);
    event->setAccepted(zooms); // else it scrolls the page
}

void ExpiryHistogram::keyPressEvent(QKeyEvent* event)
{
    const bool choosable = !m_does.isEmpty();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift on many keyboards
        step(1);
        return;
    case Qt::Key_Minus:
        step(-1);
        return;
    case Qt::Key_End:
        setSpan(0);
        return;
    case Qt::Key_Right:
    case Qt::Key_Left:
        if (choosable)
            return moveCurrent(event->key() == Qt::Key_Right ? 1 : -1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (choosable && m_current)
            return choose(*m_current);
        break;
    default:
        break;
    }
    ChartWidget::keyPressEvent(event);
}

void ExpiryHistogram::mouseDoubleClickEvent(QMouseEvent*)
{
    setSpan(0);
}

} // namespace lk
