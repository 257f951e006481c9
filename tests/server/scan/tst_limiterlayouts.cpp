// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/packedalike.h"
#include "tests/support/testprogram.h"

#include <functional>

using namespace lk;
using namespace lk::test;

/// Limiters of libraries on a real server, each with keys as the library writes them at that
/// moment, under its own names and behind a prefix: in the snapshot that library's, counted.
class TestLimiterLayouts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }
    void eachIsItsLibrarys_data();
    void eachIsItsLibrarys();

private:
    struct Row
    {
        const char* layout;
        const char* name; ///< in the snapshot, without the prefix
        std::function<void(TestLimiterLayouts&, const QByteArray&)> write;
        int used = -1; ///< -1: not to be known
        int limit = -1;
        int windowMs = -1;
    };
    static const std::vector<Row>& rows();

    void string(const QByteArray& key, const QByteArray& value, qint64 ttlMs)
    {
        m_server.run({"SET", key, value, "PX", QByteArray::number(ttlMs)});
    }
    qint64 nowMs() { return serverNowMs(m_server); }

    RedisServer m_server;
};

const std::vector<TestLimiterLayouts::Row>& TestLimiterLayouts::rows()
{
    using T = TestLimiterLayouts;
    constexpr qint64 hour = 3'600'000;
    const auto number = [](double value, int digits = 0) {
        return QByteArray::number(value, 'f', digits);
    };
    static const std::vector<Row> all{
        {"limits-fixed-window", "LIMITER/u7/5/1/hour",
         [](T& t, const QByteArray& p) { t.string(p + "LIMITER/u7/5/1/hour", "3", hour); }, 3, 5,
         int(hour)},
        {"limits-moving-window", "LIMITER/u7/9/1/hour",
         [number](T& t, const QByteArray& p) {
             const double now = double(t.nowMs()) / 1000;
             t.m_server.run(
                 {"RPUSH", p + "LIMITER/u7/9/1/hour", number(now - 1, 6), number(now - 2, 6)});
             t.m_server.run({"EXPIRE", p + "LIMITER/u7/9/1/hour", "3600"});
         },
         2, 9, int(hour)},
        {"ratelimiter", "limit:u7",
         [number](T& t, const QByteArray& p) {
             const QByteArray us = number(double(t.nowMs()) * 1000);
             t.m_server.run({"ZADD", p + "limit:u7", us, us});
             t.m_server.run({"PEXPIRE", p + "limit:u7", QByteArray::number(hour)});
         },
         1, -1, int(hour)},
        {"upstash-token-bucket", "@upstash/ratelimit:u7",
         [number](T& t, const QByteArray& p) {
             t.m_server.run({"HSET", p + "@upstash/ratelimit:u7", "refilledAt",
                             number(double(t.nowMs())), "tokens", "7"});
         }},
        {"redis-cell", "cell:u7",
         [](T& t, const QByteArray& p) {
             t.string(p + "cell:u7", QByteArray::number((t.nowMs() + 60'000) * 1'000'000), 60'000);
         }},
        {"redis-rate", "rate:u7",
         [number](T& t, const QByteArray& p) {
             const double tat = double(t.nowMs() + 60'000) / 1000 - 1483228800;
             t.string(p + "rate:u7", number(tat, 6), 60'000);
         }},
        {"laravel-rate-limiter", "laravel_cache:login",
         [](T& t, const QByteArray& p) {
             t.string(p + "laravel_cache:login", "4", 60'000);
             t.string(p + "laravel_cache:login:timer",
                      QByteArray::number((t.nowMs() + 60'000) / 1000), 60'000);
         },
         4},
        {"laravel-throttle", "mails",
         [](T& t, const QByteArray& p) {
             const qint64 start = t.nowMs() / 1000;
             t.m_server.run({"HSET", p + "mails", "start", QByteArray::number(start), "end",
                             QByteArray::number(start + 60), "count", "12"});
             t.m_server.run({"EXPIRE", p + "mails", "120"});
         },
         12, -1, 60'000},
        {"mastodon-rate-limiter", "rate_limit:7:statuses",
         [](T& t, const QByteArray& p) {
             const qint64 bucket = t.nowMs() / (24 * hour);
             t.string(p + "rate_limit:7:statuses:" + QByteArray::number(bucket), "4", 24 * hour);
         },
         4, -1, int(24 * hour)},
        {"spring-cloud-gateway", "request_rate_limiter.{r1.u7}.tokens",
         [](T& t, const QByteArray& p) {
             t.string(p + "request_rate_limiter.{r1.u7}.tokens", "3", 60'000);
             t.string(p + "request_rate_limiter.{r1.u7}.timestamp",
                      QByteArray::number(t.nowMs() / 1000), 60'000);
         }},
    };
    return all;
}

void TestLimiterLayouts::eachIsItsLibrarys_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QByteArray>("prefix");
    for (size_t i = 0; i < rows().size(); ++i) {
        QTest::addRow("%s", rows()[i].layout) << int(i) << QByteArray();
        QTest::addRow("%s, prefixed", rows()[i].layout) << int(i) << QByteArray("acme!v2:");
    }
}

void TestLimiterLayouts::eachIsItsLibrarys()
{
    QFETCH(int, index);
    QFETCH(QByteArray, prefix);
    const Row& row = rows()[size_t(index)];
    row.write(*this, prefix);
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QVERIFY(isPackedAlike(taken));
    const QJsonObject limiter = taken.named("limiters", prefix + row.name);
    QVERIFY2(!limiter.isEmpty(), taken.json.constData());
    QCOMPARE(taken.list("limiters").size(), 1);
    QCOMPARE(limiter[QLatin1String("layout")].toString(), QLatin1String(row.layout));
    QVERIFY(limiter[QLatin1String("confidence")].toDouble() >= 0.9);
    const auto known = [&](const char* field) { return limiter[QLatin1String(field)].toInt(-1); };
    if (row.used >= 0)
        QCOMPARE(known("occupancy"), row.used);
    QCOMPARE(known("limit"), row.limit);
    if (row.windowMs >= 0) // to the second, or to the moment between two readings
        QVERIFY2(std::abs(known("window_ms") - row.windowMs) <= 100, taken.json.constData());
    else
        QCOMPARE(known("window_ms"), -1);
}

LK_TEST(TestLimiterLayouts);
#include "tst_limiterlayouts.moc"
