// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QElapsedTimer>

namespace lk {

/// Two reads of one expiry may differ by this much, ms: what the clocks and the way add.
constexpr qint64 expiryToleranceMs = 1000;

/// Where time comes from, so that tests can hold it still. All times are milliseconds since 1970.
class Clock
{
public:
    virtual ~Clock() = default;
    virtual qint64 nowMs() const = 0;
};

/// This machine's clock. Safe from every thread.
class SystemClock final : public Clock
{
public:
    qint64 nowMs() const override { return QDateTime::currentMSecsSinceEpoch(); }
};

/// Time that a test sets. Belongs to one thread.
class ManualClock final : public Clock
{
public:
    explicit ManualClock(qint64 startMs)
        : m_nowMs(startMs)
    {}
    qint64 nowMs() const override { return m_nowMs; }
    void advance(qint64 ms) { m_nowMs += ms; }

private:
    qint64 m_nowMs;
};

/// The clock that ages and expiries are computed with.
enum class TimeSource : quint8 {
    Server, ///< TIME
    Info,   ///< INFO, for a user who may not send TIME
    Local,  ///< this machine's clock, for a user who may send neither; the server's may differ
};

/// The offset of the server's clock from the local one, measured over the shortest round trip seen.
/// A value; both threads hold a copy.
struct ServerClock
{
    qint64 offsetMs = 0; ///< server minus local
    qint64 roundTripMs =
        -1; ///< round trip of the measurement that set offsetMs; -1: not measured yet
    TimeSource source = TimeSource::Server;

    qint64 serverMs(qint64 localMs) const { return localMs + offsetMs; }
    bool known() const { return roundTripMs >= 0; }
};

} // namespace lk
