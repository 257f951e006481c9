// SPDX-License-Identifier: GPL-3.0-or-later
// Which layout a key belongs to: every key of the documents that the layouts come from, and what
// looks like them and is not.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 now = 1795223350117;
constexpr qint64 noTtl = -1;
const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");

QByteArray winner(FakeKeys& keys, const QByteArray& key,
                  const Classifier& classifier = Classifier())
{
    const auto c = keys.classify(key, classifier);
    const bool claimed = c && c->primitive.certainty() != Certainty::Possible;
    return claimed ? c->primitive.id.layout.text() : QByteArrayLiteral("nobody");
}

} // namespace

class TestClassifier : public QObject
{
    Q_OBJECT

private slots:
    void strings_data();
    void strings();
    void sortedSets_data();
    void sortedSets();
    void hashes_data();
    void hashes();
    void lists_data();
    void lists();
    void everyLayoutIsListedOnce();
    void aDeclarationBeatsAGuess();
    void aPlainNameBeatsAPattern();
    void aDeclaredCompanionBelongsToItsMainKey();
    void aGuessedCompanionGetsTheMainKeysDeclaration();
    void theRunnerUpIsNamed();
    void aSmallWindowNeedsNoMoreThanItsProbe();
    void probesOfHostileKeysAreHarmless_data();
    void probesOfHostileKeysAreHarmless();
};

void TestClassifier::strings_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, const QByteArray& value, qint64 ttl, const char* layout) {
        QTest::addRow("%s", key) << QByteArray(key) << value << ttl << QByteArray(layout);
    };
    // the talk
    row("code:c17bd6", R"({"act_id": "1234", "email": "user@example.org"})", 3599999000,
        "string-token");
    row("myresource", "ef1f63c", 10000, "set-nx-px");
    // the blog
    row("gate:spawn_vm", "3", 900, "gate");
    row("spawn_vm:throttle", "17", 900, "fixed-window");
    // the patterns
    row("lock.foo", "1795223360", noTtl, "setnx-timestamp");
    row("resource-name-lock", "anystring", 30000, "set-nx-px");
    row("lock:orphan", "worker-3", noTtl, "set-nx-px");
    row("mycounter", "1", noTtl, "counter");
    row("key1", "Hello Redis", noTtl, "nobody");
    // locks of libraries
    row("job:42", "254968d0e54811f1a6401f556ae9948d", 30000, "redis-py-lock");
    row("mutex:a", uuid, 10000, "redis-semaphore-mutex");
    row("bull:mail:7:lock", uuid + ":3", 30000, "set-nx-px");
    row("lock:py", "QUJDREVGR0hJSktMTU5PUFFSU1RV", noTtl, "set-nx-px");
    row("RedisMutex:a", "1795223355.25", noTtl, "redis-mutex");
    row("user:1:sync_lock", "1795223360000", noTtl, "setnx-timestamp");
    row("deploy", "web-1:4242", 30000, "set-nx-px");
    // what only looks like one
    row("cache:page:1", R"({"title":"Home"})", 60000, "nobody");
    row("cache:etag:1", "ef1f63c", 60000, "nobody");
    row("greeting", "hello", 60000, "nobody");
    row("facade", "facade", 60000, "nobody");
    row("visits", "123456", 60000, "nobody");
    row("session:abc", uuid, 60000, "nobody");
    row("last_run", "1795223300", noTtl, "nobody");
    row("release-date", "1500000000", noTtl, "nobody");
    row("note", "a long text that goes on and on", 60000, "nobody");
    row("deploy:sha", "ef1f63c", 60000, "nobody");
    row("{my-rate-limiter}:value", "2", noTtl, "nobody");
    row("request_rate_limiter.{u1}.tokens", "9", 4000, "nobody");
    row("request_rate_limiter.{u1}.timestamp", "1795223350", 4000, "nobody");
    row("laravel_cache:login:timer", "1795223400", 50000, "nobody");
    row("throttle:cell", "1795223350117000000", 60000, "nobody");
    row("used:token:8f3a", "1", 60000, "nobody");
    row("nonce:8f3a9b", "1", 60000, "nobody");
    row("token:blacklist:8f3a", "1", 60000, "nobody");
    row("country:code", "49", 60000, "nobody");
    row("nameless", "1795223360", noTtl, "nobody");    // any time is one
    row("invite:X7pQ2rLm", "team 4", noTtl, "nobody"); // may be one for good
    row("pages:hits", "17", noTtl, "nobody");
    // counters
    row("login:attempts:bob", "3", 60000, "fixed-window");
    row("rate:1.2.3.4", "3", 60000, "fixed-window");
    row("rlflx:limit:bob", "9", noTtl, "rate-limiter-flexible");
    row("otp:42:attempts", "2", 60000, "fixed-window");
    row("sms:cooldown:42", "1", 60000, "gate");
    // tokens
    row("user_token:0an3dks7000xcj201ls", "42", 60000, "string-token");
    row("reset:bob@example.org", "8f3a", 60000, "string-token");
    row("otp:4915112345678", "123456", 60000, "string-token");
}

