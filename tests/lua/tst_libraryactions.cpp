// SPDX-License-Identifier: GPL-3.0-or-later
// The actions on jobs of libraries that cannot run here do the same as the libraries' sources.
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

const QByteArray asynqKeys = "{q}:pending {q}:active {q}:lease {q}:scheduled {q}:retry "
                             "{q}:archived {q}:completed ";
const QByteArray archived = "ZADD {q}:archived {s-9} a {s-8} b | HSET {q}:t:a msg x state archived "
                            "| HSET {q}:t:b msg x state archived | ";
const QByteArray later = "ZADD {q}:scheduled {s+9} a | HSET {q}:t:a msg x state scheduled | "
                         "ZADD {q}:retry {s+9} b | HSET {q}:t:b msg x state retry | ";
const QByteArray leased = "RPUSH {q}:active b a | ZADD {q}:lease {s-40} a {s-10} b | "
                          "HSET {q}:t:a msg x state active | HSET {q}:t:b msg x state active | ";

const QByteArray gocraftKeys = "w:jobs:mail w:known_jobs w:jobs:mail:lock w:jobs:mail:lock_info ";
const QByteArray known = "SADD w:known_jobs mail | ";
const QByteArray mail = R"({\x22id\x22:\x22a\x22,\x22t\x22:5,\x22name\x22:\x22mail\x22})";
const QByteArray failed =
    R"({\x22err\x22:\x22x\x22,\x22fails\x22:4,\x22id\x22:\x22a\x22,\x22t\x22:5})";
const QByteArray pool = "LPUSH w:jobs:mail:p1:inprogress " + mail +
                        " | SET w:jobs:mail:lock 1 | "
                        "HSET w:jobs:mail:lock_info p1 1 | ";
const QByteArray poolKeys = gocraftKeys + "w:dead w:jobs:mail:p1:inprogress w:worker_pools:p1";
const QByteArray ofPool = "requeue mail \"6 p1 " + mail + "\"";
const QByteArray acks = "ZADD d:__heartbeats__ {ms-90000} w1 {ms-10} w2 | SADD d:__acks__.w1.q 1 2 "
                        "| SADD d:__acks__.w2.q 3 | HSET d:q.msgs 1 x 3 x | ";
const QByteArray ackKeys = "d:q d:q.msgs d:__heartbeats__ d:__acks__.w1.q d:__acks__.w2.q";

const QByteArray unacked = "LPUSH r:c1:unacked x y | LPUSH r:c2:unacked z | SET r:c2:beat 1 | ";
const QByteArray unackedKeys = "r:ready r:c1:unacked r:c1:beat r:c2:unacked r:c2:beat";

