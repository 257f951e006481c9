// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

#define U1 "62556984-2963-4021-a640-1f556ae9948d:1"
#define U2 "0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c:2"
#define FAIR "l redisson_lock_queue:{l} redisson_lock_timeout:{l}"
#define READS " {l}:" U1 ":rwlock_timeout:1 {l}:" U2 ":rwlock_timeout:1 {l}:" U2 ":rwlock_timeout:2"

// Locks and semaphores that several hold, and those whose waiters have to be told.
const ActionCases sharedCases{
    {"with a signal", "lock-release", "SET lock:a mine", "lock:a lock-signal:a", "mine go",
     "done 1", "refused missing", "LRANGE lock-signal:a 0 -1", "go"},
    {"with a stale signal", "lock-release", "SET lock:a mine | RPUSH lock-signal:a 1 1",
     "lock:a lock-signal:a", "mine 1", "done 1", "refused missing", "LLEN lock-signal:a", "1"},
    {"a signal of another type", "lock-release", "SET lock:a mine | SET lock-signal:a 1",
     "lock:a lock-signal:a", "mine 1", "refused type"},
    {"a signal without its element", "lock-release", "SET lock:a mine", "lock:a lock-signal:a",
     "mine", "refused argument"},
    {"with a message", "lock-release", "SET l mine PX 60000", "l", "mine channel l", "done 1",
     "refused missing", "EXISTS l", "0"},
    {"half a message", "lock-release", "SET l mine", "l", "mine channel", "refused argument"},
    {"nobody named", "lock-release", "SET l mine", "l", "", "refused argument"},

    {"a hash's owner", "hash-lock-release", "HSET l owner mine count 2", "l", "owner mine",
     "done 1", "refused missing", "EXISTS l", "0"},
    {"a hash and a message", "hash-lock-release", "HSET l index 7", "l", "index 7 l-release l",
     "done 1", "refused missing", "EXISTS l", "0"},
    {"a hash of another", "hash-lock-release", "HSET l owner other", "l", "owner mine",
     "conflict other"},
    {"a hash without it", "hash-lock-release", "HSET l count 1", "l", "owner mine", "conflict"},
    {"a string as a hash", "hash-lock-release", "SET l mine", "l", "owner mine", "refused type"},
    {"no hash", "hash-lock-release", "", "l", "owner mine", "refused missing"},
    {"a hash and a signal", "hash-lock-release", "HSET l owner mine | RPUSH l:go old", "l l:go",
     "owner mine next", "done 1", "refused missing", "LRANGE l:go 0 -1", "next"},
    {"a hash and a signal of another type", "hash-lock-release", "HSET l owner mine | SET l:go 1",
     "l l:go", "owner mine next", "refused type"},
    {"half a message of a hash", "hash-lock-release", "HSET l index 7", "l", "index 7 c",
     "refused argument"},

    {"two of three", "lock-release-votes", "SET k0 mine | SET k1 other | SET k2 mine", "k0 k1 k2",
     "mine", "done 2 101", "conflict", "EXISTS k0 k1 k2", "1"},
    {"bytes", "lock-release-votes", R"(SET k0 "\x00\xff")", "k0 k1 k2", R"("\x00\xff")",
     "done 1 100", "refused missing", "DBSIZE", "0"},
    {"none of three", "lock-release-votes", "SET k0 other", "k0 k1 k2", "mine", "conflict"},
    {"all gone", "lock-release-votes", "", "k0 k1 k2", "mine", "refused missing"},
    {"a list", "lock-release-votes", "SET k0 mine | RPUSH k1 mine", "k0 k1 k2", "mine",
     "refused type"},

    {"lost", "unique-job-release",
     "HSET u:d:LOCKED j 1 | ZADD u:ds 1 u:d 2 u:e | SET u:d j | RPUSH u:d:QUEUED j",
     "u:d:LOCKED u:ds u:xs u:d u:d:QUEUED", "u:d j", "done 1", "refused missing", "KEYS *", "u:ds"},
    {"taken by another", "unique-job-release", "HSET u:d:LOCKED k 1", "u:d:LOCKED u:ds u:xs",
     "u:d j", "conflict"},
    {"taken by another, too", "unique-job-release", "HSET u:d:LOCKED j 1 k 2",
     "u:d:LOCKED u:ds u:xs", "u:d j", "conflict"},
    {"gone", "unique-job-release", "", "u:d:LOCKED u:ds u:xs", "u:d j", "refused missing"},
    {"no hash", "unique-job-release", "SET u:d:LOCKED j", "u:d:LOCKED u:ds u:xs", "u:d j",
     "refused type"},
    {"nobody named", "unique-job-release", "HSET u:d:LOCKED j 1", "u:d:LOCKED u:ds u:xs", "u:d",
     "refused argument"},

    {"one of two", "semaphore-release", "ZADD s 1 a 2 b", "s", "a", "done 1", "conflict",
     "ZRANGE s 0 -1", "b"},
    {"the last", "semaphore-release", "ZADD s 1 a", "s", "a", "done 1", "refused missing",
     "EXISTS s", "0"},
    {"two permits", "semaphore-release", "ZADD s 1 a_0 2 a_1 3 b", "s", "a_0 a_1", "done 2",
     "conflict", "ZRANGE s 0 -1", "b"},
    {"with its weight", "semaphore-release", "ZADD t 1 a 2 b | ZADD w 3 a 4 b", "t w", "a",
     "done 1", "conflict", "ZRANGE w 0 -1", "b"},
    {"without its weight", "semaphore-release", "ZADD t 1 a 2 b", "t w", "a", "done 1", "conflict"},
    {"bytes", "semaphore-release", R"(ZADD s\x00 1 "\x00\xff" 2 b)", R"(s\x00)", R"("\x00\xff")",
     "done 1", "conflict"},
    {"not there", "semaphore-release", "ZADD s 1 b", "s", "a", "conflict"},
    {"gone", "semaphore-release", "", "s", "a", "refused missing"},
    {"a string", "semaphore-release", "SET s a", "s", "a", "refused type"},
    {"a weight that is none", "semaphore-release", "ZADD t 1 a | SET w 3", "t w", "a",
     "refused type"},
    {"nobody named", "semaphore-release", "ZADD s 1 a", "s", "", "refused argument"},

    {"one holder of two", "holder-release", "ZADD s 1 a 2 b", "s", "a", "done 1", "conflict",
     "ZRANGE s 0 -1", "b"},
    {"a holder and a signal", "holder-release", "ZADD s 1 a | RPUSH s:go old", "s s:go", "a next",
     "done 1", "refused missing", "LRANGE s:go 0 -1", "next old"},
    {"a holder and a message", "holder-release", "ZADD s 1 a", "s", "a channel s", "done 1",
     "refused missing"},
    {"a holder that is not there", "holder-release", "ZADD s 1 b", "s", "a", "conflict"},
    {"a set of holders that is gone", "holder-release", "", "s", "a", "refused missing"},
    {"holders that are a hash", "holder-release", "HSET s a 1", "s", "a", "refused type"},
    {"a holder's signal of another type", "holder-release", "ZADD s 1 a | SET s:go 1", "s s:go",
     "a next", "refused type"},
    {"no holder named", "holder-release", "ZADD s 1 a", "s", "", "refused argument"},

    {"one of three", "semaphore-token-release", "HSET g 0 12.5 1 13 | RPUSH a 2", "g a", "0 12.5",
     "done 1", "conflict", "LRANGE a 0 -1", "0 2"},
    {"the last", "semaphore-token-release", "HSET g 0 12.5", "g a", "0 12.5", "done 1",
     "refused missing", "LRANGE a 0 -1", "0"},
    {"taken anew", "semaphore-token-release", "HSET g 0 13 | RPUSH a 2", "g a", "0 12.5",
     "conflict 13"},
    {"free again", "semaphore-token-release", "HSET g 1 13 | RPUSH a 2", "g a", "0 12.5",
     "conflict"},
    {"a set", "semaphore-token-release", "SADD g 0", "g a", "0 12.5", "refused type"},
    {"no list", "semaphore-token-release", "HSET g 0 12.5 | SET a 1", "g a", "0 12.5",
     "refused type"},
    {"no time", "semaphore-token-release", "HSET g 0 12.5", "g a", "0", "refused argument"},

    {"one of two", "redisson-permit-release", "SET t 1 | ZADD {t}:timeout {ms+5000} p {ms+5000} q",
     "t {t}:timeout", "redisson_sc:{t} p", "done 1", "conflict", "GET t", "2"},
    {"the last, none left", "redisson-permit-release", "ZADD {t}:timeout {ms+5000} p",
     "t {t}:timeout", "redisson_sc:{t} p", "done 1", "refused missing", "GET t", "1"},
    {"free again", "redisson-permit-release", "SET t 1 | ZADD {t}:timeout {ms+5000} q",
     "t {t}:timeout", "redisson_sc:{t} p", "conflict"},
    {"three", "redisson-permit-release", "SET t -1", "t", "redisson_sc:{t} 3", "done 3", "done 3",
     "GET t", "2"},
    {"none", "redisson-permit-release", "SET t 1", "t", "redisson_sc:{t} 0", "refused argument"},
    {"no semaphore", "redisson-permit-release", "", "t", "redisson_sc:{t} 1", "refused missing"},
    {"no number", "redisson-permit-release", "SET t many", "t", "redisson_sc:{t} 1",
     "refused value"},
    {"a list", "redisson-permit-release", "RPUSH t 1", "t", "redisson_sc:{t} 1", "refused type"},

    {"its holder's", "redisson-lock-release", "HSET l " U1 " 2 | PEXPIRE l 30000", FAIR,
     U1 " 2 redisson_lock__channel:{l} lock", "done 1", "refused missing", "EXISTS l", "0"},
    {"taken once more", "redisson-lock-release", "HSET l " U1 " 3", FAIR, U1 " 2 c lock",
     "conflict 3"},
    {"another's", "redisson-lock-release", "HSET l " U2 " 1", FAIR, U1 " 1 c lock", "conflict"},
    {"fair", "redisson-lock-release",
     "HSET l " U1 " 1 | RPUSH redisson_lock_queue:{l} late " U2
     " | ZADD redisson_lock_timeout:{l} {ms-5} late {ms+60000} " U2,
     FAIR, U1 " 1 redisson_lock__channel:{l} lock", "done 1", "refused missing",
     "LRANGE redisson_lock_queue:{l} 0 -1", U2},
    {"all have given up", "redisson-lock-release",
     "HSET l " U1 " 1 | RPUSH redisson_lock_queue:{l} late", FAIR, U1 " 1 c lock", "done 1",
     "refused missing", "DBSIZE", "0"},
    {"one reader of two", "redisson-lock-release",
     "HSET l mode read " U1 " 1 " U2 " 2 | PEXPIRE l 60000 | SET {l}:" U1
     ":rwlock_timeout:1 1 PX 60000 | SET {l}:" U2 ":rwlock_timeout:1 1 PX 30000 | SET {l}:" U2
     ":rwlock_timeout:2 1 PX 20000",
     "l" READS, U1 " 1 c read 1", "done 1", "conflict", "HGETALL l", "mode read " U2 " 2"},
    {"the last reader", "redisson-lock-release",
     "HSET l mode read " U1 " 1 | SET {l}:" U1 ":rwlock_timeout:1 1 PX 60000",
     "l {l}:" U1 ":rwlock_timeout:1", U1 " 1 c read 1", "done 1", "refused missing", "DBSIZE", "0"},
    {"the writer", "redisson-lock-release", "HSET l mode write " U1 ":write 1", "l",
     U1 ":write 1 c write 0", "done 1", "refused missing", "EXISTS l", "0"},
    {"a writer that reads", "redisson-lock-release", "HSET l mode write " U1 ":write 1 " U1 " 1",
     "l", U1 ":write 1 c write 0", "done 1", "conflict", "HGETALL l", "mode read " U1 " 1"},
    {"a string", "redisson-lock-release", "SET l x", FAIR, U1 " 1 c lock", "refused type"},
    {"gone", "redisson-lock-release", "", FAIR, U1 " 1 c lock", "refused missing"},
    {"another way", "redisson-lock-release", "HSET l " U1 " 1", FAIR, U1 " 1 c steal",
     "refused argument"},
    {"more keys than there are", "redisson-lock-release", "HSET l mode read " U1 " 1", "l",
     U1 " 1 c read 1", "refused argument"},
};

