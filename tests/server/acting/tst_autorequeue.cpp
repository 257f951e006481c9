// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/autorequeue/autorequeue.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/session/sessionacting.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <QScopeGuard>
#include <QThread>

#include <atomic>
#include <numeric>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

using Phase = AutoRequeueStatus::Phase;

const QByteArray lockName = "lockkeeper:watcher:{jobs}";
const PrimitiveId jobs{"reliable-list", "jobs"};

/// A session with the queue "jobs" in it, and a journal of its own.
class RequeueingSession final
{
public:
    RequeueingSession(const ServerUrl& url, const QTemporaryDir& folder, const QString& name,
                      AutoRequeuePace pace = {40, 400, 20})
        : journalFile(folder.filePath(name + u"/journal.jsonl"_s))
        , live(url, {}, {}, {journalFile, folder.filePath(name + u"/undo"_s)}, limits(pace))
    {}
    bool begin()
    {
        return QTest::qWaitFor([&] { return bool(live.state("jobs")); }, 20'000);
    }
    bool enableWriteMode()
    {
        live->acting().enableWriteMode(600'000);
        return QTest::qWaitFor([&] { return live->acting().isWriteModeOn(); });
    }
    void autoRequeue(qint64 olderThanMs)
    {
        live->acting().startAutoRequeue(live.state("jobs")->primitive, olderThanMs);
    }
    AutoRequeueStatus status() const
    {
        return const_cast<LiveSession&>(live)->acting().autoRequeue(jobs);
    }
    Phase phase() const { return status().phase; }
    std::vector<JournalEntry> journal() const
    {
        const auto contents = Journal(journalFile).read();
        return contents ? contents->entries : std::vector<JournalEntry>();
    }
    qint64 journaled() const
    {
        const auto all = journal();
        return std::accumulate(all.begin(), all.end(), qint64(0),
                               [](qint64 sum, const JournalEntry& e) { return sum + e.count; });
    }

    const QString journalFile;
    LiveSession live;

private:
    static MonitorLimits limits(AutoRequeuePace pace)
    {
        MonitorLimits limits;
        limits.autoRequeue = pace;
        return limits;
    }
};

// Takes and counts in one step: however slow this thread is, no job is in its hands.
void drain(const QString& socket, const std::atomic<bool>& over)
{
    RespClient client(socket);
    while (!over) {
        client.run({"EVAL",
                    "local i = redis.call('RPOP', 'jobs') "
                    "if i then redis.call('HINCRBY', 'taken', i, 1) end return 1",
                    "0"});
        QThread::yieldCurrentThread();
    }
}

} // namespace

/// Auto-requeue of a reliable queue, on a real server.
class TestAutoRequeue : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void theLockLiesInTheQueuesSlot_data();
    void theLockLiesInTheQueuesSlot();
    void whatCannotBeAutoRequeued();
    void twoRaceAndEachItemGoesBackOnce();
    void aRoundIsBounded();
    void whatIsOnlyJustSeenStays();
    void anotherOneIsShownAndFollowed();
    void aLostLockEndsIt_data();
    void aLostLockEndsIt();
    void itEndsWith_data();
    void itEndsWith();
    void aReadOnlySessionSendsNothing();

private:
    void fill(int items);

    RedisServer m_server;
    QTemporaryDir m_folder;
};

void TestAutoRequeue::fill(int items)
{
    Command push{"LPUSH", "jobs:processing"};
    for (int i = 0; i < items; ++i)
        push << "job-" + QByteArray::number(i);
    m_server.run(push);
    m_server.line("LPUSH jobs waits"); // so that the queue is found by its name
}

void TestAutoRequeue::theLockLiesInTheQueuesSlot_data()
{
    QTest::addColumn<QByteArray>("queue");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("plain") << QByteArray("jobs") << QByteArray("lockkeeper:watcher:{jobs}");
    QTest::newRow("tagged") << QByteArray("{shop}:jobs")
                            << QByteArray("lockkeeper:watcher:{shop}:jobs");
    QTest::newRow("bytes") << QByteArray("j\x00\xff", 3)
                           << QByteArray("lockkeeper:watcher:{j\x00\xff}", 24);
}