void TestClassifier::strings()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(qint64, ttl);
    FakeKeys keys;
    keys.string(key, value, ttl);
    QTEST(winner(keys, key), "layout");
}

using Members = std::vector<ScoredMember>;
Q_DECLARE_METATYPE(Members)

void TestClassifier::sortedSets_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<Members>("members");
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, Members members, qint64 ttl, const char* layout) {
        QTest::addRow("%s", key) << QByteArray(key) << members << ttl << QByteArray(layout);
    };
    const double s = 1795223350;
    // recorded from the talk's scripts
    row("myresource", {{"1795223350020", 1795223350020}, {"1795223350077", 1795223350077}}, noTtl,
        "rolling-window");
    row("api:retry",
        {{"1795223350604.3333", 1795223350604.3333}, {"1795223350937.6665", 1795223350937.6665}},
        noTtl, "rolling-window-retry");
    // recorded from the resource script
    row("z:rl:resource:12{12}", {{"336111", s}, {"350006", s}}, noTtl, "resource-consumer");
    row("z:rl:resource:12{12}:consumer:1", {{"336111", s}}, noTtl, "resource-consumer");
    row("z:rl:resource:12:{12}consumer:1", {{"7", s - 2}}, noTtl, "resource-consumer");
    row("vm:rate", {{"336111", s - 3}, {"350006", s - 2}, {"13", s}}, noTtl, "resource-consumer");
    // recorded permits of Redisson's four packings
    row("{my-rate-limiter}:permits", {{QByteArray("\xa4p\xbd>\x02\0\0\0", 8), 1795223350080}},
        noTtl, "redisson-rate-limiter");
    row("a{b}:permits", {{QByteArray("\b\0\0\0\0\0\0\0abcdefgh\x02\0\0\0", 20), 1795223350092}},
        noTtl, "redisson-rate-limiter");
    row("{c}:permits", {{QByteArray("\babcdefgh\x02\0\0\0", 13), 1795223350106}}, noTtl,
        "redisson-rate-limiter");
    row("{d}:permits:62556984-2963-4021-a640-1f556ae9948d",
        {{QByteArray("\x10"
                     "abcdefghijklmnop\x02\0\0\0",
                     21),
          1795223350108}},
        noTtl, "redisson-rate-limiter");
    // libraries
    row("limit:bob", {{"1795223350020123", 1795223350020123}}, 60000, "ratelimiter");
    row("limit:eve", {{"1795223350020.2058", 1795223350020.2058}}, 60000, "async-ratelimiter");
    row("ns:bob", {{uuid, 1795223350020123}}, 60000, "rolling-rate-limiter");
    // look-alikes
    row("jobs:retry", {{R"({"class":"Mail","jid":"a1"})", s + 60}}, noTtl, "nobody");
    row("retry", {{R"({"class":"Mail","jid":"a1"})", s - 60}}, noTtl, "nobody");
    row("schedule", {{"a1b2c3d4e5f6", s + 3600}}, noTtl, "nobody");
    row("bull:mail:delayed", {{"1", 7353234841600512}}, noTtl, "nobody");
    row("bull:mail:completed", {{"1", 1795223340000}, {"2", 1795223341000}}, noTtl, "nobody");
    row("semaphore:vm", {{uuid, 1795223340000}}, 10000, "redis-semaphore");
    row("unacked_index", {{uuid, s - 10.5}}, noTtl, "nobody");
    row("registry", {{uuid, s - 10.5}}, noTtl, "nobody");
    row("leaderboard", {{"parzival", 1000000}, {"art3mis", 900000}}, noTtl, "nobody");
    row("vm-spawns", {{"336111", s - 3}, {"350006", s - 2}, {"13", s}}, noTtl, "nobody");
    row("users:online", {{"101", s - 3}, {"10200", s - 2}, {"30333", s}}, noTtl, "nobody");
    row("horizon:recent_jobs", {{"1", -s}}, noTtl, "nobody");
    row("deadlines", {{"1795223999000", 1795223999000}}, noTtl, "nobody");
    row("mixed", {{"1795223350", 1795223350}, {"1795223350020", 1795223350020}}, noTtl, "nobody");
    row("bull:mail:priority", {{"1", 3}, {"2", 10}}, noTtl, "nobody");
    row("weights", {{"a", 0.2}, {"b", 1}}, noTtl, "weighted-set");
    row("shares", {{"a", 0.2}, {"b", 1}}, noTtl, "nobody");
    row("forever", {{"inf", qInf()}}, noTtl, "nobody");
    row("{x}:permits", {{"not packed", 1795223350080}}, noTtl, "nobody");
}

