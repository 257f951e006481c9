// SPDX-License-Identifier: GPL-3.0-or-later
// Locks as libraries write them: which they are, who holds them, and what only looks like one.
#include "fakekeys.h"

#include "backend/actions/catalog/catalog.h"

#include <QtTest>

using namespace lk;

namespace {

using Known = std::optional<qint64>;
using Phase = LockState::Phase;
using Fields = std::vector<std::pair<QByteArray, QByteArray>>;
using Members = std::vector<ScoredMember>;

constexpr qint64 now = 1795223350117;
constexpr double seconds = 1795223350.117;
const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");
const QByteArray other = QByteArrayLiteral("0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c");
const QByteArray uuid1Hex = QByteArrayLiteral("27015200e54811f18f000242ac110002");
const QByteArray token44 = QByteArrayLiteral("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=");
const QByteArray other44 = QByteArrayLiteral("ZmVkY2JhWllYV1ZVVFNSUVBPTk1MS0pJSEdGRURDQkE=");
const QByteArray dotnet = QByteArrayLiteral("WEB_01_4242_0123456789abcdef0123456789abcdef");
const QByteArray digest = QByteArrayLiteral("uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5");

} // namespace

class TestLibraryLocks : public QObject
{
    Q_OBJECT

private slots:
    void strings_data();
    void strings();
    void timestamps_data();
    void timestamps();
    void aSignalIsPartOfItsLock();
    void shedLockMayHaveEnded();
    void redissonLock();
    void redissonFairLock();
    void redissonReadersAndWriter();
    void redissonFencingToken();
    void whatBelongsToARedissonLock();
    void redissonPermits();
    void redissonSemaphoreOnlyWhenDeclared();
    void semaphoreHoldersAndTheirLease();
    void severalPermitsOfOneHolder();
    void symfonyWriterAndReaders();
    void symfonySemaphore();
    void throttledJobs();
    void dotnetSemaphore();
    void dotnetReadersAndWriter();
    void rubySemaphoreKnowsItsLimit();
    void uniqueJobs();
    void funnelSlots();
    void rueidisNeedsAMajority();
    void nextcloudFiles();
    void lookAlikes_data();
    void lookAlikes();

private:
    QMap<QByteArray, Primitive> all() { return m_keys.discover(); }
    /// The state of the primitive of that layout and name; a problem where there is none.
    LockState lockOf(const QByteArray& layout, const QByteArray& name)
    {
        const auto found = all();
        const auto it = found.find(layout + ' ' + name);
        if (it == found.end())
            qFatal("not found: %s", (layout + ' ' + name).constData());
        m_primitive = *it;
        const Result<State> state = m_keys.read(m_primitive, Depth::Detail);
        if (!state || !state->as<LockState>())
            qFatal("not a lock: %s", name.constData());
        m_state = *state;
        return *state->as<LockState>();
    }
    QString fact(const char* label) const
    {
        for (const Fact& f : m_state.facts) {
            if (f.label == QLatin1String(label))
                return f.value;
        }
        return {};
    }

    FakeKeys m_keys;
    Primitive m_primitive;
    State m_state;
};

