// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/demotraffic.h"
#include "tests/server/packedalike.h"
#include "tests/support/testprogram.h"

#include <QFile>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// One look at what the pattern document's own commands leave in a database, beside what the server
/// answers to one who asks it.
class TestPatternLayouts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void navigationSession();
    void cachedSort();
    void eventNotification();
    void circularList();
    void weightedRandomSelection();
    void metricsOfBitmaps();
    void largeBitmaps();
    void counting();
    void arrays();
    void theDocumentsKeysTogether();
    void bigValuesCostLittle();
    void ordinaryKeysStayOrdinary();
    void theDemo();

private:
    qint64 ask(const QByteArray& line) { return m_server.line(line).integer; }
    static double value(const QJsonObject& pattern, const char* id)
    {
        return pattern["values"_L1].toObject()[QLatin1String(id)].toDouble(-999);
    }
    static bool near(const QJsonValue& value, qint64 expected)
    {
        return value.isDouble() && std::abs(value.toDouble() - double(expected)) <= 1500;
    }

    RedisServer m_server;
};

void TestPatternLayouts::navigationSession()
{
    m_server.lines({"MULTI", "RPUSH pagewviews.user:17 http://.....",
                    "EXPIRE pagewviews.user:17 60", "EXEC", "MULTI",
                    "RPUSH pagewviews.user:17 http://.....2", "EXPIRE pagewviews.user:17 60",
                    "EXEC"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("patterns"), QByteArrayList{"pagewviews.user:17"});
    const QJsonObject session = taken.list("patterns")[0].toObject();
    QCOMPARE(session["layout"_L1].toString(), QStringLiteral("navigation-session"));
    QCOMPARE(session["keys"_L1].toObject(), (QJsonObject{{"session"_L1, "pagewviews.user:17"_L1}}));
    QCOMPARE(session["values"_L1].toObject(), (QJsonObject{{"length"_L1, 2}}));
    QVERIFY(near(session["ttl_ms"_L1], ask("PTTL pagewviews.user:17")));
    QCOMPARE(session["confidence"_L1].toDouble(), 0.7);
    QVERIFY(!taken.json.contains("http://"));
}

void TestPatternLayouts::cachedSort()
{
    m_server.lines({"SADD ids 10 9 100 1", "SORT ids STORE sorted:ids", "EXPIRE sorted:ids 30",
                    "SETNX sorted:ids:lock ef1f63c"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("patterns"), QByteArrayList{"sorted:ids"});
    const QJsonObject cache = taken.list("patterns")[0].toObject();
    QCOMPARE(cache["layout"_L1].toString(), QStringLiteral("sort-cache"));
    QCOMPARE(cache["keys"_L1].toObject(),
             (QJsonObject{{"cache"_L1, "sorted:ids"_L1}, {"lock"_L1, "sorted:ids:lock"_L1}}));
    QCOMPARE(value(cache, "length"), double(ask("LLEN sorted:ids")));
    QCOMPARE(value(cache, "rebuilding"), 1.0);
    QVERIFY(near(cache["ttl_ms"_L1], ask("PTTL sorted:ids")));
    QVERIFY(taken.list("locks").isEmpty());
    QCOMPARE(taken.findings("sorted:ids"), QByteArrayList{"lock-without-ttl"}); // the SETNX
}

void TestPatternLayouts::eventNotification()
{
    // Under the document's names, which say nothing; the helper list gives them away.
    m_server.lines({"MULTI", "SADD key element", "LPUSH helper_key x", "EXEC", "SADD key other"});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("queues"), QByteArrayList{"key"});
    QJsonObject events = taken.list("queues")[0].toObject();
    QCOMPARE(events["layout"_L1].toString(), QStringLiteral("event-queue"));
    QCOMPARE(events["keys"_L1].toObject(),
             (QJsonObject{{"events"_L1, "key"_L1}, {"helper"_L1, "helper_key"_L1}}));
    QCOMPARE(events["ready"_L1].toInteger(), ask("SCARD key"));
    QVERIFY(events["processing"_L1].isNull() && events["dead"_L1].isNull());
    // A consumer has taken the wake-up: only a declaration knows the set then.
    m_server.line("BRPOP helper_key 1");
    QVERIFY(takeSnapshot(m_server.url()).list("queues").isEmpty());
    taken =
        takeSnapshot(m_server.url(), configOf("[[queue]]\nkey = \"key\"\nlayout = \"event-queue\"\n"
                                              "helper = \"helper_{name}\"\n"));
    QCOMPARE(taken.named("queues", "key")["ready"_L1].toInteger(), ask("SCARD key"));
}

void TestPatternLayouts::circularList()
{
    m_server.lines({"RPUSH sites:rotation c b a", "RPOPLPUSH sites:rotation sites:rotation"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject list = taken.named("patterns", "sites:rotation");
    QCOMPARE(list["layout"_L1].toString(), QStringLiteral("circular-list"));
    QCOMPARE(value(list, "length"), double(ask("LLEN sites:rotation")));
    QVERIFY(list["ttl_ms"_L1].isNull());
    QCOMPARE(m_server.line("LINDEX sites:rotation -1").text, QByteArray("b")); // no turn was taken
}

void TestPatternLayouts::weightedRandomSelection()
{
    m_server.line("ZADD markov:the 0.5 cat 0.75 dog 1 house");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject set = taken.named("patterns", "markov:the");
    QCOMPARE(set["layout"_L1].toString(), QStringLiteral("weighted-set"));
    QCOMPARE(value(set, "members"), double(ask("ZCARD markov:the")));
    QCOMPARE(value(set, "total"), 1.0);
    const PatternState* weights = taken.snapshot->states[0]->as<PatternState>();
    QVERIFY(weights && weights->rows.size() == 3);
    // A member's chance is how many of the draws from 0 to 1 give it.
    std::map<QByteArray, int> drawn;
    for (int i = 1; i <= 100; ++i)
        ++drawn[m_server
                    .run({"ZRANGEBYSCORE", "markov:the", QByteArray::number(i / 100.0), "+inf",
                          "LIMIT", "0", "1"})
                    .items[0]
                    .text];
    for (const PatternRow& row : weights->rows)
        QCOMPARE(qRound(*row.value * 100), drawn[row.label]);
}

void TestPatternLayouts::metricsOfBitmaps()
{
    for (const char* id : {"3", "17", "40", "511"})
        m_server.line(QByteArray("SETBIT active:2026-11-21 ") + id + " 1");
    m_server.lines({"SETBIT active:2026-11-20 9 1", "EXPIRE active:2026-11-21 600",
                    "SETBIT active:2026-11-21T05 9 1"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("patterns").size(), 2);
    const QJsonObject days = taken.named("patterns", "active:YYYY-MM-DD");
    QCOMPARE(days["layout"_L1].toString(), QStringLiteral("bitmap"));
    QCOMPARE(value(days, "count"), double(ask("BITCOUNT active:2026-11-21")));
    QCOMPARE(value(days, "keys"), 2.0);
    QVERIFY(near(days["ttl_ms"_L1], ask("PTTL active:2026-11-21")));
    QCOMPARE(days["keys"_L1]["bitmap"_L1].toArray().size(), 2);
    QCOMPARE(value(taken.named("patterns", "active:YYYY-MM-DDTHH"), "count"), 1.0);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 3);
}

void TestPatternLayouts::largeBitmaps()
{
    // The last byte of each range and the first of the next.
    for (const int bit : {7, 8'388'607, 8'388'608, 16'777'215, 16'777'216, 20'000'000})
        m_server.line("SETBIT dau:2026-11-21 " + QByteArray::number(bit) + " 1");
    m_server.line("SETBIT dau:2026112105 100000000 1"); // 12 MB: not counted
    const Config config = configOf("[[pattern]]\nkey = \"dau:*\"\nlayout = \"bitmap\"\n");
    const TakenSnapshot taken = takeSnapshot(m_server.url(), config);
    QCOMPARE(value(taken.named("patterns", "dau:YYYY-MM-DD"), "count"),
             double(ask("BITCOUNT dau:2026-11-21")));
    const QJsonObject hour = taken.named("patterns", "dau:YYYYMMDDHH");
    QVERIFY(hour["values"_L1].toObject().contains("count"_L1));
    QVERIFY(hour["values"_L1]["count"_L1].isNull());
}

void TestPatternLayouts::counting()
{
    m_server.lines(
        {"INCR mycounter", "GETSET mycounter 0", "INCRBY mycounter 41", "INCR mycounter"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject counter = taken.named("patterns", "mycounter");
    QCOMPARE(counter["layout"_L1].toString(), QStringLiteral("counter"));
    QCOMPARE(value(counter, "value"), 42.0);
    QCOMPARE(m_server.line("GET mycounter").text, QByteArray("42"));
    QVERIFY(taken.text.contains("mycounter"));
    QVERIFY(taken.text.contains("  42 "));
}

void TestPatternLayouts::arrays()
{
    m_server.lines({"SETRANGE key2 6 Redis", R"(SET key1 "Hello World")", "SETRANGE key1 6 Redis"});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.list("patterns").isEmpty()); // nothing distinguishes these from other strings
    taken =
        takeSnapshot(m_server.url(), configOf("[[pattern]]\nkey = \"key?\"\nlayout = \"array\"\n"
                                              "record = 6\n"));
    for (const char* key : {"key1", "key2"}) {
        const QJsonObject array = taken.named("patterns", key);
        QCOMPARE(array["layout"_L1].toString(), QStringLiteral("array"));
        QCOMPARE(value(array, "records"), 2.0);
        QCOMPARE(value(array, "bytes"), double(ask(QByteArray("STRLEN ") + key)));
    }
    m_server.line("SETRANGE seats:array 6 Redis");
    taken = takeSnapshot(m_server.url());
    QVERIFY(taken.named("patterns", "seats:array")["values"_L1]["records"_L1].isNull());
    QVERIFY(!taken.json.contains("Redis\""));
}

void TestPatternLayouts::theDocumentsKeysTogether()
{
    m_server.lines({"RPUSH pagewviews.user:17 http://a", "EXPIRE pagewviews.user:17 60",
                    "SADD ids 1 2", "SORT ids STORE sorted:ids", "EXPIRE sorted:ids 30",
                    "SADD key element", "LPUSH helper_key x", "RPUSH sites:rotation a",
                    "ZADD markov:the 1 cat", "SETBIT active:2026-11-21 9 1", "INCR mycounter",
                    "SETRANGE key2 6 Redis", "SET lock.foo 1795223360",
                    "SET lock:a ef1f63c PX 9000", "LPUSH jobs a", "SET rate:10.0.0.7 3 PX 9000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(isPackedAlike(taken));
    QByteArrayList patterns = taken.names("patterns");
    std::sort(patterns.begin(), patterns.end());
    QCOMPARE(patterns, (QByteArrayList{"active:YYYY-MM-DD", "markov:the", "mycounter",
                                       "pagewviews.user:17", "sites:rotation", "sorted:ids"}));
    QByteArrayList queues = taken.names("queues");
    std::sort(queues.begin(), queues.end());
    QCOMPARE(queues, (QByteArrayList{"jobs", "key"}));
    QCOMPARE(taken.names("limiters"), QByteArrayList{"rate:10.0.0.7"});
    QCOMPARE(taken.list("locks").size(), 2);
    // ids and key2; not key, whether SCAN returned it before or after the list that reveals its
    // meaning.
    QCOMPARE(taken.scan()["keys_unclaimed"_L1].toInt(), 2);
}

void TestPatternLayouts::bigValuesCostLittle()
{
    std::vector<Command> fill;
    for (int i = 0; i < 300; ++i) {
        fill.push_back({"RPUSH", "sites:rotation", QByteArray(10'000, 'x')});
        fill.push_back(
            {"ZADD", "banner:weights", QByteArray::number(i + 1), QByteArray::number(i)});
        fill.push_back({"SADD", "events:pending", QByteArray(1000, 'e') + QByteArray::number(i)});
    }
    m_server.runAll(fill);
    m_server.line("SETRANGE seats:array 30000000 x");
    const auto sent = [this] {
        const QByteArray info = m_server.run({"INFO", "stats"}).text;
        const QByteArray name = "total_net_output_bytes:";
        return info.mid(info.indexOf(name) + name.size()).split('\r').first().toLongLong();
    };
    const qint64 before = sent();
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("patterns").size(), 3);
    QCOMPARE(taken.list("queues").size(), 1);
    // A detail pane's 64 KB of the list's three megabytes, 64 members, one record, and what proves
    // a key: the list's two ends and four of the set's members. Little else.
    QVERIFY2(sent() - before < 104'000, QByteArray::number(sent() - before).constData());
}

void TestPatternLayouts::ordinaryKeysStayOrdinary()
{
    m_server.lines({"ZADD leaderboard 1000000 parzival 900000 art3mis", "SADD cities Berlin Kyoto",
                    "SADD user:17:events 1 2", "RPUSH timeline:17 a b", "RPUSH cart:17 a",
                    "EXPIRE cart:17 60", "SET visits 17", "SET user:17:age 42",
                    "PFADD visitors:2026-11-21 bob", R"(SET page:17 "<html>" EX 60)",
                    "ZADD ratings 0.2 a 1 b", "SETRANGE blob 6 Redis", "SETBIT flags 9 1",
                    "HSET user:17 name Bob", "SET report:2026-11-21 1234"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    for (const char* kind : {"limiters", "locks", "queues", "tokens", "patterns"})
        QVERIFY2(taken.list(kind).isEmpty(), taken.json.constData());
}

void TestPatternLayouts::theDemo()
{
    QFile file(QStringLiteral(":/demo/demo.toml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Config config = configOf(file.readAll());
    DemoTraffic traffic(m_server.url());
    traffic.start();
    const auto there = [this](const char* key) { return ask(QByteArray("EXISTS ") + key) == 1; };
    for (const char* key :
         {"banner:weights", "seats:array", "cache:sorted:articles", "orders:counter",
          "signups:counter", "events:pending", "bull:email:meta", "queue:default", "celery"})
        QTRY_VERIFY2_WITH_TIMEOUT(there(key), key, 20'000);
    const TakenSnapshot taken = takeSnapshot(m_server.url(), config);
    QVERIFY(isPackedAlike(taken));
    QByteArrayList patterns = taken.names("patterns");
    patterns.removeIf([](const QByteArray& n) { return n.startsWith("pagewviews.user:"); });
    std::sort(patterns.begin(), patterns.end());
    QCOMPARE(patterns,
             (QByteArrayList{"banner:weights", "cache:sorted:articles", "monitor:sites:rotation",
                             "orders:counter", "seats:array", "signups:counter",
                             "users:active:YYYY-MM-DD", "users:active:YYYY-MM-DDTHH"}));
    QByteArrayList queues = taken.names("queues");
    std::sort(queues.begin(), queues.end());
    QCOMPARE(queues, (QByteArrayList{"celery", "default", "email", "events:pending", "mail:jobs",
                                     "thumbs"}));
    // The other primitives of the demo are the same as before it had patterns.
    for (const QByteArray& name : taken.names("limiters")) {
        const bool known = name.startsWith("z:rl:") || name.startsWith("quota:hits:") ||
                           name.startsWith("spawn:gate:") || name == "my-rate-limiter" ||
                           name == "{orders}:api" || name == "partner-api" ||
                           name.startsWith("checkout") || name.startsWith("search");
        QVERIFY2(known, name.constData());
    }
    for (const QByteArray& name : taken.names("locks"))
        QVERIFY2(name.startsWith("lock:") || name.startsWith("worker:user:") ||
                     name == "lock.nightly-export",
                 name.constData());
    for (const QByteArray& name : taken.names("tokens"))
        QVERIFY2(name.startsWith("code:") || name.startsWith("user_token:"), name.constData());
    QCOMPARE(value(taken.named("patterns", "seats:array"), "bytes"),
             16 * value(taken.named("patterns", "seats:array"), "records"));
    QCOMPARE(value(taken.named("patterns", "monitor:sites:rotation"), "length"), 7.0);
}

LK_TEST(TestPatternLayouts);
#include "tst_patternlayouts.moc"
