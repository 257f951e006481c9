// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

// In lists as LRANGE shows them the newest is left; workers take from the right.
const ActionCases cases{
    {"next", "queue-move", "RPUSH p c b a | RPUSH q z y", "p q", "next a b c", "done 3 111",
     "refused missing", "LRANGE q 0 -1", "z y c b a"},
    {"back", "queue-move", "RPUSH p c b a | RPUSH q z y", "p q", "back a b c", "done 3 111",
     "refused missing", "LRANGE q 0 -1", "c b a z y"},
    {"some", "queue-move", "RPUSH p d c b a", "p q", "next a c", "done 2 11", "conflict",
     "LRANGE p 0 -1", "d b"},
    {"some are gone", "queue-move", "RPUSH p d b", "p q", "next a b c", "done 1 010", "conflict",
     "LRANGE q 0 -1", "b"},
    {"one of two alike", "queue-move", "RPUSH p a b a", "p q", "next a", "done 1 1", "done 1 1",
     "LRANGE p 0 -1", "a b"},
    {"one is asked for twice", "queue-move", "RPUSH p x a", "p q", "next a a", "done 1 10",
     "conflict", "LRANGE q 0 -1", "a"},
    {"bytes", "queue-move", R"(RPUSH p\x00 "\xff\x0d\x0a" "\x00")", R"(p\x00 q\xfe)",
     R"(next "\x00" "\xff\x0d\x0a")", "done 2 11", "refused missing", R"(LRANGE q\xfe 0 -1)",
     R"("\xff\x0d\x0a" "\x00")"},
    {"an empty item", "queue-move", R"(RPUSH p "")", "p q", R"(back "")", "done 1 1",
     "refused missing", "LRANGE q 0 -1", R"("")"},
    {"with a TTL", "queue-move", "RPUSH p a | PEXPIRE p 60000", "p q", "next a", "done 1 1",
     "refused missing"},
    {"all gone", "queue-move", "RPUSH p x", "p q", "next a b", "conflict"},
    {"missing", "queue-move", "RPUSH q a", "p q", "next a", "refused missing"},
    {"from a string", "queue-move", "SET p a", "p q", "next a", "refused type"},
    {"to a hash", "queue-move", "RPUSH p a | HSET q a 1", "p q", "next a", "refused type"},
    {"to itself", "queue-move", "RPUSH p a", "p p", "next a", "refused same"},
    {"to nowhere", "queue-move", "RPUSH p a", "p q", "last a", "refused argument"},
    {"nothing", "queue-move", "RPUSH p a", "p q", "next", "refused argument"},

    {"next", "queue-promote", "ZADD z 5 b 3 a 9 c | RPUSH q y", "z q", R"(next "3 a" "5 b")",
     "done 2 11", "conflict", "LRANGE q 0 -1", "y b a"},
    {"back", "queue-promote", "ZADD z 5 b 3 a 9 c | RPUSH q y", "z q", R"(back "3 a" "5 b")",
     "done 2 11", "conflict", "LRANGE q 0 -1", "b a y"},
    {"another time", "queue-promote", "ZADD z 5 b 3 a", "z q", R"(next "3 a" "6 b")", "done 1 10",
     "conflict", "ZRANGE z 0 -1", "b"},
    {"one is asked for twice", "queue-promote", "ZADD z 3 a 4 b", "z q", R"(next "3 a" "3 a")",
     "done 1 10", "conflict", "LRANGE q 0 -1", "a"},
    {"bytes", "queue-promote", R"(ZADD z\x00 1.5 "\xff \x0d\x0a")", R"(z\x00 q\xfe)",
     R"(next "1.5 \xff \x0d\x0a")", "done 1 1", "refused missing", R"(LRANGE q\xfe 0 -1)",
     R"("\xff \x0d\x0a")"},
    {"missing", "queue-promote", "RPUSH q a", "z q", R"(next "1 a")", "refused missing"},
    {"from a list", "queue-promote", "RPUSH z a", "z q", R"(next "1 a")", "refused type"},
    {"to a hash", "queue-promote", "ZADD z 1 a | HSET q a 1", "z q", R"(next "1 a")",
     "refused type"},
    {"to itself", "queue-promote", "ZADD z 1 a", "z z", R"(next "1 a")", "refused same"},
    {"no score", "queue-promote", "ZADD z 1 a", "z q", "next a", "refused argument"},
    {"gone", "queue-promote", "ZADD z 1 a", "z q", R"(next "1 b")", "conflict"},

    {"some", "queue-discard-delayed", "ZADD z 5 b 3 a 9 c", "z", R"("3 a" "1 x" "9 c")",
     "done 2 101", "conflict", "ZRANGE z 0 -1", "b"},
    {"the last", "queue-discard-delayed", "ZADD z 3 a", "z", R"("3 a")", "done 1 1",
     "refused missing"},
    {"another time", "queue-discard-delayed", "ZADD z 3 a", "z", R"("4 a")", "conflict"},
    {"a string", "queue-discard-delayed", "SET z a", "z", R"("4 a")", "refused type"},
    {"no score", "queue-discard-delayed", "ZADD z 3 a", "z", "a", "refused argument"},

    {"all", "undo-discard-delayed", "ZADD z 5 b", "z", R"("3 a" "9 c")", "done 2 11",
     "refused exists", "ZRANGE z 0 -1", "a b c"},
    {"one is there again", "undo-discard-delayed", "ZADD z 5 a", "z", R"("3 a" "9 c")", "done 1 01",
     "refused exists", "ZSCORE z a", "5"},
    {"a list", "undo-discard-delayed", "RPUSH z a", "z", R"("3 a")", "refused type"},

    {"one has been taken", "undo-promote", "RPUSH q b y", "q z", R"(back "3 a" "5 b")", "done 1 01",
     "conflict", "ZRANGE z 0 -1", "b"},
    {"to a list", "undo-promote", "RPUSH q a | RPUSH z b", "q z", R"(back "3 a")", "refused type"},

    {"some", "queue-discard", "RPUSH p d c b a", "p", "a x c", "done 2 101", "conflict",
     "LRANGE p 0 -1", "d b"},
    {"the last", "queue-discard", "RPUSH p a", "p", "a", "done 1 1", "refused missing"},
    {"one of two alike", "queue-discard", "RPUSH p a b a", "p", "a", "done 1 1", "done 1 1",
     "LRANGE p 0 -1", "a b"},
    {"bytes", "queue-discard", R"(RPUSH p\x00 "\x00" a)", R"(p\x00)", R"("\x00")", "done 1 1",
     "conflict"},
    {"gone", "queue-discard", "RPUSH p a", "p", "b", "conflict"},
    {"missing", "queue-discard", "", "p", "a", "refused missing"},
    {"a string", "queue-discard", "SET p a", "p", "a", "refused type"},
    {"nothing", "queue-discard", "RPUSH p a", "p", "", "refused argument"},

    {"next", "queue-push", "RPUSH q b a", "q", "next x", "done 1", "done 1", "LRANGE q 0 -1",
     "b a x"},
    {"back", "queue-push", "RPUSH q b a", "q", "back x", "done 1", "done 1", "LRANGE q 0 -1",
     "x b a"},
    {"the first", "queue-push", "", "q", "next x", "done 1", "done 1", "LRANGE q 0 -1", "x"},
    {"bytes", "queue-push", "", R"(q\x00)", R"(back "\x00\xff\x0d\x0a")", "done 1", "done 1",
     R"(LRANGE q\x00 0 -1)", R"("\x00\xff\x0d\x0a")"},
    {"a set", "queue-push", "SADD q x", "q", "next x", "refused type"},
    {"to nowhere", "queue-push", "RPUSH q a", "q", "x x", "refused argument"},
    {"nothing", "queue-push", "RPUSH q a", "q", "next", "refused argument"},

    {"by one", "queue-rotate", "RPUSH q c b a", "q", "a", "done 1", "conflict b", "LRANGE q 0 -1",
     "a c b"},
    {"keeps the TTL", "queue-rotate", "RPUSH q b a | PEXPIRE q 60000", "q", "a", "done 1",
     "conflict b"},
    {"bytes", "queue-rotate", R"(RPUSH q\x00 b "\x00\xff")", R"(q\x00)", R"("\x00\xff")", "done 1",
     "conflict b"},
    {"turned meanwhile", "queue-rotate", "RPUSH q b a", "q", "b", "conflict a"},
    {"one alone", "queue-rotate", "RPUSH q a", "q", "a", "refused nothing"},
    {"missing", "queue-rotate", "", "q", "a", "refused missing"},
    {"a sorted set", "queue-rotate", "ZADD q 1 a", "q", "a", "refused type"},
    {"nothing", "queue-rotate", "RPUSH q b a", "q", "", "refused argument"},

    {"in order", "queue-restore", "RPUSH p d c", "p", "a b", "done 2 11", "done 2 11",
     "LRANGE p 0 -1", "d c b a"},
    {"into none", "queue-restore", "", "p", "a b", "done 2 11", "done 2 11", "LRANGE p 0 -1",
     "b a"},
    {"bytes", "queue-restore", "", R"(p\x00)", R"("\x00" "\xff\x0d\x0a")", "done 2 11", "done 2 11",
     R"(LRANGE p\x00 0 -1)", R"("\xff\x0d\x0a" "\x00")"},
    {"a string", "queue-restore", "SET p a", "p", "a", "refused type"},
    {"nothing", "queue-restore", "RPUSH p a", "p", "", "refused argument"},

    {"from next", "undo-move", "RPUSH q z c b a | RPUSH p d", "q p", "next a b c", "done 3 111",
     "conflict", "LRANGE p 0 -1", "d c b a"},
    {"from back", "undo-move", "RPUSH q b a z", "q p", "back a b", "done 2 11", "conflict",
     "LRANGE p 0 -1", "b a"},
    {"of two alike the one at the right", "undo-move", "RPUSH q a z a", "q p", "next a", "done 1 1",
     "done 1 1", "LRANGE q 0 -1", "a z"},
    {"of two alike the one at the left", "undo-move", "RPUSH q a z a", "q p", "back a", "done 1 1",
     "done 1 1", "LRANGE q 0 -1", "z a"},
    {"some were taken", "undo-move", "RPUSH q c b", "q p", "next a b c", "done 2 011",
     "refused missing", "LRANGE p 0 -1", "c b"},
    {"bytes", "undo-move", R"(RPUSH q\x00 "\x00\xff" z)", R"(q\x00 p\xff)", R"(back "\x00\xff")",
     "done 1 1", "conflict"},
    {"all were taken", "undo-move", "RPUSH q z", "q p", "next a", "conflict"},
    {"missing", "undo-move", "RPUSH p a", "q p", "next a", "refused missing"},
    {"from a string", "undo-move", "SET q a", "q p", "next a", "refused type"},
    {"to a string", "undo-move", "RPUSH q a | SET p a", "q p", "next a", "refused type"},
    {"to itself", "undo-move", "RPUSH q a", "q q", "next a", "refused same"},
    {"nothing", "undo-move", "RPUSH q a", "q p", "next", "refused argument"},
    {"from nowhere", "undo-move", "RPUSH q a", "q p", "left a", "refused argument"},
};

} // namespace

