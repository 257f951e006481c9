// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/demotraffic.h"
#include "backend/findings/findings.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/redis/server/serverinfo.h"
#include "tests/bench/documentscripts.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QFile>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A server that was filled by the documents' own wrong commands gives exactly what is wrong with
/// them; what is right gives nothing; the demo gives what its traffic does wrong on purpose.
class TestCheck : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void tokens();
    void locks();
    void limiters();
    void talksRetryWindow();
    void resourceWithoutBraces();
    void redisson();
    void queues();
    void keys();
    void whatIsRightGivesNothing();
    void thresholdsAndSilence();
    void everyActionIsOneOfItsLayout();
    void theDemo();

private:
    QByteArray seconds(qint64 fromNow)
    {
        return QByteArray::number(serverNowMs(m_server) / 1000 + fromNow);
    }
    /// "code name" of each, sorted.
    QByteArrayList found(const Config& config = {})
    {
        m_taken = takeSnapshot(m_server.url(), config);
        QByteArrayList all;
        if (!m_taken.snapshot)
            return {"no look"};
        for (const Finding& f : m_taken.snapshot->findings)
            all << f.code + ' ' + f.name;
        std::sort(all.begin(), all.end());
        return all;
    }

    RedisServer m_server;
    TakenSnapshot m_taken;
};

void TestCheck::tokens()
{
    m_server.lines({"SETEX code:c17bd6 3600000 payload", // seconds, in the belief of milliseconds
                    "HSET user_token:0an3dks7000xcj201ls some_metadata x used_by 0", // no EXPIRE
                    "HINCRBY user_token:4f8a1c0d77b2e9a6530f used_by 1",             // not issued
                    "HSET user_token:9c1d5b7a20e4f86b3d19 some_metadata x used_by 0",
                    "EXPIRE user_token:9c1d5b7a20e4f86b3d19 600",
                    "HINCRBY user_token:9c1d5b7a20e4f86b3d19 used_by 1",
                    "HINCRBY user_token:9c1d5b7a20e4f86b3d19 used_by 1",
                    "SETEX invite:100234 600 a", "SETEX invite:100235 600 b",
                    "SETEX invite:100236 600 c", "SETEX invite:100237 600 d",
                    // The name contains the user; the code is the value.
                    "SETEX otp:user:17 300 482913", "SETEX otp:user:18 300 112358",
                    "SETEX otp:user:19 300 903211", "SETEX otp:user:20 300 777123",
                    "SETEX sms:code:+4915112345678 300 4711"});
    QCOMPARE(found(),
             (QByteArrayList{"ghost-token user_token:4f8a1c0d77b2e9a6530f",
                             "token-codes-sequential invite:*", "token-codes-short code:*",
                             "token-codes-short invite:*", "token-ttl-too-long code:c17bd6",
                             "token-used-twice user_token:9c1d5b7a20e4f86b3d19",
                             "token-without-ttl user_token:0an3dks7000xcj201ls"}));
}

void TestCheck::locks()
{
    m_server.lines({"SET lock:myresource ef1f63c NX", "SETNX lock.foo " + seconds(-60),
                    "SETNX lock.far " + seconds(40 * 24 * 3600), "SETNX lock.good " + seconds(30),
                    "RPUSH sorted:ids 3 2 1", "EXPIRE sorted:ids 60", "SETNX sorted:ids:lock 1"});
    QCOMPARE(found(),
             (QByteArrayList{"lock-end-far-off lock.far", "lock-expired lock.foo",
                             "lock-without-ttl lock:myresource", "lock-without-ttl sorted:ids"}));
}

