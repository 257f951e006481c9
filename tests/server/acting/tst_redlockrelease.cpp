// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/groupundo.h"
#include "backend/session/redlock/redlockreader.h"
#include "backend/session/redlock/redlockrelease.h"
#include "backend/session/redlock/redlocks.h"
#include "tests/server/livesession.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <array>

using namespace lk;
using namespace Qt::StringLiterals;
using test::RedisServer;

namespace {

constexpr int size = 5;
constexpr int patienceMs = 30'000;

} // namespace

/// A lock of five real servers: read again and again, released on all, and taken back.
class TestRedlockRelease : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (RedisServer& server : m_servers)
            QVERIFY2(server.start(), server.output());
    }
    void init()
    {
        for (RedisServer& server : m_servers)
            server.flush();
        m_folder = std::make_unique<QTemporaryDir>();
        m_undo = UndoStore(m_folder->filePath(u"undo"_s));
    }

    void oneConflictLeavesTheOthers();
    void aFrozenServerIsNotWaitedForTwice();
    void aServerThatDiesBetweenPlanAndRun();
    void ownersOfHashes();
    void othersAreLeftAlone();
    void undoesWhatItDid();
    void stopsAfterTheStepUnderWay();
    void watchesWhileSomebodyLooks();
    void findsNamesInTheirTime();
    void replicasAndDoubles();

private:
    RedlockGroup group(const QByteArray& match = "lock:*")
    {
        RedlockGroup group;
        for (const RedisServer& server : m_servers)
            group.servers.push_back(server.url());
        group.match = match;
        return group;
    }
    ActionFiles files() const { return {m_folder->filePath(u"j/journal.jsonl"_s), m_undo}; }
    void hold(std::initializer_list<int> on, const QByteArray& name, const QByteArray& owner)
    {
        for (const int i : on)
            m_servers[size_t(i)].run({"SET", name, owner, "PX", "600000"});
    }
    QString where(const QByteArray& name, const QByteArray& owner)
    {
        QString servers;
        for (RedisServer& server : m_servers)
            servers += server.run({"GET", name}).text == owner ? u'1' : u'0';
        return servers;
    }
    static RedlockPlan planOf(const QSignalSpy& spy)
    {
        return spy.isEmpty() ? RedlockPlan() : spy.last().front().value<RedlockPlan>();
    }
    static QList<Outcome> outcomes(const QSignalSpy& spy)
    {
        QList<Outcome> all;
        for (const QList<QVariant>& receipt : spy)
            all << receipt.front().value<Receipt>().outcome;
        return all;
    }
    std::vector<JournalEntry> journal() const
    {
        const Result<Journal::Contents> contents = Journal(files().journal).read();
        return contents ? contents->entries : std::vector<JournalEntry>();
    }

    std::array<RedisServer, size> m_servers;
    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_folder;
    UndoStore m_undo{QString()};
};

// Spies of one release, from its plan to its end.
struct Run
{
    explicit Run(RedlockRelease& release)
        : planned(&release, &RedlockRelease::planned)
        , receipts(&release, &RedlockRelease::receiptReady)
        , finished(&release, &RedlockRelease::finished)
    {}

    QSignalSpy planned;
    QSignalSpy receipts;
    QSignalSpy finished;
};

void TestRedlockRelease::oneConflictLeavesTheOthers()
{
    hold({0, 1, 2, 3, 4}, "lock:a", "worker-1");
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    release.plan({"lock:a", "worker-1"});
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    const RedlockPlan plan = planOf(run.planned);
    QCOMPARE(plan.set.plans.size(), size_t(size));
    QCOMPARE(plan.endpoints.value(2), m_servers[2].url().endpoint());
    QVERIFY(plan.left.empty());
    QCOMPARE(where("lock:a", "worker-1"), u"11111"_s); // a plan changes nothing
    m_servers[1].run({"SET", "lock:a", "worker-2"});
    release.run(u"stuck"_s);
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    QCOMPARE(outcomes(run.receipts),
             (QList<Outcome>{Outcome::Succeeded, Outcome::Conflict, Outcome::Succeeded,
                             Outcome::Succeeded, Outcome::Succeeded}));
    QCOMPARE(where("lock:a", "worker-1"), u"00000"_s);
    QCOMPARE(where("lock:a", "worker-2"), u"01000"_s);
    // One group in the journal, each step with the server it was done on.
    const std::vector<JournalEntry> entries = journal();
    QCOMPARE(entries.size(), size_t(size));
    QSet<QString> endpoints;
    for (const JournalEntry& entry : entries) {
        QVERIFY(entry.group.startsWith('g'));
        QCOMPARE(entry.group, entries.front().group);
        QCOMPARE(entry.reason, u"stuck"_s);
        endpoints.insert(entry.endpoint);
    }
    QCOMPARE(endpoints.size(), size);
}

