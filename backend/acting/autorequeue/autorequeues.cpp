// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/autorequeue/autorequeues.h"

namespace lk {

AutoRequeues::AutoRequeues(ActionExecutor& executor, const Clock& clock, AutoRequeuePace pace,
                           QObject* parent)
    : QObject(parent)
    , m_executor(executor)
    , m_clock(clock)
    , m_pace(pace)
{}

void AutoRequeues::start(const PrimitivePtr& queue, qint64 olderThanMs)
{
    AutoRequeue*& place = m_autoRequeues[queue->id];
    if (place && place->status().isOn())
        return;
    delete place;
    place = new AutoRequeue(m_executor, m_clock, queue, olderThanMs, m_pace, this);
    place->setClock(m_serverClock);
    connect(place, &AutoRequeue::changed, this, &AutoRequeues::changed);
    place->start();
}

void AutoRequeues::stop(const PrimitiveId& queue, const QString& why)
{
    if (AutoRequeue* autoRequeue = m_autoRequeues.value(queue))
        autoRequeue->stop(why);
}

bool AutoRequeues::isOn(const PrimitiveId& queue) const
{
    const AutoRequeue* autoRequeue = m_autoRequeues.value(queue);
    return autoRequeue && autoRequeue->status().isOn();
}

void AutoRequeues::know(const PrimitivePtr& queue)
{
    if (m_autoRequeues.isEmpty())
        return;
    if (AutoRequeue* autoRequeue = m_autoRequeues.value(queue->id))
        autoRequeue->setQueue(queue);
}

void AutoRequeues::setClock(const ServerClock& clock)
{
    m_serverClock = clock;
    for (AutoRequeue* autoRequeue : std::as_const(m_autoRequeues))
        autoRequeue->setClock(clock);
}

} // namespace lk
