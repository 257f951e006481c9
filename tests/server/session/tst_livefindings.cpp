// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/demotraffic.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QFile>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A watching session reports the findings of a single read, and those that only time shows.
class TestLiveFindings : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void agreesWithOneLook();
    void fullLooksGoOn();
    void comesAndGoes();
    void gateProlonged();
    void silenceAndThresholds();
    void theDemo();

private:
    /// "code name" of each, sorted.
    static QByteArrayList live(Session& session)
    {
        QByteArrayList all;
        if (!session.findings().latest())
            return all;
        for (const LiveFindingPtr& f : session.findings().latest()->rows)
            all << f->finding.code + ' ' + f->finding.name;
        std::sort(all.begin(), all.end());
        return all;
    }
    QByteArrayList once(const Config& config)
    {
        QByteArrayList all;
        const TakenSnapshot taken = takeSnapshot(m_server.url(), config);
        if (!taken.snapshot)
            return {"no look"};
        for (const Finding& f : taken.snapshot->findings)
            all << f.code + ' ' + f.name;
        std::sort(all.begin(), all.end());
        return all;
    }
    void fillWithMistakes();

    RedisServer m_server;
};

namespace {

constexpr auto mistakesConfig = R"(
[[limiter]]
key = "*:rate"
layout = "rolling-window"
limit = 2
window = "1h"
[[limiter]]
key = "z:rl:resource:*"
layout = "resource-consumer"
limit = 50
window = "1h"
consumer_limit = 2
[[lock]]
key = "lock:list"
layout = "set-nx-px"
[[pattern]]
key = "visited:*"
layout = "navigation-session"
ttl = "60s"
)";

}

// The documents' own wrong commands, and a few mistakes that only a full read shows.
void TestLiveFindings::fillWithMistakes()
{
    const qint64 now = serverNowMs(m_server);
    const auto text = [](qint64 n) { return QByteArray::number(n); };
    m_server.lines({"SETEX code:c17bd6 3600000 payload",
                    "HSET user_token:0an3dks7000xcj201ls some_metadata x used_by 0",
                    "HINCRBY user_token:4f8a1c0d77b2e9a6530f used_by 1",
                    "SETEX invite:100234 600 a", "SETEX invite:100235 600 b",
                    "SETEX invite:100236 600 c", "SETEX invite:100237 600 d",
                    "SET lock:myresource ef1f63c NX", "SETNX lock.foo " + text(now / 1000 - 60),
                    "INCR api:ratelimit:acme", "RPUSH lock:list a", "SADD key element",
                    "RPUSH mail:jobs a b c", "LPUSH mail:jobs:processing b x"});
    m_server.line("LPUSH helper_key" + QByteArray(" x").repeated(1010));
    for (int i = 0; i < 3; ++i) {
        m_server.run({"ZADD", "over:rate", text(now - i), text(now - i)});
        m_server.run({"ZADD", "z:rl:resource:12", text(now / 1000), text(now * 1000 + i)});
        m_server.run(
            {"ZADD", "z:rl:resource:12:consumer:1", text(now / 1000), text(now * 1000 + i)});
    }
    m_server.run({"ZADD", "ahead:rate", text(now + 600'000), text(now + 600'000)});
    for (int i = 0; i < 12; ++i)
        m_server.run({"RPUSH", "visited:17", QByteArray(1024 * 1024, 'x')});
}

