// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/errortext.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/support/faultproxy.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using Phase = ConnectionStatus::Phase;

namespace {

/// A step of which one can see how often it ran.
struct Step
{
    const char* name;
    const char* layout;
    const char* primitive;
    std::vector<QByteArray> setup;
    const char* action;
    Values values;
    QByteArray effect; ///< answers a number
    qint64 before;     ///< that number
    qint64 after;      ///< when it ran once
};

const std::vector<Step> steps{
    {"push",
     "reliable-list",
     "jobs",
     {"RPUSH jobs a b"},
     "queue.push",
     {{"payload", "new"}},
     "LLEN jobs",
     2,
     3},
    {"requeue",
     "reliable-list",
     "jobs",
     {"RPUSH jobs:processing same same same"},
     "queue.requeue",
     {{"index", "1"}},
     "LLEN jobs",
     0,
     1},
    {"drop",
     "reliable-list",
     "jobs",
     {"RPUSH jobs:processing same same same"},
     "queue.discard",
     {{"index", "1"}},
     "LLEN jobs:processing",
     3,
     2},
    {"free",
     "fixed-window",
     "f",
     {"SET f 50 PX 600000"},
     "limiter.free",
     {{"permits", "3"}},
     "STRLEN f",
     2,
     2},
    {"release",
     "set-nx-px",
     "lock:a",
     {"SET lock:a w1 PX 600000"},
     "lock.release",
     {{"owner", "w1"}},
     "EXISTS lock:a",
     1,
     0},
    {"revoke",
     "string-token",
     "code:1",
     {"SET code:1 p PX 600000"},
     "token.revoke",
     {},
     "EXISTS code:1",
     1,
     0},
    {"ttl",
     "set-nx-px",
     "lock:a",
     {"SET lock:a w1"},
     "key.ttl",
     {{"ttl", "1h"}},
     "TTL lock:a",
     -1,
     3600},
};

enum class Way { ToServer, ToClient };

} // namespace

/// The connection is cut at a byte, in either direction: a step has run once or not at all, this is
/// said, and what a fresh look shows is one of the two.
class TestActionFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }

    void everyByteOfAPush_data();
    void everyByteOfAPush();
    void everyStep_data();
    void everyStep();
    void undoCutMidway();
    void lostBeforeItIsSent();

private:
    void prepare(const Step& step, bool knowsScript);
    qint64 number(const Step& step);
    void cutAt(const Step& step, Way way, qint64 bytes, bool knowsScript);
    qint64 exchanged(const Step& step, Way way, bool knowsScript);

    RedisServer m_server;
    int m_ran = 0;
    int m_unknown = 0;
};

void TestActionFaults::prepare(const Step& step, bool knowsScript)
{
    m_server.flush();
    for (const QByteArray& line : step.setup)
        m_server.line(line);
    if (!knowsScript)
        m_server.line("SCRIPT FLUSH");
}

qint64 TestActionFaults::number(const Step& step)
{
    if (step.primitive == QByteArray("f")) // the count itself
        return m_server.line("GET f").text.toLongLong();
    return m_server.line(step.effect).integer;
}

// How many bytes go that way when nothing is cut.
qint64 TestActionFaults::exchanged(const Step& step, Way way, bool knowsScript)
{
    prepare(step, true);
    Actor actor(m_server.url());
    if (!actor.open())
        return 0;
    const PrimitivePtr primitive = declaredPrimitive(step.layout, step.primitive);
    if (actor.act(primitive, step.action, step.values).outcome !=
        Outcome::Succeeded) // known from now on
        return 0;
    prepare(step, knowsScript);
    const Result<Plan> plan = actor.plan(primitive, step.action, step.values);
    const TrafficCounts before = actor.connection.traffic();
    if (!plan || actor.run(*plan).outcome != Outcome::Succeeded)
        return 0;
    const TrafficCounts after = actor.connection.traffic();
    return way == Way::ToServer ? after.bytesSent - before.bytesSent
                                : after.bytesReceived - before.bytesReceived;
}

void TestActionFaults::cutAt(const Step& step, Way way, qint64 bytes, bool knowsScript)
{
    prepare(step, knowsScript);
    const qint64 before = number(step);
    const qint64 afterOnce = step.primitive == QByteArray("f") ? before - 3 : step.after;
    FaultProxy proxy(m_server.socketPath());
    Actor actor(proxy.url());
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(declaredPrimitive(step.layout, step.primitive), step.action, step.values);
    QVERIFY2(plan, plan ? "" : qPrintable(errorText(plan.error())));
    if (way == Way::ToServer)
        proxy.cutAfterToServer(bytes);
    else
        proxy.cutAfterToClient(bytes);
    const Receipt receipt = actor.run(*plan);
    proxy.heal();

    // The number on the server after everything that was let through has arrived.
    const qint64 now = number(step);
    const bool ran = now == afterOnce && afterOnce != before;
    QVERIFY2(now == before || now == afterOnce, QByteArray::number(now).constData());
    m_ran += ran;
    m_unknown += receipt.outcome == Outcome::Unknown;
    if (receipt.outcome == Outcome::Succeeded)
        QVERIFY(ran);
    else if (receipt.outcome == Outcome::Unknown)
        QVERIFY(!receipt.undoable && receipt.revealed.isEmpty() &&
                receipt.text.contains(u"once"_s));
    else
        QVERIFY2(!ran, qPrintable(receipt.text));
    const auto entry = actor.entry(receipt.id);
    QVERIFY(entry);
    QCOMPARE(entry->outcome, receipt.outcome);
    QCOMPARE(actor.journal().size(), size_t(1));

    if (receipt.outcome == Outcome::Succeeded)
        return;
    // After reconnecting, a read returns the true state, and nothing is sent again by itself.
    QVERIFY(awaited([&] {
        actor.connection.retryNow();
        return actor.connection.isReady() && actor.connection.status().generation == 2;
    }));
    const Result<Plan> planned =
        actor.plan(declaredPrimitive(step.layout, step.primitive), "key.delete");
    QVERIFY(planned || planned.error().code == ErrorCode::NotPossible);
    QCOMPARE(number(step), now);
}

