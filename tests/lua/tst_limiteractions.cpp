// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

const ActionCases cases{
    {"cut", "limiter-cap", "ZADD h {ms+1000} a {ms+50000} b {ms+60000} c", "h", "30000 ms",
     "done 2", "refused nothing", "ZRANGE h 0 -1", "a"},
    {"in seconds", "limiter-cap", "ZADD h {s+10} a {s+50}.5 b", "h", "30000 s", "done 1",
     "refused nothing", "ZRANGE h 0 -1", "a"},
    {"in us", "limiter-cap", "ZADD h {us+10000000} a {us+50000000} b", "h", "30000 us", "done 1",
     "refused nothing", "ZRANGE h 0 -1", "a"},
    {"all that lie ahead", "limiter-cap", "ZADD h {ms-1000} a {ms+5000} b | PEXPIRE h 60000", "h",
     "0 ms", "done 1", "refused nothing", "ZRANGE h 0 -1", "a"},
    {"all", "limiter-cap", "ZADD h {ms+5000} a", "h", "0 ms", "done 1", "refused missing",
     "EXISTS h", "0"},
    {"bytes", "limiter-cap", R"(ZADD h\x00 {ms+5000} "\xff\x00")", R"(h\x00)", "0 ms", "done 1",
     "refused missing"},
    {"none beyond", "limiter-cap", "ZADD h {ms+1000} a", "h", "30000 ms", "refused nothing"},
    {"missing", "limiter-cap", "", "h", "0 ms", "refused missing"},
    {"a set", "limiter-cap", "SADD h a", "h", "0 ms", "refused type"},
    {"no cap", "limiter-cap", "ZADD h {ms+1000} a", "h", "x ms", "refused argument"},
    {"negative", "limiter-cap", "ZADD h {ms+1000} a", "h", "-1 ms", "refused argument"},
    {"another unit", "limiter-cap", "ZADD h {ms+1000} a", "h", "0 ns", "refused argument"},
    {"no unit", "limiter-cap", "ZADD h {ms+1000} a", "h", "0", "refused argument"},

    {"the oldest inside", "limiter-free-marks",
     "ZADD m {ms-90000} old {ms-50000} a {ms-40000} b {ms-1} c", "m", "2 60000 ms", "done 2",
     "done 1", "ZRANGE m 0 -1", "old c"},
    {"more than there are", "limiter-free-marks", "ZADD m {ms-90000} old {ms-5000} a", "m",
     "9 60000 ms", "done 1", "refused nothing", "ZRANGE m 0 -1", "old"},
    {"in seconds", "limiter-free-marks", "ZADD m {s-90} old {s-50}.25 a {s-5} b", "m", "1 60000 s",
     "done 1", "done 1", "ZRANGE m 0 -1", "old b"},
    {"in us", "limiter-free-marks", "ZADD m {us-90000000} old {us-50000000} a | PEXPIRE m 60000",
     "m", "1 60000 us", "done 1", "refused nothing", "ZRANGE m 0 -1", "old"},
    {"bytes", "limiter-free-marks", R"(ZADD m\xff {ms-10} "\x00\x0d\x0a" {ms-5} b)", R"(m\xff)",
     "1 60000 ms", "done 1", "done 1", R"(ZRANGE m\xff 0 -1)", "b"},
    {"none inside", "limiter-free-marks", "ZADD m {ms-90000} old", "m", "1 60000 ms",
     "refused nothing"},
    {"missing", "limiter-free-marks", "", "m", "1 60000 ms", "refused missing"},
    {"a list", "limiter-free-marks", "RPUSH m a", "m", "1 60000 ms", "refused type"},
    {"no places", "limiter-free-marks", "ZADD m {ms-5} a", "m", "0 60000 ms", "refused argument"},
    {"no window", "limiter-free-marks", "ZADD m {ms-5} a", "m", "1 0 ms", "refused argument"},
    {"no unit", "limiter-free-marks", "ZADD m {ms-5} a", "m", "1 60000", "refused argument"},

    {"some", "limiter-free-count", "SET c 10 PX 60000", "c", "3", "done 3", "done 3", "GET c", "7"},
    {"all", "limiter-free-count", "SET c 2", "c", "3", "done 2", "refused nothing", "GET c", "0"},
    {"bytes", "limiter-free-count", R"(SET c\x00\xff 2)", R"(c\x00\xff)", "2", "done 2",
     "refused nothing"},
    {"below 0", "limiter-free-count", "SET c -5", "c", "3", "refused nothing"},
    {"a fraction", "limiter-free-count", "SET c 1.5", "c", "1", "refused value"},
    {"leading zeros", "limiter-free-count", "SET c 007", "c", "1", "refused value"},
    {"empty", "limiter-free-count", R"(SET c "")", "c", "1", "refused value"},
    {"binary", "limiter-free-count", R"(SET c "1\x00")", "c", "1", "refused value"},
    {"too much", "limiter-free-count", "SET c 99999999999999999999", "c", "1", "refused value"},
    {"missing", "limiter-free-count", "", "c", "1", "refused missing"},
    {"a hash", "limiter-free-count", "HSET c a 1", "c", "1", "refused type"},
    {"none", "limiter-free-count", "SET c 10", "c", "0", "refused argument"},
};

