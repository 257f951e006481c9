// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/waitingpoll.h"

namespace lk {

namespace {

constexpr int everySeconds = 5;

} // namespace

WaitingPoll::WaitingPoll(Connection& control, const Registry& registry, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_registry(registry)
{}

void WaitingPoll::forget(Handle handle)
{
    for (Handle* known : {&m_selected, &m_askedFor}) {
        if (*known == handle)
            *known = noHandle;
    }
}

void WaitingPoll::everySecond()
{
    const PrimitivePtr shown =
        m_selected < m_registry.end() ? m_registry.primitive(m_selected) : nullptr;
    if (!shown || shown->kind != Kind::Queue) {
        m_askedFor = noHandle;
        return;
    }
    if (m_askedFor == m_selected && ++m_seconds < everySeconds)
        return;
    m_askedFor = m_selected;
    m_seconds = 0;
    lookForWaiting(m_control, m_connections, this, [this](const WaitingWorkersPtr& waiting) {
        auto told = std::make_shared<WaitingWorkers>(*waiting);
        told->inferred = onlyEmptyQueue();
        emit found(told);
    });
}

// Whoever is blocked waits on a list that is empty.
PrimitiveId WaitingPoll::onlyEmptyQueue() const
{
    PrimitiveId only;
    for (Handle handle = 0; handle < m_registry.end(); ++handle) {
        const PrimitivePtr& primitive = m_registry.primitive(handle);
        if (!primitive || primitive->kind != Kind::Queue)
            continue;
        const StatePtr& state = m_registry.state(handle);
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