void TestActionFaults::everyByteOfAPush_data()
{
    QTest::addColumn<bool>("toServer");
    QTest::addColumn<bool>("knowsScript");
    QTest::newRow("to the server, known") << true << true;
    QTest::newRow("to the client, known") << false << true;
    QTest::newRow("to the client, sent whole") << false << false;
}

void TestActionFaults::everyByteOfAPush()
{
    QFETCH(bool, toServer);
    QFETCH(bool, knowsScript);
    const Way way = toServer ? Way::ToServer : Way::ToClient;
    const qint64 bytes = exchanged(steps[0], way, knowsScript);
    QVERIFY(bytes > 100);
    m_ran = m_unknown = 0;
    for (qint64 at = 0; at <= bytes; ++at) {
        cutAt(steps[0], way, at, knowsScript);
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(u"cut at %1 of %2"_s.arg(at).arg(bytes)));
    }
    QVERIFY(m_unknown > bytes / 3); // the cuts did hit
    // A request that did not arrive whole never runs; an answer is cut after it has run.
    if (toServer)
        QVERIFY2(m_ran <= 1, QByteArray::number(m_ran).constData());
    else
        QVERIFY2(m_ran > bytes / 3, QByteArray::number(m_ran).constData());
}

void TestActionFaults::everyStep_data()
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < steps.size(); ++i)
        QTest::newRow(steps[i].name) << int(i);
}

void TestActionFaults::everyStep()
{
    QFETCH(int, index);
    const Step& step = steps[size_t(index)];
    for (const bool knowsScript : {true, false}) {
        for (const Way way : {Way::ToServer, Way::ToClient}) {
            const qint64 bytes = exchanged(step, way, knowsScript);
            QVERIFY(bytes > 50);
            m_unknown = 0;
            for (const int part : {0, 3, 10, 25, 40, 55, 70, 85, 95, 99}) {
                cutAt(step, way, bytes * part / 100, knowsScript);
                if (QTest::currentTestFailed())
                    QFAIL(qPrintable(u"cut at %1 of %2"_s.arg(bytes * part / 100).arg(bytes)));
            }
            QVERIFY(m_unknown >= 5);
        }
    }
}

// The undo of a drop has no guard but that it is taken once, that of a release compares: in either
// case what ran is not run again.
void TestActionFaults::undoCutMidway()
{
    for (const size_t index : {size_t(2), size_t(4)}) {
        const Step& step = steps[index];
        prepare(step, true);
        {
            Actor first(m_server.url()); // the server knows the scripts from now on
            QVERIFY(first.open());
            const PrimitivePtr primitive = declaredPrimitive(step.layout, step.primitive);
            const Receipt done = first.act(primitive, step.action, step.values);
            QCOMPARE(first.undo(done.id).outcome, Outcome::Succeeded);
        }
        FaultProxy proxy(m_server.socketPath());
        Actor actor(proxy.url());
        QVERIFY(actor.open());
        const Receipt done =
            actor.act(declaredPrimitive(step.layout, step.primitive), step.action, step.values);
        QCOMPARE(done.outcome, Outcome::Succeeded);
        proxy.cutAfterToClient(60); // after the answer to TIME, in that of the script
        const Receipt undone = actor.undo(done.id);
        QCOMPARE(undone.outcome, Outcome::Unknown);
        proxy.heal();
        QVERIFY(waitForPhase(actor.connection, Phase::Ready));
        QTRY_COMPARE(number(step), step.before);
        QVERIFY(actor.undo(done.id).outcome != Outcome::Succeeded);
        QCOMPARE(number(step), step.before);
    }
}

void TestActionFaults::lostBeforeItIsSent()
{
    const Step& step = steps[0];
    prepare(step, true);
    FaultProxy proxy(m_server.socketPath());
    Actor actor(proxy.url());
    QVERIFY(actor.open());
    const auto plan =
        actor.plan(declaredPrimitive(step.layout, step.primitive), step.action, step.values);
    QVERIFY(plan);
    proxy.cutNow();
    QVERIFY(waitForPhase(actor.connection, Phase::Lost));
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Refused);
    QCOMPARE(number(step), step.before);
    QVERIFY(actor.journal().empty());
}

LK_TEST(TestActionFaults);
#include "tst_actionfaults.moc"