// Members as the versions of Redisson pack them, for 5, 2, 1 and 3 permits.
const QByteArray first5 = R"(abcd\x05\x00\x00\x00)";
const QByteArray second2 = R"(\x08\x00\x00\x00\x00\x00\x00\x0001234567\x02\x00\x00\x00)";
const QByteArray third1 = R"(\x0801234567\x01\x00\x00\x00)";
const QByteArray fourth3 = R"(\x100123456789abcdef\x03\x00\x00\x00)";
const QByteArray config = "HSET c rate 20 interval 60000 type 0 | ";
const QByteArray permits = "ZADD p {ms-50000} " + first5 + " {ms-40000} " + second2 +
                           " {ms-30000} " + third1 + " {ms-20000} " + fourth3 + " | ";
const QByteArray over = R"(ZADD p {ms-70000} \x0876543210\x09\x00\x00\x00 | )";
const QByteArray unknown = R"(ZADD p {ms-10} abc | )";

const ActionCases redissonCases{
    {"one acquire", "redisson-free", config + permits + "SET v 9", "c v p", "1", "done 5", "done 2",
     "GET v", "14"},
    {"enough of them", "redisson-free", config + permits + "SET v 9", "c v p", "6", "done 7",
     "done 4", "GET v", "16"},
    {"all", "redisson-free", config + permits + "SET v 9", "c v p", "999", "done 11",
     "refused nothing", "EXISTS p", "0"},
    {"without those that are over", "redisson-free", config + permits + over + "SET v 0", "c v p",
     "7", "done 7", "done 4", "ZCARD p", "2"},
    {"without a value", "redisson-free", config + permits, "c v p", "7", "done 7", "done 4",
     "GET v", "16"},
    {"a lower rate", "redisson-free", config + permits + "HSET c rate 3 | SET v 0", "c v p", "1",
     "done 5", "done 2", "GET v", "0"},
    {"bytes", "redisson-free",
     R"(HSET c\x00 rate 5 interval 60000 | ZADD p\x00 {ms-5} abcd\x02\x00\x00\x00)",
     R"(c\x00 v\x00 p\x00)", "1", "done 2", "refused nothing", R"(GET v\x00)", "5"},
    {"none taken", "redisson-free", config + over + "SET v 11", "c v p", "1", "refused nothing"},
    {"missing", "redisson-free", permits, "c v p", "1", "refused missing"},
    {"no hash", "redisson-free", "SET c 1 | " + permits, "c v p", "1", "refused type"},
    {"value a list", "redisson-free", config + permits + "RPUSH v 1", "c v p", "1", "refused type"},
    {"permits a set", "redisson-free", config + "SADD p 1", "c v p", "1", "refused type"},
    {"no limiter", "redisson-free", "HSET c rate 20 | " + permits, "c v p", "1", "refused value"},
    {"unknown member", "redisson-free", config + permits + unknown, "c v p", "1", "refused value"},
    {"no number", "redisson-free", config + permits, "c v p", "some", "refused argument"},

    {"value too low", "redisson-repair", config + permits + "SET v 0", "c v p", "", "done 1",
     "refused agrees", "GET v", "9"},
    {"no permits", "redisson-repair", config + "SET v 0", "c v p", "", "done 1", "refused agrees",
     "GET v", "20"},
    {"value too high", "redisson-repair", config + permits + "SET v 20", "c v p", "", "done 1",
     "refused agrees", "GET v", "9"},
    {"value no number", "redisson-repair", config + permits + "SET v x", "c v p", "", "done 1",
     "refused agrees", "GET v", "9"},
    {"value missing", "redisson-repair", config + permits, "c v p", "", "done 1", "refused agrees",
     "GET v", "9"},
    {"not below 0", "redisson-repair", config + permits + "HSET c rate 3 | SET v 1", "c v p", "",
     "done 1", "refused agrees", "GET v", "0"},
    {"those that are over", "redisson-repair", config + permits + over + "SET v 0", "c v p", "",
     "done 1", "refused agrees", "ZCARD p", "4"},
    {"only those that are over", "redisson-repair", config + permits + over + "SET v 9", "c v p",
     "", "done 1", "refused agrees", "ZCARD p", "4"},
    {"agrees", "redisson-repair", config + permits + "SET v 9", "c v p", "", "refused agrees"},
    {"full", "redisson-repair", config, "c v p", "", "refused agrees"},
    {"the old layout", "redisson-repair", config + "SET v 3 PX 60000", "c v p", "",
     "refused layout"},
    {"missing", "redisson-repair", permits, "c v p", "", "refused missing"},
    {"no hash", "redisson-repair", "RPUSH c 1", "c v p", "", "refused type"},
    {"no limiter", "redisson-repair", "HSET c rate x interval 5", "c v p", "", "refused value"},
    {"unknown member", "redisson-repair", config + permits + unknown, "c v p", "", "refused value"},

    {"set", "redisson-rate", config + permits + "SET v 9", "c v p", "20 60000 50 30000", "done 1",
     "conflict 50/30000", "HMGET c rate interval type", "50 30000 0"},
    {"started from empty", "redisson-rate", config + permits + "SET v 9", "c v p",
     "20 60000 50 30000", "done 1", "conflict 50/30000", "EXISTS v p", "0"},
    {"keeps the TTL", "redisson-rate", config + "PEXPIRE c 60000", "c v p", "20 60000 50 30000",
     "done 1", "conflict 50/30000"},
    {"the clients' too", "redisson-rate", config + "SET v1 3 | ZADD p1 1 a | SET v2 4",
     "c v p v1 p1 v2 p2", "20 60000 50 30000", "done 1", "conflict 50/30000", "EXISTS v1 p1 v2 p2",
     "0"},
    {"bytes", "redisson-rate", R"(HSET c\x00 rate 1 interval 2)", R"(c\x00 v p)", "1 2 3 4",
     "done 1", "conflict 3/4"},
    {"changed", "redisson-rate", config, "c v p", "21 60000 50 30000", "conflict 20/60000"},
    {"interval changed", "redisson-rate", config, "c v p", "20 61000 50 30000",
     "conflict 20/60000"},
    {"no limiter", "redisson-rate", "HSET c a 1", "c v p", "20 60000 50 30000", "conflict /"},
    {"missing", "redisson-rate", "SET v 9", "c v p", "20 60000 50 30000", "refused missing"},
    {"no hash", "redisson-rate", "SET c 9", "c v p", "20 60000 50 30000", "refused type"},
    {"a client's value a set", "redisson-rate", config + "SADD v1 a", "c v p v1 p1",
     "20 60000 50 30000", "refused type"},
    {"no rate", "redisson-rate", config, "c v p", "20 60000 0 30000", "refused argument"},
    {"no interval", "redisson-rate", config, "c v p", "20 60000 50", "refused argument"},
    {"too few keys", "redisson-rate", config, "c v", "20 60000 50 30000", "refused argument"},
    {"in any order", "redisson-rate", config + "SET v1 3 | ZADD p1 1 a", "c v p p1 v1",
     "20 60000 50 30000", "done 1", "conflict 50/30000", "EXISTS v1 p1", "0"},
};

} // namespace

