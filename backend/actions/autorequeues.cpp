// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/autorequeues.h"

namespace lk {

AutoRequeues::AutoRequeues(ActionExecutor& desk, const Clock& clock, AutoRequeue::Pace pace,
                           QObject* parent)
    : QObject(parent)
    , m_desk(desk)
    , m_clock(clock)
    , m_pace(pace)
{}

void AutoRequeues::start(const PrimitivePtr& queue, qint64 olderThanMs)
{
    AutoRequeue*& place = m_autoRequeues[queue->id];
    if (place && place->watch().isOn())
        return;
    delete place;
    place = new AutoRequeue(m_desk, m_clock, queue, olderThanMs, m_pace, this);
    place->setClock(m_serverClock);
    connect(place, &AutoRequeue::changed, this, &AutoRequeues::changed);
    place->start();
}

void AutoRequeues::stop(const PrimitiveId& queue, const QString& why)
{
    if (AutoRequeue* watcher = m_autoRequeues.value(queue))
        watcher->stop(why);
}

bool AutoRequeues::isOn(const PrimitiveId& queue) const
{
    const AutoRequeue* watcher = m_autoRequeues.value(queue);
    return watcher && watcher->watch().isOn();
}

void AutoRequeues::know(const PrimitivePtr& queue)
{
    if (m_autoRequeues.isEmpty())
        return;
    if (AutoRequeue* watcher = m_autoRequeues.value(queue->id))
        watcher->setQueue(queue);
}

void AutoRequeues::setClock(const ServerClock& clock)
{
    m_serverClock = clock;
    for (AutoRequeue* watcher : std::as_const(m_autoRequeues))
        watcher->setClock(clock);
}

} // namespace lk
