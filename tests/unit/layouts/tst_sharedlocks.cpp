// SPDX-License-Identifier: GPL-3.0-or-later
// Locks with several owners at a time, as libraries write them: semaphores, readers and writers.
#include "tests/support/testprogram.h"
#include "tests/unit/librarylocks.h"

using namespace lk;

namespace {

constexpr qint64 now = 1795223350117;
constexpr double seconds = 1795223350.117;
const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");
const QByteArray other = QByteArrayLiteral("0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c");
const QByteArray token44 = QByteArrayLiteral("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=");
const QByteArray other44 = QByteArrayLiteral("ZmVkY2JhWllYV1ZVVFNSUVBPTk1MS0pJSEdGRURDQkE=");
const QByteArray dotnet = QByteArrayLiteral("WEB_01_4242_0123456789abcdef0123456789abcdef");

} // namespace

class TestSharedLocks : public QObject, private test::LibraryLocks
{
    Q_OBJECT

private slots:
    void semaphoreHoldersAndTheirLease();
    void severalPermitsOfOneHolder();
    void symfonyWriterAndReaders();
    void symfonySemaphore();
    void throttledJobs();
    void dotnetSemaphore();
    void dotnetReadersAndWriter();
    void rubySemaphoreKnowsItsLimit();
    void funnelSlots();
};

