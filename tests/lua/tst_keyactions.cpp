// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

#include <QCryptographicHash>

using namespace lk;

Q_DECLARE_METATYPE(Texts)

namespace {

const ActionCases cases{
    {"a new end", "key-ttl", "SET k v PXAT {ms+60000}", "k", "string {ms+60000} 600000", "done 1",
     "conflict", "GET k", "v"},
    {"at last", "key-ttl", "ZADD k 1 a", "k", "zset -1 600000", "done 1", "conflict",
     "ZRANGE k 0 -1", "a"},
    {"none any more", "key-ttl", "HSET k a 1 | PEXPIREAT k {ms+60000}", "k", "hash {ms+60000} -1",
     "done 1", "conflict -1", "TTL k", "-1"},
    {"a little off", "key-ttl", "SET k v PXAT {ms+60000}", "k", "string {ms+60090} -1", "done 1",
     "conflict -1"},
    {"bytes", "key-ttl", R"(SET k\x00\xff "\x00\x0d\x0a" PXAT {ms+60000})", R"(k\x00\xff)",
     "string {ms+60000} -1", "done 1", "conflict -1", R"(GET k\x00\xff)", R"("\x00\x0d\x0a")"},
    {"renewed", "key-ttl", "SET k v", "k", "string {ms+5000} -1", "conflict -1"},
    {"does not expire", "key-ttl", "SET k v", "k", "string -1 -1", "refused nothing"},
    {"another type", "key-ttl", "SET k v", "k", "list -1 600000", "conflict string"},
    {"missing", "key-ttl", "", "k", "string -1 600000", "refused missing"},
    {"no time", "key-ttl", "SET k v", "k", "string -1 0", "refused argument"},
    {"negative", "key-ttl", "SET k v", "k", "string -1 -2", "refused argument"},
    {"nothing seen", "key-ttl", "SET k v", "k", R"(string "" 600000)", "refused argument"},

    {"of any type", "key-delete", "SET a 1 | RPUSH b 1", "a b", R"("" "" "" "")", "done 2 11",
     "refused missing", "DBSIZE", "0"},
    {"of types", "key-delete", "SET a 1 PX 60000 | RPUSH b 1", "a b", R"(string "" list "")",
     "done 2 11", "refused missing", "DBSIZE", "0"},
    {"one is missing", "key-delete", "SET a 1 | SET c 1", "b a", R"(string "" string "")",
     "done 1 01", "refused missing", "KEYS *", "c"},
    {"bytes", "key-delete", R"(SET a\x00\xff "\x00")", R"(a\x00\xff)", R"(string "")", "done 1 1",
     "refused missing"},
    {"another type", "key-delete", "SET a 1 | RPUSH b 1", "a b", R"(string "" set "")",
     "conflict list"},
    {"another content", "key-delete", "SET a 1", "a", "string 0123", "conflict "},
    {"all missing", "key-delete", "", "a b", R"("" "" "" "")", "refused missing"},
    {"half", "key-delete", "SET a 1", "a", "string", "refused argument"},
};

QByteArray sha(const QByteArray& dump)
{
    return fingerprintOfDump(Reply::bulk(dump));
}

} // namespace

class tst_KeyActions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_old.pretendToBeOld();
        QVERIFY(m_redis.start() && m_old.start());
    }
    void init() { m_redis.clear(); }

    void scripts_data() { addCases(cases); }
    void scripts();

    void deletesWhatWasSeen();
    void aKeyTooLargeToCompareStays();

    void undoOfADeletion_data();
    void undoOfADeletion();
    void undoOfAnEnd();
    void undoOnlyOnce();
    void undoRefuses_data();
    void undoRefuses();
    void undoOfAnEarlierRelease();
    void undoIsAllOrNothing();

private:
    static Texts deletion(const QByteArray& dump, const QByteArray& expiry)
    {
        return {dump, expiry, "", "-2"};
    }

    ActionRunner m_redis;
    ActionRunner m_old;
};

