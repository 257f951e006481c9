// SPDX-License-Identifier: GPL-3.0-or-later
// Limiters whose one value holds everything in a format of its own: bucket4j's binary, Python's
// pickle, PHP's serialised objects; and Bottleneck's eight keys.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtEndian>
#include <QtTest>

using namespace lk;

namespace {

using Known = std::optional<qint64>;

template<typename Number> void put(QByteArray& bytes, Number value)
{
    char raw[sizeof(Number)];
    qToBigEndian(value, raw);
    bytes.append(raw, sizeof raw);
}

struct Bandwidth
{
    qint64 capacity;
    qint64 periodMs;
    qint64 refill;
    qint64 tokens;
    qint64 ageMs; ///< the age of the last refill
    bool intervally = false;
};

// As RemoteBucketState's serializer writes it.
QByteArray bucket4j(const std::vector<Bandwidth>& all, qint64 nowMs, qint32 format = 1)
{
    QByteArray bytes;
    put(bytes, format);
    put(bytes, qint32(1));
    put(bytes, qint32(all.size()));
    for (const Bandwidth& b : all) {
        put(bytes, qint32(1));
        put(bytes, b.capacity);
        put(bytes, b.capacity);
        put(bytes, b.periodMs * 1'000'000);
        put(bytes, b.refill);
        put(bytes, quint8(b.intervally));
        put(bytes, std::numeric_limits<qint64>::min());
        put(bytes, quint8(0));
        put(bytes, quint8(0));
    }
    put(bytes, qint32(3));
    put(bytes, qint32(1));
    put(bytes, qint32(3 * all.size()));
    for (const Bandwidth& b : all) {
        put(bytes, (nowMs - b.ageMs) * 1'000'000);
        put(bytes, b.tokens);
        put(bytes, qint64(0));
    }
    put(bytes, qint32(1));
    put(bytes, qint64(40));
    if (format == 2) {
        put(bytes, quint8(1));
        put(bytes, qint64(7));
    }
    return bytes;
}

LimiterState limiterOf(const Result<State>& state)
{
    return state && state->as<LimiterState>() ? *state->as<LimiterState>() : LimiterState();
}

// Symfony 5.4 with PHP 8.2 and igbinary 3.2; written at 1795331349.549.
constexpr qint64 symfonyMs = 1795331349549;
const QByteArray phpWindow =
    QByteArray("O:43:\"Symfony\\Component\\RateLimiter\\Policy\\Window\":2:{s:9:\"login-ada\";d:"
               "1795331349.549084;s:8:\"") +
    QByteArray::fromHex("000000030000003c") + "\";i:5;}";
const QByteArray binaryWindow = QByteArray::fromHex(
    "00000002172b53796d666f6e795c436f6d706f6e656e745c526174654c696d697465725c506f6c6963795c57696e64"
    "6f77140211096c6f67696e2d6164610c41dac0a5456324311108000000030000003c0605");
const QByteArray binarySliding = QByteArray::fromHex(
    "00000002173253796d666f6e795c436f6d706f6e656e745c526174654c696d697465725c506f6c6963795c536c6964"
    "696e6757696e646f771401111500000004000000000000003c6c6f67696e2d6164610c41dac0a5546325a7");
const QByteArray binaryBucket = QByteArray::fromHex(
    "00000002173053796d666f6e795c436f6d706f6e656e745c526174654c696d697465725c506f6c6963795c546f6b65"
    "6e4275636b65741402110d0000000a6c6f67696e2d61646106071111503059304d304454303048314d30532d350c41"
    "dac0a54563284a");

} // namespace

class TestLimiterValues : public QObject
{
    Q_OBJECT

private slots:
    void bucket4jTellsAll();
    void bucket4jRefills();
    void ofSeveralBandwidthsTheOneWithTheLeastDecides();
    void otherBytesAreNoBucket_data();
    void otherBytesAreNoBucket();
    void djangoKeepsItsTimesPickled_data();
    void djangoKeepsItsTimesPickled();
    void symfonysPolicies_data();
    void symfonysPolicies();
    void bottleneckIsOneLimiter();
    void symfonysLongIdsAreFound();
    void aReservoirThatIsRefilledIsAWindow();
};

