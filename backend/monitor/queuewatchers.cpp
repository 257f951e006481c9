// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/queuewatchers.h"

namespace lk {

QueueWatchers::QueueWatchers(ActionDesk& desk, const Clock& clock, QueueWatcher::Pace pace,
                             QObject* parent)
    : QObject(parent)
    , m_desk(desk)
    , m_clock(clock)
    , m_pace(pace)
{}

void QueueWatchers::start(const PrimitivePtr& queue, qint64 olderThanMs)
{
    QueueWatcher*& place = m_watchers[queue->id];
    if (place && place->watch().isOn())
        return;
    delete place;
    place = new QueueWatcher(m_desk, m_clock, queue, olderThanMs, m_pace, this);
    place->setClock(m_serverClock);
    connect(place, &QueueWatcher::changed, this, &QueueWatchers::changed);
    place->start();
}

void QueueWatchers::stop(const PrimitiveId& queue, const QString& why)
{
    if (QueueWatcher* watcher = m_watchers.value(queue))
        watcher->stop(why);
}

bool QueueWatchers::isOn(const PrimitiveId& queue) const
{
    const QueueWatcher* watcher = m_watchers.value(queue);
    return watcher && watcher->watch().isOn();
}

void QueueWatchers::know(const PrimitivePtr& queue)
{
    if (m_watchers.isEmpty())
        return;
    if (QueueWatcher* watcher = m_watchers.value(queue->id))
        watcher->setQueue(queue);
}

void QueueWatchers::setClock(const ServerClock& clock)
{
    m_serverClock = clock;
    for (QueueWatcher* watcher : std::as_const(m_watchers))
        watcher->setClock(clock);
}

} // namespace lk