void TestClassifier::sortedSets()
{
    QFETCH(QByteArray, key);
    QFETCH(Members, members);
    QFETCH(qint64, ttl);
    FakeKeys keys;
    keys.nowMs = now;
    keys.zset(key, members, ttl);
    QTEST(winner(keys, key), "layout");
}

using Fields = std::vector<std::pair<QByteArray, QByteArray>>;
Q_DECLARE_METATYPE(Fields)

void TestClassifier::hashes_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<Fields>("fields");
    QTest::addColumn<QByteArray>("layout");
    const auto row = [](const char* key, Fields fields, const char* layout) {
        QTest::addRow("%s", key) << QByteArray(key) << fields << QByteArray(layout);
    };
    row("my-rate-limiter", {{"rate", "3"}, {"interval", "60000"}, {"type", "0"}},
        "redisson-rate-limiter");
    row("newer", {{"rate", "3"}, {"interval", "60000"}, {"type", "1"}, {"keepAliveTime", "0"}},
        "redisson-rate-limiter");
    row("user_token:0an3dks7000xcj201ls", {{"some_metadata", "x"}, {"used_by", "0"}}, "hash-token");
    row("invite:8f3a9b21", {{"used", "1"}}, "hash-token");
    row("coupon:7", {{"used", "1"}}, "nobody");
    row("anything", {{"used_by", "1"}}, "hash-token");
    row("gcra:config", {{"maxBurst", "3"}, {"rate", "3"}, {"period", "1"}}, "nobody");
    row("loan", {{"rate", "3"}, {"interval", "12"}, {"type", "0"}, {"owner", "bob"}}, "nobody");
    row("words", {{"rate", "fast"}, {"interval", "60000"}, {"type", "0"}}, "nobody");
    row("disk", {{"used", "1024"}, {"free", "3"}}, "nobody");
    row("myhash", {{"name", "andrew"}, {"job", "developer"}}, "nobody");
    row("rlock", {{uuid + ":12", "1"}}, "redisson-lock");
}

void TestClassifier::hashes()
{
    QFETCH(QByteArray, key);
    QFETCH(Fields, fields);
    FakeKeys keys;
    keys.hash(key, fields, 60000);
    QTEST(winner(keys, key), "layout");
}

void TestClassifier::lists_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("companion");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* key, const char* companion, const char* layout,
                        const char* name) {
        QTest::addRow("%s beside %s", key, companion)
            << QByteArray(key) << QByteArray(companion) << QByteArray(layout) << QByteArray(name);
    };
    row("jobs", "", "reliable-list", "jobs");
    row("jobs", "jobs:processing", "reliable-list", "jobs");
    row("jobs:processing", "", "reliable-list", "jobs");
    row("jobs:processing:worker1", "", "reliable-list", "jobs");
    row("processing:jobs", "jobs", "reliable-list", "jobs");
    row("orders", "orders_processing", "nobody", "");
    row("orders_processing", "orders", "reliable-list", "orders");
    row("orders", "orders:processing", "reliable-list", "orders");
    row("orders:in_progress", "orders:pending", "reliable-list", "orders");
    row("orders:dead", "orders", "reliable-list", "orders");
    row("users:active", "", "nobody", "");
    row("users:active", "users", "nobody", "");
    row("jobs:active", "jobs", "reliable-list", "jobs");
    row("orders:dead", "", "nobody", "");
    row("orders", "", "nobody", "");
    row("pagewviews.user:17", "", "nobody", ""); // without a TTL
    row("bull:mail:active", "bull:mail:wait", "nobody", "");
    row("resque:failed", "", "nobody", "");
}

