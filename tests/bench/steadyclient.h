// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <atomic>
#include <thread>
#include <vector>

namespace lk::bench {

/// A service that uses the server all the time: 20,000 GETs a second in groups of four, on a
/// connection and in a thread of its own. Groups that are late are sent at once.
class SteadyClient final
{
public:
    static constexpr int perSecond = 20'000;

    /// socketPath: the server's. The key need not exist.
    SteadyClient(const QByteArray& socketPath, const QByteArray& key);
    ~SteadyClient();

    bool isConnected() const { return m_connected; }
    /// Counts the answers from now on.
    void begin() { m_generation.fetch_add(1); }
    /// How long each GET since begin() waited for its answer, in microseconds.
    std::vector<double> end();

private:
    void run(const QByteArray& socketPath, const QByteArray& key);

    std::atomic<int> m_generation = 0; ///< even: answers do not count
    std::atomic<int> m_taken = 0;      ///< the last m_generation that the thread has seen
    std::atomic<bool> m_connected = false;
    std::atomic<bool> m_started = false;
    std::atomic<bool> m_stop = false;
    std::vector<double> m_waitsUs; ///< the thread's own while m_taken is odd
    std::thread m_thread;
};

} // namespace lk::bench