void TestSharedLocks::semaphoreHoldersAndTheirLease()
{
    m_keys = {};
    // lockTimeout 10 s: refreshed 2 s ago, and 9 s ago by who is late
    m_keys.zset("acme:semaphore:vm", {{uuid, double(now - 2'000)}, {other, double(now - 9'000)}},
                8'000);
    const LockState lock = lockOf("redis-semaphore", "acme:semaphore:vm");
    QVERIFY(m_primitive.confidence >= 0.9);
    QCOMPARE(lock.holds, 2);
    QCOMPARE(lock.limit, Known());
    QCOMPARE(lock.holders[0].name, other);
    QCOMPARE(lock.holders[0].leaseMs, Known(1'000));
    QCOMPARE(lock.holders[1].leaseMs, Known(8'000));
    QVERIFY(!lock.ownerKnown);
    QCOMPARE(m_state.revisitAtMs, now + 1'001);
    // An operator may declare values that the library does not store.
    const auto declared = m_keys.classify(
        "acme:semaphore:vm", Classifier(configOf("[[lock]]\nkey = \"*:semaphore:*\"\nlayout = "
                                                 "\"redis-semaphore\"\nlimit = 3\n")));
    QVERIFY(declared && declared->declared);
    QCOMPARE(m_keys.read(declared->primitive)->as<LockState>()->limit, Known(3));
}

void TestSharedLocks::severalPermitsOfOneHolder()
{
    m_keys = {};
    m_keys.zset("semaphore:vm",
                {{uuid + "_0", double(now - 100)}, {uuid + "_1", double(now - 100)}}, 9'900);
    const LockState lock = lockOf("redis-semaphore", "semaphore:vm");
    QCOMPARE(lock.holds, 2);
    QCOMPARE(lock.holdersTotal, 1);
    QVERIFY(lock.ownerKnown);
    QCOMPARE(lock.owner, uuid);
}

void TestSharedLocks::symfonyWriterAndReaders()
{
    m_keys = {};
    m_keys.zset("report", {{token44, double(now + 30'000)}, {"__write__", double(now + 30'000)}},
                30'000);
    LockState lock = lockOf("symfony-lock", "report");
    QVERIFY(!lock.shared);
    QCOMPARE(lock.limit, Known(1));
    QCOMPARE(lock.owner, token44);
    QCOMPARE(lock.leaseMs, Known(30'000));
    m_keys.zset("report", {{token44, double(now + 30'000)}, {other44, double(now + 20'000)}},
                30'000);
    lock = lockOf("symfony-lock", "report");
    QVERIFY(lock.shared);
    QCOMPARE(lock.limit, Known());
    QCOMPARE(lock.holdersTotal, 2);
    QCOMPARE(lock.leaseMs, Known(30'000));
    // Its TTL is not the end of what is in it: something else.
    m_keys.zset("report", {{token44, double(now + 30'000)}}, 90'000);
    QVERIFY(!all().contains("symfony-lock report"));
}

void TestSharedLocks::symfonySemaphore()
{
    m_keys = {};
    m_keys.zset("{import}:time", {{token44, seconds + 30}, {other44, seconds - 1}}, 40'000);
    m_keys.zset("{import}:weight", {{token44, 3}, {other44, 1}}, 40'000);
    const LockState lock = lockOf("symfony-semaphore", "import");
    QCOMPARE(all().size(), 1);
    QCOMPARE(lock.holds, 3);
    QCOMPARE(lock.limit, Known());
    QCOMPARE(lock.holdersTotal, 2);
    QCOMPARE(lock.holders[1].holds, 3);
    QCOMPARE(lock.owner, token44);
}

void TestSharedLocks::throttledJobs()
{
    m_keys = {};
    m_keys.zset("throttled:MailJob:concurrency.v2", {{"1ab51d398abfa77a6a4d0f4d", seconds + 100}},
                900'000);
    const LockState lock = lockOf("sidekiq-throttled", "throttled:MailJob:concurrency.v2");
    QCOMPARE(lock.holds, 1);
    QCOMPARE(lock.limit, Known());
    QCOMPARE(lock.leaseMs, Known(100'000));
}

void TestSharedLocks::dotnetSemaphore()
{
    m_keys = {};
    m_keys.zset("gpu", {{dotnet, double(now + 9'000)}}, 27'000);
    const LockState lock = lockOf("distributedlock-net-semaphore", "gpu");
    QCOMPARE(lock.leaseMs, Known(9'000));
    QCOMPARE(lock.holders[0].label, QByteArray("WEB_01, pid 4242"));
}

void TestSharedLocks::dotnetReadersAndWriter()
{
    m_keys = {};
    m_keys.set("book.readers", {dotnet});
    m_keys.string("book.writer", dotnet + "_WRITERWAITING", 30'000);
    LockState lock = lockOf("distributedlock-net-rw", "book");
    QCOMPARE(all().size(), 1);
    QVERIFY(lock.shared);
    QCOMPARE(lock.holdersTotal, 1);
    QCOMPARE(lock.waiters, Known(1));
    QCOMPARE(lock.waiting.front().name, dotnet);
    m_keys.remove("book.readers");
    m_keys.string("book.writer", dotnet, 30'000);
    lock = lockOf("distributedlock-net-rw", "book");
    QVERIFY(!lock.shared && lock.ownerKnown);
    QCOMPARE(lock.waiters, Known(0));
    QCOMPARE(lock.phase, Phase::Held);
}

void TestSharedLocks::rubySemaphoreKnowsItsLimit()
{
    m_keys = {};
    m_keys.string("SEMAPHORE:vm:EXISTS", "1");
    m_keys.string("SEMAPHORE:vm:VERSION", "1");
    m_keys.list("SEMAPHORE:vm:AVAILABLE", {"1", "2"});
    m_keys.hash("SEMAPHORE:vm:GRABBED", {{"0", "1795223340.5"}});
    LockState lock = lockOf("ruby-redis-semaphore", "SEMAPHORE:vm");
    QCOMPARE(all().size(), 1);
    QCOMPARE(m_primitive.name(), QByteArray("vm"));
    QCOMPARE(lock.limit, Known(3));
    QCOMPARE(lock.holds, 1);
    QCOMPARE(lock.holders[0].sinceMs, Known(1795223340500));
    QCOMPARE(lock.phase, Phase::Held);
    m_keys.remove("SEMAPHORE:vm:GRABBED");
    m_keys.list("SEMAPHORE:vm:AVAILABLE", {"1", "2", "0"});
    lock = lockOf("ruby-redis-semaphore", "SEMAPHORE:vm");
    QCOMPARE(lock.phase, Phase::Free);
    QCOMPARE(lock.limit, Known(3));
}

void TestSharedLocks::funnelSlots()
{
    m_keys = {};
    m_keys.string("shop_database_export1", "p5XWtYlOHhbNnqYzAbCd", 50'000);
    m_keys.string("shop_database_export3", "q6XWtYlOHhbNnqYzAbCe", 60'000);
    const LockState lock = lockOf("laravel-funnel", "shop_database_export");
    QCOMPARE(all().size(), 1);
    QCOMPARE(lock.holds, 2);
    QCOMPARE(lock.limit, Known());
    QCOMPARE(fact("Limit"), QStringLiteral("at least 3"));
    QCOMPARE(lock.holders[0].leaseMs, Known(50'000));
}

LK_TEST(TestSharedLocks);
#include "tst_sharedlocks.moc"
