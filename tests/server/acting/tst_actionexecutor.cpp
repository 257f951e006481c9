// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/autorequeue/autorequeue.h"
#include "backend/redis/connection.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QTimer>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// The executor over one connection, without discovery: what happens when several want to act at
/// once, and what is left of an item's age once it was put back.
class TestActionExecutor : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();
    void cleanup();

    void runsWaitTheirTurn();
    void aRunOfSeveralIsOneGroup();
    void stoppingOneRunLeavesTheOthers();
    void disarmingEndsAllThatWait();
    void whoRunsFromFinishedIsServed();
    void whatIsNotKeptIsNotRun_data();
    void whatIsNotKeptIsNotRun();
    void anotherServerDropsThePlans();
    void aSelectionRunsAlone();
    void aPlanAsksOnlyWhatIsItsOwn();
    void undoInMemoryIsSaidInThePlan();
    void whoPlansDoesNotWaitForTheDisk();
    void noMoreThanCanBeLookedAt();
    void anItemPutBackIsYoungAgain();
    void autoRequeueCountsWhatWasUnderWay();

private:
    PlanSet planned(quint64 ticket, const std::vector<PrimitivePtr>& targets, const Values& values,
                    const QByteArray& action = "lock.ttl");
    PlanSet leases(quint64 ticket, int first, int count);
    QList<quint64> tickets(const QSignalSpy& spy) const;

    RedisServer m_server;
    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_folder;
    UndoStore m_undo{QString()};
    std::unique_ptr<Connection> m_control;
    FirstSeen m_firstSeen;
    std::unique_ptr<ActionExecutor> m_executor;
};

