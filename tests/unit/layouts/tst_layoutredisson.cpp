// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's rate limiter, with members that struct.pack made on a real server.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 now = 1795223350538;
const QByteArray client = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");

LimiterState limiterOf(const Result<State>& state)
{
    return state && state->as<LimiterState>() ? *state->as<LimiterState>() : LimiterState();
}

using Known = std::optional<qint64>;

// One acquire as the newest versions pack it.
ScoredMember acquire(qint64 at, quint8 permits, char random = 'a')
{
    QByteArray member(1, '\x10');
    member += QByteArray(16, random);
    member += char(permits);
    member += QByteArray(3, '\0');
    return {member, double(at)};
}

FakeKeys limiter(const std::vector<ScoredMember>& permits, const QByteArray& value,
                 const QByteArray& type = "0")
{
    FakeKeys keys;
    keys.nowMs = now;
    keys.hash("my-rate-limiter", {{"rate", "3"}, {"interval", "60000"}, {"type", type}});
    if (!permits.empty())
        keys.zset("{my-rate-limiter}:permits", permits);
    if (!value.isEmpty())
        keys.string("{my-rate-limiter}:value", value);
    return keys;
}

Primitive only(FakeKeys& keys)
{
    const auto found = keys.discover();
    if (found.size() != 1)
        qFatal("%d primitives", int(found.size()));
    return found.first();
}

} // namespace

class TestLayoutRedisson : public QObject
{
    Q_OBJECT

private slots:
    void keysAreOnePrimitive();
    void namesWithBraces();
    void everyPacking_data();
    void everyPacking();
    void fullTellsWhenThePermitsComeBack();
    void permitsExactlyAnIntervalOldAreFree();
    void theStoredValueIsAFactNotTheTruth();
    void unknownPackingIsSaid();
    void beforeTheLogThereWasAValueWithTtl();
    void perClient();
    void manyPermits();
    void tooManyPermitsFallBackToTheValue();
    void emptyConfigured();
    void stuckAtZero();
};

void TestLayoutRedisson::keysAreOnePrimitive()
{
    FakeKeys keys = limiter({acquire(now - 10, 1)}, "2");
    const Primitive p = only(keys);
    QCOMPARE(p.id, (PrimitiveId{"redisson-rate-limiter", "my-rate-limiter"}));
    QCOMPARE(p.keys, (std::vector<KeyRole>{{"config", "my-rate-limiter"},
                                           {"value", "{my-rate-limiter}:value"},
                                           {"permits", "{my-rate-limiter}:permits"}}));
}

void TestLayoutRedisson::namesWithBraces()
{
    FakeKeys keys;
    keys.hash("a{b}", {{"rate", "3"}, {"interval", "60000"}, {"type", "0"}});
    keys.zset("a{b}:permits", {acquire(keys.nowMs - 10, 1)});
    keys.string("a{b}:value", "2");
    const Primitive p = only(keys);
    QCOMPARE(p.key("permits"), QByteArray("a{b}:permits"));
    QCOMPARE(p.key("value"), QByteArray("a{b}:value"));
}

void TestLayoutRedisson::everyPacking_data()
{
    QTest::addColumn<QByteArray>("member");
    QTest::addColumn<QString>("format");
    QTest::newRow("fI") << QByteArray("\xa4p\xbd>\x02\0\0\0", 8) << "fI";
    QTest::newRow("Lc0I") << QByteArray("\b\0\0\0\0\0\0\0abcdefgh\x02\0\0\0", 20) << "Lc0I";
    QTest::newRow("Bc0I, 8") << QByteArray("\babcdefgh\x02\0\0\0", 13) << "Bc0I";
    QTest::newRow("Bc0I, 16") << QByteArray("\x10"
                                            "abcdefghijklmnop\x02\0\0\0",
                                            21)
                              << "Bc0I";
}

void TestLayoutRedisson::everyPacking()
{
    QFETCH(QByteArray, member);
    QFETCH(QString, format);
    FakeKeys keys = limiter({{member, now - 1000.0}}, "1");
    const auto state = keys.read(only(keys), Depth::Detail);
    QCOMPARE(limiterOf(state).occupancy, Known(2));
    QCOMPARE(limiterOf(state).remaining, Known(1));
    QCOMPARE(limiterOf(state).limitSource, Source::Stored);
    QVERIFY(std::any_of(state->facts.begin(), state->facts.end(),
                        [&](const Fact& f) { return f.value.contains(format); }));
}

