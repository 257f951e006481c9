// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "tests/server/failoversteps.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include "backend/text/errortext.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Actions on a cluster with a fault: a master is gone or accepts no connection, or a slot is
/// migrating.
class TestClusterActing : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void besideADeadMaster();
    void onceTheEntryHasDied();
    void aNodeThatTakesNobody();
    void notOnceWriteModeHasEnded();
    void keysThatHaveMoved();
    void keysThatAreSplit();
    void aSlotThatMovesUnderLoad();

private:
    /// A lock on that node.
    QByteArray lockOn(int node) const { return m_cluster->nameOn(node, "lock:"); }
    bool isHeld(int node)
    {
        return m_cluster->ownerOf(lockOn(node)).run({"EXISTS", lockOn(node)}).integer == 1;
    }
    bool planRelease(ActingSession& session, int node)
    {
        return session.plan(lockOn(node), "lock.release", {{"owner", "me"}});
    }
    struct Step
    {
        QByteArray name;
        QByteArray action;
        std::map<QByteArray, QByteArray> values;
    };
    /// said: why not.
    static bool succeeds(ActingSession& session, const Step& step, QString& said)
    {
        if (!session.plan(step.name, step.action, step.values)) {
            const auto set = session.planned.back()[0].value<PlanSet>();
            said = set.refused.empty() ? u"no plan"_s : errorText(set.refused.front().second);
            return false;
        }
        const std::optional<Receipt> receipt = session.run();
        said = receipt ? receipt->text : u"no receipt"_s;
        return receipt && receipt->outcome == Outcome::Succeeded;
    }
    void close(int node, bool closed)
    {
        m_cluster->node(node).run({"CONFIG", "SET", "maxclients", closed ? "1" : "1000"});
    }

    std::unique_ptr<RedisCluster> m_cluster;
    FailingDeployment m_deployment;
};

void TestClusterActing::init()
{
    m_cluster = std::make_unique<RedisCluster>();
    QVERIFY(m_cluster->start());
    for (int i = 0; i < RedisCluster::size; ++i) {
        m_cluster->node(i).line("CONFIG SET cluster-require-full-coverage no");
        QCOMPARE(m_cluster->node(i).run({"SET", lockOn(i), "me", "PX", "6000000"}).text,
                 QByteArray("OK"));
    }
    m_deployment = {};
    m_deployment.url = m_cluster->node(0).tcpUrl();
    m_deployment.lock = lockOn(1);
    m_deployment.queue = '{' + m_deployment.lock + "}:jobs";
    m_cluster->node(1).run({"RPUSH", m_deployment.queue, "a"});
    m_cluster->node(1).run({"RPUSH", m_deployment.queue + ":processing", "b"});
}

// A master dies and no replica takes over: actions on the locks of the other masters still work.
void TestClusterActing::besideADeadMaster()
{
    ActingSession session(m_deployment);
    QVERIFY(session.begin(m_deployment));
    QVERIFY(waitUntil([&] { return session.live.state(lockOn(2)) != nullptr; }));
    const QString dead = QString::number(m_cluster->node(2).port());
    m_cluster->node(2).stop();
    QVERIFY(waitUntil([&] { return !session.live->acting().isWriteModeOn(); }));
    QVERIFY(session.turnOn());

    QVERIFY(planRelease(session, 1));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done);
    QVERIFY2(done->outcome == Outcome::Succeeded, qPrintable(done->text));
    QVERIFY(!isHeld(1));
    QVERIFY(session.planUndo(done->id));
    const std::optional<Receipt> undone = session.run();
    QVERIFY2(undone && undone->outcome == Outcome::Succeeded, undone ? "" : "none");
    QVERIFY(isHeld(1));

    QVERIFY(!planRelease(session, 2));
    QCOMPARE(session.planned.size(), 1);
    const auto set = session.planned.back()[0].value<PlanSet>();
    QCOMPARE(set.refused.size(), size_t(1));
    QCOMPARE(set.refused.front().second.code, ErrorCode::NodeDown);
    QVERIFY2(errorText(set.refused.front().second).contains(dead),
             qPrintable(errorText(set.refused.front().second)));
    QVERIFY(session.live->acting().isWriteModeOn());
}

