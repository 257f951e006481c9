// SPDX-License-Identifier: GPL-3.0-or-later
// A session of a real server leaves a recording that answers what was asked after the fact.
#include "backend/history/recordqueries.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/session/sessionalerts.h"
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

class TestSessionRecorder : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void whoHeldItIsKnownAfterwards();
    void heldForIsTrueAfterARestart();
    void whatIsUsualIsKnownAfterARestart();
    void numbersFollowTheQueue();
    void blindnessIsToldWhenTheServerIsGone();
    void noSecretReachesTheFile();
    void aWrongClockOfThisMachineIsNoTrouble_data();
    void aWrongClockOfThisMachineIsNoTrouble();
    void whatBecameOfATokenIsToldWithoutItsCode();

private:
    QString file() const { return m_folder->filePath(QStringLiteral("history.db")); }
    QByteArray deployment() const { return recordedDeployment(m_server.url(), nullptr).key; }
    static RecordedId lockId(const char* name) { return {{}, {"set-nx-px", name}}; }

    std::vector<RecordedHold> holds(Recorded& recorded, const QByteArray& name)
    {
        recorded.flush();
        RecordQueries queries(file());
        if (!queries.open())
            return {};
        const auto named = queries.named(deployment(), name);
        return named.empty() ? std::vector<RecordedHold>()
                             : queries.holds(named[0].first, 0, recorded.clock.nowMs() + 60'000);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    RedisServer m_server;
};

void TestSessionRecorder::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
}