void TestLibraryLocks::strings_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, const QByteArray& value, qint64 ttl, const char* layout) {
        QTest::addRow("%s", key) << QByteArray(key) << value << ttl << QByteArray(layout);
    };
    row("report", uuid1Hex, 30'000, "redis-py-lock");
    row(":1:import", uuid1Hex, 30'000, "redis-py-lock");
    row("lock:without-ttl", uuid1Hex, -1, "redis-py-lock");
    row("mutex:invoice", uuid, 10'000, "redis-semaphore-mutex");
    row("acme:mutex:invoice", uuid, 10'000, "redis-semaphore-mutex");
    row("redlock:invoice", uuid, 10'000, "redlock-net");
    row("gitlab:exclusive_lease:project:7", uuid, 60'000, "gitlab-exclusive-lease");
    row("job-lock:default:nightly", "ADDED:2026-11-21T01:09:08.120Z@web-1", 60'000, "shedlock");
    row("lock:py", "QUJDREVGR0hJSktMTU5PUFFS", -1, "python-redis-lock");
    row("acme:lock:py", "QUJDREVGR0hJSktMTU5PUFFS", 9'000, "python-redis-lock");
    row("laravel_database_laravel_cache_:report", "p5XWtYlOHhbNnqYz", 60'000, "laravel-lock");
    row("shop_database_shop_cache_:report", "p5XWtYlOHhbNnqYz", -1, "laravel-lock");
    row("shop-cache-framework/schedule-0a1b", "p5XWtYlOHhbNnqYz", 86'000'000, "laravel-lock");
    row("invoice-lock", dotnet, 30'000, "distributedlock-net");
}

void TestLibraryLocks::strings()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(qint64, ttl);
    QFETCH(QByteArray, layout);
    m_keys = {};
    m_keys.string(key, value, ttl);
    const LockState lock = lockOf(layout, key);
    QCOMPARE(m_primitive.kind, Kind::Lock);
    QVERIFY(m_primitive.confidence >= 0.9);
    QVERIFY(lock.ownerKnown);
    QCOMPARE(lock.owner, value);
    QCOMPARE(lock.holds, 1);
    QCOMPARE(lock.limit, Known(1));
    QCOMPARE(lock.phase, ttl < 0 ? Phase::NoTtl : Phase::Held);
    QCOMPARE(lock.leaseMs, ttl < 0 ? Known() : Known(ttl));
    QVERIFY(!fact("Library").isEmpty());
    // Released by its owner's name; the rest is each library's.
    QVERIFY(findAction(*findLayout(layout), "lock.release"));
}

void TestLibraryLocks::timestamps_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<int>("phase");
    const auto row = [](const char* key, const char* value, qint64 ttl, const char* layout,
                        Phase phase) {
        QTest::addRow("%s %s", key, value)
            << QByteArray(key) << QByteArray(value) << ttl << QByteArray(layout) << int(phase);
    };
    row("RedisMutex:a", "1795223355.25", -1, "redis-mutex", Phase::Held);
    row("RedisMutex:a", "1795223345.25", -1, "redis-mutex", Phase::Expired);
    row("user:1:sync_lock", "1795223355.25", -1, "redis-objects-lock", Phase::Held);
    row("lock.import", "1795223355117", 5'000, "redis-lock-npm", Phase::Held);
    row("default:image_mutex", "1795223380", 31'500, "discourse-mutex", Phase::Held);
    // the end and the TTL do not belong together
    row("lock:image", "1795223380", 300'000, "set-nx-px", Phase::Held);
}

void TestLibraryLocks::timestamps()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(qint64, ttl);
    QFETCH(QByteArray, layout);
    m_keys = {};
    m_keys.string(key, value, ttl);
    const LockState lock = lockOf(layout, key);
    QTEST(int(lock.phase), "phase");
    QVERIFY(layout == "set-nx-px" || m_primitive.confidence >= 0.9);
}

void TestLibraryLocks::aSignalIsPartOfItsLock()
{
    m_keys = {};
    m_keys.string("acme:lock:py", "QUJDREVGR0hJSktMTU5PUFFS", 9'000);
    m_keys.list("acme:lock-signal:py", {"1"});
    lockOf("python-redis-lock", "acme:lock:py");
    QCOMPARE(m_primitive.key("signal"), QByteArray("acme:lock-signal:py"));
    const Layout* layout = findLayout("python-redis-lock");
    QCOMPARE(layout->ownersOf("acme:lock-signal:py"), std::vector<QByteArray>{"acme:lock:py"});
    QVERIFY(layout->ownersOf("acme:lock:py").empty());
}

void TestLibraryLocks::shedLockMayHaveEnded()
{
    m_keys = {};
    m_keys.string("job-lock:default:nightly", "ADDED:2026-11-21T01:09:08.120Z@web-1", 60'000);
    const LockState lock = lockOf("shedlock", "job-lock:default:nightly");
    QCOMPARE(lock.ownerLabel, QByteArray("web-1"));
    QVERIFY(!fact("Work").isEmpty());
    QCOMPARE(fact("Host"), QStringLiteral("web-1"));
}

void TestLibraryLocks::redissonLock()
{
    m_keys = {};
    m_keys.hash("invoice", {{uuid + ":47", "2"}}, 30'000);
    const LockState lock = lockOf("redisson-lock", "invoice");
    QCOMPARE(lock.phase, Phase::Held);
    QCOMPARE(lock.owner, uuid + ":47");
    QCOMPARE(lock.ownerLabel, QByteArray("62556984:47"));
    QCOMPARE(lock.holds, 2);
    QCOMPARE(lock.limit, Known(1));
    QCOMPARE(lock.waiters, Known());
    QCOMPARE(lock.leaseMs, Known(30'000));
    QVERIFY(m_primitive.confidence >= 0.9);
}

void TestLibraryLocks::redissonFairLock()
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

void TestLibraryLocks::redissonReadersAndWriter()
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

void TestLibraryLocks::redissonFencingToken()
{
    m_keys = {};
    m_keys.hash("invoice", {{uuid + ":47", "1"}}, 30'000);
    m_keys.string("redisson_lock_token:{invoice}", "12");
    lockOf("redisson-lock", "invoice");
    QCOMPARE(fact("Fencing token"), QStringLiteral("12"));
}

void TestLibraryLocks::whatBelongsToARedissonLock()
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

void TestLibraryLocks::redissonPermits()
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

void TestLibraryLocks::redissonSemaphoreOnlyWhenDeclared()
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

void TestLibraryLocks::semaphoreHoldersAndTheirLease()
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
    // What the library does not store an operator may say.
    const auto declared = m_keys.classify(
        "acme:semaphore:vm", Classifier(configOf("[[lock]]\nkey = \"*:semaphore:*\"\nlayout = "
                                                 "\"redis-semaphore\"\nlimit = 3\n")));
    QVERIFY(declared && declared->declared);
    QCOMPARE(m_keys.read(declared->primitive)->as<LockState>()->limit, Known(3));
}

void TestLibraryLocks::severalPermitsOfOneHolder()
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

void TestLibraryLocks::symfonyWriterAndReaders()
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

void TestLibraryLocks::symfonySemaphore()
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

void TestLibraryLocks::throttledJobs()
{
    m_keys = {};
    m_keys.zset("throttled:MailJob:concurrency.v2", {{"1ab51d398abfa77a6a4d0f4d", seconds + 100}},
                900'000);
    const LockState lock = lockOf("sidekiq-throttled", "throttled:MailJob:concurrency.v2");
    QCOMPARE(lock.holds, 1);
    QCOMPARE(lock.limit, Known());
    QCOMPARE(lock.leaseMs, Known(100'000));
}

void TestLibraryLocks::dotnetSemaphore()
{
    m_keys = {};
    m_keys.zset("gpu", {{dotnet, double(now + 9'000)}}, 27'000);
    const LockState lock = lockOf("distributedlock-net-semaphore", "gpu");
    QCOMPARE(lock.leaseMs, Known(9'000));
    QCOMPARE(lock.holders[0].label, QByteArray("WEB_01, pid 4242"));
}

void TestLibraryLocks::dotnetReadersAndWriter()
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

void TestLibraryLocks::rubySemaphoreKnowsItsLimit()
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

void TestLibraryLocks::uniqueJobs()
{
    m_keys = {};
    m_keys.hash(digest + ":LOCKED", {{"1ab51d398abfa77a6a4d0f4d", "1795223340.5"}});
    const LockState lock = lockOf("sidekiq-unique-jobs", digest);
    QCOMPARE(lock.phase, Phase::Held); // without a TTL: it ends with its job
    QCOMPARE(lock.owner, QByteArray("1ab51d398abfa77a6a4d0f4d"));
    const Layout* layout = findLayout("sidekiq-unique-jobs");
    for (const char* end : {"", ":QUEUED", ":PRIMED", ":INFO"})
        QCOMPARE(layout->ownersOf(digest + end), std::vector<QByteArray>{digest});
    QVERIFY(layout->ownersOf("uniquejobs:digests").empty());
    // Its keys belong together.
    QVERIFY(!findAction(*layout, "key.delete"));
}

void TestLibraryLocks::funnelSlots()
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

void TestLibraryLocks::rueidisNeedsAMajority()
{
    m_keys = {};
    const QByteArray mine(24, '\x81');
    m_keys.string("rueidislock:0:invoice", mine, 5'000);
    m_keys.string("rueidislock:1:invoice", QByteArray(24, '\x82'), 5'000);
    LockState lock = lockOf("rueidislock", "rueidislock:invoice");
    QCOMPARE(all().size(), 1);
    QCOMPARE(m_primitive.name(), QByteArray("invoice"));
    QCOMPARE(lock.phase, Phase::Free);
    m_keys.string("rueidislock:2:invoice", mine, 4'000);
    lock = lockOf("rueidislock", "rueidislock:invoice");
    QCOMPARE(lock.phase, Phase::Held);
    QCOMPARE(lock.owner, mine.toHex());
    QCOMPARE(lock.leaseMs, Known(4'000));
}

void TestLibraryLocks::nextcloudFiles()
{
    m_keys = {};
    const QByteArray key = "0123456789abcdef/lockfiles/1ab51d398abfa77a6a4d0f4d5d0aa6c5";
    m_keys.string(key, "\"exclusive\"", 3'500'000);
    LockState lock = lockOf("nextcloud-file-lock", key);
    QCOMPARE(lock.phase, Phase::Held);
    QCOMPARE(lock.limit, Known(1));
    QVERIFY(!lock.ownerKnown);
    m_keys.string(key, "3", 3'500'000);
    lock = lockOf("nextcloud-file-lock", key);
    QVERIFY(lock.shared);
    QCOMPARE(lock.holds, 3);
    m_keys.string(key, "0", 3'500'000);
    QCOMPARE(lockOf("nextcloud-file-lock", key).phase, Phase::Free);
}

void TestLibraryLocks::lookAlikes_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    const auto row = [](const char* key, const QByteArray& value, qint64 ttl) {
        QTest::addRow("%s", key) << QByteArray(key) << value << ttl;
    };
    row("trace:8f3a", "4e2702f8577d4111a6401f556ae9948d", 60'000);
    row("mutexes:count", "4", 60'000);
    row("notmutex:a", "hello", 60'000);
    row("laravel_cache:login:timer", "1795223400", 50'000);
    row("user:42:avatar", "p5XWtYlOHhbNnqYz", -1);
    row("session:1", "p5XWtYlOHhbNnqYzAbCd", 60'000);
    row("status", "exclusive", 1'000'000);
    row("image:7", "img_42_d41d8cd98f00b204e9800998ecf8427e", 60'000);
    row("laravel_database_api_key:7", "p5XWtYlOHhbNnqYz", 60'000);
    row("user:7:account_lock", "1795220000", -1);
    row("account_lock:7", "1795223380", 29'883);
    row("rueidislock:0:short", "abc", 5'000);
    row("lock_version:12", "7", -1);
}

void TestLibraryLocks::lookAlikes()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(qint64, ttl);
    m_keys = {};
    m_keys.string(key, value, ttl);
    const auto found = m_keys.classify(key);
    const bool certain =
        found && found->primitive.kind == Kind::Lock && found->primitive.confidence >= 0.9;
    QVERIFY2(!certain, found ? found->primitive.id.layout.constData() : "");
}

QTEST_APPLESS_MAIN(TestLibraryLocks)
#include "tst_librarylocks.moc"
