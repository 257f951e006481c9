// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/acting.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/clientprocess.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Locks and semaphores of Node.js: who holds them is what the library says, and a client that
/// waits gets what an operator has released.
class TestJsLocks : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    static StatePtr lockOn(const TakenSnapshot& taken, const QByteArray& key)
    {
        for (const StatePtr& state :
             taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>())
            if (state->kind() == Kind::Lock && state->primitive->keys.front().key == key)
                return state;
        return nullptr;
    }

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("js");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void heldAsTheLibrarySays_data();
    void heldAsTheLibrarySays();
    void aReleasedLockIsTaken_data();
    void aReleasedLockIsTaken();
};

void TestJsLocks::heldAsTheLibrarySays_data()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("prefix");
    QTest::newRow("redlock 4") << u"redlock4"_s << u"lock:"_s;
    QTest::newRow("redlock 5, two resources") << u"redlock5"_s << u"locks:"_s;
    QTest::newRow("mutex") << u"mutex"_s << u""_s;
    QTest::newRow("mutex, strange") << u"mutex"_s << u"{acme-7}:v2:"_s;
    QTest::newRow("simple-redis-mutex") << u"simple-redis-mutex"_s << u""_s;
    QTest::newRow("semaphore") << u"semaphore"_s << u""_s;
    QTest::newRow("semaphore, strange") << u"semaphore"_s << u"{acme-7}:v2:"_s;
    QTest::newRow("multi-semaphore") << u"multisemaphore"_s << u""_s;
}

void TestJsLocks::heldAsTheLibrarySays()
{
    QFETCH(const QString, library);
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/locks.js"_s, {prefix, library});
    QVERIFY2(!own.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonArray keys = own["keys"_L1].toArray();
    QCOMPARE(taken.list("locks").size(), keys.size());
    QCOMPARE(taken.list("limiters").size() + taken.list("queues").size() +
                 taken.list("tokens").size(),
             0);
    for (const QJsonValue& key : keys) {
        const StatePtr state = lockOn(taken, key.toString().toUtf8());
        QVERIFY2(state, qPrintable(key.toString()));
        const auto* lock = state->as<LockState>();
        QCOMPARE(lock->phase, LockState::Phase::Held);
        const qint64 permits = library == u"multisemaphore" ? 2 : own["owners"_L1].toArray().size();
        QCOMPARE(lock->holds, permits);
        if (permits == 1)
            QCOMPARE(QString::fromLatin1(lock->owner), own["owners"_L1][0].toString());
    }
}

void TestJsLocks::aReleasedLockIsTaken_data()
{
    QTest::addColumn<QString>("library");
    for (const char* library : {"redlock4", "mutex", "simple-redis-mutex"})
        QTest::newRow(library) << QString::fromLatin1(library);
}

void TestJsLocks::aReleasedLockIsTaken()
{
    QFETCH(const QString, library);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/locks.js"_s, {u"lock:"_s, library});
    QVERIFY2(!own.isEmpty(), client.output());
    QVERIFY(!client.ask("try")["got"_L1].toBool(true));
    client.ask("wait");
    const QByteArray key = own["keys"_L1][0].toString().toUtf8();
    const QByteArray owner = own["owners"_L1][0].toString().toUtf8();
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const StatePtr held = lockOn(takeSnapshot(m_server.url()), key);
    QVERIFY(held);
    const Receipt receipt = actor.act(held->primitive, "lock.release", {{"owner", owner}});
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    const QByteArray next = client.ask("got")["owner"_L1].toString().toUtf8();
    QVERIFY(!next.isEmpty() && next != owner);
    QCOMPARE(lockOn(takeSnapshot(m_server.url()), key)->as<LockState>()->owner, next);
}

LK_TEST(TestJsLocks);
#include "tst_jslocks.moc"
