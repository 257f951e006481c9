// SPDX-License-Identifier: GPL-3.0-or-later
#include "reciperunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

class tst_TokenRecipes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void init() { m_redis.clear(); }

    void stringTokenIsGivenOnce();
    void anIssuedTokenIsNotReplaced_data();
    void anIssuedTokenIsNotReplaced();
    void hashTokenCountsItsUses();
    void unknownTokenLeavesNoGhost();
    void aGhostIsNotAccepted();
    void watchedTokenCountsItsUses();
    void watchedTokenThatEndsLeavesNoGhost_data();
    void watchedTokenThatEndsLeavesNoGhost();
    void aHashThatIsNoTokenIsLeftAlone();
    void lifetimesAreMilliseconds();
    void refuses();

private:
    RecipeRunner m_redis;
};

void tst_TokenRecipes::stringTokenIsGivenOnce()
{
    const QByteArray key("code:\xc1\x7b\x00", 8);
    const QByteArray payload("{\"act_id\": \"1234\"}\0\xff", 20);
    QCOMPARE(m_redis.run("string-token-issue", {key}, {payload, "60000"}).text, QByteArray("OK"));
    QCOMPARE(m_redis.run("string-token-redeem", {key}).text, payload);
    QVERIFY(m_redis.run("string-token-redeem", {key}).isNil());
    QVERIFY(!m_redis.exists(key));
}

void tst_TokenRecipes::anIssuedTokenIsNotReplaced_data()
{
    QTest::addColumn<QByteArray>("recipe");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("string") << QByteArray("string-token-issue") << QByteArray("a")
                            << QByteArray("60000");
    QTest::newRow("hash") << QByteArray("hash-token-issue") << QByteArray("60000") << QByteArray();
}