void TestClassifier::lists()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, companion);
    FakeKeys keys;
    keys.list(key, {"a"});
    if (!companion.isEmpty())
        keys.list(companion, {"a"});
    QTEST(winner(keys, key), "layout");
    QFETCH(QByteArray, name);
    if (const auto c = keys.classify(key); c && !name.isEmpty())
        QCOMPARE(c->primitive.id.name, name);
}

void TestClassifier::everyLayoutIsListedOnce()
{
    QSet<QByteArray> ids;
    for (const Layout* layout : allLayouts()) {
        QVERIFY2(!ids.contains(layout->id()), layout->id().constData());
        ids.insert(layout->id());
        QCOMPARE(findLayout(layout->id()), layout);
        QVERIFY(!layout->title().isEmpty());
        QVERIFY(layout->wants(layout->mainType()));
    }
    for (const char* id :
         {"rolling-window", "token-bucket", "set-nx-px", "string-token", "reliable-list", "array"})
        QVERIFY2(ids.contains(id), id);
    QCOMPARE(findLayout("no-such-layout"), nullptr);
}

void TestClassifier::aDeclarationBeatsAGuess()
{
    FakeKeys keys;
    keys.string("code:c17bd6", "web-1:77", 1000);
    const Classifier classifier(configOf("[[lock]]\nkey = \"code:*\"\nlayout = \"set-nx-px\"\n"));
    const auto c = keys.classify("code:c17bd6", classifier);
    QVERIFY(c && c->declared);
    QCOMPARE(c->primitive.id.layout, QByteArray("set-nx-px"));
    QCOMPARE(c->primitive.confidence, 1.0);
    QCOMPARE(c->primitive.alternative.text(), QByteArray("string-token"));
    QCOMPARE(c->primitive.declaration->line, 1);
    QVERIFY(!keys.classify("other:1", classifier));
}

void TestClassifier::aPlainNameBeatsAPattern()
{
    FakeKeys keys;
    keys.string("lock:a", "1795223360", -1);
    const Classifier classifier(
        configOf("[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n"
                 "[[lock]]\nkey = \"lock:a\"\nlayout = \"setnx-timestamp\"\n"));
    QCOMPARE(winner(keys, "lock:a", classifier), QByteArray("setnx-timestamp"));
    QCOMPARE(classifier.declaredByName().size(), size_t(1));
    QCOMPARE(classifier.declaredByName().front().primitive.id.name, QByteArray("lock:a"));
}

void TestClassifier::aDeclaredCompanionBelongsToItsMainKey()
{
    FakeKeys keys;
    keys.marks("v1-fast", {now - 5});
    keys.marks("v1-fast-later", {now + 5});
    const Classifier classifier(
        configOf("[[limiter]]\nkey = \"v*\"\nlayout = \"rolling-window-retry\"\n"
                 "retry = \"{name}-later\"\nlimit = 5\nwindow = \"1s\"\n"));
    const auto main = keys.classify("v1-fast", classifier);
    const auto companion = keys.classify("v1-fast-later", classifier);
    QVERIFY(main && companion);
    QCOMPARE(main->primitive.id.name, QByteArray("v1-fast"));
    QCOMPARE(companion->primitive.id, main->primitive.id);
    QCOMPARE(companion->primitive.keys, main->primitive.keys);
}