class tst_LimiterActions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_old.pretendToBeOld();
        QVERIFY(m_redis.start() && m_old.start());
    }

    void scripts_data() { addCases(cases); }
    void scripts() { check(cases); }
    void redisson_data() { addCases(redissonCases); }
    void redisson() { check(redissonCases); }

    void theCountersEndStays();
    void valueEndsWithTheOthers_data();
    void valueEndsWithTheOthers();
    void tooManyAcquires();

private:
    void check(const ActionCases& all)
    {
        QFETCH(int, index);
        QFETCH(bool, old);
        checkCase(old ? m_old : m_redis, all[size_t(index)]);
    }

    ActionRunner m_redis;
    ActionRunner m_old;
};

void tst_LimiterActions::theCountersEndStays()
{
    m_redis.prepare({"", "", "SET c 10 | PEXPIREAT c {ms+60000}"});
    m_redis.run("limiter-free-count", {"c"}, {"3"});
    QCOMPARE(QByteArray::number(m_redis.line("PEXPIRETIME c").integer),
             m_redis.words("{ms+60000}").front());
}

void tst_LimiterActions::valueEndsWithTheOthers_data()
{
    QTest::addColumn<QByteArray>("setup");
    QTest::addColumn<qint64>("ttl");
    QTest::newRow("none") << config + permits + "SET v 0" << qint64(-1);
    QTest::newRow("its own") << config + permits + "SET v 0 PX 60000" << qint64(60'000);
    QTest::newRow("the config's") << config + permits + "PEXPIRE c 90000" << qint64(90'000);
}

void tst_LimiterActions::valueEndsWithTheOthers()
{
    QFETCH(QByteArray, setup);
    QFETCH(qint64, ttl);
    for (const char* script : {"redisson-free", "redisson-repair"}) {
        m_redis.prepare({"", "", setup});
        QCOMPARE(m_redis.run(script, {"c", "v", "p"}, {"1"}).items[0].text, QByteArray("done"));
        const qint64 left = m_redis.line("PTTL v").integer;
        QVERIFY(left <= ttl && left > ttl - 20'000);
    }
}

void tst_LimiterActions::tooManyAcquires()
{
    m_redis.prepare({"", "", config});
    m_redis.command({"EVAL",
                     "for i = 1, 10001 do redis.call('ZADD', KEYS[1], ARGV[1], "
                     "struct.pack('<I4I4', i, 1)) end",
                     "1", "p", m_redis.words("{ms-5}").front()});
    for (const char* script : {"redisson-free", "redisson-repair"})
        QCOMPARE(outcomeOf(m_redis.run(script, {"c", "v", "p"}, {"1"})),
                 QByteArray("refused toomany"));
    m_redis.line("ZREMRANGEBYRANK p 0 0");
    QCOMPARE(outcomeOf(m_redis.run("redisson-free", {"c", "v", "p"}, {"9999"})),
             QByteArray("done 9999"));
    QCOMPARE(m_redis.line("ZCARD p").integer, 1);
}

LK_TEST(tst_LimiterActions);
#include "tst_limiteractions.moc"
