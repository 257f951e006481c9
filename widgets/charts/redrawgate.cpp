// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/redrawgate.h"

#include <QEvent>

namespace lk {

namespace {
constexpr int shortestGapMs = 100;
}

RedrawGate::RedrawGate(QWidget* widget, std::function<void()> redraw)
    : QObject(widget)
    , m_widget(widget)
    , m_redraw(std::move(redraw))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { run(); });
    m_widget->installEventFilter(this);
}

void RedrawGate::request()
{
    m_wanted = true;
    if (!m_widget->isVisible() || m_timer.isActive())
        return;
    const qint64 since = m_sinceLast.isValid() ? m_sinceLast.elapsed() : shortestGapMs;
    m_timer.start(int(std::clamp<qint64>(shortestGapMs - since, 0, shortestGapMs)));
}

bool RedrawGate::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_widget && event->type() == QEvent::Show && m_wanted)
        m_timer.start(0);
    return QObject::eventFilter(watched, event);
}

void RedrawGate::run()
{
    if (!m_widget->isVisible())
        return;
    m_wanted = false;
    m_sinceLast.start();
    m_redraw();
}

} // namespace lk