void tst_TokenRecipes::anIssuedTokenIsNotReplaced()
{
    QFETCH(QByteArray, recipe);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    std::vector<QByteArray> args{first};
    if (!second.isEmpty())
        args.push_back(second);
    const Reply issued = m_redis.run(recipe.constData(), {"k"}, args);
    QVERIFY(issued.integer == 1 || issued.text == "OK");
    m_redis.command({"PEXPIRE", "k", "20000"});
    const QByteArray before = m_redis.command({"DUMP", "k"}).text;
    const Reply refused = m_redis.run(recipe.constData(), {"k"}, args);
    QVERIFY(refused.isNil() || (refused.isInteger() && refused.integer == 0));
    QCOMPARE(m_redis.command({"DUMP", "k"}).text, before);
    QVERIFY(m_redis.pttl("k") <= 20'000);
}

void tst_TokenRecipes::hashTokenCountsItsUses()
{
    QCOMPARE(m_redis
                 .run("hash-token-issue", {"k"},
                      {"60000", QByteArray("me\0ta", 5), QByteArray("\xff\0v", 3)})
                 .integer,
             1);
    QCOMPARE(m_redis.command({"HGET", "k", "used_by"}).text, QByteArray("0"));
    const Reply first = m_redis.run("hash-token-redeem", {"k"});
    QCOMPARE(first.items.size(), size_t(5));
    QCOMPARE(first.items[0].integer, 1);
    for (int replay = 2; replay < 4; ++replay) {
        const Reply again = m_redis.run("hash-token-redeem", {"k"});
        QCOMPARE(again.items.size(), size_t(1));
        QCOMPARE(again.items[0].integer, replay);
    }
    QVERIFY(m_redis.pttl("k") > 0);

    // More fields than a script can hand to one command; used_by is not the caller's to set.
    std::vector<QByteArray> many{"60000", "used_by", "7"};
    for (int i = 0; i < 4501; ++i) {
        many.push_back(QByteArray::number(i));
        many.push_back("v");
    }
    QCOMPARE(m_redis.run("hash-token-issue", {"m"}, many).integer, 1);
    QCOMPARE(m_redis.number({"HLEN", "m"}), 4502);
    QCOMPARE(m_redis.run("hash-token-redeem", {"m"}).items[0].integer, 1);
}

void tst_TokenRecipes::unknownTokenLeavesNoGhost()
{
    const Reply reply = m_redis.run("hash-token-redeem", {"user_token:never-issued"});
    QCOMPARE(reply.items.size(), size_t(1));
    QCOMPARE(reply.items[0].integer, 0);
    QCOMPARE(m_redis.number({"DBSIZE"}), 0);
}

void tst_TokenRecipes::aGhostIsNotAccepted()
{
    m_redis.command({"HINCRBY", "k", "used_by", "1"});
    QCOMPARE(m_redis.run("hash-token-redeem", {"k"}).items[0].integer, 2);
}

// The way without a script that the header of hash-token-redeem.lua describes.
void tst_TokenRecipes::watchedTokenCountsItsUses()
{
    m_redis.run("hash-token-issue", {"k"}, {"60000", "user_id", "17"});
    test::RespClient client(m_redis.socketPath());
    for (const qint64 use : {1, 2}) {
        const auto seen = client.runAll({{"WATCH", "k"}, {"HGETALL", "k"}});
        QCOMPARE(seen[1].items.size(), size_t(4));
        const auto counted = client.runAll({{"MULTI"}, {"HINCRBY", "k", "used_by", "1"}, {"EXEC"}});
        QCOMPARE(counted[2].items.size(), size_t(1));
        QCOMPARE(counted[2].items[0].integer, use);
    }
    QVERIFY(m_redis.pttl("k") > 0);
}

void tst_TokenRecipes::watchedTokenThatEndsLeavesNoGhost_data()
{
    QTest::addColumn<Command>("end");
    QTest::newRow("deleted") << Command{"DEL", "k"};
    QTest::newRow("expired") << Command{"PEXPIRE", "k", "0"};
    QTest::newRow("redeemed by another") << Command{"HINCRBY", "k", "used_by", "1"};
}

void tst_TokenRecipes::watchedTokenThatEndsLeavesNoGhost()
{
    QFETCH(Command, end);
    m_redis.run("hash-token-issue", {"k"}, {"60000"});
    test::RespClient client(m_redis.socketPath());
    QCOMPARE(client.runAll({{"WATCH", "k"}, {"HGETALL", "k"}})[1].items.size(), size_t(2));
    m_redis.command(end);
    const QByteArray left = m_redis.command({"DUMP", "k"}).text;
    const auto counted = client.runAll({{"MULTI"}, {"HINCRBY", "k", "used_by", "1"}, {"EXEC"}});
    QVERIFY(counted[2].isNil());
    QCOMPARE(m_redis.command({"DUMP", "k"}).text, left);
}

void tst_TokenRecipes::aHashThatIsNoTokenIsLeftAlone()
{
    m_redis.command({"HSET", "k", "name", "Ada"});
    const Reply reply = m_redis.run("hash-token-redeem", {"k"});
    QCOMPARE(reply.items.size(), size_t(1));
    QCOMPARE(reply.items[0].integer, 0);
    QCOMPARE(m_redis.list({"HGETALL", "k"}), (Texts{"name", "Ada"}));
}

void tst_TokenRecipes::lifetimesAreMilliseconds()
{
    m_redis.run("string-token-issue", {"s"}, {"a", "3600000"});
    m_redis.run("hash-token-issue", {"h"}, {"3600000"});
    for (const char* key : {"s", "h"})
        QVERIFY(m_redis.pttl(key) > 3'000'000 && m_redis.pttl(key) <= 3'600'000);
}

void tst_TokenRecipes::refuses()
{
    QVERIFY(m_redis.run("string-token-issue", {"k"}, {"a", "0"}).isError());
    QVERIFY(m_redis.run("hash-token-issue", {"k"}, {"0"}).isError());
    QVERIFY(m_redis.run("hash-token-issue", {"k"}, {"1000", "field"}).isError());
    QVERIFY(!m_redis.exists("k"));
    m_redis.command({"LPUSH", "k", "x"});
    QVERIFY(m_redis.run("string-token-issue", {"k"}, {"a", "1000"}).isNil());
    QCOMPARE(m_redis.run("hash-token-issue", {"k"}, {"1000"}).integer, 0);
    QVERIFY(isWrongType(m_redis.run("string-token-redeem", {"k"})));
    QVERIFY(isWrongType(m_redis.run("hash-token-redeem", {"k"})));
    QCOMPARE(m_redis.number({"LLEN", "k"}), 1);
}

LK_TEST(tst_TokenRecipes);
#include "tst_tokenrecipes.moc"