void TestLayoutRedisson::fullTellsWhenThePermitsComeBack()
{
    FakeKeys keys = limiter({acquire(now - 50'000, 1, 'a'), acquire(now - 20'000, 2, 'b')}, "0");
    const auto state = keys.read(only(keys));
    QCOMPARE(limiterOf(state).occupancy, Known(3));
    QCOMPARE(limiterOf(state).nextFreeMs, Known(10'000));
    QCOMPARE(limiterOf(state).retryAfterMs, Known(10'000));
    QCOMPARE(limiterOf(state).algorithm, Algorithm::PermitLog);
    QCOMPARE(limiterOf(state).windowMs, Known(60'000));
    QCOMPARE(state->health, Health::Warning);
    QCOMPARE(state->revisitAtMs, now + 10'000);
}

void TestLayoutRedisson::permitsExactlyAnIntervalOldAreFree()
{
    FakeKeys keys = limiter({acquire(now - 60'000, 3)}, "0");
    QCOMPARE(limiterOf(keys.read(only(keys))).occupancy, Known(0));
    keys.zset("{my-rate-limiter}:permits", {acquire(now - 59'999, 3)});
    QCOMPARE(limiterOf(keys.read(only(keys))).nextFreeMs, Known(1));
}

void TestLayoutRedisson::theStoredValueIsAFactNotTheTruth()
{
    FakeKeys keys = limiter({acquire(now - 70'000, 3)}, "0"); // expired, not credited yet
    const auto state = keys.read(only(keys), Depth::Detail);
    QCOMPARE(limiterOf(state).remaining, Known(3));
    QVERIFY(std::any_of(state->facts.begin(), state->facts.end(), [](const Fact& f) {
        return f.value.contains(QStringLiteral("0; 3 by the permits"));
    }));
}

void TestLayoutRedisson::unknownPackingIsSaid()
{
    FakeKeys keys = limiter({{"from another library", now - 10.0}}, "2");
    const auto classified = keys.classify("my-rate-limiter");
    const auto state = keys.read(classified->primitive);
    QVERIFY(state && state->problem);
    QCOMPARE(state->problem->code, ErrorCode::Undecodable);
    QVERIFY(!limiterOf(state).occupancy);
    QCOMPARE(limiterOf(state).limit, Known(3));
}

void TestLayoutRedisson::beforeTheLogThereWasAValueWithTtl()
{
    FakeKeys keys = limiter({}, {});
    keys.string("{my-rate-limiter}:value", "0", 12'000);
    const LimiterState l = limiterOf(keys.read(only(keys)));
    QCOMPARE(l.occupancy, Known(3));
    QVERIFY(!l.occupancyIsUpperBound);
    QCOMPARE(l.nextFreeMs, Known(12'000));
}

void TestLayoutRedisson::perClient()
{
    FakeKeys keys = limiter({}, {}, "1");
    const QByteArray other = QByteArray(client).replace("6255", "aaaa");
    keys.zset("{my-rate-limiter}:permits:" + client, {acquire(now - 10, 1)});
    keys.string("{my-rate-limiter}:value:" + client, "2");
    keys.zset("{my-rate-limiter}:permits:" + other, {acquire(now - 10, 3)});
    const Primitive p = only(keys);
    QCOMPARE(p.key(("permits:" + client).constData()), "{my-rate-limiter}:permits:" + client);
    const LimiterState l = limiterOf(keys.read(p));
    QCOMPARE(l.occupancy, Known(3)); // of the fullest
    QCOMPARE(l.consumersTotal, 2);
    QCOMPARE(l.consumers[0].name, other);
    QCOMPARE(l.consumers[0].occupancy, 3);
    QCOMPARE(l.consumers[1].occupancy, 1);
    QCOMPARE(l.consumers[1].nextFreeMs, Known(0));
    // The fullest is as it should be, and another one lacks two.
    const QByteArray valueOfOther = "{my-rate-limiter}:value:" + other;
    keys.string(valueOfOther, "0");
    keys.string("{my-rate-limiter}:value:" + client, "0");
    const LimiterState apart = limiterOf(keys.read(only(keys)));
    QCOMPARE(apart.occupancy, Known(3));
    QCOMPARE(apart.permitDrift, Known(-2));
    QCOMPARE(*apart.driftKey, "{my-rate-limiter}:value:" + client);
}

void TestLayoutRedisson::manyPermits()
{
    std::vector<ScoredMember> permits;
    for (int i = 0; i < 100; ++i)
        permits.push_back(acquire(now - 70'000 + i * 1000, 1, char(i)));
    FakeKeys keys = limiter(permits, "0");
    const LimiterState l = limiterOf(keys.read(only(keys)));
    QCOMPARE(l.occupancy, Known(89)); // those younger than 60 s
    QVERIFY(!l.occupancyIsUpperBound);
}

void TestLayoutRedisson::tooManyPermitsFallBackToTheValue()
{
    std::vector<ScoredMember> permits;
    for (int i = 0; i < 5000; ++i) {
        ScoredMember m = acquire(now - 5000 + i, 1);
        m.member.replace(1, 16, QByteArray::number(i).rightJustified(16, '0'));
        permits.push_back(m);
    }
    FakeKeys keys = limiter(permits, "1");
    const LimiterState l = limiterOf(keys.read(only(keys)));
    QCOMPARE(l.occupancy, Known(2));
    QVERIFY(l.occupancyIsUpperBound);
}

void TestLayoutRedisson::emptyConfigured()
{
    FakeKeys keys = limiter({}, {});
    const auto state = keys.read(only(keys));
    QVERIFY(state && state->present);
    QCOMPARE(limiterOf(state).occupancy, Known(0));
    QCOMPARE(limiterOf(state).remaining, Known(3));
    QCOMPARE(state->health, Health::Idle);
}

void TestLayoutRedisson::stuckAtZero()
{
    // Nothing left in the log to credit: the library's script fails on every acquire.
    FakeKeys keys = limiter({}, "0");
    QCOMPARE(keys.read(only(keys))->health, Health::Error);
}

LK_TEST(TestLayoutRedisson);
#include "tst_layoutredisson.moc"