void TestActionExecutor::init()
{
    m_server.flush();
    m_firstSeen = {};
    m_folder = std::make_unique<QTemporaryDir>();
    m_undo = UndoStore(m_folder->filePath(u"undo"_s));
    m_control = std::make_unique<Connection>(m_server.url());
    m_executor = std::make_unique<ActionExecutor>(
        *m_control, m_firstSeen, m_clock,
        ActionFiles{m_folder->filePath(u"j/journal.jsonl"_s), m_undo}, nullptr);
    QVERIFY(openAndWait(*m_control));
    m_executor->enableWriteMode(60'000);
    QTRY_VERIFY(m_executor->acting().isWriteModeOn());
    for (int i = 0; i < 6; ++i)
        m_server.run({"SET", "lock:" + QByteArray::number(i), "me", "PX", "60000"});
}

void TestActionExecutor::cleanup()
{
    m_executor.reset();
    m_control.reset();
}

PlanSet TestActionExecutor::planned(quint64 ticket, const std::vector<PrimitivePtr>& targets,
                                    const Values& values, const QByteArray& action)
{
    QSignalSpy spy(m_executor.get(), &ActionExecutor::planned);
    PlanRequest request;
    request.ticket = ticket;
    request.action = action;
    for (const PrimitivePtr& target : targets)
        request.targets.push_back({target});
    request.request.values = values;
    m_executor->plan(request);
    if (!QTest::qWaitFor([&] { return spy.size() == 1; }))
        return {};
    return spy[0][0].value<PlanSet>();
}

PlanSet TestActionExecutor::leases(quint64 ticket, int first, int count)
{
    std::vector<PrimitivePtr> targets;
    for (int i = first; i < first + count; ++i)
        targets.push_back(declaredPrimitive("set-nx-px", "lock:" + QByteArray::number(i)));
    return planned(ticket, targets, {{"owner", "me"}, {"ttl", "1h"}});
}

QList<quint64> TestActionExecutor::tickets(const QSignalSpy& spy) const
{
    QList<quint64> all;
    for (const QList<QVariant>& signal : spy)
        all << signal[0].toULongLong();
    return all;
}

void TestActionExecutor::runsWaitTheirTurn()
{
    const PlanSet one = leases(1, 0, 3);
    const PlanSet two = leases(2, 3, 3);
    QCOMPARE(one.plans.size(), 3U);
    QCOMPARE(two.plans.size(), 3U);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(one.ticket, u"first"_s);
    QVERIFY(m_executor->isBusy());
    m_executor->run(two.ticket, u"second"_s);
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(tickets(finished), (QList<quint64>{1, 2}));
    QCOMPARE(tickets(receipts), (QList<quint64>{1, 1, 1, 2, 2, 2}));
    for (const QList<QVariant>& signal : receipts)
        QCOMPARE(signal[1].value<Receipt>().outcome, Outcome::Succeeded);
    QVERIFY(!m_executor->isBusy());
    const auto journal = Journal(m_folder->filePath(u"j/journal.jsonl"_s)).read();
    QVERIFY(journal);
    QStringList reasons;
    for (const JournalEntry& entry : journal->entries)
        reasons << entry.reason;
    QCOMPARE(reasons, (QStringList{u"first"_s, u"first"_s, u"first"_s, u"second"_s, u"second"_s,
                                   u"second"_s}));
}

// One group in the journal, and one undo of it: the last step first, each with its own guard.
void TestActionExecutor::aRunOfSeveralIsOneGroup()
{
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(leases(1, 0, 3).ticket, {});
    m_executor->run(leases(2, 3, 1).ticket, {});
    QTRY_COMPARE(finished.size(), 2);
    const auto journal = Journal(m_folder->filePath(u"j/journal.jsonl"_s)).read();
    QCOMPARE(journal->entries.size(), 4U);
    const QByteArray group = journal->entries[0].group;
    QVERIFY(group.startsWith('g'));
    QCOMPARE(journal->entries[1].group, group);
    QCOMPARE(journal->entries[2].group, group);
    QVERIFY(journal->entries[3].group.isEmpty());

    m_server.line("PEXPIRE lock:1 5000000"); // touched since
    PlanRequest request;
    request.ticket = 3;
    request.action = "undo";
    for (int i = 2; i >= 0; --i) {
        QCOMPARE(receipts[i][1].value<Receipt>().group, group);
        request.receipts << receipts[i][1].value<Receipt>().id;
    }
    request.receipts << "r000000000000";
    QSignalSpy planned(m_executor.get(), &ActionExecutor::planned);
    m_executor->plan(request);
    QTRY_COMPARE(planned.size(), 1);
    const auto undo = planned[0][0].value<PlanSet>();
    QCOMPARE(undo.plans.size(), 3U);
    QCOMPARE(undo.refused.size(), 1U);
    receipts.clear();
    m_executor->run(undo.ticket, {});
    QTRY_COMPARE(finished.size(), 3);
    QList<Outcome> outcomes;
    for (const QList<QVariant>& signal : receipts)
        outcomes << signal[1].value<Receipt>().outcome;
    QCOMPARE(outcomes, (QList{Outcome::Succeeded, Outcome::Conflict, Outcome::Succeeded}));
    QCOMPARE(receipts[0][1].value<Receipt>().name, "lock:2");
    QVERIFY(m_server.line("PTTL lock:0").integer <= 60'000);
    QVERIFY(m_server.line("PTTL lock:1").integer > 4'000'000);
    QVERIFY(m_server.line("PTTL lock:2").integer <= 60'000);
}

void TestActionExecutor::stoppingOneRunLeavesTheOthers()
{
    const PlanSet one = leases(1, 0, 3);
    const PlanSet two = leases(2, 3, 3);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(one.ticket, {});
    m_executor->run(two.ticket, {});
    m_executor->stop(1);
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(tickets(receipts), (QList<quint64>{1, 2, 2, 2}));
}

void TestActionExecutor::disarmingEndsAllThatWait()
{
    const PlanSet one = leases(1, 0, 3);
    const PlanSet two = leases(2, 3, 3);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    QSignalSpy writeModeEnding(m_executor.get(), &ActionExecutor::writeModeEnding);
    bool armedThen = false;
    connect(m_executor.get(), &ActionExecutor::writeModeEnding, this,
            [&] { armedThen = m_executor->acting().isWriteModeOn(); });
    m_executor->run(one.ticket, {});
    m_executor->run(two.ticket, {});
    m_executor->disableWriteMode();
    QVERIFY(armedThen && !m_executor->acting().isWriteModeOn());
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(tickets(receipts), (QList<quint64>{1})); // it had left already
    m_executor->disableWriteMode();
    QCOMPARE(writeModeEnding.size(), 1);
}

void TestActionExecutor::whoRunsFromFinishedIsServed()
{
    const PlanSet one = leases(1, 0, 1);
    const PlanSet two = leases(2, 1, 2);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    connect(m_executor.get(), &ActionExecutor::finished, this, [&](quint64 ticket) {
        if (ticket == 1)
            m_executor->run(two.ticket, {});
    });
    m_executor->run(one.ticket, {});
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(tickets(receipts), (QList<quint64>{1, 2, 2}));
    QVERIFY(!m_executor->isBusy());
}

void TestActionExecutor::whatIsNotKeptIsNotRun_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : {"never planned", "run before", "discarded", "discarded while planned",
                            "write mode ended", "only compared", "not in the set"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

// A step runs only if it was planned here and is still wanted: a ticket only names a plan.
void TestActionExecutor::whatIsNotKeptIsNotRun()
{
    QFETCH(QString, how);
    QSignalSpy dropped(m_executor.get(), &ActionExecutor::planDropped);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    QSignalSpy plans(m_executor.get(), &ActionExecutor::planned);
    PlanRequest request;
    request.ticket = 1;
    request.action = "lock.ttl";
    request.targets = {{declaredPrimitive("set-nx-px", "lock:1")}};
    request.request.values = {{"owner", "me"}, {"ttl", "1h"}};
    if (how == u"only compared"_s)
        request.compares = 7;
    if (how != u"never planned"_s)
        m_executor->plan(request);
    if (how == u"discarded while planned"_s) {
        m_executor->discard(1);
        QCOMPARE(leases(2, 2, 1).plans.size(), 1U); // the first has come to its end before
        QCOMPARE(plans.size(), 1);
    } else if (how != u"never planned"_s) {
        QTRY_COMPARE(plans.size(), 1);
        QCOMPARE(plans[0][0].value<PlanSet>().plans.size(), 1U);
    }
    qsizetype ran = 0;
    if (how == u"run before"_s) {
        m_executor->run(1, {});
        ran = 1;
        QTRY_COMPARE(finished.size(), ran);
        QCOMPARE(receipts.size(), 1);
    } else if (how == u"discarded"_s) {
        m_executor->discard(1);
    } else if (how == u"write mode ended"_s) {
        m_executor->disableWriteMode();
        QCOMPARE(dropped.size(), 1); // told at once, not only to who asks
        QVERIFY(dropped[0][1].value<Error>().detail.contains(u"Write mode has ended"_s));
        dropped.clear();
        QTRY_COMPARE(m_executor->acting().status().phase, ConnectionStatus::Phase::Closed);
        m_executor->enableWriteMode(60'000);
        QTRY_VERIFY(m_executor->acting().isWriteModeOn());
    }
    receipts.clear();
    const bool placed = how == u"not in the set"_s;
    m_executor->run(1, {}, placed ? std::vector<size_t>{0, 1} : std::vector<size_t>{});
    QCOMPARE(dropped.size(), 1);
    QCOMPARE(dropped[0][0].toULongLong(), 1U);
    QCOMPARE(dropped[0][1].value<Error>().code, ErrorCode::NotPossible);
    QVERIFY(dropped[0][1].value<Error>().detail.contains(u"no longer available"_s));
    QVERIFY(!m_executor->isBusy());
    QCOMPARE(receipts.size(), 0);
    QCOMPARE(finished.size(), ran);
}

// It answers at the same address, and may hold the same keys.
void TestActionExecutor::anotherServerDropsThePlans()
{
    RedisServer server;
    QVERIFY(server.start());
    server.run({"SET", "lock:1", "me", "PX", "60000"});
    Connection control(server.url());
    ActionExecutor executor(control, m_firstSeen, m_clock,
                            {m_folder->filePath(u"k/journal.jsonl"_s), m_undo}, nullptr);
    QVERIFY(openAndWait(control));
    QSignalSpy planned(&executor, &ActionExecutor::planned);
    QSignalSpy dropped(&executor, &ActionExecutor::planDropped);
    PlanRequest request;
    request.ticket = 1;
    request.action = "lock.ttl";
    request.targets = {{declaredPrimitive("set-nx-px", "lock:1")}};
    request.request.values = {{"owner", "me"}, {"ttl", "1h"}};
    executor.plan(request);
    QTRY_COMPARE(planned.size(), 1);
    QCOMPARE(planned[0][0].value<PlanSet>().plans.size(), 1U);
    const quint64 generation = control.status().generation;
    server.line("CLIENT KILL TYPE normal SKIPME yes");
    QTRY_VERIFY(control.isReady() && control.status().generation > generation);
    QCOMPARE(dropped.size(), 0); // the same process: its plans are as good as before
    server.stop();
    QVERIFY(server.start());
    QTRY_COMPARE_WITH_TIMEOUT(dropped.size(), 1, 20'000);
    QVERIFY(dropped[0][1].value<Error>().detail.contains(u"different server"_s));
}

void TestActionExecutor::aSelectionRunsAlone()
{
    const PlanSet set = leases(1, 0, 3);
    QSignalSpy receipts(m_executor.get(), &ActionExecutor::receiptReady);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(set.ticket, {}, {2, 0});
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(receipts.size(), 2);
    QCOMPARE(receipts[0][1].value<Receipt>().name, set.plans[2].name);
    QCOMPARE(receipts[1][1].value<Receipt>().name, set.plans[0].name);
}

// The server's role, its scripts and who this is were asked when the connection came.
void TestActionExecutor::aPlanAsksOnlyWhatIsItsOwn()
{
    leases(1, 0, 1);
    m_server.line("CONFIG RESETSTAT");
    QCOMPARE(leases(2, 0, 3).plans.size(), 3U);
    const auto calls = commandCalls(m_server);
    QCOMPARE(calls.value("acl|dryrun"), 3); // the keys are each plan's own
    for (const char* known : {"info", "command|info", "acl|whoami"})
        QVERIFY2(!calls.contains(known), known);
}

// Before anything is done, not only in the receipt.
void TestActionExecutor::undoInMemoryIsSaidInThePlan()
{
    const PlanSet without = leases(1, 0, 1);
    QCOMPARE(without.plans.size(), size_t(1));
    QVERIFY(undoText(without.plans[0].undo).contains(u"in memory only"_s));
    m_undo.setKey(QByteArray(FolderUndoStorage::keyBytes, 'k')); // the keyring has answered
    const PlanSet with = leases(2, 0, 1);
    QCOMPARE(with.plans.size(), size_t(1));
    QVERIFY(!undoText(with.plans[0].undo).contains(u"memory"_s));
}

// While the disk is slow, what needs it waits, and nothing else.
void TestActionExecutor::whoPlansDoesNotWaitForTheDisk()
{
    QThread journalThread;
    journalThread.start();
    QObject disk;
    disk.moveToThread(&journalThread);
    QSemaphore stuck;
    QSemaphore released;
    QMetaObject::invokeMethod(&disk, [&] {
        stuck.release();
        released.acquire();
    });
    const auto end = qScopeGuard([&] {
        released.release();
        journalThread.quit();
        journalThread.wait();
    });
    stuck.acquire();
    ActionExecutor executor(*m_control, m_firstSeen, m_clock,
                            {m_folder->filePath(u"j/journal.jsonl"_s), m_undo, &journalThread},
                            nullptr);
    QSignalSpy planned(&executor, &ActionExecutor::planned);
    PlanRequest undo;
    undo.ticket = 1;
    undo.action = "undo";
    undo.receipts = {"r0123456789ab"};
    executor.plan(undo);
    PlanRequest lease;
    lease.ticket = 2;
    lease.action = "lock.ttl";
    lease.targets.push_back({declaredPrimitive("set-nx-px", "lock:0")});
    lease.request.values = {{"owner", "me"}, {"ttl", "1h"}};
    executor.plan(lease);
    QTRY_COMPARE(planned.size(), 1);
    QCOMPARE(planned[0][0].value<PlanSet>().ticket, 2U);
    released.release();
    QTRY_COMPARE(planned.size(), 2);
    const auto set = planned[1][0].value<PlanSet>();
    QCOMPARE(set.ticket, 1U);
    QCOMPARE(set.refused.size(), 1U); // there is no such receipt
}

void TestActionExecutor::noMoreThanCanBeLookedAt()
{
    const std::vector<PrimitivePtr> targets(PlanRequest::mostTargets + 1,
                                            declaredPrimitive("set-nx-px", "lock:1"));
    const PlanSet set = planned(1, targets, {{"owner", "me"}, {"ttl", "1h"}});
    QVERIFY(set.plans.empty());
    QCOMPARE(set.refused.size(), 1U);
    QCOMPARE(set.refused[0].second.detail, ActionExecutor::tooManyText());
}

// Else who takes it at once would have it taken away again: it would look as old as before.
void TestActionExecutor::anItemPutBackIsYoungAgain()
{
    m_server.line("RPUSH jobs:processing new old");
    const qint64 longAgo = m_clock.nowMs() - 3'600'000;
    m_firstSeen.restore(
        {{"jobs", fingerprintOf("old"), longAgo}, {"jobs", fingerprintOf("new"), longAgo}});
    const PrimitivePtr jobs = declaredPrimitive("reliable-list", "jobs");
    const PlanSet set = planned(1, {jobs}, {{"index", "1"}}, "queue.requeue");
    QCOMPARE(set.plans.size(), 1U);
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    m_executor->run(set.ticket, {});
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(m_server.line("RPOPLPUSH jobs jobs:processing").text, QByteArray("old"));
    const PlanSet again = planned(2, {jobs}, {{"older-than", "10m"}}, "queue.requeue");
    QCOMPARE(again.plans.size(), 1U);
    QCOMPARE(again.plans[0].items, (std::vector<QByteArray>{"new"}));
}

// Disarmed while its step is on the way: the step is done all the same, and told.
void TestActionExecutor::autoRequeueCountsWhatWasUnderWay()
{
    m_server.line("RPUSH jobs:processing new old first");
    const qint64 longAgo = m_clock.nowMs() - 3'600'000;
    m_firstSeen.restore(
        {{"jobs", fingerprintOf("old"), longAgo}, {"jobs", fingerprintOf("new"), longAgo}});
    const PrimitivePtr jobs = declaredPrimitive("reliable-list", "jobs");
    QSignalSpy finished(m_executor.get(), &ActionExecutor::finished);
    // From now on the server knows the script: nothing has to be sent a second time.
    m_executor->run(planned(1, {jobs}, {{"index", "1"}}, "queue.requeue").ticket, {});
    QTRY_COMPARE(finished.size(), 1);
    AutoRequeue autoRequeue(*m_executor, m_clock, jobs, 600'000, {}, nullptr);
    QTimer underWay; // the server has done the step, but its reply has not been handled yet
    connect(&underWay, &QTimer::timeout, this, [&] {
        if (m_server.line("LLEN jobs").integer < 3)
            return;
        underWay.stop();
        m_executor->disableWriteMode();
        QCOMPARE(autoRequeue.status().phase, AutoRequeueStatus::Phase::Ended);
    });
    underWay.start(0);
    autoRequeue.start();
    QTRY_COMPARE(finished.size(), 2);
    QCOMPARE(autoRequeue.status().phase, AutoRequeueStatus::Phase::Ended);
    QCOMPARE(autoRequeue.status().requeued, 2);
    QCOMPARE(m_server.line("LLEN jobs").integer, 3);
    const auto journal = Journal(m_folder->filePath(u"j/journal.jsonl"_s)).read();
    QVERIFY(journal);
    QStringList told;
    for (const JournalEntry& entry : journal->entries) {
        if (entry.action == "queue.auto-requeue")
            told << entry.text;
    }
    QCOMPARE(told.size(), 2);
    QVERIFY2(told[1].contains(u"still in progress"_s), qPrintable(told[1]));
}

LK_TEST(TestActionExecutor);
#include "tst_actionexecutor.moc"