const ActionCases cases{
    {"its owner's", "lock-release", "SET l mine PX 60000", "l", "mine", "done 1", "refused missing",
     "EXISTS l", "0"},
    {"bytes", "lock-release", R"(SET l\x00\xff "\x0d\x0a \x00")", R"(l\x00\xff)",
     R"("\x0d\x0a \x00")", "done 1", "refused missing", "DBSIZE", "0"},
    {"changed hands", "lock-release", "SET l other PX 60000", "l", "mine", "conflict other"},
    {"a beginning of it", "lock-release", R"(SET l "mine\x00more")", "l", "mine",
     R"(conflict "mine\x00more")"},
    {"missing", "lock-release", "", "l", "mine", "refused missing"},
    {"a list", "lock-release", "RPUSH l mine", "l", "mine", "refused type"},

    {"longer", "lock-ttl", "SET l mine PX 1000", "l", "mine 600000", "done 1", "done 1", "GET l",
     "mine"},
    {"shorter", "lock-ttl", "SET l mine PX 600000", "l", "mine 5000", "done 1", "done 1"},
    {"without an end", "lock-ttl", "SET l mine", "l", "mine 60000", "done 1", "done 1"},
    {"bytes", "lock-ttl", R"(SET l\xfe "\x00\x0d\x0a")", R"(l\xfe)", R"("\x00\x0d\x0a" 60000)",
     "done 1", "done 1"},
    {"changed hands", "lock-ttl", "SET l other PX 1000", "l", "mine 60000", "conflict other"},
    {"missing", "lock-ttl", "", "l", "mine 60000", "refused missing"},
    {"a hash", "lock-ttl", "HSET l mine 1", "l", "mine 60000", "refused type"},
    {"no time", "lock-ttl", "SET l mine", "l", "mine 0", "refused argument"},
    {"negative", "lock-ttl", "SET l mine", "l", "mine -1", "refused argument"},
    {"a fraction", "lock-ttl", "SET l mine", "l", "mine 1.5", "refused argument"},
    {"too much", "lock-ttl", "SET l mine", "l", "mine 99999999999999999999", "refused argument"},
    {"nothing given", "lock-ttl", "SET l mine", "l", "mine", "refused argument"},

    {"taken", "auto-requeue-lock", "", "w", "mine 15000 take", "done 1", "done 1", "GET w", "mine"},
    {"kept", "auto-requeue-lock", "SET w mine PX 1000", "w", "mine 15000 keep", "done 1", "done 1",
     "GET w", "mine"},
    {"ours is taken again", "auto-requeue-lock", "SET w mine PX 1000", "w", "mine 15000 take",
     "done 1", "done 1"},
    {"bytes", "auto-requeue-lock", R"(SET w\xfe "\x00\x0d\x0a" PX 1000)", R"(w\xfe)",
     R"("\x00\x0d\x0a" 60000 keep)", "done 1", "done 1"},
    {"another's is not taken", "auto-requeue-lock", "SET w other PX 60000", "w", "mine 15000 take",
     "conflict other"},
    {"another's is not kept", "auto-requeue-lock", "SET w other PX 60000", "w", "mine 15000 keep",
     "conflict other"},
    {"another's without an end", "auto-requeue-lock", "SET w other", "w", "mine 15000 take",
     "conflict other"},
    {"an empty one is another's", "auto-requeue-lock", R"(SET w "" PX 60000)", "w",
     "mine 15000 take", "conflict"},
    {"lost", "auto-requeue-lock", "", "w", "mine 15000 keep", "refused missing"},
    {"a list", "auto-requeue-lock", "RPUSH w mine", "w", "mine 15000 take", "refused type"},
    {"kept, a list", "auto-requeue-lock", "RPUSH w mine", "w", "mine 15000 keep", "refused type"},
    {"no time", "auto-requeue-lock", "", "w", "mine 0 take", "refused argument"},
    {"no token", "auto-requeue-lock", "", "w", R"("" 15000 take)", "refused argument"},
    {"no way", "auto-requeue-lock", "", "w", "mine 15000", "refused argument"},
    {"another way", "auto-requeue-lock", "", "w", "mine 15000 steal", "refused argument"},

    {"cleared", "timestamp-lock-replace", "SET l {s-5}.25", "l", R"({s-5}.25 "" s 1)", "done 1",
     "refused missing", "EXISTS l", "0"},
    {"taken over", "timestamp-lock-replace", "SET l {s-5}", "l", "{s-5} {s+60}.5 s 1", "done 1",
     "conflict {s+60}.5", "GET l", "{s+60}.5"},
    {"in ms", "timestamp-lock-replace", "SET l {ms-10}", "l", "{ms-10} {ms+60000} ms 1", "done 1",
     "conflict {ms+60000}", "TTL l", "-1"},
    {"held is cut short", "timestamp-lock-replace", "SET l {s+900}", "l", "{s+900} {s+60} s 0",
     "done 1", "conflict {s+60}", "GET l", "{s+60}"},
    {"with a TTL", "timestamp-lock-replace", "SET l {s-5} PX 900000", "l", "{s-5} {s+60} s 1",
     "done 1", "conflict {s+60}"},
    {"bytes", "timestamp-lock-replace", R"(SET l\x00 {ms-10})", R"(l\x00)",
     "{ms-10} {ms+60000} ms 1", "done 1", "conflict {ms+60000}"},
    {"held", "timestamp-lock-replace", "SET l {s+5}", "l", R"({s+5} "" s 1)", "refused held"},
    {"held, in ms", "timestamp-lock-replace", "SET l {ms+5000}", "l", R"({ms+5000} "" ms 1)",
     "refused held"},
    {"renewed", "timestamp-lock-replace", "SET l {s+5}", "l", R"({s-5} "" s 1)", "conflict {s+5}"},
    {"no moment", "timestamp-lock-replace", "SET l 0x10", "l", R"(0x10 "" s 0)", "refused value"},
    {"a token", "timestamp-lock-replace", R"(SET l "\x00ab")", "l", R"("\x00ab" "" s 0)",
     "refused value"},
    {"missing", "timestamp-lock-replace", "", "l", R"({s-5} "" s 1)", "refused missing"},
    {"a set", "timestamp-lock-replace", "SADD l {s-5}", "l", R"({s-5} "" s 1)", "refused type"},
    {"another unit", "timestamp-lock-replace", "SET l 5", "l", R"(5 "" h 0)", "refused argument"},
    {"a new end that is past", "timestamp-lock-replace", "SET l {s-5}", "l", "{s-5} {s-1} s 1",
     "refused argument"},
    {"a new end that is none", "timestamp-lock-replace", "SET l {s-5}", "l", "{s-5} soon s 1",
     "refused argument"},
};

} // namespace

