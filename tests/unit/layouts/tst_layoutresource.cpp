// SPDX-License-Identifier: GPL-3.0-or-later
// A resource and its consumers, with what the recipe's own script left on a real server.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

const QByteArray resource = QByteArrayLiteral("z:rl:resource:12{12}");
constexpr qint64 second = 1795223350;

LimiterState limiterOf(const Result<State>& state)
{
    return state && state->as<LimiterState>() ? *state->as<LimiterState>() : LimiterState();
}

using Known = std::optional<qint64>;

FakeKeys recorded()
{
    FakeKeys keys;
    keys.nowMs = second * 1000 + 408;
    const double s = second;
    keys.zset(resource,
              {{"336111", s}, {"350006", s}, {"357730", s}, {"372337", s}, {"383131", s}});
    keys.zset(resource + ":consumer:1", {{"336111", s}, {"350006", s}, {"357730", s}});
    keys.zset(resource + ":consumer:2", {{"372337", s}, {"383131", s}});
    return keys;
}

Classifier declared(const QByteArray& pattern = resource)
{
    return Classifier(configOf("[[limiter]]\nkey = \"" + pattern +
                               "\"\nlayout = \"resource-consumer\"\nlimit = 5\nwindow = \"10s\"\n"
                               "consumer_limit = 3\n"));
}

} // namespace

class TestLayoutResource : public QObject
{
    Q_OBJECT

private slots:
    void consumersFoldIntoTheirResource_data();
    void consumersFoldIntoTheirResource();
    void fullResource();
    void wholeSecondsDecide_data();
    void wholeSecondsDecide();
    void undeclaredHasNoNumbers();
    void consumersOfAMissingResource();
    void consumersAreBounded();
};

void TestLayoutResource::consumersFoldIntoTheirResource_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::newRow("not declared") << QByteArray();
    for (const char* pattern :
         {"z:rl:resource:12{12}", "z:rl:resource:*", "z:rl:*", "*:consumer:*"})
        QTest::newRow(pattern) << QByteArray(pattern);
}

void TestLayoutResource::consumersFoldIntoTheirResource()
{
    QFETCH(QByteArray, pattern);
    FakeKeys keys = recorded();
    const auto found = keys.discover(pattern.isEmpty() ? Classifier() : declared(pattern));
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().id, (PrimitiveId{"resource-consumer", resource}));
    QCOMPARE(found.first().keys, (std::vector<KeyRole>{{"resource", resource},
                                                       {"consumer:1", resource + ":consumer:1"},
                                                       {"consumer:2", resource + ":consumer:2"}}));
}

void TestLayoutResource::fullResource()
{
    FakeKeys keys = recorded();
    const Primitive p = keys.discover(declared()).first();
    const auto row = keys.read(p);
    QCOMPARE(limiterOf(row).occupancy, Known(5));
    QCOMPARE(limiterOf(row).remaining, Known(0));
    QCOMPARE(limiterOf(row).nextFreeMs, Known(10'000 - 408));
    QCOMPARE(limiterOf(row).consumersTotal, 2);
    QVERIFY(limiterOf(row).consumers.empty());
    const LimiterState detail = limiterOf(keys.read(p, Depth::Detail));
    QCOMPARE(detail.consumers.size(), size_t(2));
    QCOMPARE(detail.consumers[0].name, QByteArray("1")); // the fullest first
    QCOMPARE(detail.consumers[0].occupancy, 3);
    QCOMPARE(detail.consumers[0].limit, Known(3));
    QCOMPARE(detail.consumers[0].nextFreeMs, Known(10'000 - 408));
    QCOMPARE(detail.consumers[1].occupancy, 2);
    QCOMPARE(detail.consumers[1].nextFreeMs, Known(0));
}

void TestLayoutResource::wholeSecondsDecide_data()
{
    QTest::addColumn<qint64>("nowMs");
    QTest::addColumn<qint64>("occupancy");
    // The script removes scores from 0 to TIME[1] - 10, both ends included.
    QTest::newRow("9.999 s later") << (second + 9) * 1000 + 999 << qint64(5);
    QTest::newRow("10 s later") << (second + 10) * 1000 << qint64(0);
}

void TestLayoutResource::wholeSecondsDecide()
{
    QFETCH(qint64, nowMs);
    FakeKeys keys = recorded();
    keys.nowMs = nowMs;
    QFETCH(qint64, occupancy);
    const LimiterState l = limiterOf(keys.read(keys.discover(declared()).first()));
    QCOMPARE(l.occupancy, Known(occupancy));
    QCOMPARE(l.nextFreeMs, Known(occupancy > 0 ? 1 : 0));
}

void TestLayoutResource::undeclaredHasNoNumbers()
{
    FakeKeys keys = recorded();
    const LimiterState l = limiterOf(keys.read(keys.discover().first(), Depth::Detail));
    QCOMPARE(l.occupancy, Known(5));
    QVERIFY(l.occupancyIsUpperBound);
    QVERIFY(!l.limit && !l.windowMs && !l.remaining && !l.nextFreeMs);
    QCOMPARE(l.consumers.size(), size_t(2));
    QVERIFY(!l.consumers[0].limit && !l.consumers[0].nextFreeMs);
}

void TestLayoutResource::consumersOfAMissingResource()
{
    FakeKeys keys;
    keys.nowMs = second * 1000;
    keys.zset("z:rl:resource:12:{12}consumer:1", {{"7", second - 2.0}});
    const Primitive p = keys.discover().first();
    QCOMPARE(p.id.name, QByteArray("z:rl:resource:12:{12}"));
    for (const Depth depth : {Depth::Summary, Depth::Detail}) {
        const auto state = keys.read(p, depth);
        QVERIFY(state && state->present);
        QCOMPARE(limiterOf(state).occupancy, Known(0));
        QCOMPARE(limiterOf(state).consumersTotal, 1);
    }
    keys.remove("z:rl:resource:12:{12}consumer:1");
    QVERIFY(!keys.read(p)->present);
}

void TestLayoutResource::consumersAreBounded()
{
    FakeKeys keys = recorded();
    for (int i = 0; i < 500; ++i)
        keys.zset(resource + ":consumer:" + QByteArray::number(i), {{"7", double(second)}});
    const Primitive p = keys.discover(declared()).first();
    keys.commands = 0;
    QCOMPARE(limiterOf(keys.read(p)).consumersTotal, 500);
    QVERIFY(keys.commands <= 8);
    QCOMPARE(limiterOf(keys.read(p, Depth::Detail)).consumers.size(), size_t(64));
}

LK_TEST(TestLayoutResource);
#include "tst_layoutresource.moc"
