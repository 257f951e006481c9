// SPDX-License-Identifier: GPL-3.0-or-later
// Who held a lock and since when something is so, as a recording of a real server has it: beyond a
// restart, and however often it changes.
#include "backend/history/recordqueries.h"
#include "backend/session/alerting/alertevents.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/past/recordedlife.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionstates.h"
#include "tests/server/recording/recordedsession.h"
#include "tests/support/redisserver.h"
#include "tests/support/respclient.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QTemporaryDir>

using namespace lk;
using namespace lk::test;

namespace {

constexpr int patienceMs = 30'000;

} // namespace

class TestRecordedAges : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();
    void agesAreTrueAfterARestart();
    void aLockThatChangesHandsAllTheTimeIsToldTruly();
    void eachReaderOfARedissonLockIsTold();
    void whoEndedASilenceIsTold();

private:
    QString file() const { return m_folder->filePath(QStringLiteral("history.db")); }
    QByteArray deployment() const { return recordedDeployment(m_server.url(), nullptr).key; }
    std::vector<RecordedHold> holds(Recorded& recorded, const QByteArray& name);

    std::unique_ptr<QTemporaryDir> m_folder;
    RedisServer m_server;
};

void TestRecordedAges::init()
{
    m_server.flush();
    m_folder = std::make_unique<QTemporaryDir>();
}