class tst_LockActions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_old.pretendToBeOld();
        QVERIFY(m_redis.start() && m_old.start());
    }

    void scripts_data() { addCases(cases); }
    void scripts()
    {
        QFETCH(int, index);
        QFETCH(bool, old);
        checkCase(old ? m_old : m_redis, cases[size_t(index)]);
    }

    void shared_data() { addCases(sharedCases); }
    void shared()
    {
        QFETCH(int, index);
        QFETCH(bool, old);
        checkCase(old ? m_old : m_redis, sharedCases[size_t(index)]);
    }

    void theLeaseIsMilliseconds();
    void aReadersTimeIsTheLocks();
    void aReaderLeavesTheSet();
    void theLastHolderGivesTheTtl();
    void theTtlEndsWithTheMoment();
    void theAutoRequeueLeaseBeginsAnew();
    void aLongOwnerIsCutInTheAnswer();
    void nothingIsLostWhereTheTtlIsDenied();

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

void tst_LockActions::theLeaseIsMilliseconds()
{
    m_redis.prepare({"", "", "SET l mine"});
    m_redis.run("lock-ttl", {"l"}, {"mine", "600000"});
    const qint64 left = m_redis.line("PTTL l").integer;
    QVERIFY(left > 570'000 && left <= 600'000);
}