class tst_QueueActions : public QObject
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

    void aMoveAndItsUndo_data();
    void aMoveAndItsUndo();
    void manyAtOnce();
    void nothingIsLostWhereThePushIsDenied_data();
    void nothingIsLostWhereThePushIsDenied();
    void nothingIsLostWhereMemoryIsShort();

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

void tst_QueueActions::aMoveAndItsUndo_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("next") << QByteArray("next");
    QTest::newRow("back") << QByteArray("back");
}

void tst_QueueActions::aMoveAndItsUndo()
{
    QFETCH(QByteArray, end);
    m_redis.prepare({"", "", "RPUSH p c b a | RPUSH q z y"});
    QCOMPARE(outcomeOf(m_redis.run("queue-move", {"p", "q"}, {end, "a", "b", "c"})),
             QByteArray("done 3 111"));
    // Restoring is not possible any more: somebody has been at the queue.
    m_redis.line("LPUSH q new");
    QCOMPARE(outcomeOf(m_redis.run("undo-move", {"q", "p"}, {end, "a", "b", "c"})),
             QByteArray("done 3 111"));
    QCOMPARE(flat(m_redis.line("LRANGE p 0 -1")), (Texts{"c", "b", "a"}));
    QCOMPARE(flat(m_redis.line("LRANGE q 0 -1")), (Texts{"new", "z", "y"}));
}

