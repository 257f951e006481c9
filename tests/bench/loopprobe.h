// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QObject>

#include <atomic>
#include <thread>
#include <vector>

namespace lk::bench {

/// Posts an event to itself each millisecond from a thread of its own and notes how long each
/// waited. A key press would have waited as long in the event loop of the probe's thread.
class LoopProbe final : public QObject
{
    Q_OBJECT

public:
    LoopProbe();
    ~LoopProbe() override;

    /// Returns the delays so far (ms) and clears them. Call in the probe's thread, or after its
    /// end.
    std::vector<double> take();

protected:
    void customEvent(QEvent* event) override;

private:
    void post();

    std::vector<double> m_delays;
    std::atomic<bool> m_running = true;
    std::thread m_poster;
};

/// The cost of one event in the GUI thread.
struct SlowEvent
{
    double cpuMs = 0; ///< the thread's; other programs' load does not count
    double wallMs = 0;
    QString what; ///< type and receiver
};

/// Measures each event that the event loop hands out.
class TimedApplication final : public QApplication
{
    Q_OBJECT

public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override;
    /// Returns the slowest events, the worst first, and clears the list.
    std::vector<SlowEvent> takeSlowest();
    double takeWorstCpuMs() { return std::exchange(m_worstCpuMs, 0); }

private:
    std::vector<SlowEvent> m_slow;
    double m_worstCpuMs = 0;
    bool m_inside = false;
};

} // namespace lk::bench