void TestSessionRecorder::init()
{
    m_server.flush();
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestSessionRecorder::whoHeldItIsKnownAfterwards()
{
    m_server.line("SET lock:invoice alice-1 PX 600000");
    Recorded recorded(m_server.url(), file());
    QTRY_COMPARE_WITH_TIMEOUT(holds(recorded, "lock:invoice").size(), 1U, patienceMs);
    m_server.line("DEL lock:invoice");
    QTRY_VERIFY_WITH_TIMEOUT(!holds(recorded, "lock:invoice").at(0).open, patienceMs);
    m_server.line("SET lock:invoice bob-22 PX 600000");
    QTRY_COMPARE_WITH_TIMEOUT(holds(recorded, "lock:invoice").size(), 2U, patienceMs);
    const auto known = holds(recorded, "lock:invoice");
    QCOMPARE(known[0].owner, QByteArray("alice-1"));
    QVERIFY(!known[0].fromKnown); // it was held before anybody looked
    QVERIFY(known[0].endKnown);
    QCOMPARE(known[1].owner, QByteArray("bob-22"));
    QVERIFY(known[1].open && known[1].fromKnown);
    QVERIFY(known[0].toMs <= known[1].fromMs);
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const RecordedMoment then = queries.momentAt(deployment(), known[0].toMs - 1);
    QCOMPARE(then.states.size(), 1U);
    QCOMPARE(then.states[0].state->as<LockState>()->owner, QByteArray("alice-1"));
    QVERIFY(!then.server.version.isEmpty());
}

void TestSessionRecorder::heldForIsTrueAfterARestart()
{
    m_server.line("SET lock:long owner-7 PX 600000");
    qint64 sinceMs = 0;
    {
        Recorded recorded(m_server.url(), file());
        QTRY_COMPARE_WITH_TIMEOUT(holds(recorded, "lock:long").size(), 1U, patienceMs);
        sinceMs = holds(recorded, "lock:long").at(0).fromMs;
    }
    Recorded again(m_server.url(), file());
    QTRY_VERIFY_WITH_TIMEOUT(again.live->handle("lock:long") != noHandle, patienceMs);
    Session& session = **again.live;
    const auto since = [&] {
        const StatePtr state = session.states().at(again.live->handle("lock:long"));
        return state ? state->observed.sinceMs : 0;
    };
    QTRY_COMPARE_WITH_TIMEOUT(since(), sinceMs, patienceMs);
    // It is the same hold in the recording, too.
    QTRY_VERIFY_WITH_TIMEOUT(
        !holds(again, "lock:long").empty() && holds(again, "lock:long").back().open, patienceMs);
    QCOMPARE(holds(again, "lock:long").size(), 1U);
}

// Four short holds; the next one, after a restart, is far longer.
void TestSessionRecorder::whatIsUsualIsKnownAfterARestart()
{
    {
        Recorded recorded(m_server.url(), file());
        for (size_t i = 1; i <= 4; ++i) {
            m_server.line("SET lock:nightly owner-" + QByteArray::number(int(i)) + " PX 600000");
            const auto known = [&](bool open) {
                const auto all = holds(recorded, "lock:nightly");
                return all.size() == i && all.back().open == open;
            };
            QTRY_VERIFY_WITH_TIMEOUT(known(true), patienceMs);
            m_server.line("DEL lock:nightly");
            QTRY_VERIFY_WITH_TIMEOUT(known(false), patienceMs);
        }
    }
    const Result<Config> config =
        parseConfig("[alerts]\nbuilt_in = false\n[[alert]]\nwhen = \"lock.held_ratio > 3\"\n",
                    QStringLiteral("t.toml"));
    QVERIFY(config);
    Recorded again(m_server.url(), file(), 0, *config, file() + QStringLiteral(".alerts"));
    m_server.line("SET lock:nightly owner-9 PX 600000");
    const auto open = [&] { return (*again.live)->alerts()->alerts()->open; };
    QVERIFY(waitUntil([&] { return !open().empty(); }, patienceMs));
    QCOMPARE(open().front()->name, QByteArray("lock:nightly"));
}

void TestSessionRecorder::numbersFollowTheQueue()
{
    m_server.line("LPUSH mail:queue a b");
    m_server.line("LPUSH mail:queue:processing c");
    Recorded recorded(m_server.url(), file());
    const auto ready = [&](double wanted) {
        recorded.flush();
        RecordQueries queries(file());
        if (!queries.open())
            return false;
        for (const auto& [id, primitive] : queries.named(deployment(), "mail:queue")) {
            const auto series = queries.series(id, "ready", 0, recorded.clock.nowMs(), 100);
            for (const RecordedPoint& point : series.points) {
                if (point.last == wanted)
                    return true;
            }
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(ready(2), patienceMs);
    m_server.line("LPUSH mail:queue d");
    QTRY_VERIFY_WITH_TIMEOUT(ready(3), patienceMs);
}

void TestSessionRecorder::blindnessIsToldWhenTheServerIsGone()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("SET lock:a alice-1 PX 600000");
    Recorded recorded(server.url(), file());
    const QByteArray key = recordedDeployment(server.url(), nullptr).key;
    const auto types = [&] {
        recorded.flush();
        QList<EventType> found;
        RecordQueries queries(file());
        if (queries.open()) {
            for (const RecordedEvent& event : queries.events({.deployment = key}))
                found << event.type;
        }
        return found;
    };
    QTRY_VERIFY_WITH_TIMEOUT(recorded.recorder->status().here, patienceMs);
    server.stop();
    QTRY_VERIFY_WITH_TIMEOUT(types().contains(EventType::ServerLost), patienceMs);
    QVERIFY(server.start());
    QTRY_VERIFY_WITH_TIMEOUT(types().contains(EventType::ServerBack), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(types().contains(EventType::ServerRestarted), patienceMs);
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const auto gaps = queries.gaps(key, queries.span(key).firstMs, recorded.clock.nowMs());
    QVERIFY(std::any_of(gaps.begin(), gaps.end(),
                        [](const RecordedGap& gap) { return gap.reason == GapReason::Lost; }));
}

void TestSessionRecorder::aWrongClockOfThisMachineIsNoTrouble_data()
{
    QTest::addColumn<qint64>("aheadMs");
    QTest::newRow("an hour ahead") << 3'600'000LL;
    QTest::newRow("an hour behind") << -3'600'000LL;
}

void TestSessionRecorder::aWrongClockOfThisMachineIsNoTrouble()
{
    QFETCH(qint64, aheadMs);
    m_server.line("SET lock:invoice alice-1 PX 600000");
    const qint64 beforeMs = SystemClock().nowMs(); // the server's is this machine's right one
    Recorded recorded(m_server.url(), file(), aheadMs);
    const auto span = [&] {
        recorded.flush();
        RecordQueries queries(file());
        return queries.open() ? queries.span(deployment()) : RecordedSpan();
    };
    QTRY_VERIFY_WITH_TIMEOUT(span().primitives > 0, patienceMs);
    const qint64 firstMs = span().firstMs;
    QVERIFY(firstMs >= beforeMs - 2000 && firstMs <= SystemClock().nowMs() + 2000);
    // Primitives that existed at the start are recorded from the first moment on.
    m_server.line("SET lock:other bob-2 PX 600000");
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const auto last = [&] { return queries.momentAt(deployment(), span().lastMs); };
    QTRY_COMPARE_WITH_TIMEOUT(last().states.size(), 2U, patienceMs);
    const RecordedMoment moment = last();
    QVERIFY(!moment.blind);
    const auto first = queries.momentAt(deployment(), std::max(firstMs, moment.states[0].atMs));
    QVERIFY(!first.states.empty());
    QCOMPARE(queries.gaps(deployment(), firstMs, span().lastMs).size(), 0U);
}

void TestSessionRecorder::whatBecameOfATokenIsToldWithoutItsCode()
{
    const QByteArray code = "c17bd6a2f09e4d7790ab33e1c2d4f5a6";
    m_server.line("SET code:" + code + " payload PX 600000");
    Recorded recorded(m_server.url(), file());
    const auto events = [&](const QSet<EventType>& types) {
        recorded.flush();
        RecordQueries queries(file());
        return queries.open() ? queries.events({.deployment = deployment(), .types = types})
                              : std::vector<RecordedEvent>();
    };
    QTRY_VERIFY_WITH_TIMEOUT(recorded.live->handle("code:" + code) != noHandle, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(recorded.recorder->status().here, patienceMs);
    // How many there are of each sort is a number of the deployment.
    const auto live = [&] {
        recorded.flush();
        RecordQueries queries(file());
        if (!queries.open())
            return -1.0;
        const auto series = queries.series({deployment(), deploymentTotals()->id}, "tokens.live", 0,
                                           queries.span(deployment()).lastMs, 100);
        return series.points.empty() ? -1.0 : series.points.back().last;
    };
    QTRY_COMPARE_WITH_TIMEOUT(live(), 1.0, patienceMs);
    m_server.line("DEL code:" + code);
    QTRY_COMPARE_WITH_TIMEOUT(events({EventType::TokenEnded}).size(), 1U, patienceMs);
    const RecordedEvent ended = events({EventType::TokenEnded}).front();
    QCOMPARE(ended.code, QByteArray("gone"));
    QVERIFY(!ended.primitive.name.contains(code));
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const auto life = queries.events({.deployment = deployment(), .primitive = ended.primitive});
    QVERIFY(life.size() >= 2);
    QCOMPARE(life.front().type, EventType::PrimitiveSeen);
}

void TestSessionRecorder::noSecretReachesTheFile()
{
    // A token's code, a job's payload, and the value of a lock that names no owner.
    const QByteArray code = "c17bd6a2f09e4d7790ab33e1c2d4f5a6";
    m_server.line("SET code:" + code + " {\"user\":\"secretuser\"} PX 600000");
    m_server.line("LPUSH mail:queue {\"card\":\"4111111111111111\"}");
    m_server.line("LPUSH mail:queue:processing {\"card\":\"4242424242424242\"}");
    {
        Recorded recorded(m_server.url(), file());
        const auto isThere = [&] {
            recorded.flush();
            RecordQueries queries(file());
            return queries.open() &&
                   queries.momentAt(deployment(), recorded.clock.nowMs() + 1000).states.size() >= 2;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(), patienceMs);
    }
    RecordQueries queries(file());
    QVERIFY(queries.open());
    // Blocks are compressed: what they hold is asked for, the rest is looked through.
    const RecordedMoment last =
        queries.momentAt(deployment(), QDateTime::currentMSecsSinceEpoch() + 1000);
    for (const RecordedState& state : last.states) {
        QVERIFY(!state.primitive->id.name.contains(code));
        for (const KeyRole& key : state.primitive->keys)
            QVERIFY(!key.key.contains(code));
        if (const auto* queue = state.state->as<QueueState>()) {
            for (const QueueJob& item : queue->items)
                QVERIFY(item.preview.isEmpty());
        }
    }
    QFile stored(file());
    QVERIFY(stored.open(QIODevice::ReadOnly));
    const QByteArray bytes = stored.readAll();
    for (const char* secret :
         {code.constData(), "secretuser", "4111111111111111", "4242424242424242"})
        QVERIFY2(!bytes.contains(secret), secret);
}

LK_TEST(TestSessionRecorder);
#include "tst_sessionrecorder.moc"