void tst_QueueActions::manyAtOnce()
{
    m_redis.clear();
    Texts args{"next"};
    for (int i = 0; i < 10'000; ++i) {
        args.push_back(QByteArray::number(i));
        m_redis.command({"LPUSH", "p", args.back()});
    }
    const QByteArray before = m_redis.dump("p");
    const Reply moved = m_redis.run("queue-move", {"p", "q"}, args);
    QCOMPARE(moved.items[1].integer, 10'000);
    QCOMPARE(m_redis.line("LINDEX q -1").text, QByteArray("0"));
    QCOMPARE(outcomeOf(m_redis.undo({"p", "q"}, moved)), QByteArray("done 2 11"));
    QCOMPARE(m_redis.dump("p"), before);
    m_redis.run("queue-move", {"p", "q"}, args);
    QCOMPARE(m_redis.run("undo-move", {"q", "p"}, args).items[1].integer, 10'000);
    QCOMPARE(m_redis.line("LINDEX p -1").text, QByteArray("0"));
}

void tst_QueueActions::nothingIsLostWhereThePushIsDenied_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<QByteArray>("denied");
    QTest::newRow("next") << QByteArray("queue-move") << QByteArray("next") << QByteArray("rpush");
    QTest::newRow("back") << QByteArray("queue-move") << QByteArray("back") << QByteArray("lpush");
    QTest::newRow("removing") << QByteArray("queue-move") << QByteArray("back")
                              << QByteArray("lrem");
    QTest::newRow("undo") << QByteArray("undo-move") << QByteArray("back") << QByteArray("rpush");
}

void tst_QueueActions::nothingIsLostWhereThePushIsDenied()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, end);
    QFETCH(QByteArray, denied);
    m_redis.prepare({"", "", "RPUSH p b a"});
    const ActionRunner::Snapshot before = m_redis.snapshot();
    m_redis.line("ACL SETUSER few reset on nopass +@all ~* -" + denied);
    m_redis.line("AUTH few x");
    const Reply reply = m_redis.run(script, {"p", "q"}, {end, "a"});
    m_redis.line("AUTH default x");
    QCOMPARE(outcomeOf(reply), QByteArray("refused forbidden"));
    QVERIFY(sameKeys(m_redis.snapshot(), before));
}

void tst_QueueActions::nothingIsLostWhereMemoryIsShort()
{
    m_redis.prepare({"", "", "RPUSH p b a"});
    m_redis.line("CONFIG SET maxmemory 1");
    const Reply moved = m_redis.run("queue-move", {"p", "q"}, {"next", "a"});
    const Reply pushed = m_redis.run("queue-push", {"q"}, {"next", "c"});
    m_redis.line("CONFIG SET maxmemory 0");
    QCOMPARE(outcomeOf(pushed), QByteArray("refused error"));
    QVERIFY2(pushed.items[3].text.contains("OOM"), pushed.items[3].text.constData());
    const qint64 items = m_redis.line("LLEN p").integer + m_redis.line("LLEN q").integer;
    QCOMPARE(items, 2);
    QCOMPARE(outcomeOf(moved).startsWith("done"), m_redis.line("EXISTS q").integer == 1);
}

LK_TEST(tst_QueueActions);
#include "tst_queueactions.moc"