void TestAutoRequeue::theLockLiesInTheQueuesSlot()
{
    QFETCH(QByteArray, queue);
    QFETCH(QByteArray, key);
    const QByteArray lock = AutoRequeue::lockKey(*declaredPrimitive("reliable-list", queue));
    QCOMPARE(lock, key);
    QCOMPARE(keySlot(lock), keySlot(queue));
}

void TestAutoRequeue::whatCannotBeAutoRequeued()
{
    QCOMPARE(AutoRequeue::unavailable(*declaredPrimitive("reliable-list", "jobs")), QString());
    QVERIFY(!AutoRequeue::unavailable(*declaredPrimitive("circular-list", "ring")).isEmpty());
    QVERIFY(!AutoRequeue::unavailable(*declaredPrimitive("set-nx-px", "lock:a")).isEmpty());
    Primitive without = *declaredPrimitive("reliable-list", "jobs");
    std::erase_if(without.keys, [](const KeyRole& key) { return key.role == "processing"; });
    QVERIFY(!AutoRequeue::unavailable(without).isEmpty());
    Declaration declaration;
    declaration.stuckAfterMs = 7000;
    const PrimitivePtr declared = declaredPrimitive("reliable-list", "jobs", declaration);
    QCOMPARE(AutoRequeue::thresholdOf(*declared, 600'000), 7000);
    QCOMPARE(AutoRequeue::thresholdOf(without, 600'000), 600'000);
    QCOMPARE(AutoRequeue::thresholdOf(without, 0), 30'000);
}

// Write mode of the first one ends half-way, so that the second takes over what is left.
void TestAutoRequeue::twoRaceAndEachItemGoesBackOnce()
{
    constexpr int items = 300;
    fill(items);
    // A lease that a slow machine does not lose: it is to end with the first one's write mode.
    const AutoRequeuePace pace{40, 60'000, 20};
    RequeueingSession a(m_server.url(), m_folder, u"race-a"_s, pace);
    RequeueingSession b(m_server.url(), m_folder, u"race-b"_s, pace);
    QVERIFY(a.begin() && b.begin() && a.enableWriteMode() && b.enableWriteMode());
    std::atomic<bool> over = false;
    const std::unique_ptr<QThread> worker(
        QThread::create([&] { drain(m_server.socketPath(), over); }));
    const auto end = qScopeGuard([&over] { over = true; }); // else a failure waits for the worker
    worker->start();
    a.autoRequeue(100);
    b.autoRequeue(100);
    const auto settled = [](Phase p) { return p == Phase::Here || p == Phase::Elsewhere; };
    QTRY_VERIFY(settled(a.phase()) && settled(b.phase()));
    QVERIFY((a.phase() == Phase::Here) != (b.phase() == Phase::Here));
    RequeueingSession& first = a.phase() == Phase::Here ? a : b;
    RequeueingSession& second = &first == &a ? b : a;
    QTRY_VERIFY_WITH_TIMEOUT(first.status().requeued >= items / 3, 60'000);
    QCOMPARE(second.status().requeued, 0);
    first.live->acting().disableWriteMode();
    QTRY_COMPARE(second.phase(), Phase::Here);
    QTRY_COMPARE_WITH_TIMEOUT(m_server.line("EXISTS jobs:processing").integer, 0, 30'000);
    QTRY_COMPARE(first.status().requeued + second.status().requeued, items);
    QTRY_COMPARE(m_server.line("EXISTS jobs").integer, 0);
    over = true;
    QVERIFY(worker->wait(20'000));

    QCOMPARE(first.phase(), Phase::Ended);
    QVERIFY(second.status().requeued > 0);
    const Reply taken = m_server.line("HGETALL taken");
    QCOMPARE(taken.items.size(), size_t(2 * (items + 1)));
    for (size_t i = 0; i < taken.items.size(); i += 2)
        QVERIFY2(taken.items[i + 1].text == "1", taken.items[i].text.constData());
    QCOMPARE(first.journaled(), first.status().requeued);
    QCOMPARE(second.journaled(), second.status().requeued);
    // It took its lock, put back, and gave the lock back.
    second.live->acting().disableWriteMode();
    QTRY_COMPARE(second.phase(), Phase::Ended);
    const std::vector<JournalEntry> entries = second.journal();
    QVERIFY(entries.size() >= 3);
    for (const JournalEntry& entry : {entries.front(), entries.back()}) {
        QCOMPARE(entry.action, QByteArray("queue.auto-requeue"));
        QCOMPARE(entry.name, u"jobs"_s);
        QCOMPARE(entry.keys, QStringList{u"lockkeeper:watcher:{jobs}"_s});
        QVERIFY(!entry.undoable);
    }
    for (const JournalEntry& entry : entries) {
        QCOMPARE(entry.reason, u"auto-requeue"_s);
        QCOMPARE(entry.outcome, Outcome::Succeeded);
    }
    for (size_t i = 1; i + 1 < entries.size(); ++i) {
        QCOMPARE(entries[i].action, QByteArray("queue.requeue"));
        QVERIFY(entries[i].undoable);
    }
}

void TestAutoRequeue::aRoundIsBounded()
{
    fill(50);
    RequeueingSession s(m_server.url(), m_folder, u"bounded"_s, {40, 400, 20});
    QVERIFY(s.begin() && s.enableWriteMode());
    s.autoRequeue(30);
    QTRY_COMPARE(s.status().requeued, 50);
    QList<qint64> counts;
    for (const JournalEntry& entry : s.journal()) {
        if (entry.action == "queue.requeue")
            counts << entry.count;
    }
    QCOMPARE(counts, (QList<qint64>{20, 20, 10}));
    // The oldest of a turn is taken first; what came later is the next turn's.
    QCOMPARE(m_server.line("LINDEX jobs -1").text, QByteArray("job-40"));
    s.live->acting().stopAutoRequeue(jobs);
    QTRY_COMPARE(s.phase(), Phase::Ended);
    QTRY_COMPARE(m_server.run({"EXISTS", lockName}).integer, 0);
    QVERIFY(s.live->acting().isWriteModeOn());
}

void TestAutoRequeue::whatIsOnlyJustSeenStays()
{
    fill(3);
    RequeueingSession s(m_server.url(), m_folder, u"young"_s);
    QVERIFY(s.begin() && s.enableWriteMode());
    s.autoRequeue(600'000);
    QTRY_COMPARE(s.phase(), Phase::Here);
    m_server.line("CONFIG RESETSTAT");
    QTRY_VERIFY(commandCalls(m_server).value("evalsha") > 5); // so many turns
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
    QCOMPARE(s.status().requeued, 0);
    const qint64 left = m_server.run({"PTTL", lockName}).integer;
    QVERIFY(left > 0 && left <= 400);
    QVERIFY(m_server.run({"GET", lockName}).text.startsWith("lockkeeper:"));
}

void TestAutoRequeue::anotherOneIsShownAndFollowed()
{
    fill(3);
    m_server.run({"SET", lockName, "lockkeeper:elsewhere:1", "PX", "60000"});
    RequeueingSession s(m_server.url(), m_folder, u"second"_s);
    QVERIFY(s.begin() && s.enableWriteMode());
    s.autoRequeue(50);
    QTRY_COMPARE(s.phase(), Phase::Elsewhere);
    QCOMPARE(s.status().holder, QByteArray("lockkeeper:elsewhere:1"));
    QVERIFY(s.live.seconds(1));
    QCOMPARE(s.phase(), Phase::Elsewhere);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
    m_server.run({"DEL", lockName});
    QTRY_COMPARE(s.phase(), Phase::Here);
    QTRY_COMPARE(s.status().requeued, 3);
    QVERIFY(s.status().holder.isEmpty() && s.status().sinceMs > 0);
}

void TestAutoRequeue::aLostLockEndsIt_data()
{
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("why");
    QTest::newRow("gone") << QByteArray("DEL " + lockName) << u"its lock was lost"_s;
    QTest::newRow("another's") << QByteArray("SET " + lockName + " other")
                               << u"another console took over"_s;
    QTest::newRow("no lock") << QByteArray("LPUSH " + lockName + " x") << u"its lock was lost"_s;
}

// A job that arrives with the loss would be requeued two turns later if it had not ended.
void TestAutoRequeue::aLostLockEndsIt()
{
    QFETCH(QByteArray, how);
    QFETCH(QString, why);
    fill(0);
    m_server.line("LPUSH jobs:processing x");
    RequeueingSession s(m_server.url(), m_folder, u"lost"_s);
    QVERIFY(s.begin() && s.enableWriteMode());
    s.autoRequeue(1);
    QTRY_COMPARE(s.status().requeued, 1);
    m_server.lines({"MULTI"});
    m_server.run({"DEL", lockName});
    m_server.line(how);
    m_server.line("LPUSH jobs:processing y");
    m_server.line("EXEC");
    QTRY_COMPARE(s.phase(), Phase::Ended);
    QCOMPARE(s.status().why, why);
    QVERIFY(s.live.seconds(1));
    QCOMPARE(s.phase(), Phase::Ended);
    QCOMPARE(m_server.line("LRANGE jobs:processing 0 -1").items.at(0).text, QByteArray("y"));
    QCOMPARE(s.status().requeued, 1);
    // A lock that another console has now is left alone.
    QCOMPARE(m_server.run({"EXISTS", lockName}).integer, how.startsWith("DEL") ? 0 : 1);
}

void TestAutoRequeue::itEndsWith_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : {"write mode off", "time is up", "connection lost", "session closed"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void TestAutoRequeue::itEndsWith()
{
    QFETCH(QString, how);
    fill(1);
    auto s = std::make_unique<RequeueingSession>(m_server.url(), m_folder, u"ends"_s,
                                                 AutoRequeuePace{40, 60'000, 20});
    QVERIFY(s->begin() && s->enableWriteMode());
    s->autoRequeue(600'000);
    QTRY_COMPARE(s->phase(), Phase::Here);
    QCOMPARE(m_server.run({"EXISTS", lockName}).integer, 1);
    if (how == u"session closed"_s) {
        s.reset();
        QTRY_COMPARE(m_server.run({"EXISTS", lockName}).integer, 0);
        return;
    }
    if (how == u"write mode off"_s)
        s->live->acting().disableWriteMode();
    else if (how == u"time is up"_s)
        s->live->acting().enableWriteMode(30);
    else
        m_server.line("CLIENT KILL TYPE normal SKIPME yes");
    QTRY_COMPARE(s->phase(), Phase::Ended);
    QVERIFY(!s->live->acting().isWriteModeOn());
    // Without a connection it cannot be given back: its lease ends it.
    const bool lost = how == u"connection lost"_s;
    QTRY_COMPARE(m_server.run({"EXISTS", lockName}).integer, lost ? 1 : 0);
    QVERIFY(!lost || m_server.run({"PTTL", lockName}).integer > 0);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 1);
    if (!lost)
        return;
    QTRY_VERIFY(s->live.isReady());
    QVERIFY(s->live.seconds(1));
    QCOMPARE(s->phase(), Phase::Ended); // not by itself again
}

void TestAutoRequeue::aReadOnlySessionSendsNothing()
{
    fill(2);
    RequeueingSession s(m_server.url(), m_folder, u"readonly"_s);
    QVERIFY(s.begin());
    const QByteArray before = summaryOf(m_server);
    m_server.line("CONFIG RESETSTAT");
    s.autoRequeue(1);
    QTRY_COMPARE(s.phase(), Phase::Ended);
    QVERIFY(s.live.seconds(1));
    const auto calls = commandCalls(m_server);
    for (const char* never : {"eval", "evalsha", "set", "del", "lrem"})
        QVERIFY2(!calls.contains(never), never);
    QCOMPARE(summaryOf(m_server), before);
    QVERIFY(!QFile::exists(s.journalFile));
}

LK_TEST(TestAutoRequeue);
#include "tst_autorequeue.moc"
