// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/undofit.h"
#include "tests/server/acting.h"
#include "tests/support/otherserver.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A step on one version is undone on a newer one: the server was upgraded, or a newer replica was
/// promoted.
class TestUndoAfterUpgrade : public QObject
{
    Q_OBJECT

private slots:
    void upgraded_data();
    void upgraded();
    void aNewerReplicaIsPromoted();
    void changedSince();
};

void TestUndoAfterUpgrade::upgraded_data()
{
    QTest::addColumn<QByteArray>("make");
    QTest::newRow("string") << QByteArray("SET k v");
    QTest::newRow("list") << QByteArray("RPUSH k a b c");
    QTest::newRow("hash") << QByteArray("HSET k a 1 b 2");
    QTest::newRow("set") << QByteArray("SADD k 1 2 3");
    QTest::newRow("sorted set") << QByteArray("ZADD k 1.5 a 2 b");
}

// All that a step changes of a key but its content, so that each type has one.
void TestUndoAfterUpgrade::upgraded()
{
    QFETCH(QByteArray, make);
    for (const char* newer : {"redis-8.0", "valkey-8.1", "valkey-9.1"}) {
        RedisServer server;
        LK_USE_SERVER(server, "redis-7.0");
        QVERIFY2(server.start(), server.output());
        server.line(make);
        Actor actor(server.url());
        QVERIFY(actor.open());
        const bool isList = make.startsWith("RPUSH");
        const PrimitivePtr key = declaredPrimitive(isList                    ? "circular-list"
                                                   : make.startsWith("SET")  ? "string-token"
                                                   : make.startsWith("HSET") ? "hash-token"
                                                   : make.startsWith("ZADD") ? "weighted-set"
                                                                             : "array",
                                                   "k");
        const Receipt receipt = actor.act(key, "key.ttl", {{"ttl", "10m"}});
        QVERIFY2(receipt.undoable, qPrintable(receipt.text));
        QCOMPARE(server.line("SAVE").text, QByteArray("OK"));
        actor.connection.close();
        server.stop();
        const QString program = installedServer(QString::fromLatin1(newer));
        if (program.isEmpty())
            LK_USE_SERVER(server, "valkey-9.1"); // skips, or fails
        server.setProgram(program);
        QVERIFY2(server.start(), server.output());
        QVERIFY(server.line("TTL k").integer > 500);
        QVERIFY(actor.open());
        const Receipt undone = actor.undo(receipt.id);
        QVERIFY2(undone.outcome == Outcome::Succeeded,
                 qPrintable(QString::fromLatin1(newer) + u": "_s + undone.text));
        QCOMPARE(server.line("TTL k").integer, -1);
    }
}

void TestUndoAfterUpgrade::aNewerReplicaIsPromoted()
{
    RedisServer master;
    LK_USE_SERVER(master, "redis-7.0");
    RedisServer replica;
    LK_USE_SERVER(replica, "valkey-9.1");
    master.addTcp();
    QVERIFY2(master.start(), master.output());
    replica.setArguments({u"--replicaof"_s, u"127.0.0.1"_s, QString::number(master.port())});
    QVERIFY2(replica.start(), replica.output());
    master.line("HSET h a 1 b 2");
    // One address before and after, as that of a group or behind a name.
    const QString address = master.folder() + u"/address.sock"_s;
    QVERIFY(QFile::link(master.socketPath(), address));
    ServerUrl url = master.url();
    url.path = address;
    Actor actor(url);
    QVERIFY(actor.open());
    const Receipt receipt =
        actor.act(declaredPrimitive("hash-token", "h"), "key.ttl", {{"ttl", "10m"}});
    QVERIFY2(receipt.undoable, qPrintable(receipt.text));
    QTRY_VERIFY_WITH_TIMEOUT(replica.line("TTL h").integer > 500, 20'000);
    actor.connection.close();
    master.stop();
    QCOMPARE(replica.line("REPLICAOF NO ONE").text, QByteArray("OK"));
    QVERIFY(QFile::remove(address) && QFile::link(replica.socketPath(), address));
    QVERIFY(actor.open());
    const Receipt undone = actor.undo(receipt.id);
    QVERIFY2(undone.outcome == Outcome::Succeeded, qPrintable(undone.text));
    QCOMPARE(replica.line("TTL h").integer, -1);
}

// The undo's plan was made after the change: it has not changed since that plan, and a key's name
// is not its state.
void TestUndoAfterUpgrade::changedSince()
{
    RedisServer server;
    QVERIFY2(server.start(), server.output());
    server.line("SET lock:a w1 PX 600000");
    Actor actor(server.url());
    QVERIFY(actor.open());
    const Receipt receipt =
        actor.act(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    server.line("SET lock:a w2 PX 600000");
    const Receipt undone = actor.undo(receipt.id);
    QCOMPARE(undone.outcome, Outcome::Conflict);
    QCOMPARE(undone.text, u"It has changed since that action; nothing was changed"_s);
    QCOMPARE(undone.journalText, undone.text);
    QCOMPARE(server.line("GET lock:a").text, QByteArray("w2"));
}

LK_TEST(TestUndoAfterUpgrade);
#include "tst_undoafterupgrade.moc"
