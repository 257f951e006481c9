// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/joblisting.h"

#include "backend/polling/jobreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 afterProblemMs = 10'000; // what is denied is not asked for every second

Result<std::vector<StoredJob>> gone()
{
    return failure(ErrorCode::NotFound, JobListing::tr("The queue no longer exists"));
}

} // namespace

JobListing::JobListing(Connection& control, const Registry& registry, const Clock& clock,
                       QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_registry(registry)
    , m_clock(clock)
{}

void JobListing::want(Handle handle, const QByteArray& state)
{
    if (handle == m_handle && state == m_state)
        return;
    m_handle = handle;
    m_state = state;
    m_counts.clear();
    m_notBeforeMs = 0;
    m_tooLarge = false;
    m_underWay = false;
    ++m_turn;
    m_changed = !state.isEmpty();
    if (m_changed && m_control.isReady())
        read();
}

void JobListing::markChanged(Handle handle)
{
    m_changed = m_changed || (handle == m_handle && !m_state.isEmpty());
}

void JobListing::saw(Handle handle, const State& state)
{
    const auto* queue = handle == m_handle ? state.as<QueueState>() : nullptr;
    if (!queue || queue->states == m_counts)
        return;
    m_counts = queue->states;
    markChanged(handle);
}

void JobListing::everySecond(bool fed)
{
    if (m_state.isEmpty() || (fed && !m_changed))
        return;
    if (!m_underWay && !m_tooLarge && m_clock.nowMs() >= m_notBeforeMs)
        read();
}

void JobListing::read()
{
    m_changed = false;
    m_underWay = true;
    const quint64 turn = m_turn;
    start(m_handle, m_state, [this, turn](const Result<std::vector<StoredJob>>& jobs) {
        if (turn != m_turn)
            return;
        m_underWay = false;
        JobPage list = jobPageOf({m_state}, jobs);
        list.handle = m_handle;
        if (!jobs) {
            m_tooLarge = jobs.error().code == ErrorCode::ReplyTooLarge;
            m_changed = true;
        }
        m_notBeforeMs =
            m_clock.nowMs() + (jobs ? list.bytes * 1000 / bytesPerSecond : afterProblemMs);
        emit listed(std::make_shared<const JobPage>(std::move(list)));
    });
}

void JobListing::open(Handle handle, const QByteArray& state, quint64 fingerprint)
{
    start(handle, state, [=, this](const Result<std::vector<StoredJob>>& jobs) {
        JobPayload payload{handle, state, fingerprint, {}, {}};
        if (!jobs) {
            payload.problem = jobs.error();
        } else {
            const auto job = std::find_if(jobs->begin(), jobs->end(), [&](const StoredJob& j) {
                return queueItemOf(j).fingerprint == fingerprint;
            });
            if (job != jobs->end())
                payload.payload = job->payload;
            else
                payload.problem =
                    Error{ErrorCode::NotFound, tr("The job is no longer in the list")};
        }
        emit opened(std::make_shared<const JobPayload>(std::move(payload)));
    });
}

void JobListing::start(Handle handle, const QByteArray& state, Handler handler)
{
    const PrimitivePtr queue = m_registry.primitive(handle);
    if (!queue)
        return handler(gone());
    readJobs(m_control, queue, {state}, this, std::move(handler));
}

} // namespace lk