void TestCheck::limiters()
{
    const qint64 now = serverNowMs(m_server);
    const auto mark = [](const char* key, qint64 at) {
        return QByteArray("ZADD ") + key + ' ' + QByteArray::number(at) + ' ' +
               QByteArray::number(at);
    };
    m_server.lines({"INCR api:ratelimit:acme", // and the client died before PEXPIRE
                    mark("idle:rate", now - 48LL * 3600 * 1000), mark("ahead:rate", now + 60'000),
                    mark("seconds:rate", now / 1000), mark("over:rate", now - 1),
                    mark("over:rate", now - 2), mark("over:rate", now - 3), "INCR spawn:gate:7",
                    "INCR spawn:gate:7", "PEXPIRE spawn:gate:7 20000"});
    const QByteArray entry = "[[limiter]]\nlayout = \"rolling-window\"\nwindow = \"10s\"\n";
    // One read cannot show that the refused call closed the gate again.
    QCOMPARE(found(configOf(entry + "key = \"idle:rate\"\nlimit = 5\n" + entry +
                            "key = \"ahead:rate\"\nlimit = 5\n" + entry +
                            "key = \"seconds:rate\"\nlimit = 20\n" + entry +
                            "key = \"over:rate\"\nlimit = 2\n")),
             (QByteArrayList{"clock-skew ahead:rate", "counter-without-ttl api:ratelimit:acme",
                             "limiter-over-limit over:rate", "window-undercounts ahead:rate",
                             "window-undercounts idle:rate", "window-undercounts over:rate",
                             "window-undercounts seconds:rate", "window-without-ttl idle:rate"}));
    for (const Finding& f : m_taken.snapshot->findings) {
        if (f.code == "window-undercounts")
            QCOMPARE(f.severity, f.name == "seconds:rate" ? Finding::Severity::Warning
                                                          : Finding::Severity::Info);
    }
}

// The talk's second script, word by word, which ten clients ask for eight seconds in one.
void TestCheck::talksRetryWindow()
{
    const QByteArray script = bench::talkRetry("5");
    const auto ask = [&](int calls) {
        const qint64 now = serverNowMs(m_server);
        for (int i = calls; i > 0; --i) {
            const Reply reply = m_server.run(
                {"EVAL", script, "2", "api:rate", "api:retry", QByteArray::number(now - i)});
            QVERIFY2(!reply.isError(), reply.text.constData());
        }
    };
    ask(30); // 25 refused: five seconds, which ten windows allow
    // ZADD key ts ts: what the script itself gets wrong.
    QCOMPARE(found(), QByteArrayList{"window-undercounts api"});
    m_server.flush();
    ask(85); // 80 refused: sixteen seconds
    QCOMPARE(found(), (QByteArrayList{"retry-horizon-too-long api", "window-undercounts api"}));
    for (const Finding& f : m_taken.snapshot->findings) {
        const bool horizon = f.code == "retry-horizon-too-long";
        QCOMPARE(f.key, QByteArray(horizon ? "api:retry" : "api:rate"));
        QCOMPARE(f.action, QByteArray(horizon ? "limiter.cap" : ""));
    }
}

void TestCheck::resourceWithoutBraces()
{
    const QByteArray script =
        "local rlimit = 0+ARGV[2] local climit = 0+ARGV[3] local t = (redis.call('TIME'))[1] "
        "local t2 = (redis.call('TIME'))[2] redis.call('ZREMRANGEBYSCORE',KEYS[1],'0',(t-ARGV[1])) "
        "local rcount = (redis.call('ZCARD',KEYS[1])) if (rcount == rlimit) then return 'False' "
        "elseif (((redis.call('ZREMRANGEBYSCORE',KEYS[2],'0',(t-ARGV[1]))) < 1000000) and "
        "(redis.call('ZCARD',KEYS[2]) < climit)) then redis.call('ZADD',KEYS[1],t,t2) "
        "redis.call('ZADD',KEYS[2],t,t2) return 'True' else return 'False' end";
    for (const char* resource : {"z:rl:resource:12", "z:rl:resource:12{12}"}) {
        const QByteArray key = resource;
        QCOMPARE(m_server.run({"EVAL", script, "2", key, key + ":consumer:1", "10", "5", "3"}).text,
                 QByteArray("True"));
    }
    QCOMPARE(found(), QByteArrayList{"different-slots z:rl:resource:12"});
    QCOMPARE(m_taken.snapshot->findings[0].severity, Finding::Severity::Info);
}

void TestCheck::redisson()
{
    const QByteArray now = QByteArray::number(serverNowMs(m_server));
    const auto limiter = [&](const QByteArray& name, const QByteArray& value) {
        m_server.run({"HSET", name, "rate", "3", "interval", "60000", "type", "0"});
        m_server.run({"SET", '{' + name + "}:value", value});
    };
    const auto permit = [&](const QByteArray& name, const QByteArray& member) {
        m_server.run({"ZADD", '{' + name + "}:permits", now, member});
    };
    const QByteArray one = QByteArray("abcd\x01\0\0\0", 8); // fI: one permit
    limiter("good", "2");
    permit("good", one);
    limiter("deleted-log", "0"); // DEL {..}:permits alone
    limiter("lost-one", "1");
    permit("lost-one", one);
    limiter("newer", "2");
    permit("newer", "of-an-unknown-packing");
    QCOMPARE(found(), (QByteArrayList{"permits-differ deleted-log", "permits-differ lost-one",
                                      "undecodable newer"}));
    for (const Finding& f : m_taken.snapshot->findings)
        QCOMPARE(f.severity,
                 f.name == "deleted-log" ? Finding::Severity::Error : Finding::Severity::Warning);
}

void TestCheck::queues()
{
    m_server.lines({"RPUSH mail:jobs a b c", "LPUSH mail:jobs:processing b x", // b was put back
                    "RPUSH thumbs:jobs a b", "LPUSH thumbs:jobs:processing c", "SADD key element"});
    m_server.line("LPUSH helper_key" + QByteArray(" x").repeated(1010));
    QCOMPARE(found(), (QByteArrayList{"helper-out-of-step key", "queue-duplicates mail:jobs"}));
    QCOMPARE(m_taken.snapshot->findings.size(), size_t(2));
}

void TestCheck::keys()
{
    m_server.line("RPUSH lock:list a");
    m_server.line("RPUSH bulk:jobs x");
    for (int i = 0; i < 12; ++i)
        m_server.run({"RPUSH", "bulk:jobs", QByteArray(1024 * 1024, 'x')});
    QCOMPARE(found(configOf("[[lock]]\nkey = \"lock:list\"\nlayout = \"set-nx-px\"\n")),
             (QByteArrayList{"big-key bulk:jobs", "wrong-type lock:list"}));
}

void TestCheck::whatIsRightGivesNothing()
{
    const qint64 now = serverNowMs(m_server);
    const QByteArray mark = QByteArray::number(now);
    m_server.lines({"SET code:0123456789abcdef payload EX 3600", "SET lock:a ef1f63c NX PX 10000",
                    "ZADD api:rate " + mark + ' ' + mark + "-a1b2c3d4", "PEXPIRE api:rate 10000",
                    "SET api:ratelimit:acme 5 PX 60000", "SET spawn:gate:1 1 PX 20000",
                    "RPUSH jobs a b", "LPUSH jobs:processing c", "SADD key element",
                    "LPUSH helper_key x", "RPUSH sites:rotation a b", "SET cache:page:1 html",
                    "HSET user:1:profile name a", "ZADD leaderboard 3 a", "SADD cities b"});
    QCOMPARE(found(), QByteArrayList());
    QVERIFY(m_taken.snapshot->states.size() >= 6);
}

void TestCheck::thresholdsAndSilence()
{
    m_server.lines({"SETEX code:c17bd6 7200 payload", "SET lock:orphan ef1f63c"});
    QCOMPARE(found(configOf("[check]\nsilence = [\"lock-without-ttl\"]\n[check.thresholds]\n"
                            "token_ttl = \"1h\"\ncode_bits = 24\n")),
             (QByteArrayList{"lock-without-ttl lock:orphan", "token-ttl-too-long code:c17bd6"}));
    for (const Finding& f : m_taken.snapshot->findings)
        QCOMPARE(f.silenced, f.code == "lock-without-ttl");
    QVERIFY2(m_taken.text.contains("Findings (1)"), m_taken.text.constData());
    QVERIFY(!m_taken.text.contains("lock-without-ttl"));
    QVERIFY(m_taken.text.contains("silenced: 1"));
    for (const QJsonValue& v : m_taken.list("findings")) {
        QCOMPARE(v["silenced"_L1].toBool(), v["code"_L1].toString() == "lock-without-ttl"_L1);
        for (const char* field : {"message", "why", "advice", "action", "severity", "key"})
            QVERIFY(!v[QLatin1String(field)].toString().isEmpty());
    }
}

// Each advised action must exist: in the menu, and as `act` command.
void TestCheck::everyActionIsOneOfItsLayout()
{
    tokens();
    const auto check = [this] {
        for (const Finding& f : m_taken.snapshot->findings) {
            const auto state =
                std::find_if(m_taken.snapshot->states.begin(), m_taken.snapshot->states.end(),
                             [&](const StatePtr& s) { return s->primitive->id.name == f.name; });
            if (f.action.isEmpty() || state == m_taken.snapshot->states.end())
                continue;
            const Layout* layout = findLayout((*state)->primitive->id.layout);
            QVERIFY2(layout && findAction(*layout, f.action),
                     qPrintable(QString::fromLatin1(f.action + ' ' + f.code)));
            QVERIFY2(findAction(*layout, f.action)->unavailable(**state).isEmpty(),
                     qPrintable(QString::fromLatin1(f.action + ' ' + f.code)));
        }
    };
    check();
    for (const auto fill : {&TestCheck::locks, &TestCheck::limiters, &TestCheck::talksRetryWindow,
                            &TestCheck::redisson, &TestCheck::queues}) {
        m_server.flush();
        (this->*fill)();
        check();
    }
}

void TestCheck::theDemo()
{
    QFile file(u":/demo/demo.toml"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Config config = configOf(file.readAll());
    DemoTraffic traffic(m_server.url());
    traffic.start();
    QTRY_VERIFY(m_server.run({"KEYS", "user_token:*"}).items.size() >= 18);
    QTRY_VERIFY(m_server.line("EXISTS lock:migration:2019").integer == 1);
    constexpr int mailsAtFirst = 31; // and then about one in a second and a half
    // Until it has gone on for a while, and all is found that can be at once: whatever else is
    // found by then is wrong.
    const auto mails = [this] { return m_server.line("GET bull:email:id").text.toInt(); };
    QByteArrayList all;
    const auto isThere = [&all](const char* one) { return all.contains(one); };
    const std::array wanted{"queue-stuck default", "queue-stuck celery",
                            "queue-without-workers celery"};
    QTRY_VERIFY_WITH_TIMEOUT(
        (all = found(config),
         mails() >= mailsAtFirst + 6 && std::all_of(wanted.begin(), wanted.end(), isThere)),
        60'000);
    QVERIFY(all.contains("lock-without-ttl lock:migration:2019"));
    QVERIFY(all.contains("token-codes-short code:*")); // as short as the talk's
    int ghosts = 0;
    for (const QByteArray& one : all) {
        ghosts += one.startsWith("ghost-token user_token:");
        const bool meant = one == "lock-without-ttl lock:migration:2019" ||
                           one == "token-codes-short code:*" ||
                           one.startsWith("ghost-token user_token:") ||
                           one.startsWith("token-used-twice user_token:") || // it replays some
                           one == "lock-expired lock.nightly-export" ||      // its owner dies
                           one == "queue-stuck email" || one == "queue-stuck default" ||
                           one == "queue-stuck celery" || // their workers are gone
                           one == "queue-without-workers celery";
        QVERIFY2(meant, one.constData());
    }
    QCOMPARE(ghosts, 1);
}

LK_TEST(TestCheck);
#include "tst_check.moc"
