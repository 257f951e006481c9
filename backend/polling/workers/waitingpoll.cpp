// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/workers/waitingpoll.h"

namespace lk {

namespace {

constexpr int everySeconds = 5;

} // namespace

WaitingPoll::WaitingPoll(Link& control, const Registry& registry, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_registry(registry)
{}

void WaitingPoll::everySecond()
{
    const PrimitivePtr shown = m_registry.primitive(m_selected);
    if (!shown || shown->kind != Kind::Queue) {
        m_askedFor = noHandle;
        return;
    }
    if (m_askedFor == m_selected && ++m_seconds < everySeconds)
        return;
    m_askedFor = m_selected;
    m_seconds = 0;
    readWaitingWorkers(m_control, m_connections, this, [this](const WaitingWorkersPtr& waiting) {
        auto marked = std::make_shared<WaitingWorkers>(*waiting);
        marked->inferred = onlyEmptyQueue();
        emit found(marked);
    });
}

// A blocked client waits on an empty list.
PrimitiveId WaitingPoll::onlyEmptyQueue() const
{
    PrimitiveId only;
    for (const auto& [handle, primitive] : m_registry.all()) {
        if (primitive->kind != Kind::Queue)
            continue;
        const StatePtr state = m_registry.state(handle);
        const auto* queue = state ? state->as<QueueState>() : nullptr;
        if (queue && queue->ready.value_or(0) > 0)
            continue;
        if (!only.name.isEmpty())
            return {};
        only = primitive->id;
    }
    return only;
}

} // namespace lk
