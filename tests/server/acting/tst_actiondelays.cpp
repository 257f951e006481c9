// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/support/faultproxy.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using Phase = ConnectionStatus::Phase;

namespace {

qint64 calls(RedisServer& server, const QByteArray& command)
{
    return commandCalls(server).value(command);
}

bool awaitedAt(RedisServer& server, const QByteArray& command, qint64 count)
{
    QElapsedTimer since;
    for (since.start(); since.elapsed() < 20'000; QCoreApplication::processEvents()) {
        if (calls(server, command) >= count)
            return true;
    }
    return false;
}

/// A push, planned straight and run through a proxy, on a connection that does not wait for long.
class Held final
{
public:
    Held(const ServerUrl& through, const ServerUrl& straight, ScriptTiming timing = {})
        : connection(through, impatient())
        , runner(connection, Journal(m_folder.filePath(u"j/j.jsonl"_s)),
                 keptUndo(m_folder.filePath(u"u"_s)), m_clock, std::move(timing))
        , m_planner(straight)
    {
        connection.setWriteMode(true);
    }
    bool isReady()
    {
        if (!openAndWait(connection) || !m_planner.open())
            return false;
        const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs");
        // The server knows the script from now on.
        const Receipt first = m_planner.act(queue, "queue.push", {{"payload", "x"}});
        const auto plan = m_planner.plan(queue, "queue.push", {{"payload", "new"}});
        if (!plan || m_planner.undo(first.id).outcome != Outcome::Succeeded)
            return false;
        m_plan = *plan;
        return true;
    }
    void run()
    {
        launch(runner.run(m_plan, {}, &m_context), [this](const Receipt& r) {
            receipt = r;
            ++calls;
        });
    }

private:
    static Connection::Options impatient()
    {
        Connection::Options options;
        options.access = Connection::Access::Acting;
        options.batchTimeoutMs = 200;
        return options;
    }
    QTemporaryDir m_folder;
    SystemClock m_clock;

public:
    Connection connection;
    ActionRunner runner;
    std::optional<Receipt> receipt;
    int calls = 0;

private:
    Actor m_planner;
    Plan m_plan;
    QObject m_context;
};

} // namespace

/// A server or a network that stands still for longer than anybody waits: what is said of a step is
/// true of what is there later, too.
class TestActionDelays : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }

    void stalls();
    void arrivesTooLate();
    void unknownIsToldAfterTheDeadline();
    void slowButInTime();
    void frozenServerThatThaws();

private:
    void fill()
    {
        m_server.flush();
        m_server.line("RPUSH jobs a b");
    }

    RedisServer m_server;
};

// Nothing comes back, for longer than is waited for: before it is sent, nothing is.
void TestActionDelays::stalls()
{
    fill();
    FaultProxy proxy(m_server.socketPath());
    Held held(proxy.url(), m_server.url());
    QVERIFY(held.isReady());
    proxy.stall();
    held.run();
    QVERIFY(awaited([&] { return held.receipt.has_value(); }));
    QCOMPARE(held.receipt->outcome, Outcome::Refused);
    proxy.heal();
    QVERIFY(waitForPhase(held.connection, Phase::Ready));
    QVERIFY(runAndWait(held.connection, {{"PING"}}));
    QCOMPARE(held.calls, 1);
    QCOMPARE(m_server.line("LLEN jobs").integer, 2);
}

// It was sent, was on its way for longer than anybody waits, and arrives after all: the outcome was
// said to be unknown, who looked saw nothing, and nothing comes after that.
void TestActionDelays::arrivesTooLate()
{
    for (const bool knowsScript : {true, false}) {
        fill();
        FaultProxy proxy(m_server.socketPath());
        Held held(proxy.url(), m_server.url(),
                  {300, {}}); // as long as the connection waits, or longer
        QVERIFY(held.isReady());
        if (!knowsScript)
            m_server.line("SCRIPT FLUSH");
        proxy.holdFrom(knowsScript ? "EVALSHA" : "EVAL\r\n");
        QElapsedTimer since;
        since.start();
        held.run();
        QVERIFY(awaited([&] { return held.receipt.has_value(); }));
        QCOMPARE(held.receipt->outcome, Outcome::Unknown);
        QVERIFY(since.elapsed() >= 300);
        QVERIFY(proxy.isHolding());
        QCOMPARE(m_server.line("LLEN jobs").integer, 2);
        const qint64 before = calls(m_server, "lpush");
        const qint64 ran = calls(m_server, knowsScript ? "evalsha" : "eval");
        proxy.heal();
        QVERIFY(awaitedAt(m_server, knowsScript ? "evalsha" : "eval", ran + 1));
        QCOMPARE(m_server.line("LLEN jobs").integer, 2);
        QCOMPARE(calls(m_server, "lpush"), before);
        QCOMPARE(held.calls, 1);
        QCOMPARE(held.runner.journal().read()->entries.at(0).outcome, Outcome::Unknown);
    }
}

// Lost at once, but not told before the deadline has passed.
void TestActionDelays::unknownIsToldAfterTheDeadline()
{
    fill();
    FaultProxy proxy(m_server.socketPath());
    qint64 waits = 0;
    std::function<void()> passed;
    Held held(proxy.url(), m_server.url(),
              {60'000, [&](qint64 ms, QObject*, const std::function<void()>& then) {
                   waits = ms;
                   passed = then;
               }});
    QVERIFY(held.isReady());
    proxy.holdFrom("EVALSHA");
    held.run();
    QVERIFY(awaited([&] { return proxy.isHolding(); }));
    proxy.dropHeld();
    proxy.cutNow();
    QVERIFY(awaited([&] { return bool(passed); }));
    QVERIFY2(waits > 30'000 && waits <= 60'100, QByteArray::number(waits).constData());
    QVERIFY(!held.receipt);
    passed();
    QVERIFY(awaited([&] { return held.receipt.has_value(); })); // once it is in the journal
    QCOMPARE(held.receipt->outcome, Outcome::Unknown);
}

// Slow is not late: an answer that comes in time is told as it is.
void TestActionDelays::slowButInTime()
{
    fill();
    FaultProxy proxy(m_server.socketPath());
    Held held(proxy.url(), m_server.url(), {60'000, {}});
    QVERIFY(held.isReady());
    proxy.holdFrom("EVALSHA");
    held.run();
    QVERIFY(awaited([&] { return proxy.isHolding(); }));
    proxy.heal();
    QVERIFY(awaited([&] { return held.receipt.has_value(); }));
    QCOMPARE(held.receipt->outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("LLEN jobs").integer, 3);
}

// A server that stands still reads what it was sent when it goes on.
void TestActionDelays::frozenServerThatThaws()
{
    RedisServer server;
    QVERIFY(server.start());
    FaultProxy proxy(server.socketPath());
    Held held(proxy.url(), server.url(), {300, {}});
    QVERIFY(held.isReady());
    const qint64 before = server.line("LLEN jobs").integer;
    proxy.holdFrom("EVALSHA");
    held.run();
    QVERIFY(awaited([&] { return proxy.isHolding(); }));
    const qint64 ran = calls(server, "evalsha");
    server.freeze();
    proxy.heal(); // it is in the server's socket now
    QVERIFY(awaited([&] { return held.receipt.has_value(); }));
    QCOMPARE(held.receipt->outcome, Outcome::Unknown);
    server.thaw();
    QVERIFY(awaitedAt(server, "evalsha", ran + 1));
    QCOMPARE(server.line("LLEN jobs").integer, before);
    QVERIFY(waitForPhase(held.connection, Phase::Ready));
}

LK_TEST(TestActionDelays);
#include "tst_actiondelays.moc"
