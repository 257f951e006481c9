// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"

#include <QEventLoop>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace lk::test {

/// The options of the test's own client, which may write.
inline Connection::Options freeToWrite()
{
    Connection::Options options;
    options.access = Connection::Access::Free;
    return options;
}

/// Runs the event loop until the condition holds; returns false after patienceMs. QTest::qWaitFor()
/// sleeps 10 ms between two checks of its events: a test that waits a millisecond hundreds of times
/// takes ten times as long with it.
template<typename Condition> bool waitUntil(Condition holds, int patienceMs = 20'000)
{
    bool held = holds();
    QEventLoop loop;
    QTimer looks;
    QObject::connect(&looks, &QTimer::timeout, &loop, [&] {
        held = held || holds();
        if (held)
            loop.quit();
    });
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    looks.start(1);
    if (!held)
        loop.exec();
    return held;
}

/// Runs the event loop until the connection is in that phase; false after the patience.
inline bool waitForPhase(const Connection& connection, ConnectionStatus::Phase phase,
                         int patienceMs = 10'000)
{
    return QTest::qWaitFor([&] { return connection.status().phase == phase; }, patienceMs);
}

inline bool openAndWait(Connection& connection)
{
    connection.open();
    return waitForPhase(connection, ConnectionStatus::Phase::Ready);
}

/// The outcome of one batch and how often its handler was called.
struct BatchProbe
{
    BatchResult result = failure(ErrorCode::Cancelled);
    int calls = 0;

    BatchHandler handler()
    {
        return [this](BatchResult r) {
            result = std::move(r);
            ++calls;
        };
    }
    bool wait(int patienceMs = 10'000)
    {
        return QTest::qWaitFor([this] { return calls > 0; }, patienceMs);
    }
    ErrorCode error() const { return result ? ErrorCode::ServerError : result.error().code; }
};

/// Sends one batch and waits for its outcome.
inline BatchResult runAndWait(Connection& connection, std::vector<Command> commands)
{
    BatchProbe probe;
    QObject context; // no call into a frame that is gone, should the patience end first
    connection.send(std::move(commands), &context, probe.handler());
    probe.wait();
    return std::move(probe.result);
}

} // namespace lk::test