// The lock's TTL becomes the rest of the other reader's time.
void tst_LockActions::aReadersTimeIsTheLocks()
{
    const ActionCase c{"", "redisson-lock-release",
                       "HSET l mode read " U1 " 1 " U2 " 1 | PEXPIRE l 900000 | SET {l}:" U2
                       ":rwlock_timeout:1 1 PX 30000",
                       "l {l}:" U1 ":rwlock_timeout:1 {l}:" U2 ":rwlock_timeout:1",
                       U1 " 1 c read 1"};
    m_redis.prepare(c);
    QCOMPARE(outcomeOf(m_redis.run(c)), QByteArray("done 1"));
    const qint64 left = m_redis.line("PTTL l").integer;
    QVERIFY(left > 10'000 && left <= 30'000);
}

// A set works, too. A user without SREM changes nothing.
void tst_LockActions::aReaderLeavesTheSet()
{
    for (ActionRunner* redis : {&m_redis, &m_old}) {
        redis->prepare({"", "", "SADD r a b"});
        if (!redis->isOld()) {
            redis->line("ACL SETUSER few reset on nopass +@all ~* -srem");
            redis->line("AUTH few x");
            QCOMPARE(outcomeOf(redis->run("semaphore-release", {"r"}, {"a"})),
                     QByteArray("refused forbidden"));
            redis->line("AUTH default x");
        }
        QCOMPARE(redis->line("SCARD r").integer, 2);
        const Reply done = redis->run("semaphore-release", {"r"}, {"a"});
        QCOMPARE(outcomeOf(done), QByteArray("done 1"));
        QCOMPARE(flat(redis->line("SMEMBERS r")), Texts{"b"});
        QCOMPARE(outcomeOf(redis->run("semaphore-release", {"r"}, {"a"})).trimmed(),
                 QByteArray("conflict"));
        QCOMPARE(outcomeOf(redis->undo({"r"}, done)).left(4), QByteArray("done"));
        QCOMPARE(redis->line("SCARD r").integer, 2);
    }
}

