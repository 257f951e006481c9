// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's locks and semaphores, and what belongs to each: who holds, who waits, what lapses.
#include "tests/support/testprogram.h"
#include "tests/unit/librarylocks.h"

using namespace lk;

namespace {

constexpr qint64 now = 1795223350117;
const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");
const QByteArray other = QByteArrayLiteral("0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c");

} // namespace

class TestRedissonLocks : public QObject, private test::LibraryLocks
{
    Q_OBJECT

private slots:
    void redissonLock();
    void redissonFairLock();
    void redissonReadersAndWriter();
    void redissonFencingToken();
    void whatBelongsToARedissonLock();
    void redissonPermits();
    void redissonSemaphoreOnlyWhenDeclared();
};

void TestRedissonLocks::redissonLock()
{
    m_keys = {};
    m_keys.hash("invoice", {{uuid + ":47", "2"}}, 30'000);
    const LockState lock = lockOf("redisson-lock", "invoice");
    QCOMPARE(lock.phase, Phase::Held);
    QCOMPARE(lock.owner, uuid + ":47");
    QCOMPARE(*lock.ownerLabel, QByteArray("62556984:47"));
    QCOMPARE(lock.holds, 2);
    QCOMPARE(lock.limit, Known(1));
    QCOMPARE(lock.waiters, Known());
    QCOMPARE(lock.leaseMs, Known(30'000));
    QVERIFY(m_primitive.confidence >= 0.9);
}

void TestRedissonLocks::redissonFairLock()
{
    m_keys = {};
    m_keys.hash("invoice", {{uuid + ":47", "1"}}, 30'000);
    m_keys.list("redisson_lock_queue:{invoice}", {other + ":1", other + ":2"});
    m_keys.zset("redisson_lock_timeout:{invoice}",
                {{other + ":1", double(now + 5'000)}, {other + ":2", double(now - 5)}});
    const LockState lock = lockOf("redisson-lock", "invoice");
    QCOMPARE(all().size(), 1);
    QCOMPARE(lock.waiters, Known(2));
    const std::vector<LockWaiter> expected{{other + ":1", Known(5'000)}, {other + ":2", Known(0)}};
    QVERIFY(lock.waiting == expected);
    // Waiters are there before the lock is, and after it.
    m_keys.remove("invoice");
    const LockState free = lockOf("redisson-lock", "invoice");
    QCOMPARE(free.phase, Phase::Free);
    QCOMPARE(free.waiters, Known(2));
}

void TestRedissonLocks::redissonReadersAndWriter()
{
    m_keys = {};
    m_keys.hash("book", {{"mode", "read"}, {uuid + ":1", "1"}, {other + ":2", "2"}}, 30'000);
    m_keys.string("{book}:" + uuid + ":1:rwlock_timeout:1", "1", 9'000);
    m_keys.string("{book}:" + other + ":2:rwlock_timeout:1", "1", 20'000);
    m_keys.string("{book}:" + other + ":2:rwlock_timeout:2", "1", 30'000);
    LockState lock = lockOf("redisson-lock", "book");
    QVERIFY(lock.shared);
    QCOMPARE(lock.holdersTotal, 2);
    QCOMPARE(lock.holds, 3);
    QCOMPARE(lock.limit, Known());
    QVERIFY(lock.holders[0].shared && !lock.ownerKnown);
    QCOMPARE(lock.holders[0].leaseMs, Known(9'000));
    QCOMPARE(lock.holders[1].leaseMs, Known(30'000));
    QCOMPARE(all().size(), 1);
    // The hold's own key is gone, and the lock is not.
    m_keys.remove("{book}:" + uuid + ":1:rwlock_timeout:1");
    lock = lockOf("redisson-lock", "book");
    QCOMPARE(lock.phase, Phase::Held);
    QCOMPARE(lock.holders[0].leaseMs, Known(30'000));
    m_keys.string("{book}:" + uuid + ":1:rwlock_timeout:1", "1", 9'000);
    m_keys.hash("book", {{"mode", "write"}, {uuid + ":1:write", "1"}, {uuid + ":1", "1"}}, 30'000);
    m_keys.remove("{book}:" + other + ":2:rwlock_timeout:1");
    m_keys.remove("{book}:" + other + ":2:rwlock_timeout:2");
    lock = lockOf("redisson-lock", "book");
    QVERIFY(!lock.shared);
    QCOMPARE(lock.limit, Known(1));
    QCOMPARE(lock.holdersTotal, 2);
    QVERIFY(lock.holders[0].shared && !lock.holders[1].shared);
}

void TestRedissonLocks::redissonFencingToken()
{
    m_keys = {};
    m_keys.hash("invoice", {{uuid + ":47", "1"}}, 30'000);
    m_keys.string("redisson_lock_token:{invoice}", "12");
    lockOf("redisson-lock", "invoice");
    QCOMPARE(fact("Fencing token"), QStringLiteral("12"));
}

void TestRedissonLocks::whatBelongsToARedissonLock()
{
    const Layout* layout = findLayout("redisson-lock");
    const std::vector<QByteArray> book{"book"};
    QCOMPARE(layout->ownersOf("{book}:" + uuid + ":1:rwlock_timeout:1"), book);
    QCOMPARE(layout->ownersOf("redisson_unlock_latch:{book}:" + uuid), book);
    QCOMPARE(layout->ownersOf("a{b}:" + uuid + ":1:rwlock_timeout:1"),
             std::vector<QByteArray>{"a{b}"});
    QVERIFY(layout->ownersOf("{book}:permits").empty());
    QVERIFY(layout->ownersOf("book").empty());
}

void TestRedissonLocks::redissonPermits()
{
    m_keys = {};
    m_keys.string("tickets", "1");
    m_keys.zset("{tickets}:timeout", {{QByteArray(16, '\x01'), double(now + 4'000)},
                                      {QByteArray(16, '\x02'), double(now - 4)},
                                      {QByteArray(16, '\x03'), 922337203685477}});
    const LockState lock = lockOf("redisson-permit-semaphore", "tickets");
    QCOMPARE(lock.limit, Known(4));
    QCOMPARE(lock.holds, 2); // one has run out
    QCOMPARE(lock.holdersTotal, 3);
    QCOMPARE(lock.holders[0].leaseMs, Known(0));
    QCOMPARE(lock.holders[1].name, QByteArray(16, '\x01').toHex());
    QCOMPARE(lock.holders[1].leaseMs, Known(4'000));
    QCOMPARE(lock.holders[2].leaseMs, Known());
    QCOMPARE(m_state.revisitAtMs, now + 4'001);
    // A limiter of Redisson's has a sibling of another name and form.
    m_keys.zset("{x}:timeout", {{"a", double(now)}});
    QVERIFY(!all().contains("redisson-permit-semaphore x"));
}

void TestRedissonLocks::redissonSemaphoreOnlyWhenDeclared()
{
    m_keys = {};
    m_keys.string("tickets", "3");
    QVERIFY(all().isEmpty() || all().first().kind != Kind::Lock);
    const Classifier classifier(
        configOf("[[lock]]\nkey = \"tickets\"\nlayout = \"redisson-semaphore\"\n"));
    const auto found = m_keys.classify("tickets", classifier);
    QVERIFY(found && found->declared);
    const Result<State> state = m_keys.read(found->primitive);
    QVERIFY(state && !state->problem);
    QCOMPARE(state->as<LockState>()->limit, Known());
    m_keys.string("tickets", "three");
    QVERIFY(m_keys.read(found->primitive)->problem);
}

LK_TEST(TestRedissonLocks);
#include "tst_redissonlocks.moc"
