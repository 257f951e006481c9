// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/redrawgate.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {
constexpr int valuesGapMs = 100;
constexpr int frameGapMs = 16;
} // namespace

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
    ask(valuesGapMs);
}

void RedrawGate::requestFrame()
{
    ask(frameGapMs);
}

void RedrawGate::ask(int gapMs)
{
    m_wanted = true;
    if (!m_widget->isVisible())
        return;
    // Whole milliseconds of it would be a millisecond too long at most, and of sixty drawings a
    // second three would be missing.
    const double since = m_sinceLast.isValid() ? double(m_sinceLast.nsecsElapsed()) / 1e6 : gapMs;
    const int waitMs = int(std::lround(std::clamp(gapMs - since, 0.0, double(gapMs))));
    if (!m_timer.isActive() || m_timer.remainingTime() > waitMs)
        m_timer.start(waitMs);
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
