// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordqueries.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionseries.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/redissentinel.h"
#include "tests/support/testprogram.h"

#include <cmath>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;
using Phase = ConnectionStatus::Phase;

namespace {

constexpr int patienceMs = 60'000; // Sentinels do nothing for 30 s after their clock has jumped

} // namespace

/// A Sentinel group that is watched, through a failover.
class TestSentinelSession : public QObject
{
    Q_OBJECT

private:
    RedisSentinel m_group;

private slots:
    void initTestCase() { QVERIFY(m_group.start()); }
    void aSnapshotSaysWhatItIs();
    void asksForTheSentinelsPassword();
    void followsAFailover();
    void whatWasPlannedBeforeIsVoid();
};

void TestSentinelSession::aSnapshotSaysWhatItIs()
{
    m_group.lineOnMaster("SET lock:a me PX 600000");
    const TakenSnapshot taken = takeSnapshot(m_group.url());
    const QJsonObject server = taken.root["server"_L1].toObject();
    QCOMPARE(server["mode"_L1].toString(), u"sentinel"_s);
    QCOMPARE(server["endpoint"_L1].toString(), m_group.url().endpoint());
    const QJsonObject node = server["nodes"_L1].toArray().first().toObject();
    QCOMPARE(node["endpoint"_L1].toString(), m_group.masterAddress().text());
    QCOMPARE(node["role"_L1].toString(), u"master"_s);
    QCOMPARE(node["durability"_L1]["fsync"_L1].toString(), u"everysec"_s);
    QVERIFY2(node["durability"_L1]["snapshots"_L1].isBool(), taken.json.constData());
    QCOMPARE(taken.list("locks").size(), 1);
}

void TestSentinelSession::asksForTheSentinelsPassword()
{
    RedisSentinel closed;
    closed.setSentinelPassword("s3cret");
    QVERIFY(closed.start());
    closed.lineOnMaster("SET lock:a me PX 600000");
    ServerUrl url = closed.url();
    url.sentinelPassword.clear();
    const TakenSnapshot refused = takeSnapshot(url);
    QCOMPARE(refused.error.code, ErrorCode::SentinelNoAuth);
    LiveSession live(url);
    QTRY_COMPARE_WITH_TIMEOUT(live->status().error.code, ErrorCode::SentinelNoAuth, patienceMs);
    QCOMPARE(live->status().nextTryInMs, 0); // a person has to say it
    live->setSentinelPassword({}, u"wrong"_s);
    QTRY_COMPARE_WITH_TIMEOUT(live->status().error.code, ErrorCode::SentinelWrongPass, patienceMs);
    live->setSentinelPassword({}, u"s3cret"_s);
    QTRY_VERIFY_WITH_TIMEOUT(live.state("lock:a"), patienceMs);
}

// The outage is a gap on the charts; afterwards it is read where it is now.
void TestSentinelSession::followsAFailover()
{
    m_group.lineOnMaster("LPUSH jobs a b c");
    m_group.lineOnMaster("RPOPLPUSH jobs jobs:processing");
    LiveSession live(m_group.url());
    QTRY_VERIFY_WITH_TIMEOUT(live.state("jobs"), patienceMs);
    QTemporaryDir folder;
    SystemClock clock;
    RecordWriter writer({folder.filePath(u"history.db"_s), {}, &clock});
    writer.start();
    SessionRecorder recorder(*live, writer, {});
    QTRY_VERIFY_WITH_TIMEOUT(recorder.status().here, patienceMs);
    const QString before = m_group.masterAddress().text();
    const Handle jobs = live.handle("jobs");
    live->polling().setAttention({jobs}, noHandle);
    QTRY_VERIFY_WITH_TIMEOUT(live->series().store().find(jobs, 0), patienceMs);
    QVERIFY(m_group.failover());
    m_group.lineOnMaster("LPUSH jobs d");
    QTRY_COMPARE_WITH_TIMEOUT(live->status().generation, 2U, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(live.ready("jobs"), std::optional<qint64>(3), patienceMs);
    QCOMPARE(live.handle("jobs"), jobs);
    QCOMPARE(live.count("jobs"), 1);
    const auto points =
        live->series().store().find(jobs, 0)->points(0, live->serverNowMs() + 60'000, 1000);
    const auto gap = std::find_if(points.begin(), points.end(),
                                  [](const SeriesPoint& p) { return std::isnan(p.value); });
    QVERIFY(gap != points.end() && gap + 1 != points.end());
    QCOMPARE(points.back().value, 3.0);
    // It is recorded once, with who was master and who is.
    RecordQueries queries(folder.filePath(u"history.db"_s));
    const auto failovers = [&] {
        writer.flush();
        return queries.events({.deployment = recorder.status().deployment,
                               .types = {EventType::Failover, EventType::RoleChanged}});
    };
    QVERIFY(queries.open());
    QTRY_VERIFY_WITH_TIMEOUT(!failovers().empty(), patienceMs);
    int reports = 0;
    connect(&*live, &Session::reported, this, [&] { ++reports; });
    QTRY_VERIFY_WITH_TIMEOUT(reports >= 7, patienceMs); // INFO comes with each fifth
    QCOMPARE(failovers().size(), 1U);
    QCOMPARE(failovers()[0].type, EventType::Failover);
    QCOMPARE(failovers()[0].who, m_group.masterAddress().text());
    QCOMPARE(failovers()[0].detail, before);
}

void TestSentinelSession::whatWasPlannedBeforeIsVoid()
{
    m_group.lineOnMaster("SET lock:b me PX 600000");
    QTemporaryDir folder;
    LiveSession live(m_group.url(), {}, {},
                     {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)});
    QTRY_VERIFY_WITH_TIMEOUT(live.state("lock:b"), patienceMs);
    live->acting().enableWriteMode(600'000);
    QTRY_VERIFY_WITH_TIMEOUT(live->acting().isWriteModeOn(), patienceMs);
    QSignalSpy planned(&live->acting(), &SessionActing::planned);
    QSignalSpy dropped(&live->acting(), &SessionActing::planDropped);
    const auto plan = [&] {
        planned.clear();
        live->acting().planAction("lock.release", {{live.state("lock:b")->primitive}},
                                  ActionRequest{{{"owner", "me"}}});
        return QTest::qWaitFor([&] { return planned.size() == 1; }, patienceMs);
    };
    QVERIFY(plan());
    const quint64 before = planned[0][0].value<PlanSet>().ticket;
    QVERIFY(m_group.failover());
    QTRY_COMPARE_WITH_TIMEOUT(dropped.size(), 1, patienceMs);
    QCOMPARE(dropped[0][0].toULongLong(), before);
    QTRY_VERIFY_WITH_TIMEOUT(!live->acting().isWriteModeOn(), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(live.isReady(), patienceMs);
    live->acting().run(before, {}); // a confirmation is refused now
    QTRY_COMPARE_WITH_TIMEOUT(dropped.size(), 2, patienceMs);
    QCOMPARE(m_group.lineOnMaster("EXISTS lock:b").integer, 1);

    live->acting().enableWriteMode(600'000);
    QTRY_VERIFY_WITH_TIMEOUT(live->acting().isWriteModeOn(), patienceMs);
    QVERIFY(plan());
    QSignalSpy finished(&live->acting(), &SessionActing::runFinished);
    live->acting().run(planned[0][0].value<PlanSet>().ticket, {});
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patienceMs);
    QCOMPARE(m_group.lineOnMaster("EXISTS lock:b").integer, 0);
}

LK_TEST(TestSentinelSession);
#include "tst_sentinelsession.moc"