// The node that was named is gone, and write mode is turned on after that.
void TestClusterActing::onceTheEntryHasDied()
{
    ActingSession session(m_deployment);
    QVERIFY(waitUntil([&] {
        return session.live.isReady() && session.live.state(m_deployment.lock) != nullptr;
    }));
    m_cluster->node(0).stop();
    QVERIFY(session.turnOn());
    QVERIFY(planRelease(session, 1));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done);
    QVERIFY2(done->outcome == Outcome::Succeeded, qPrintable(done->text));
    QVERIFY(!isHeld(1));
}

// It is read, but what acts is not let in: waited for, refused by name, and had once it is there.
void TestClusterActing::aNodeThatTakesNobody()
{
    ActingSession session(m_deployment);
    QVERIFY(waitUntil([&] {
        return session.live.isReady() && session.live.scanned() &&
               session.live.state(lockOn(2)) != nullptr;
    }));
    close(2, true);
    QVERIFY(session.turnOn());
    QVERIFY(planRelease(session, 2));
    const std::optional<Receipt> refused = session.run();
    QVERIFY(refused);
    QCOMPARE(refused->outcome, Outcome::Refused);
    QVERIFY2(refused->text.contains(QString::number(m_cluster->node(2).port())),
             qPrintable(refused->text));
    QVERIFY(isHeld(2));

    QVERIFY(planRelease(session, 2));
    session.receipts.clear();
    session.live->acting().run(session.ticket, {});
    close(2, false);
    const std::optional<Receipt> done = session.receipt();
    QVERIFY(done);
    QVERIFY2(done->outcome == Outcome::Succeeded, qPrintable(done->text));
    QVERIFY(!isHeld(2));
}

void TestClusterActing::notOnceWriteModeHasEnded()
{
    ActingSession session(m_deployment);
    QVERIFY(waitUntil([&] {
        return session.live.isReady() && session.live.scanned() &&
               session.live.state(lockOn(2)) != nullptr;
    }));
    close(2, true);
    QVERIFY(session.turnOn());
    QVERIFY(planRelease(session, 2));
    QSignalSpy finished(&session.live->acting(), &SessionActing::runFinished);
    session.receipts.clear();
    session.live->acting().run(session.ticket, {});
    session.live->acting().disableWriteMode();
    QVERIFY(waitUntil([&] { return !session.live->acting().isWriteModeOn(); }));
    close(2, false);
    QVERIFY(session.turnOn());
    QVERIFY(waitUntil([&] { return finished.size() == 1; }));
    QVERIFY(session.receipts.isEmpty());
    QVERIFY(isHeld(2));
}

void TestClusterActing::keysThatHaveMoved()
{
    ActingSession session(m_deployment);
    QVERIFY(session.begin(m_deployment));
    QVERIFY(planRelease(session, 1));
    QVERIFY(m_cluster->moveSlotOf(m_deployment.lock, 0));
    const std::optional<Receipt> refused = session.run();
    QVERIFY(refused);
    QVERIFY2(refused->outcome == Outcome::Refused, qPrintable(refused->text));
    QVERIFY(m_cluster->node(0).run({"EXISTS", m_deployment.lock}).integer == 1);

    QString said;
    bool done = false;
    QTRY_VERIFY2_WITH_TIMEOUT(
        (done = done ||
                succeeds(session, {m_deployment.lock, "lock.release", {{"owner", "me"}}}, said)),
        qPrintable(said), failoverPatienceMs);
    QVERIFY(m_cluster->node(0).run({"EXISTS", m_deployment.lock}).integer == 0);
}