void TestLiveFindings::agreesWithOneLook()
{
    fillWithMistakes();
    const Config config = configOf(mistakesConfig);
    const QByteArrayList expected = once(config);
    QVERIFY2(expected.size() >= 14, expected.join(", ").constData());
    for (const char* needed : {"big-key visited:17", "limiter-over-limit z:rl:resource:12",
                               "different-slots z:rl:resource:12", "wrong-type lock:list",
                               "token-codes-sequential invite:*", "queue-duplicates mail:jobs"})
        QVERIFY2(expected.contains(needed), needed);
    LiveSession session(m_server.url(), config);
    QTRY_COMPARE_WITH_TIMEOUT(live(*session), expected, 40'000);
    const LiveFindingsPtr found = session->findings().latest();
    QCOMPARE(found->checked, qint64(session.size()));
    for (const LiveFindingPtr& f : found->rows) {
        const StatePtr state = session->states().at(f->handle);
        if (f->finding.name.endsWith('*'))
            QVERIFY(!state);
        else
            QCOMPARE(state->primitive->id.name, f->finding.name);
        if (state)
            QVERIFY(found->worstOf(f->handle) >= f->finding.severity);
    }
}

// Findings of a full read stay while smaller reads follow.
void TestLiveFindings::fullLooksGoOn()
{
    fillWithMistakes();
    LiveSession session(m_server.url(), configOf(mistakesConfig));
    const auto there = [&] {
        const QByteArrayList all = live(*session);
        return all.contains("big-key visited:17") &&
               all.contains("limiter-over-limit z:rl:resource:12");
    };
    QTRY_VERIFY_WITH_TIMEOUT(there(), 40'000);
    bool stayed = true;
    QObject::connect(&session->findings(), &SessionFindings::changed, &*session,
                     [&] { stayed = stayed && there(); });
    session->polling().setAttention(
        {session.handle("visited:17"), session.handle("z:rl:resource:12")}, noHandle);
    QVERIFY(session.seconds(5));
    QVERIFY(stayed);
    m_server.lines({"DEL visited:17 z:rl:resource:12:consumer:1"});
    QTRY_VERIFY_WITH_TIMEOUT(!live(*session).contains("big-key visited:17"), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(!live(*session).contains("limiter-over-limit z:rl:resource:12"),
                             15'000);
}

void TestLiveFindings::comesAndGoes()
{
    m_server.line("SET lock:fine me PX 600000");
    LiveSession session(m_server.url());
    QTRY_VERIFY_WITH_TIMEOUT(session.feed().mode == FeedStatus::Mode::Tracking, 15'000);
    m_server.line("SET lock:orphan me");
    session->polling().rescan();
    QTRY_COMPARE_WITH_TIMEOUT(live(*session), QByteArrayList{"lock-without-ttl lock:orphan"},
                              15'000);
    QVERIFY(session->findings().of(session.handle("lock:orphan")).size() == 1);
    m_server.line("PEXPIRE lock:orphan 600000");
    QTRY_COMPARE_WITH_TIMEOUT(live(*session), QByteArrayList(), 15'000);
    QVERIFY(session->findings().of(session.handle("lock:orphan")).empty());
}

// The document's script: a refused call sets the TTL anew. Only who watches sees it.
void TestLiveFindings::gateProlonged()
{
    m_server.lines({"INCR spawn:gate:7", "PEXPIRE spawn:gate:7 20000"});
    const Config config =
        configOf("[[limiter]]\nkey = \"spawn:gate:*\"\nlayout = \"gate\"\nwindow = \"20s\"\n");
    LiveSession session(m_server.url(), config);
    QTRY_VERIFY_WITH_TIMEOUT(session.state("spawn:gate:7"), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_server.line("PTTL spawn:gate:7").integer < 19'000, 5000);
    m_server.lines({"INCR spawn:gate:7", "PEXPIRE spawn:gate:7 20000"});
    QTRY_COMPARE_WITH_TIMEOUT(live(*session), QByteArrayList{"gate-prolonged spawn:gate:7"},
                              15'000);
    QCOMPARE(once(config), QByteArrayList());
}

void TestLiveFindings::silenceAndThresholds()
{
    m_server.lines({"SETEX code:0123456789abcdef 7200 payload", "SET lock:orphan ef1f63c"});
    LiveSession session(m_server.url(), configOf("[check]\nsilence = [\"lock-without-ttl\"]\n"
                                                 "[check.thresholds]\ntoken_ttl = \"1h\"\n"));
    QTRY_COMPARE_WITH_TIMEOUT(live(*session),
                              (QByteArrayList{"lock-without-ttl lock:orphan",
                                              "token-ttl-too-long code:0123456789abcdef"}),
                              15'000);
    QCOMPARE(session->findings().latest()->total(), 1);
    QCOMPARE(session->findings().latest()->silenced, 1);
    QVERIFY(session->findings().of(session.handle("lock:orphan")).empty());
    // Nor does the overview call it a hazard.
    for (const SummaryItem& item : session->board().summary()->attention)
        QVERIFY(item.state->primitive->id.name != "lock:orphan" ||
                !item.reason.contains(u"has no TTL"_s));
}

void TestLiveFindings::theDemo()
{
    QFile file(u":/demo/demo.toml"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    DemoTraffic traffic(m_server.url());
    traffic.start();
    LiveSession session(m_server.url(), configOf(file.readAll()));
    QTRY_VERIFY_WITH_TIMEOUT(live(*session).contains("lock-without-ttl lock:migration:2019"),
                             20'000);
    QByteArrayList unmeant;
    QObject::connect(&session->findings(), &SessionFindings::changed, &*session, [&] {
        for (const QByteArray& one : live(*session)) {
            const bool meant = one == "lock-without-ttl lock:migration:2019" ||
                               one == "token-codes-short code:*" ||
                               one.startsWith("ghost-token user_token:") ||
                               one.startsWith("token-used-twice user_token:") ||
                               one == "lock-expired lock.nightly-export" ||
                               one == "limiter-saturated checkout" || // asked for twice its limit
                               one == "queue-stuck mail:jobs" ||      // its worker dies
                               one == "queue-stuck email" || one == "queue-stuck default" ||
                               one == "queue-stuck celery" || // their workers are gone
                               one == "queue-without-workers celery";
            if (!meant && !unmeant.contains(one))
                unmeant << one;
        }
    });
    QVERIFY(session.seconds(15));
    QVERIFY2(unmeant.isEmpty(), unmeant.join(", ").constData());
    QVERIFY(live(*session).contains("token-codes-short code:*"));
    for (const char* one : {"queue-stuck email", "queue-stuck default", "queue-stuck celery",
                            "queue-without-workers celery"})
        QVERIFY2(live(*session).contains(one), one);
}

LK_TEST(TestLiveFindings);
#include "tst_livefindings.moc"