void TestClassifier::aGuessedCompanionGetsTheMainKeysDeclaration()
{
    FakeKeys keys;
    keys.zset("z:rl:resource:12{12}:consumer:1", {{"336111", double(now / 1000)}});
    const Classifier classifier(
        configOf("[[limiter]]\nkey = \"z:rl:resource:12{12}\"\nlayout = \"resource-consumer\"\n"
                 "limit = 5\nwindow = \"10s\"\nconsumer_limit = 3\n"));
    const auto c = keys.classify("z:rl:resource:12{12}:consumer:1", classifier);
    QVERIFY(c && c->declared);
    QCOMPARE(c->primitive.id.name, QByteArray("z:rl:resource:12{12}"));
    QCOMPARE(c->primitive.declaration->consumerLimit, std::optional<qint64>(3));
}

void TestClassifier::theRunnerUpIsNamed()
{
    FakeKeys keys;
    keys.string("code:lease:8f3a9b", uuid, 1000);
    const auto lock = keys.classify("code:lease:8f3a9b");
    QVERIFY(lock);
    QCOMPARE(lock->primitive.id.layout, QByteArray("set-nx-px"));
    keys.string("lock.foo", "1795223360");
    const auto dated = keys.classify("lock.foo");
    QVERIFY(dated);
    QCOMPARE(dated->primitive.id.layout, QByteArray("setnx-timestamp"));
    QCOMPARE(dated->primitive.alternative.text(), QByteArray("set-nx-px"));
}

void TestClassifier::aSmallWindowNeedsNoMoreThanItsProbe()
{
    FakeKeys keys;
    const Classifier classifier;
    keys.marks("tenant:limiter:000123", {now - 500, now - 400, now - 300, now - 200, now - 100});
    const Probe probe = keys.probe("tenant:limiter:000123", classifier);
    QCOMPARE(keys.commands, 2); // and TYPE, which the scan asks for
    QVERIFY(probe.siblings.empty());
    const auto c = classifier.classify(probe);
    QVERIFY(c);
    const ReadContext context{now, Depth::Summary, false, nullptr};
    for (const Command& command : firstCommands(c->primitive.id.layout, c->primitive, context)) {
        const bool answered =
            std::find(probe.asked.begin(), probe.asked.end(), command) != probe.asked.end();
        QVERIFY2(answered, qPrintable(command.display()));
    }
}

void TestClassifier::probesOfHostileKeysAreHarmless_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const QByteArray& key :
         {QByteArray(), QByteArray("\0\xff\xfe", 3), QByteArray(":"), QByteArray("{}"),
          QByteArray("{}:value"), QByteArray(":consumer:"), QByteArray("consumer:"),
          QByteArray("rate"), QByteArray("retry"), QByteArray("processing"),
          QByteArray(":processing:"), QByteArray("lock"), QByteArray("token:"),
          QByteArray(4096, 'r'), QByteArray(4096, ':')})
        QTest::addRow("%s", key.left(20).toHex(' ').constData()) << key;
}

void TestClassifier::probesOfHostileKeysAreHarmless()
{
    QFETCH(QByteArray, key);
    FakeKeys keys;
    const Classifier classifier;
    const auto classifyAndRead = [&] {
        const auto c = keys.classify(key, classifier);
        if (c && !keys.read(c->primitive, Depth::Detail))
            QFAIL("a claimed key cannot be read");
        // Every layout has to stand every key, claimed or not: somebody may declare it.
        for (const Layout* layout : allLayouts()) {
            Declaration d;
            d.pattern = "*";
            const Claim claim = layout->declared(d, key);
            Primitive p{layout->kind(), ProvenBy::Itself, false, 1, claim.id,
                        claim.keys,     nullptr,          {},    {}};
            Q_UNUSED(keys.read(p, Depth::Detail)); // an error is one, too
        }
    };
    for (const QByteArray& value :
         {QByteArray(), QByteArray("nan"), QByteArray("-1"), QByteArray("1e999"),
          QByteArray("99999999999999999999"), QByteArray(200, '\0')}) {
        keys.string(key, value);
        classifyAndRead();
        keys.hash(key, {{"rate", value}, {"interval", value}, {"type", value}, {"used_by", value}});
        classifyAndRead();
        keys.list(key, {value});
        classifyAndRead();
        for (const double score : {qInf(), -qInf(), 0.0, -1.0, 1e308, 1795223350117.0}) {
            keys.zset(key, {{value, score}, {"b" + value, score}});
            classifyAndRead();
        }
    }
}

LK_TEST(TestClassifier);
#include "tst_classifier.moc"
