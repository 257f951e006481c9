// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/loopprobe.h"

#include <QEvent>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace lk::bench {

namespace {

constexpr double slowMs = 3;
constexpr size_t slowest = 12;

qint64 nowNs(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return qint64(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

class Posted final : public QEvent
{
public:
    Posted()
        : QEvent(QEvent::User)
    {}
    const qint64 atNs = nowNs(CLOCK_MONOTONIC);
};

} // namespace

LoopProbe::LoopProbe()
    : m_poster([this] { post(); })
{}

LoopProbe::~LoopProbe()
{
    m_running = false;
    m_poster.join();
}

void LoopProbe::post()
{
    auto next = std::chrono::steady_clock::now();
    while (m_running) {
        QCoreApplication::postEvent(this, new Posted);
        next += std::chrono::milliseconds(1);
        std::this_thread::sleep_until(next);
    }
}

void LoopProbe::customEvent(QEvent* event)
{
    const auto* posted = static_cast<Posted*>(event);
    m_delays.push_back(double(nowNs(CLOCK_MONOTONIC) - posted->atNs) / 1e6);
}

std::vector<double> LoopProbe::take()
{
    return std::exchange(m_delays, {});
}

bool TimedApplication::notify(QObject* receiver, QEvent* event)
{
    if (QThread::currentThread() != thread() || m_inside)
        return QApplication::notify(receiver, event);
    m_inside = true;
    const QEvent::Type type = event->type();
    const QString name = QString::fromLatin1(receiver->metaObject()->className());
    const qint64 cpu = nowNs(CLOCK_THREAD_CPUTIME_ID);
    const qint64 wall = nowNs(CLOCK_MONOTONIC);
    const bool result = QApplication::notify(receiver, event);
    const double cpuMs = double(nowNs(CLOCK_THREAD_CPUTIME_ID) - cpu) / 1e6;
    m_inside = false;
    m_worstCpuMs = std::max(m_worstCpuMs, cpuMs);
    if (cpuMs >= slowMs) {
        m_slow.push_back({cpuMs, double(nowNs(CLOCK_MONOTONIC) - wall) / 1e6,
                          QStringLiteral("event %1 of %2").arg(int(type)).arg(name)});
    }
    return result;
}

std::vector<SlowEvent> TimedApplication::takeSlowest()
{
    std::vector<SlowEvent> events = std::exchange(m_slow, {});
    std::sort(events.begin(), events.end(),
              [](const SlowEvent& a, const SlowEvent& b) { return a.cpuMs > b.cpuMs; });
    if (events.size() > slowest)
        events.resize(slowest);
    return events;
}

} // namespace lk::bench