const ActionCases cases{
    {"run archived", "asynq-jobs", archived + "RPUSH {q}:pending c", asynqKeys + "{q}:t:a {q}:t:b",
     "retry a b", "done 2 11", "conflict", "LRANGE {q}:pending 0 -1", "b a c"},
    {"run archived tells the hash", "asynq-jobs", archived, asynqKeys + "{q}:t:a", "retry a",
     "done 1 1", "conflict", "HGET {q}:t:a state", "pending"},
    {"run what is not archived", "asynq-jobs", later, asynqKeys + "{q}:t:a", "retry a", "conflict"},
    {"promote scheduled and to be retried", "asynq-jobs", later, asynqKeys + "{q}:t:a {q}:t:b",
     "promote a b", "done 2 11", "conflict", "LRANGE {q}:pending 0 -1", "b a"},
    {"requeue: one lease is over for long enough", "asynq-jobs", leased + "LPUSH {q}:pending c",
     asynqKeys + "{q}:t:a {q}:t:b", "requeue a b", "done 1 10", "conflict",
     "LRANGE {q}:pending 0 -1", "c a"},
    {"requeue ends the lease", "asynq-jobs", leased, asynqKeys + "{q}:t:a", "requeue a", "done 1 1",
     "conflict", "ZRANGE {q}:lease 0 -1", "b"},
    {"remove", "asynq-jobs", archived, asynqKeys + "{q}:t:a", "remove a 0", "done 1 1", "conflict",
     "EXISTS {q}:t:a", "0"},
    {"remove pending", "asynq-jobs", "LPUSH {q}:pending a | HSET {q}:t:a msg x state pending",
     asynqKeys + "{q}:t:a", "remove a 0", "done 1 1", "conflict", "LLEN {q}:pending", "0"},
    {"remove active", "asynq-jobs", leased, asynqKeys + "{q}:t:a", "remove a 0", "conflict"},
    {"remove unique", "asynq-jobs", archived + "HSET {q}:t:a unique_key {q}:u | SET {q}:u a",
     asynqKeys + "{q}:t:a {q}:u", "remove a 9", "done 1 1", "conflict", "EXISTS {q}:u {q}:t:a",
     "0"},
    {"remove unique, taken by another", "asynq-jobs",
     archived + "HSET {q}:t:a unique_key {q}:u | SET {q}:u b", asynqKeys + "{q}:t:a {q}:u",
     "remove a 9", "done 1 1", "conflict", "GET {q}:u", "b"},
    {"wrong type", "asynq-jobs", "SET {q}:pending x", asynqKeys + "{q}:t:a", "retry a",
     "refused type"},
    {"no verb", "asynq-jobs", archived, asynqKeys + "{q}:t:a", "shout a", "refused argument"},
    {"no task", "asynq-jobs", archived, asynqKeys, "retry", "refused argument"},

    {"remove dead", "gocraft-jobs", known + "ZADD w:dead 5 " + mail, gocraftKeys + "w:dead",
     "remove mail \"0 " + mail + "\"", "done 1 1", "conflict", "ZCARD w:dead", "0"},
    {"remove unique", "gocraft-jobs", known + "SET w:unique:mail:x 1 | ZADD w:scheduled 5 " + mail,
     gocraftKeys + "w:scheduled w:unique:mail:x", "remove mail \"6 " + mail + "\"", "done 1 1",
     "conflict", "EXISTS w:unique:mail:x w:scheduled", "0"},
    {"retry dead", "gocraft-jobs", known + "ZADD w:dead 5 " + failed, gocraftKeys + "w:dead",
     "retry mail " + failed, "done 1 1", "conflict", "LLEN w:jobs:mail", "1"},
    {"promote", "gocraft-jobs", known + "ZADD w:retry {s+50} " + failed, gocraftKeys + "w:retry",
     "promote mail " + failed, "done 1 1", "conflict", "ZCARD w:retry", "0"},
    {"requeue of a pool that is gone", "gocraft-jobs", known + pool, poolKeys, ofPool, "done 1 1",
     "conflict", "HGET w:jobs:mail:lock_info p1", "0"},
    {"requeue of a dead pool", "gocraft-jobs",
     known + pool + "HSET w:worker_pools:p1 heartbeat_at {s-60}", poolKeys, ofPool, "done 1 1",
     "conflict", "LRANGE w:jobs:mail 0 -1", mail},
    {"requeue of a living pool", "gocraft-jobs",
     known + pool + "HSET w:worker_pools:p1 heartbeat_at {s-2}", poolKeys, ofPool, "conflict"},
    {"not there", "gocraft-jobs", known, gocraftKeys + "w:dead", "retry mail " + mail, "conflict"},
    {"nobody knows the name", "gocraft-jobs", "ZADD w:dead 5 " + mail, gocraftKeys + "w:dead",
     "retry mail " + mail, "refused unknown"},
    {"wrong type", "gocraft-jobs", known + "SET w:jobs:mail x", gocraftKeys + "w:dead",
     "retry mail " + mail, "refused type"},
    {"no verb", "gocraft-jobs", known + "ZADD w:dead 5 " + mail, gocraftKeys + "w:dead",
     "shout mail " + mail, "refused argument"},
    {"no job", "gocraft-jobs", known, gocraftKeys + "w:dead", "retry mail", "refused argument"},

    {"requeue of a dead worker", "dramatiq-requeue", acks + "RPUSH d:q e", ackKeys, "4 w1 1 5 w2 3",
     "done 1 10", "conflict", "LRANGE d:q 0 -1", "e 1"},
    {"requeue takes it from the worker", "dramatiq-requeue", acks, ackKeys, "4 w1 1", "done 1 1",
     "conflict", "SMEMBERS d:__acks__.w1.q", "2"},
    {"its message is gone", "dramatiq-requeue", acks, ackKeys, "4 w1 2", "conflict"},
    {"its worker lives", "dramatiq-requeue", acks, ackKeys, "5 w2 3", "conflict"},
    {"no such set", "dramatiq-requeue", acks, ackKeys, "9 w1 1", "conflict"},
    {"wrong type", "dramatiq-requeue", acks + "SET d:q x", ackKeys, "4 w1 1", "refused type"},
    {"not whole", "dramatiq-requeue", acks, ackKeys, "4 w1", "refused argument"},

    {"return of a dead connection", "rmq-return", unacked + "LPUSH r:ready w", unackedKeys,
     R"("2 x" "4 z")", "done 1 10", "conflict", "LRANGE r:ready 0 -1", "x w"},
    {"its connection lives", "rmq-return", unacked, unackedKeys, R"("4 z")", "conflict"},
    {"wrong type", "rmq-return", unacked + "SET r:ready x", unackedKeys, R"("2 x")",
     "refused type"},
    {"no delivery", "rmq-return", unacked, unackedKeys, "", "refused argument"},
};

} // namespace

class TestLibraryActions : public QObject
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

    // A retried job of gocraft/work is written as its own scripts do it: without the failure,
    // queued now.
    void retriedWithoutItsFailure()
    {
        for (const char* verb : {"retry", "promote"}) {
            m_redis.clear();
            m_redis.line("SADD w:known_jobs mail");
            m_redis.line("ZADD w:dead 5 " + failed);
            const Texts keys = m_redis.words(gocraftKeys + "w:dead");
            QCOMPARE(outcomeOf(m_redis.run("gocraft-jobs", keys,
                                           m_redis.words(QByteArray(verb) + " mail " + failed))),
                     "done 1 1");
            const QByteArray job = m_redis.line("LINDEX w:jobs:mail 0").text;
            QVERIFY(job.contains(R"("id":"a")") && !job.contains(R"("t":5,)"));
            QCOMPARE(job.contains(R"("err":"x")"), qstrcmp(verb, "promote") == 0);
            QCOMPARE(job.contains(R"("fails":4)"), qstrcmp(verb, "promote") == 0);
        }
    }

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

LK_TEST(TestLibraryActions);
#include "tst_libraryactions.moc"