void TestRedlockRelease::aFrozenServerIsNotWaitedForTwice()
{
    hold({0, 1, 2, 3, 4}, "lock:a", "worker-1");
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    m_servers[0].freeze();
    release.plan({"lock:a", "worker-1"});
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    const RedlockPlan plan = planOf(run.planned);
    QCOMPARE(plan.set.plans.size(), size_t(4));
    QCOMPARE(plan.left.size(), size_t(1));
    QVERIFY(plan.left.front().isFailure);
    QCOMPARE(plan.left.front().endpoint, m_servers[0].url().endpoint());
    QCOMPARE(plan.rows().last(), m_servers[0].url().endpoint());
    m_servers[3].freeze(); // after it was planned
    release.run({});
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    for (const int i : {0, 3})
        m_servers[size_t(i)].thaw();
    const QList<Outcome> came = outcomes(run.receipts);
    QCOMPARE(came.size(), 4);
    QCOMPARE(came.count(Outcome::Succeeded), 3);
    QVERIFY(came[2] != Outcome::Succeeded);
    QTRY_COMPARE_WITH_TIMEOUT(where("lock:a", "worker-1"), u"10010"_s, 20'000);
}

void TestRedlockRelease::aServerThatDiesBetweenPlanAndRun()
{
    hold({0, 1, 2}, "lock:a", "worker-1");
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    release.plan({"lock:a", "worker-1"});
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    QCOMPARE(planOf(run.planned).set.plans.size(), size_t(3));
    m_servers[0].stop();
    release.run({});
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    QVERIFY(m_servers[0].start());
    const QList<Outcome> came = outcomes(run.receipts);
    QCOMPARE(came, (QList<Outcome>{Outcome::Refused, Outcome::Succeeded, Outcome::Succeeded}));
    QVERIFY(!run.receipts.front().front().value<Receipt>().text.isEmpty());
}

void TestRedlockRelease::ownersOfHashes()
{
    const QByteArray owner = "5f1d7a52-7a8f-4d0c-9b8e-0c6a2f5b1d11:42";
    for (const int i : {0, 1, 2})
        m_servers[size_t(i)].lines({"HSET lock:h " + owner + " 1", "PEXPIRE lock:h 600000"});
    m_servers[3].lines({"HSET lock:h somebody:1 1", "PEXPIRE lock:h 600000"});
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    release.plan({"lock:h", owner});
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    const RedlockPlan plan = planOf(run.planned);
    QVERIFY2(plan.set.plans.size() == 3, qPrintable(plan.left.front().why.detail));
    QCOMPARE(plan.failures(), 0);
    release.run({});
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    QCOMPARE(outcomes(run.receipts).count(Outcome::Succeeded), 3);
    QCOMPARE(m_servers[0].run({"EXISTS", "lock:h"}).integer, 0);
    QCOMPARE(m_servers[3].run({"EXISTS", "lock:h"}).integer, 1);
}

void TestRedlockRelease::othersAreLeftAlone()
{
    hold({0, 1}, "lock:a", "worker-1");
    hold({2}, "lock:a", "worker-10"); // begins like it
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    release.plan({"lock:a", "worker-1"});
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    const RedlockPlan plan = planOf(run.planned);
    QCOMPARE(plan.set.plans.size(), size_t(2));
    QCOMPARE(plan.left.size(), size_t(3));
    QCOMPARE(plan.failures(), 0);
    release.run({});
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    QCOMPARE(where("lock:a", "worker-10"), u"00100"_s);
}

void TestRedlockRelease::undoesWhatItDid()
{
    hold({0, 1, 4}, "lock:a", "worker-1");
    RedlockRequest undo;
    {
        RedlockRelease release(group(), m_clock, files());
        Run run(release);
        release.plan({"lock:a", "worker-1"});
        QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
        release.run({});
        QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
        QCOMPARE(where("lock:a", "worker-1"), u"00000"_s);
    }
    const Result<Journal::Contents> contents = Journal(files().journal).read();
    QVERIFY(contents);
    const auto steps = undoableSteps(*contents, contents->entries.front().group);
    QVERIFY(steps);
    for (const JournalEntry& step : *steps)
        undo.receipts[step.endpoint] << step.receipt;
    QCOMPARE(undo.receipts.size(), 3);
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    release.plan(undo);
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    QCOMPARE(planOf(run.planned).set.plans.size(), size_t(3));
    QCOMPARE(planOf(run.planned).failures(), 0);
    release.run({});
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    QCOMPARE(where("lock:a", "worker-1"), u"11001"_s);
    QVERIFY(m_servers[4].run({"PTTL", "lock:a"}).integer > 0);
}

void TestRedlockRelease::stopsAfterTheStepUnderWay()
{
    hold({0, 1, 2, 3, 4}, "lock:a", "worker-1");
    RedlockRelease release(group(), m_clock, files());
    Run run(release);
    release.plan({"lock:a", "worker-1"});
    QTRY_COMPARE_WITH_TIMEOUT(run.planned.count(), 1, patienceMs);
    release.run({});
    release.stop();
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, patienceMs);
    QCOMPARE(run.receipts.count(), 1);
    QCOMPARE(where("lock:a", "worker-1"), u"01111"_s);
}