std::vector<RecordedHold> TestRecordedAges::holds(Recorded& recorded, const QByteArray& name)
{
    recorded.flush();
    RecordQueries queries(file());
    if (!queries.open())
        return {};
    const auto named = queries.named(deployment(), name);
    return named.empty() ? std::vector<RecordedHold>()
                         : queries.holds(named[0].first, 0, recorded.clock.nowMs() + 60'000);
}

// The ages of a finding and of a paused queue, and the time since which each is known.
void TestRecordedAges::agesAreTrueAfterARestart()
{
    m_server.lines({"SET lock:orphan owner-7",
                    "HSET bull:email:meta version bullmq:5.34.0 opts.maxLenEvents 10000",
                    "XADD bull:email:events * event added jobId 1",
                    "HSET bull:email:1 name send data {} opts {} timestamp 1700000000000",
                    "LPUSH bull:email:wait 1"});
    const auto findingMs = [](Session& session) {
        if (session.findings().latest()) {
            for (const LiveFindingPtr& live : session.findings().latest()->rows) {
                if (live->finding.code == "lock-without-ttl")
                    return live->sinceMs;
            }
        }
        return qint64(0);
    };
    const auto observed = [](Recorded& recorded, const QByteArray& name) {
        const StatePtr state = (*recorded.live)->states().at(recorded.live->handle(name));
        return state ? state->observed : Observed();
    };
    qint64 openMs = 0;
    qint64 pausedMs = 0;
    {
        Recorded recorded(m_server.url(), file());
        QTRY_VERIFY_WITH_TIMEOUT(recorded.live->handle("bull:email") != noHandle, patienceMs);
        const auto opened = [&] {
            recorded.flush();
            RecordQueries queries(file());
            return queries.open() && !queries.ages(deployment(), 10).findings.empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(opened(), patienceMs);
        m_server.lines({"RENAME bull:email:wait bull:email:paused", "HSET bull:email:meta paused 1",
                        "XADD bull:email:events * event paused"});
        const auto paused = [&] {
            recorded.flush();
            RecordQueries queries(file());
            if (!queries.open())
                return qint64(0);
            const auto begun = queries.unended(deployment(), 0);
            return begun.empty() ? 0 : begun.front().tMs;
        };
        QTRY_VERIFY_WITH_TIMEOUT(paused() > 0, patienceMs);
        pausedMs = paused();
        openMs = findingMs(**recorded.live);
    }
    QVERIFY(openMs > 0);
    RecordQueries queries(file());
    QVERIFY(queries.open());
    QHash<QByteArray, qint64> firstMs;
    for (const auto& [id, ms] : queries.ages(deployment(), 10).firstMs)
        firstMs.insert(id.name, ms);
    Recorded again(m_server.url(), file());
    QTRY_COMPARE_WITH_TIMEOUT(findingMs(**again.live), openMs, patienceMs);
    // It was held before the recording began.
    QTRY_VERIFY_WITH_TIMEOUT(observed(again, "lock:orphan").firstSeenMs > 0 &&
                                 observed(again, "lock:orphan").firstSeenMs <=
                                     firstMs.value("lock:orphan"),
                             patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(observed(again, "bull:email").sinceMs, pausedMs, patienceMs);
    QVERIFY(observed(again, "bull:email").firstSeenMs < pausedMs);
    QCOMPARE(observed(again, "bull:email").firstSeenMs, firstMs.value("bull:email"));
}

// More owners in a row than are recorded one by one; the last one keeps it.
void TestRecordedAges::aLockThatChangesHandsAllTheTimeIsToldTruly()
{
    m_server.line("SET lock:busy owner-0 PX 600000");
    {
        Recorded recorded(m_server.url(), file());
        QTRY_COMPARE_WITH_TIMEOUT(holds(recorded, "lock:busy").size(), 1U, patienceMs);
        const Handle handle = recorded.live->handle("lock:busy");
        const auto owner = [&] {
            const StatePtr state = (*recorded.live)->states().at(handle);
            return state ? state->as<LockState>()->owner : QByteArray();
        };
        for (int i = 1; i <= 30; ++i) {
            const QByteArray next = "owner-" + QByteArray::number(i);
            m_server.line("SET lock:busy " + next + " PX 600000");
            QTRY_COMPARE_WITH_TIMEOUT(owner(), next, patienceMs);
        }
        QTRY_COMPARE_WITH_TIMEOUT(holds(recorded, "lock:busy").back().owner, "owner-30",
                                  patienceMs);
        QVERIFY(holds(recorded, "lock:busy").back().open);
    }
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const RecordedId id{deployment(), {"set-nx-px", "lock:busy"}};
    const RecordedLife life = readLife(queries, id, 0, QDateTime::currentMSecsSinceEpoch());
    qint64 omitted = 0;
    for (const RecordedEvent& event : life.events)
        omitted += event.type == EventType::HoldsOmitted ? qint64(event.value) : 0;
    QVERIFY(life.holds.size() >= 21);
    QCOMPARE(qint64(life.holds.size()) + omitted, 31);
    for (const HoldEnd& end : life.ends)
        QVERIFY(end.way != HoldEnd::Way::Released);
    // And who begins to watch again knows since when.
    Recorded again(m_server.url(), file());
    QTRY_VERIFY_WITH_TIMEOUT(again.live->handle("lock:busy") != noHandle, patienceMs);
    const auto since = [&] {
        const StatePtr state = (*again.live)->states().at(again.live->handle("lock:busy"));
        return state ? state->observed.sinceMs : 0;
    };
    QTRY_COMPARE_WITH_TIMEOUT(since(), life.holds.back().fromMs, patienceMs);
}

// As its library writes it: one reader joins while another has it.
void TestRecordedAges::eachReaderOfARedissonLockIsTold()
{
    const QByteArray a = "5e8f2f1e-9c1f-4d0e-8f57-3a3b9a7a1c11:1";
    const QByteArray b = "7d1c0a52-1a41-4c8e-b8b1-0f7c1d2e3f44:2";
    const auto join = [&](const QByteArray& reader) {
        m_server.lines({"HSET rw mode read", "HINCRBY rw " + reader + " 1", "PEXPIRE rw 600000",
                        "SET {rw}:" + reader + ":rwlock_timeout:1 1 PX 600000"});
    };
    join(a);
    Recorded recorded(m_server.url(), file());
    const auto known = [&] { return holds(recorded, "rw"); };
    QTRY_COMPARE_WITH_TIMEOUT(known().size(), 1U, patienceMs);
    QCOMPARE(known()[0].owner, a);
    join(b);
    QTRY_COMPARE_WITH_TIMEOUT(known().size(), 2U, patienceMs);
    QVERIFY(known()[0].open && known()[1].open);
    QCOMPARE(known()[1].owner, b);
    m_server.lines({"HDEL rw " + a, "DEL {rw}:" + a + ":rwlock_timeout:1"});
    QTRY_VERIFY_WITH_TIMEOUT(!known()[0].open, patienceMs);
    QCOMPARE(known().size(), 2U);
    QVERIFY(known()[1].open);
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const auto ends = holdEnds(known(), {});
    QCOMPARE(ends[0].way, HoldEnd::Way::Released);
    QVERIFY(!ends[0].next);
}

void TestRecordedAges::whoEndedASilenceIsTold()
{
    m_server.line("SET lock:a alice-1 PX 600000");
    Recorded recorded(m_server.url(), file(), 0, {}, file() + QStringLiteral(".alerts"));
    SessionAlerts& alerts = *(*recorded.live)->alerts();
    recordAlerts(alerts, **recorded.live, *recorded.recorder,
                 [&](std::vector<RecordedEvent> events) {
                     recorded.recorder->addEvents(std::move(events));
                 });
    QTRY_VERIFY_WITH_TIMEOUT(recorded.recorder->status().here, patienceMs);
    Silence silence;
    silence.match = "lock:a";
    silence.reason = QStringLiteral("known");
    alerts.silence(silence);
    QTRY_COMPARE_WITH_TIMEOUT(alerts.alerts()->silences.size(), 1U, patienceMs);
    const auto events = [&] {
        recorded.flush();
        RecordQueries queries(file());
        return queries.open()
                   ? queries.events({.deployment = deployment(),
                                     .types = {EventType::AlertSilenced, EventType::SilenceEnded}})
                   : std::vector<RecordedEvent>();
    };
    QTRY_COMPARE_WITH_TIMEOUT(events().size(), 1U, patienceMs);
    const qint64 id = alerts.alerts()->silences.front().id;
    alerts.endSilence(id);
    QTRY_COMPARE_WITH_TIMEOUT(events().size(), 2U, patienceMs);
    const RecordedEvent ended = events().back();
    QCOMPARE(ended.type, EventType::SilenceEnded);
    QCOMPARE(ended.who, operatorName());
    QCOMPARE(ended.detail, QStringLiteral("lock:a"));
    QTRY_VERIFY_WITH_TIMEOUT(alerts.alerts()->silences.empty(), patienceMs);
    alerts.endSilence(id); // there is none any more
    QCOMPARE(events().size(), 2U);
}

LK_TEST(TestRecordedAges);
#include "tst_recordedages.moc"
