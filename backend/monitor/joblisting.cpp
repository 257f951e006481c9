// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/joblisting.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int mostRounds = 3;
constexpr qint64 afterProblemMs = 10'000; // what is denied is not asked for every second

Result<std::vector<StoredJob>> gone()
{
    return failure(ErrorCode::NotFound, JobListing::tr("The queue is not there any more"));
}

} // namespace

// One list on its way, from round to round.
struct JobListing::Reading
{
    PrimitivePtr queue;
    QByteArray state;
    Handler handler;
    std::vector<Command> asked;
    std::vector<Reply> replies;
    int rounds = 0;
};

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
        JobPage list{m_handle, m_state, {}, 0, {}};
        if (jobs) {
            for (const StoredJob& job : *jobs) {
                list.jobs.push_back(queueItemOf(job.payload, job.key));
                list.jobs.back().dueMs = job.dueMs;
                list.bytes += job.payload.size();
            }
        } else {
            list.problem = jobs.error();
            m_tooLarge = jobs.error().code == ErrorCode::ReplyTooLarge;
            m_changed = true;
        }
        m_notBeforeMs = m_clock.nowMs()
                        + (jobs ? list.bytes * 1000 / bytesPerSecond : afterProblemMs);
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
                return fingerprintOf(j.payload) == fingerprint;
            });
            if (job != jobs->end())
                payload.payload = job->payload;
            else
                payload.problem = Error{ErrorCode::NotFound,
                                        tr("The job is no longer among those that are listed")};
        }
        emit opened(std::make_shared<const JobPayload>(std::move(payload)));
    });
}

void JobListing::start(Handle handle, const QByteArray& state, Handler handler)
{
    const PrimitivePtr queue =
        handle < m_registry.end() ? m_registry.primitive(handle) : nullptr;
    if (!queue)
        return handler(gone());
    auto reading = std::make_shared<Reading>();
    reading->queue = queue;
    reading->state = state;
    reading->handler = std::move(handler);
    goOn(reading);
}

void JobListing::goOn(const std::shared_ptr<Reading>& reading)
{
    const Layout* layout = findLayout(reading->queue->id.layout);
    if (!layout)
        return reading->handler(gone());
    const std::vector<Command> next =
        reading->rounds++ < mostRounds
            ? layout->jobReads(*reading->queue, reading->state, reading->replies)
            : std::vector<Command>();
    if (next.empty())
        return reading->handler(layout->jobs(*reading->queue, reading->state, reading->replies));
    m_control.send(next, this, [this, reading, next](const BatchResult& result) {
        if (!result)
            return reading->handler(tl::unexpected(result.error()));
        for (size_t i = 0; i < next.size(); ++i) {
            const Reply& reply = (*result)[i];
            // What a key weighs is good to know, and not every user may ask.
            if (reply.isError() && next[i].args().front() != "MEMORY")
                return reading->handler(tl::unexpected(errorFromReply(reply.text)));
            reading->replies.push_back(reply);
        }
        goOn(reading);
    });
}

} // namespace lk