void TestRedlockRelease::watchesWhileSomebodyLooks()
{
    hold({0, 1, 2}, "lock:a", "worker-1");
    test::LiveSession live(m_servers[4].url(), {}, {}, files());
    {
        Redlocks redlocks(*live);
        redlocks.setGroups({group()});
        QSignalSpy changed(&redlocks, &Redlocks::changed);
        QVERIFY(!redlocks.reports().front());
        redlocks.watch(20);
        QTRY_VERIFY_WITH_TIMEOUT(redlocks.reports().front(), patienceMs);
        const auto lock = [&] {
            const RedlockReportPtr report = redlocks.reports().front();
            return report->locks.empty() ? RedlockState() : report->locks.front();
        };
        QCOMPARE(lock().holds, 3);
        QCOMPARE(lock().standing, RedlockState::Standing::Held);
        QVERIFY(redlocks.reports().front()->servers.front().clock.known());
        // A server that does not answer does not keep the others from being read.
        m_servers[2].freeze();
        QTRY_COMPARE_WITH_TIMEOUT(lock().unreachable, 1, patienceMs);
        QCOMPARE(lock().standing, RedlockState::Standing::Unknown);
        hold({3}, "lock:a", "worker-1");
        QTRY_COMPARE_WITH_TIMEOUT(lock().holds, 3, patienceMs);
        m_servers[2].thaw();
        QTRY_COMPARE_WITH_TIMEOUT(lock().holds, 4, patienceMs);
        // A lock that no server has any more disappears.
        for (const int i : {0, 1, 2, 3})
            m_servers[size_t(i)].run({"DEL", "lock:a"});
        QTRY_VERIFY_WITH_TIMEOUT(redlocks.reports().front()->locks.empty(), patienceMs);
        // Without a watcher there is no connection.
        redlocks.watch(0);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_servers[0].run({"CLIENT", "LIST"}).text.count("name=lockkeeper"), 0, patienceMs);
    }
}

// A name that one server alone has is among them, however many keys there are besides.
void TestRedlockRelease::findsNamesInTheirTime()
{
    m_servers[4].run({"EVAL", "for i = 1, 30000 do redis.call('SET', 'other:' .. i, 1) end", "0"});
    hold({4}, "lock:late", "worker-1");
    RedlockReader::Options options;
    options.stays = true;
    options.slices = 2;
    RedlockReader reader(group(), options, m_clock);
    int reads = 0;
    bool wasPartial = false;
    connect(&reader, &RedlockReader::finished, this, [&] {
        ++reads;
        wasPartial = wasPartial || !reader.report()->complete;
        if (!reader.report()->complete)
            QMetaObject::invokeMethod(&reader, &RedlockReader::read, Qt::QueuedConnection);
    });
    reader.read();
    QTRY_VERIFY_WITH_TIMEOUT(reader.report() && reader.report()->complete, patienceMs);
    QVERIFY(wasPartial && reads > 5);
    QCOMPARE(reader.report()->locks.size(), size_t(1));
    QCOMPARE(reader.report()->locks.front().standing, RedlockState::Standing::NoQuorum);
}

void TestRedlockRelease::replicasAndDoubles()
{
    RedisServer master;
    master.addTcp();
    QVERIFY2(master.start(), master.output());
    RedisServer replica;
    replica.addTcp();
    QVERIFY2(replica.start(), replica.output());
    replica.run({"REPLICAOF", "127.0.0.1", QByteArray::number(master.port())});
    QTRY_VERIFY_WITH_TIMEOUT(
        replica.run({"INFO", "replication"}).text.contains("master_link_status:up"), patienceMs);
    RedlockGroup mixed;
    mixed.servers = {master.url(), master.tcpUrl(), replica.tcpUrl()};
    mixed.match = "lock";
    RedlockReader reader(mixed, {}, m_clock);
    QSignalSpy finished(&reader, &RedlockReader::finished);
    reader.read();
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, patienceMs);
    const std::vector<Finding>& found = reader.report()->findings;
    QCOMPARE(found.size(), size_t(2));
    QCOMPARE(found[0].code, QByteArray("redlock-same-server"));
    QVERIFY(found[0].message.contains(master.tcpUrl().endpoint()));
    QCOMPARE(found[1].code, QByteArray("redlock-replica"));
    QVERIFY2(found[1].message.endsWith(u"127.0.0.1:%1"_s.arg(master.port())),
             qPrintable(found[1].message));
}

LK_TEST(TestRedlockRelease);
#include "tst_redlockrelease.moc"
