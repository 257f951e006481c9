// SPDX-License-Identifier: GPL-3.0-or-later
// Locks as libraries write them: which they are, who holds them, and what only looks like one.
#include "tests/support/testprogram.h"
#include "tests/unit/librarylocks.h"

#include "backend/libraries/api/action.h"

using namespace lk;

namespace {

const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");
const QByteArray uuid1Hex = QByteArrayLiteral("27015200e54811f18f000242ac110002");
const QByteArray dotnet = QByteArrayLiteral("WEB_01_4242_0123456789abcdef0123456789abcdef");
const QByteArray digest = QByteArrayLiteral("uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5");

} // namespace

class TestLibraryLocks : public QObject, private test::LibraryLocks
{
    Q_OBJECT

private slots:
    void strings_data();
    void strings();
    void namedByTheirLibrary();
    void ownersInObjects();
    void hashes_data();
    void hashes();
    void hashesThatAreNone_data();
    void hashesThatAreNone();
    void timestamps_data();
    void timestamps();
    void aSignalIsPartOfItsLock();
    void shedLockMayHaveEnded();
    void uniqueJobs();
    void rueidisNeedsAMajority();
    void nextcloudFiles();
    void lookAlikes_data();
    void lookAlikes();
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
    row("laravel_database_laravel_cacheimport-once", "p5XWtYlOHhbNnqYz", 60'000, "laravel-lock");
    row("acme_database_acme_cacheimport", "p5XWtYlOHhbNnqYz", -1, "laravel-lock");
    row("laravel_cacheimport-once", "p5XWtYlOHhbNnqYz", 60'000, "laravel-lock");
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

// Their values name no owner, or do not look like an owner.
void TestLibraryLocks::namedByTheirLibrary()
{
    m_keys = {};
    m_keys.string("@simple-redis-mutex:lock-invoice:42", "0.10219968667940549", 60'000);
    m_keys.string("@simple-redis-mutex:fencing-tokens", "7");
    LockState lock = lockOf("simple-redis-mutex", "@simple-redis-mutex:lock-invoice:42");
    QCOMPARE(lock.phase, Phase::Held);
    QCOMPARE(lock.owner, QByteArray("0.10219968667940549"));
    const auto messages =
        findLayout("simple-redis-mutex")->releaseMessages(m_primitive, lock.owner);
    QCOMPARE(messages.size(), size_t(1));
    QCOMPARE(messages[0].first, QByteArray("@simple-redis-mutex:locks-releases"));
    QCOMPARE(messages[0].second, QByteArray(R"({ "key": "@simple-redis-mutex:lock-invoice:42", )"
                                            R"("value": "0.10219968667940549" })"));

    m_keys = {};
    m_keys.string("redis-promise-lock:invoice:42", R"({"lockedSince":"2026-11-21T01:09:08.120Z"})",
                  60'000);
    QCOMPARE(all().size(), 1);
    lock = lockOf("redis-promise-lock", "redis-promise-lock:invoice:42");
    QCOMPARE(lock.phase, Phase::Held);
    QVERIFY(!lock.ownerKnown);
}

void TestLibraryLocks::ownersInObjects()
{
    m_keys = {};
    m_keys.string("lock:report",
                  R"({"owner":"web-1","pid":4242,"acquiredAt":"2026-11-21T01:09:08.120Z"})",
                  30'000);
    const LockState lock = lockOf("set-nx-px", "lock:report");
    QVERIFY(m_primitive.certainty() != Certainty::Possible);
    QCOMPARE(*lock.ownerLabel, QByteArray("web-1"));
    QVERIFY(!lock.ownerKnown); // the value is compared, and is not shown
    m_keys = {};
    m_keys.string("report:7", R"({"lockedBy":"worker-3","expiresAt":1795223380117})", 30'000);
    const auto possible = m_keys.classify("report:7");
    QVERIFY(possible && possible->primitive.kind == Kind::Lock);
    QVERIFY(possible->primitive.certainty() == Certainty::Possible);
    m_keys.string("cache:user:7", R"({"owner":"bob","rows":3})", 30'000);
    QVERIFY(!m_keys.classify("cache:user:7"));
}

void TestLibraryLocks::hashes_data()
{
    using Fields = std::vector<std::pair<QByteArray, QByteArray>>;
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<Fields>("fields");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<qint64>("holds");
    QTest::newRow("a field by its owner") << QByteArray("lock:invoice") << Fields{{uuid, "2"}}
                                          << QByteArray("hash-lock") << uuid << qint64(2);
    QTest::newRow("owner in a field")
        << QByteArray("invoice:lock") << Fields{{"owner", "web-1:4242"}, {"count", "1"}}
        << QByteArray("hash-lock") << QByteArray("web-1:4242") << qint64(1);
    QTest::newRow("ioredfour") << QByteArray("mylock:invoice:42") << Fields{{"index", "17"}}
                               << QByteArray("hash-lock") << QByteArray("17") << qint64(1);
    QTest::newRow("node-redisson")
        << QByteArray("invoice:42") << Fields{{uuid + ':' + uuid, "1"}}
        << QByteArray("redisson-lock") << (uuid + ':' + uuid) << qint64(1);
}

void TestLibraryLocks::hashes()
{
    using Fields = std::vector<std::pair<QByteArray, QByteArray>>;
    QFETCH(QByteArray, key);
    QFETCH(Fields, fields);
    QFETCH(QByteArray, layout);
    m_keys = {};
    m_keys.hash(key, fields, 30'000);
    m_keys.string("mylockindex", "17");
    const LockState lock = lockOf(layout, key);
    QVERIFY(m_primitive.certainty() != Certainty::Possible);
    QCOMPARE(lock.phase, Phase::Held);
    QTEST(lock.owner, "owner");
    QTEST(lock.holds, "holds");
    QVERIFY(findAction(*findLayout(layout), "lock.release"));
}

void TestLibraryLocks::hashesThatAreNone_data()
{
    using Fields = std::vector<std::pair<QByteArray, QByteArray>>;
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<Fields>("fields");
    QTest::addColumn<qint64>("ttl");
    QTest::newRow("cursors of a document")
        << QByteArray("cursors:doc:7") << Fields{{uuid + ":12", "37"}, {uuid + ":13", "2"}}
        << qint64(-1);
    QTest::newRow("one cursor") << QByteArray("cursors:doc:7") << Fields{{uuid + ":12", "37"}}
                                << qint64(30'000);
    QTest::newRow("several without a mode")
        << QByteArray("doc:7") << Fields{{uuid + ":12", "37"}, {uuid + ":13", "2"}}
        << qint64(30'000);
    QTest::newRow("a door") << QByteArray("door:lock:17") << Fields{{"owner", "bob"}, {"code", "1"}}
                            << qint64(30'000);
    QTest::newRow("an index without a counter")
        << QByteArray("search:17") << Fields{{"index", "17"}} << qint64(30'000);
}

void TestLibraryLocks::hashesThatAreNone()
{
    using Fields = std::vector<std::pair<QByteArray, QByteArray>>;
    QFETCH(QByteArray, key);
    QFETCH(Fields, fields);
    QFETCH(qint64, ttl);
    m_keys = {};
    m_keys.hash(key, fields, ttl);
    const auto claim = m_keys.classify(key);
    QVERIFY2(!claim || claim->primitive.certainty() == Certainty::Possible,
             claim ? QByteArray(claim->primitive.id.layout).constData() : "");
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
    QCOMPARE(*lock.ownerLabel, QByteArray("web-1"));
    QVERIFY(!fact("Work").isEmpty());
    QCOMPARE(fact("Host"), QStringLiteral("web-1"));
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

LK_TEST(TestLibraryLocks);
#include "tst_librarylocks.moc"