// One of two keys has gone ahead: neither node can do it, and nothing of it is done.
void TestClusterActing::keysThatAreSplit()
{
    ActingSession session(m_deployment);
    QVERIFY(session.begin(m_deployment));
    const QByteArray processing = m_deployment.queue + ":processing";
    QVERIFY(m_cluster->migrateSlotOf(m_deployment.lock, 0));
    QVERIFY(session.plan(m_deployment.queue, "queue.requeue", {{"all", ""}})); // all are there yet
    QCOMPARE(m_cluster->node(1)
                 .run({"MIGRATE", "127.0.0.1", QByteArray::number(m_cluster->node(0).port()),
                       processing, "0", "5000"})
                 .text,
             QByteArray("OK"));
    const std::optional<Receipt> refused = session.run();
    QVERIFY(refused);
    QVERIFY2(refused->outcome == Outcome::Refused, qPrintable(refused->text));
    QVERIFY2(refused->text.contains(u"TRYAGAIN"_s), qPrintable(refused->text));
    QCOMPARE(m_cluster->node(1).run({"LLEN", m_deployment.queue}).integer, 1);
    QVERIFY(!session.plan(m_deployment.queue, "queue.requeue", {{"all", ""}}));

    QVERIFY(m_cluster->moveSlotOf(m_deployment.lock, 0));
    QString said;
    bool done = false;
    QTRY_VERIFY2_WITH_TIMEOUT(
        (done =
             done || succeeds(session, {m_deployment.queue, "queue.requeue", {{"all", ""}}}, said)),
        qPrintable(said), failoverPatienceMs);
    QCOMPARE(m_cluster->node(0).run({"LLEN", m_deployment.queue}).integer, 2);
    QCOMPARE(m_cluster->node(0).run({"EXISTS", processing}).integer, 0);
}

// Between plan and run, and between run and undo, while others write: refused where it no longer
// is, and done once where it is.
void TestClusterActing::aSlotThatMovesUnderLoad()
{
    QStringList sockets;
    for (int i = 0; i < RedisCluster::size; ++i)
        sockets << m_cluster->node(i).socketPath();
    const WritingLoad load(sockets);
    ActingSession session(m_deployment);
    QVERIFY(session.begin(m_deployment));
    QVERIFY(planRelease(session, 1));
    QVERIFY(m_cluster->moveSlotOf(m_deployment.lock, 0));
    const std::optional<Receipt> refused = session.run();
    QVERIFY(refused);
    QVERIFY2(refused->outcome == Outcome::Refused, qPrintable(refused->text));
    QCOMPARE(m_cluster->node(0).run({"GET", m_deployment.lock}).text, "me");

    std::optional<Receipt> done;
    const auto isDone = [&](bool planned) {
        done = planned ? session.run() : std::nullopt;
        return done && done->outcome == Outcome::Succeeded;
    };
    QVERIFY(waitUntil([&] { return isDone(planRelease(session, 1)); }, failoverPatienceMs));
    QCOMPARE(m_cluster->node(0).run({"EXISTS", m_deployment.lock}).integer, 0);

    const QByteArray receipt = done->id;
    QVERIFY(m_cluster->moveSlotOf(m_deployment.lock, 2));
    QVERIFY(waitUntil([&] { return isDone(session.planUndo(receipt)); }, failoverPatienceMs));
    QCOMPARE(m_cluster->node(2).run({"GET", m_deployment.lock}).text, "me");
    QVERIFY(m_cluster->node(2).run({"PTTL", m_deployment.lock}).integer > 5'000'000);
    QCOMPARE(m_cluster->node(2).run({"LLEN", m_deployment.queue}).integer, 1);
    QVERIFY(!session.planUndo(receipt)); // once
    QVERIFY(load.written() > 0);
}

LK_TEST(TestClusterActing);
#include "tst_clusteracting.moc"