void tst_KeyActions::scripts()
{
    QFETCH(int, index);
    QFETCH(bool, old);
    ActionRunner& redis = old ? m_old : m_redis;
    const ActionCase& c = cases[size_t(index)];
    redis.prepare(c);
    if (c.again == "conflict") {
        QCOMPARE(redis.run(c).items[0].text, QByteArray("done"));
        const qint64 left = redis.command({"PTTL", redis.words(c.keys).front()}).integer;
        QVERIFY(left > 570'000 && left <= 600'000);
        const Reply again = redis.run(c);
        QCOMPARE(again.items[0].text, QByteArray("conflict"));
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(qAbs(again.items[2].text.toLongLong() - now - left) < 5'000);
        return;
    }
    checkCase(redis, c);
}

void tst_KeyActions::deletesWhatWasSeen()
{
    m_redis.line("HSET h a 1");
    m_redis.line("SET s 1");
    const QByteArray hash = sha(m_redis.dump("h"));
    const Texts args{"hash", hash, "string", sha(m_redis.dump("s"))};
    m_redis.line("SET s 2");
    const ActionRunner::Snapshot before = m_redis.snapshot();
    QCOMPARE(m_redis.run("key-delete", {"h", "s"}, args).items[0].text, QByteArray("conflict"));
    QVERIFY(sameKeys(m_redis.snapshot(), before));
    m_redis.line("SET s 1");
    QCOMPARE(outcomeOf(m_redis.run("key-delete", {"h", "s"}, args)), QByteArray("done 2 11"));
}

void tst_KeyActions::aKeyTooLargeToCompareStays()
{
    m_redis.line("SET s 1");
    const Reply reply = m_redis.run("key-delete", {"s"}, {"string", sha(m_redis.dump("s"))}, 0);
    QCOMPARE(outcomeOf(reply), QByteArray("conflict "));
    QCOMPARE(m_redis.line("GET s").text, QByteArray("1"));
}

void tst_KeyActions::undoOfADeletion_data()
{
    QTest::addColumn<QByteArray>("make");
    QTest::newRow("string") << QByteArray("SET k \"\\x00\\xff\\x0d\\x0a\"");
    QTest::newRow("list") << QByteArray("RPUSH k a b \"\\x00\"");
    QTest::newRow("hash") << QByteArray("HSET k a 1 b 2");
    QTest::newRow("set") << QByteArray("SADD k 3 1 2");
    QTest::newRow("zset") << QByteArray("ZADD k 1.5 a 2 b");
    QTest::newRow("stream") << QByteArray("XADD k 1-1 a 1");
    QTest::newRow("ends") << QByteArray("SET k v PX 60000");
}

void tst_KeyActions::undoOfADeletion()
{
    QFETCH(QByteArray, make);
    for (ActionRunner* redis : {&m_redis, &m_old}) {
        redis->clear();
        redis->line(make);
        redis->line("SET other 1");
        const ActionRunner::Snapshot before = redis->snapshot();
        const Texts keys{"k", "missing"};
        const Reply done = redis->run("key-delete", keys, {"", "", "", ""});
        QCOMPARE(outcomeOf(redis->undo(keys, done)), QByteArray("done 1 10"));
        QVERIFY(sameKeys(redis->snapshot(), before));
    }
}

void tst_KeyActions::undoOfAnEnd()
{
    m_redis.line("SET k v");
    const Reply done = m_redis.run("key-ttl", {"k"}, {"string", "-1", "600000"});
    // Renewed meanwhile: the same value, another end.
    m_redis.line("PEXPIRE k 300000");
    QCOMPARE(outcomeOf(m_redis.undo({"k"}, done)), QByteArray("conflict "));
    m_redis.command(
        {"PEXPIREAT", "k", QByteArray::number(done.items[4].items[0].items[5].integer)});
    m_redis.line("SET k other KEEPTTL");
    QCOMPARE(outcomeOf(m_redis.undo({"k"}, done)), QByteArray("conflict "));
    m_redis.line("SET k v KEEPTTL");
    QCOMPARE(outcomeOf(m_redis.undo({"k"}, done)), QByteArray("done 1 1"));
    QCOMPARE(m_redis.line("PTTL k").integer, -1);
}

void tst_KeyActions::undoOnlyOnce()
{
    m_redis.line("SET k v");
    const Reply done = m_redis.run("key-delete", {"k"}, {"", ""});
    QCOMPARE(outcomeOf(m_redis.undo({"k"}, done)), QByteArray("done 1 1"));
    QCOMPARE(outcomeOf(m_redis.undo({"k"}, done)), QByteArray("conflict "));
    m_redis.line("SET k other");
    QCOMPARE(outcomeOf(m_redis.undo({"k"}, done)), QByteArray("conflict "));
    QCOMPARE(m_redis.line("GET k").text, QByteArray("other"));
}

void tst_KeyActions::undoRefuses_data()
{
    QTest::addColumn<Texts>("args");
    QTest::addColumn<QByteArray>("outcome");
    m_redis.clear();
    m_redis.line("SET k v");
    const QByteArray dump = m_redis.dump("k");
    const QByteArray is = sha(dump);
    QTest::newRow("expired") << deletion(dump, "1000") << QByteArray("refused expired");
    QTest::newRow("nothing") << Texts{"", "-2", "", "-2"} << QByteArray("refused nothing");
    QTest::newRow("there again") << Texts{"", "-2", is, "-1"} << QByteArray("conflict ");
    QTest::newRow("not kept") << Texts{"", "-1", "", "-2"} << QByteArray("refused argument");
    QTest::newRow("kept what was not there")
        << deletion(dump, "-2") << QByteArray("refused argument");
    QTest::newRow("not known after")
        << Texts{dump, "-1", "", "-1"} << QByteArray("refused argument");
    QTest::newRow("no expiry") << deletion(dump, "x") << QByteArray("refused argument");
    QTest::newRow("three") << Texts{dump, "-1", ""} << QByteArray("refused argument");
}

void tst_KeyActions::undoRefuses()
{
    QFETCH(Texts, args);
    QFETCH(QByteArray, outcome);
    QCOMPARE(outcomeOf(m_redis.run("undo-restore", {"k"}, args)), outcome);
    QCOMPARE(m_redis.line("DBSIZE").integer, 0);
}

// Its records have the SHA-1 of all of DUMP.
void tst_KeyActions::undoOfAnEarlierRelease()
{
    m_redis.line("SET k v");
    const QByteArray before = m_redis.dump("k");
    m_redis.line("SET k other");
    const QByteArray whole =
        QCryptographicHash::hash(m_redis.dump("k"), QCryptographicHash::Sha1).toHex();
    m_redis.line("SET k touched");
    const Texts args{before, "-1", whole, "-1"};
    QCOMPARE(outcomeOf(m_redis.run("undo-restore", {"k"}, args)), QByteArray("conflict "));
    m_redis.line("SET k other");
    QCOMPARE(outcomeOf(m_redis.run("undo-restore", {"k"}, args)), QByteArray("done 1 1"));
    QCOMPARE(m_redis.line("GET k").text, QByteArray("v"));
}

void tst_KeyActions::undoIsAllOrNothing()
{
    m_redis.line("SET a 1 PX 600000");
    m_redis.line("SET c 1");
    const ActionRunner::Snapshot before = m_redis.snapshot();
    const QByteArray end = QByteArray::number(m_redis.line("PEXPIRETIME a").integer);
    const QByteArray a = m_redis.dump("a");
    const QByteArray c = m_redis.dump("c");
    m_redis.line("SET spare 2");
    const QByteArray two = m_redis.dump("spare");
    m_redis.line("DEL spare");
    // a gets another value, b comes, c goes; d's DUMP is damaged.
    const Texts args{two, "-1", sha(a), end,  two,         "-1", "", "-2",
                     "",  "-2", sha(c), "-1", two + "bad", "-1", "", "-2"};
    const Reply reply = m_redis.run("undo-restore", {"a", "b", "c", "d"}, args);
    QCOMPARE(outcomeOf(reply), QByteArray("refused error")); // all is as it was: nothing came of it
    QVERIFY(sameKeys(m_redis.snapshot(), before));
    // One of several was touched.
    m_redis.line("SET d new");
    const Texts good{two, "-1", sha(a), end, two, "-1", "", "-2"};
    QCOMPARE(outcomeOf(m_redis.run("undo-restore", {"a", "d"}, good)), QByteArray("conflict "));
    QCOMPARE(m_redis.line("GET a").text, QByteArray("1"));
}

LK_TEST(tst_KeyActions);
#include "tst_keyactions.moc"
