// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/connection.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// An action of several steps: what is more than one script takes, or comes at a rate.
class TestPacedSteps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();
    void cleanup();

    void aGroupComesAtARate();
    void whatIsStoppedStaysAsItIs();
    void aGroupIsFoundAmongThousands();
    void aHorizonIsCutInScriptsOfTenThousand();
    void oldJobsGoInChunks();
    void tooMuchIsRefused_data();
    void tooMuchIsRefused();

private:
    PlanSet planned(const QByteArray& action, const Values& values);
    qint64 failed() { return m_server.run({"ZCARD", "bull:mail:failed"}).integer; }
    qint64 waiting() { return m_server.run({"LLEN", "bull:mail:wait"}).integer; }

    RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Connection> m_control;
    FirstSeen m_firstSeen;
    std::unique_ptr<ActionExecutor> m_executor;
    PrimitivePtr m_queue;
};

// 250 failed jobs of Bull, of which every fifth failed otherwise.
void TestPacedSteps::init()
{
    m_server.flush();
    m_server.run({"SET", "bull:mail:id", "250"});
    const qint64 endMs = serverNowMs(m_server) - 3'600'000;
    const auto ms = [](qint64 moment) { return QByteArray::number(moment); };
    for (int i = 1; i <= 250; ++i) {
        const QByteArray id = QByteArray::number(i);
        m_server.run({"HSET", "bull:mail:" + id, "name", "send", "data", "{}", "opts", "{}",
                      "timestamp", ms(endMs - 9000), "processedOn", ms(endMs - 8000), "finishedOn",
                      ms(endMs + i), "failedReason", i % 5 == 0 ? "no such user" : "mailbox full"});
        m_server.run({"ZADD", "bull:mail:failed", ms(endMs + i), id});
    }
    const TakenSnapshot look = takeSnapshot(m_server.url());
    QVERIFY(look.snapshot);
    for (const StatePtr& state : look.snapshot->states) {
        if (state->primitive->id.layout == "bull")
            m_queue = state->primitive;
    }
    QVERIFY2(m_queue, look.text.constData());
    m_folder = std::make_unique<QTemporaryDir>();
    m_control = std::make_unique<Connection>(m_server.url());
    m_executor =
        std::make_unique<ActionExecutor>(*m_control, m_firstSeen, m_clock,
                                         ActionFiles{m_folder->filePath(u"j/journal.jsonl"_s),
                                                     keptUndo(m_folder->filePath(u"undo"_s))},
                                         nullptr);
    QVERIFY(openAndWait(*m_control));
    m_executor->enableWriteMode(60'000);
    QTRY_VERIFY(m_executor->acting().isWriteModeOn());
}

void TestPacedSteps::cleanup()
{
    m_executor.reset();
    m_control.reset();
    m_queue.reset();
}

PlanSet TestPacedSteps::planned(const QByteArray& action, const Values& values)
{
    QSignalSpy spy(m_executor.get(), &ActionExecutor::planned);
    PlanRequest request;
    request.ticket = 1;
    request.action = action;
    request.targets.push_back({m_queue});
    request.request.values = values;
    m_executor->plan(request);
    if (!QTest::qWaitFor([&] { return spy.size() == 1; }))
        return {};
    return spy[0][0].value<PlanSet>();
}

void TestPacedSteps::aGroupComesAtARate()
{
    const PlanSet set = planned("queue.retry", {{"error", "no such user"}, {"rate", "20"}});
    QCOMPARE(set.plans.size(), 3U);
    QVERIFY(isOfOne(set));
    QCOMPARE(objectsOf(set.plans), 50);
    QVERIFY(set.plans[0].question.contains(u"50"_s));
    QVERIFY2(set.plans[0].consequence.contains(u"20"_s), qPrintable(set.plans[0].consequence));
    QCOMPARE(set.plans[0].afterMs, 0); // the first at once
    QCOMPARE(set.plans[1].afterMs, 1000);
    QCOMPARE(set.plans[2].objects, 10);
    for (const Plan& plan : set.plans)
        QVERIFY(plan.further.empty());
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(1, u"a group"_s);
    QTRY_COMPARE(receipts.size(), 1);
    QCOMPARE(waiting(), 20); // and no more until its second is over
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20'000);
    QCOMPARE(receipts.size(), 3);
    QCOMPARE(waiting(), 50);
    QCOMPARE(failed(), 200);
    const auto journal = Journal(m_folder->filePath(u"j/journal.jsonl"_s)).read();
    QVERIFY(journal);
    QCOMPARE(journal->entries.size(), 3);
    for (const JournalEntry& entry : journal->entries) {
        QVERIFY(!entry.group.isEmpty());
        QCOMPARE(entry.group, journal->entries.front().group);
    }
}

void TestPacedSteps::whatIsStoppedStaysAsItIs()
{
    const PlanSet set = planned("queue.retry", {{"error", "no such user"}, {"rate", "20"}});
    QCOMPARE(set.plans.size(), 3U);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(1, u"a group"_s);
    QTRY_COMPARE(receipts.size(), 1);
    m_executor->stop(1);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(receipts.size(), 1);
    QCOMPARE(waiting(), 20);
    QCOMPARE(failed(), 230);
}

// The newest 3,000 failed otherwise: all that match are found behind them, and all of them are
// queued.
void TestPacedSteps::aGroupIsFoundAmongThousands()
{
    const qint64 nowMs = serverNowMs(m_server);
    for (int i = 1001; i <= 4000; ++i) {
        const QByteArray id = QByteArray::number(i);
        m_server.run({"HSET", "bull:mail:" + id, "name", "send", "data", "{}", "opts", "{}",
                      "failedReason", "timeout", "finishedOn", QByteArray::number(nowMs + i)});
        m_server.run({"ZADD", "bull:mail:failed", QByteArray::number(nowMs + i), id});
    }
    PlanSet set = planned("queue.retry", {{"error", "mailbox full"}});
    QCOMPARE(set.plans.size(), 2U);
    QCOMPARE(objectsOf(set.plans), 200);
    QVERIFY2(set.plans[0].consequence.contains(u"All 3,250 jobs that are failed were searched; 200 "
                                               "match"_s),
             qPrintable(set.plans[0].consequence));
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(1, u"a group"_s);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20'000);
    QCOMPARE(waiting(), 200);
    QCOMPARE(failed(), 3050);

    set = planned("queue.retry", {{"all", ""}});
    QCOMPARE(set.plans.size(), 31U);
    QCOMPARE(objectsOf(set.plans), 3050);
    m_executor->run(1, u"all"_s);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, 60'000);
    QCOMPARE(failed(), 0);
    QCOMPARE(waiting(), 3250);
}

void TestPacedSteps::aHorizonIsCutInScriptsOfTenThousand()
{
    const QByteArray now = QByteArray::number(serverNowMs(m_server));
    m_server.run({"ZADD", "w", now, "a"});
    m_server.run({"EVAL",
                  "for i = 1, 25000 do redis.call('ZADD', 'w:retry', ARGV[1] + i * 1000, i) end",
                  "0", now});
    Declaration declaration;
    declaration.limit = 5;
    declaration.windowMs = 60'000;
    declaration.companions = {{"retry", "{name}:retry"}};
    m_queue = declaredPrimitive("rolling-window-retry", "w", declaration);
    const PlanSet set = planned("limiter.cap", {{"horizon", "1000s"}});
    QCOMPARE(set.plans.size(), 3U); // 24,000 lie further ahead
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(1, u"too far"_s);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20'000);
    const qint64 left = m_server.run({"ZCARD", "w:retry"}).integer;
    QVERIFY2(left >= 1000 && left <= 1030, qPrintable(QString::number(left))); // of that moment
}

void TestPacedSteps::oldJobsGoInChunks()
{
    const PlanSet set =
        planned("queue.discard-old", {{"older-than", "1ms"}, {"state", "failed"}, {"most", "230"}});
    QCOMPARE(set.plans.size(), 3U);
    QCOMPARE(objectsOf(set.plans), 230);
    QVERIFY2(set.plans[0].consequence.contains(u"20 more"_s), qPrintable(set.plans[0].consequence));
    QCOMPARE(set.plans[0].items.front(), QByteArray("1")); // the oldest first
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(1, u"old"_s);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20'000);
    QCOMPARE(failed(), 20);
    QCOMPARE(m_server.run({"EXISTS", "bull:mail:1", "bull:mail:230"}).integer, 0);
    QCOMPARE(m_server.run({"EXISTS", "bull:mail:231", "bull:mail:250"}).integer, 2);
}

void TestPacedSteps::tooMuchIsRefused_data()
{
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QByteArray>("parameter");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("a rate") << QByteArray("queue.retry") << QByteArray("rate") << QByteArray("101");
    QTest::newRow("a chunk") << QByteArray("queue.discard-old") << QByteArray("most")
                             << QByteArray("501");
    QTest::newRow("nothing so old")
        << QByteArray("queue.discard-old") << QByteArray("older-than") << QByteArray("3650d");
}

void TestPacedSteps::tooMuchIsRefused()
{
    QFETCH(const QByteArray, action);
    QFETCH(const QByteArray, parameter);
    QFETCH(const QByteArray, value);
    Values values{{parameter, value}};
    if (action == "queue.retry")
        values["all"] = "";
    else if (parameter != "older-than")
        values["older-than"] = "1ms";
    const PlanSet set = planned(action, values);
    QVERIFY(set.plans.empty());
    QCOMPARE(set.refused.size(), 1U);
    QCOMPARE(failed(), 250);
}

LK_TEST(TestPacedSteps);
#include "tst_pacedsteps.moc"
