// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/steadyclient.h"

#include <hiredis/hiredis.h>
#include <sys/prctl.h>

#include <chrono>
#include <utility>

namespace lk::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int group = 4;
constexpr auto every = std::chrono::microseconds(1'000'000 / SteadyClient::perSecond * group);

// When each answer came after the group was sent; false once the server is gone.
bool askGroup(redisContext* redis, const QByteArray& key, std::vector<double>* waitsUs)
{
    for (int i = 0; i < group; ++i)
        redisAppendCommand(redis, "GET %b", key.constData(), size_t(key.size()));
    const auto sent = Clock::now();
    for (int i = 0; i < group; ++i) {
        void* reply = nullptr;
        if (redisGetReply(redis, &reply) != REDIS_OK)
            return false;
        freeReplyObject(reply);
        if (waitsUs)
            waitsUs->push_back(
                std::chrono::duration<double, std::micro>(Clock::now() - sent).count());
    }
    return true;
}

} // namespace

SteadyClient::SteadyClient(const QByteArray& socketPath, const QByteArray& key)
    : m_thread([this, socketPath, key] { run(socketPath, key); })
{
    m_started.wait(false);
}

SteadyClient::~SteadyClient()
{
    m_stop = true;
    m_thread.join();
}

std::vector<double> SteadyClient::end()
{
    const int generation = m_generation.fetch_add(1) + 1;
    for (int taken = m_taken; taken != generation; taken = m_taken)
        m_taken.wait(taken);
    return std::exchange(m_waitsUs, {});
}

void SteadyClient::run(const QByteArray& socketPath, const QByteArray& key)
{
    ::prctl(PR_SET_TIMERSLACK, 1UL); // ns; sleeps end in time
    redisContext* redis = redisConnectUnix(socketPath.constData());
    m_connected = redis && !redis->err;
    m_started = true;
    m_started.notify_all();
    bool alive = m_connected;
    auto next = Clock::now();
    while (!m_stop) {
        const int generation = m_generation;
        if (m_taken.exchange(generation) != generation)
            m_taken.notify_all();
        alive = alive && askGroup(redis, key, generation % 2 == 1 ? &m_waitsUs : nullptr);
        next = std::max(next + every, Clock::now());
        std::this_thread::sleep_until(next);
    }
    redisFree(redis);
}

} // namespace lk::bench