void TestLimiterValues::bucket4jTellsAll()
{
    FakeKeys keys;
    keys.string("any name", bucket4j({{10, 60'000, 10, 0, 0}}, keys.nowMs));
    QCOMPARE(keys.answer({"STRLEN", "any name"}).integer, 107); // as the library's own
    const auto found = keys.discover();
    QCOMPARE(found.keys(), QList<QByteArray>{"bucket4j any name"});
    const LimiterState limiter = limiterOf(keys.read(found.first()));
    QCOMPARE(limiter.algorithm, Algorithm::TokenBucket);
    QCOMPARE(limiter.limit, Known(10));
    QCOMPARE(limiter.limitSource, Source::Stored);
    QCOMPARE(limiter.windowMs, Known(60'000));
    QCOMPARE(limiter.occupancy, Known(10));
    QCOMPARE(limiter.nextFreeMs, Known(6'000));
}

void TestLimiterValues::bucket4jRefills()
{
    FakeKeys keys;
    keys.string("greedy", bucket4j({{10, 60'000, 10, 2, 30'000}}, keys.nowMs, 2));
    keys.string("intervally", bucket4j({{10, 60'000, 10, 0, 30'000, true}}, keys.nowMs));
    const auto found = keys.discover();
    QCOMPARE(limiterOf(keys.read(found["bucket4j greedy"])).occupancy, Known(3));
    const LimiterState intervally = limiterOf(keys.read(found["bucket4j intervally"]));
    QCOMPARE(intervally.occupancy, Known(10));
    QCOMPARE(intervally.nextFreeMs, Known(30'000));
}

void TestLimiterValues::ofSeveralBandwidthsTheOneWithTheLeastDecides()
{
    FakeKeys keys;
    keys.string("two",
                bucket4j({{1000, 3'600'000, 1000, 900, 0}, {20, 1000, 20, 3, 0}}, keys.nowMs));
    const auto found = keys.discover();
    QCOMPARE(found.keys(), QList<QByteArray>{"bucket4j two"});
    const LimiterState limiter = limiterOf(keys.read(found.first()));
    QCOMPARE(limiter.limit, Known(20));
    QCOMPARE(limiter.remaining, Known(3));
}

void TestLimiterValues::otherBytesAreNoBucket_data()
{
    QTest::addColumn<QByteArray>("value");
    const QByteArray right = bucket4j({{10, 60'000, 10, 0, 0}}, 1795223350117);
    QTest::newRow("cut") << right.chopped(1);
    QTest::newRow("longer") << right + 'x';
    QTest::newRow("another format") << QByteArray(right).replace(3, 1, "\x07");
    QTest::newRow("no capacity") << bucket4j({{0, 60'000, 10, 0, 0}}, 1795223350117);
    QTest::newRow("zeros") << QByteArray(107, '\0');
}

void TestLimiterValues::otherBytesAreNoBucket()
{
    QFETCH(QByteArray, value);
    FakeKeys keys;
    keys.string("any name", value);
    QVERIFY(keys.discover().isEmpty());
}

void TestLimiterValues::djangoKeepsItsTimesPickled_data()
{
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<qint64>("used");
    QTest::newRow("protocol 4") << QByteArray::fromHex(
                                       "80049520000000000000005d94284741dac03bcd6000004741dac03bcb1"
                                       "000004741dac03bc1080000652e")
                                << qint64(3);
    QTest::newRow("protocol 5, one")
        << QByteArray::fromHex("8005950d000000000000005d944741dac03bcd600000612e") << qint64(1);
    QTest::newRow("protocol 2, one")
        << QByteArray::fromHex("80025d71004741dac03bcd600000612e") << qint64(1);
}

void TestLimiterValues::djangoKeepsItsTimesPickled()
{
    QFETCH(QByteArray, pickle);
    QFETCH(qint64, used);
    FakeKeys keys;
    keys.string(":1:throttle_anon_10.0.0.7", pickle, 59'383);
    keys.string(":1:views_10.0.0.7", pickle, 59'383);
    const auto found = keys.discover();
    QCOMPARE(found.keys(), QList<QByteArray>{"drf-throttle :1:throttle_anon_10.0.0.7"});
    const LimiterState limiter = limiterOf(keys.read(found.first()));
    QCOMPARE(limiter.occupancy, Known(used));
    QCOMPARE(limiter.windowMs, Known(60'000));
    QVERIFY(!limiter.limit);
}

void TestLimiterValues::symfonysPolicies_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<qint64>("ageMs");
    QTest::addColumn<qint64>("used");
    QTest::addColumn<qint64>("limit"); // 0: unknown
    QTest::addColumn<qint64>("window");
    const auto row = [](const char* title, const QByteArray& value, Algorithm algorithm,
                        qint64 ageMs, qint64 used, qint64 limit, qint64 window) {
        QTest::newRow(title) << value << algorithm << ageMs << used << limit << window;
    };
    row("window", phpWindow, Algorithm::FixedWindow, 1'000, 3, 5, 60'000);
    row("window, igbinary", binaryWindow, Algorithm::FixedWindow, 1'000, 3, 5, 60'000);
    row("window that ended", binaryWindow, Algorithm::FixedWindow, 61'000, 0, 5, 60'000);
    row("sliding window", binarySliding, Algorithm::SlidingCounter, 1'000, 4, 0, 60'000);
    row("sliding, half of the next", binarySliding, Algorithm::SlidingCounter, 90'000, 2, 0,
        60'000);
    row("token bucket", binaryBucket, Algorithm::TokenBucket, 1'000, 3, 10, 120'000);
    row("token bucket, refilled", binaryBucket, Algorithm::TokenBucket, 61'000, 0, 10, 120'000);
}

void TestLimiterValues::symfonysPolicies()
{
    QFETCH(QByteArray, value);
    QFETCH(qint64, ageMs);
    QFETCH(qint64, limit);
    QFETCH(qint64, used);
    QFETCH(qint64, window);
    FakeKeys keys;
    keys.nowMs = symfonyMs + ageMs;
    keys.string("Xr3lq:4d1f3b", value, 59'000);
    keys.string("Xr3lq:plain", "O:8:\"stdClass\":1:{s:1:\"a\";i:1;}", 59'000);
    const auto found = keys.discover();
    QCOMPARE(found.keys(), QList<QByteArray>{"symfony-rate-limiter Xr3lq:4d1f3b"});
    const LimiterState limiter = limiterOf(keys.read(found.first()));
    QTEST(limiter.algorithm, "algorithm");
    QCOMPARE(limiter.occupancy, Known(used));
    QCOMPARE(limiter.limit, limit ? Known(limit) : Known());
    QCOMPARE(limiter.windowMs, Known(window));
}

// The beginning of the value contains the id, however long it is.
void TestLimiterValues::symfonysLongIdsAreFound()
{
    const auto window = [](const QByteArray& id) {
        return R"(O:50:"Symfony\Component\RateLimiter\Policy\Window":2:{s:)" +
               QByteArray::number(id.size()) + ":\"" + id + R"(";d:1795223340.1;s:8:")" +
               QByteArray::fromHex("000000030000003c") + R"(";i:5;})";
    };
    FakeKeys keys;
    keys.string("Xr3lq:1", window("login-2001:db8:85a3:8d3:1319:8a2e:370:7348"), 59'000);
    keys.string("Xr3lq:2", window("login-" + QByteArray(80, 'x')), 59'000);
    const auto found = keys.discover();
    QCOMPARE(found["symfony-rate-limiter Xr3lq:1"].name(),
             QByteArray("login-2001:db8:85a3:8d3:1319:8a2e:370:7348"));
    QVERIFY(found["symfony-rate-limiter Xr3lq:2"].name().startsWith("login-xxxxxxxx"));
    QVERIFY(found["symfony-rate-limiter Xr3lq:2"].name().endsWith("\xe2\x80\xa6"));
}

void TestLimiterValues::aReservoirThatIsRefilledIsAWindow()
{
    FakeKeys keys;
    const auto write = [&](const char* left, qint64 ageMs) {
        keys.hash("b_mails_settings",
                  {{"maxConcurrent", "2"},
                   {"minTime", "0"},
                   {"reservoir", left},
                   {"reservoirRefreshInterval", "60000"},
                   {"reservoirRefreshAmount", "5"},
                   {"lastReservoirRefresh", QByteArray::number(keys.nowMs - ageMs)},
                   {"running", "1"},
                   {"done", "40"}});
        return limiterOf(keys.read(keys.discover()["bottleneck b_mails_settings"]));
    };
    const LimiterState used = write("2", 20'000);
    QCOMPARE(used.algorithm, Algorithm::FixedWindow);
    QCOMPARE(used.limit, Known(5));
    QCOMPARE(used.limitSource, Source::Stored);
    QCOMPARE(used.windowMs, Known(60'000));
    QCOMPARE(used.occupancy, Known(3));
    QCOMPARE(write("0", 20'000).nextFreeMs, Known(40'000));
    QCOMPARE(write("0", 70'000).occupancy, Known(0));
}

void TestLimiterValues::bottleneckIsOneLimiter()
{
    FakeKeys keys;
    keys.hash("b_mails_settings", {{"id", "mails"},
                                   {"maxConcurrent", "5"},
                                   {"minTime", "100"},
                                   {"reservoir", ""},
                                   {"running", "3"},
                                   {"done", "40"},
                                   {"unblockTime", "0"},
                                   {"version", "2.19.5"}});
    keys.zset("b_mails_client_running", {{"c1", 3}, {"c2", 0}});
    keys.zset("b_mails_job_expirations", {{"j1", double(keys.nowMs + 60'000)}});
    const auto found = keys.discover();
    QVERIFY(found.contains("bottleneck b_mails_settings"));
    const LimiterState limiter = limiterOf(keys.read(found["bottleneck b_mails_settings"]));
    QCOMPARE(limiter.algorithm, Algorithm::Concurrency);
    QCOMPARE(limiter.limit, Known(5));
    QCOMPARE(limiter.limitSource, Source::Stored);
    QCOMPARE(limiter.occupancy, Known(3));
    QCOMPARE(limiter.remaining, Known(2));
    QCOMPARE(limiter.consumers.size(), size_t(1));
    QCOMPARE(limiter.consumers[0].name, QByteArray("c1"));
    const Layout* layout = findLayout("bottleneck");
    QCOMPARE(layout->ownersOf("b_mails_job_weights"), std::vector<QByteArray>{"b_mails_settings"});
    QVERIFY(layout->ownersOf("web_mails_settings").empty());
    QVERIFY(!layout->allowsKeyActions());
}

LK_TEST(TestLimiterValues);
#include "tst_limitervalues.moc"