// A set that expires with its last holder does so again; another TTL stays.
void tst_LockActions::theLastHolderGivesTheTtl()
{
    const QByteArray holders = "ZADD s {ms+900000} a {ms+300000} b | PEXPIREAT s ";
    for (ActionRunner* redis : {&m_redis, &m_old}) {
        redis->prepare({"", "", holders + "{ms+900000}"});
        const Reply done = redis->run("semaphore-release", {"s"}, {"a"});
        QCOMPARE(outcomeOf(done), QByteArray("done 1"));
        const qint64 left = redis->line("PTTL s").integer;
        QVERIFY(left > 290'000 && left <= 300'000);
        QCOMPARE(outcomeOf(redis->undo({"s"}, done)).left(4), QByteArray("done"));
        QVERIFY(redis->line("PTTL s").integer > 890'000);
        for (const char* ttl : {"{ms+600000}", "{ms+2700000}"}) {
            redis->prepare({"", "", holders + ttl});
            const qint64 before = redis->line("PTTL s").integer;
            redis->run("semaphore-release", {"s"}, {"a"});
            QVERIFY(before - redis->line("PTTL s").integer < 10'000);
        }
    }
    m_redis.prepare({"", "", holders + "{ms+900000}"});
    m_redis.line("ACL SETUSER few reset on nopass +@all ~* -pexpireat");
    m_redis.line("AUTH few x");
    QCOMPARE(outcomeOf(m_redis.run("semaphore-release", {"s"}, {"a"})),
             QByteArray("refused forbidden"));
    m_redis.line("AUTH default x");
    QCOMPARE(m_redis.line("ZCARD s").integer, 2);
}

void tst_LockActions::theAutoRequeueLeaseBeginsAnew()
{
    for (const char* setup : {"", "SET w mine", "SET w mine PX 500", "SET w mine PX 900000"}) {
        m_redis.prepare({"", "", setup});
        m_redis.run("auto-requeue-lock", {"w"}, {"mine", "15000", "take"});
        const qint64 left = m_redis.line("PTTL w").integer;
        QVERIFY2(left > 10'000 && left <= 15'000, setup);
    }
}

void tst_LockActions::theTtlEndsWithTheMoment()
{
    const ActionCase c{"", "timestamp-lock-replace", "SET l {s-5} PX 900000", "l",
                       "{s-5} {s+60}.25 s 1"};
    m_redis.prepare(c);
    m_redis.run(c);
    QCOMPARE(QByteArray::number(m_redis.line("PEXPIRETIME l").integer),
             m_redis.words("{s+60}").front() + "250");
}

void tst_LockActions::aLongOwnerIsCutInTheAnswer()
{
    m_redis.clear();
    m_redis.command({"SET", "l", QByteArray(5000, 'x')});
    const Reply reply = m_redis.run("lock-release", {"l"}, {"mine"});
    QCOMPARE(reply.items[2].text, QByteArray(128, 'x'));
}

void tst_LockActions::nothingIsLostWhereTheTtlIsDenied()
{
    const ActionCase c{"", "timestamp-lock-replace",
                       "SET l {s-5} PX 900000 | ACL SETUSER few nopass on +@all -pexpireat ~*", "l",
                       "{s-5} {s+60} s 1"};
    m_redis.prepare(c);
    const QByteArray before = m_redis.dump("l");
    m_redis.line("AUTH few x");
    const Reply reply = m_redis.run(c);
    m_redis.line("AUTH default x");
    QCOMPARE(outcomeOf(reply), QByteArray("refused forbidden"));
    QCOMPARE(m_redis.dump("l"), before);
}

LK_TEST(tst_LockActions);
#include "tst_lockactions.moc"
