// SPDX-License-Identifier: GPL-3.0-or-later
// Counters that end with their TTL, and gates.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

LimiterState limiterOf(const Result<State>& state)
{
    return state && state->as<LimiterState>() ? *state->as<LimiterState>() : LimiterState();
}

using Known = std::optional<qint64>;

Primitive declaredAs(const QByteArray& layout, const QByteArray& more = {})
{
    const Classifier classifier(
        configOf("[[limiter]]\nkey = \"k\"\nlayout = \"" + layout + "\"\n" + more));
    return classifier.declaredByName().front().primitive;
}

} // namespace

class TestLayoutCounters : public QObject
{
    Q_OBJECT

private slots:
    void countsUpToItsLimit_data();
    void countsUpToItsLimit();
    void undeclaredKnowsOnlyTheCount();
    void withoutTtlItNeverFrees();
    void notANumberIsAProblem();
    void gateIsClosedWhileItIsThere();
    void gateIsOpenWhenGone();
    void gateWithoutTtlNeverOpens();
};

void TestLayoutCounters::countsUpToItsLimit_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("occupancy");
    QTest::addColumn<qint64>("remaining");
    QTest::addColumn<qint64>("nextFree");
    QTest::newRow("below") << QByteArray("4") << qint64(4) << qint64(1) << qint64(0);
    QTest::newRow("full") << QByteArray("5") << qint64(5) << qint64(0) << qint64(700);
    QTest::newRow("refused calls count, too")
        << QByteArray("9") << qint64(9) << qint64(0) << qint64(700);
    QTest::newRow("below zero") << QByteArray("-2") << qint64(0) << qint64(5) << qint64(0);
}

void TestLayoutCounters::countsUpToItsLimit()
{
    QFETCH(QByteArray, value);
    FakeKeys keys;
    keys.string("k", value, 700);
    const auto state = keys.read(declaredAs("fixed-window", "limit = 5\nwindow = \"1s\"\n"));
    QFETCH(qint64, occupancy);
    QFETCH(qint64, remaining);
    QFETCH(qint64, nextFree);
    QCOMPARE(limiterOf(state).occupancy, Known(occupancy));
    QCOMPARE(limiterOf(state).remaining, Known(remaining));
    QCOMPARE(limiterOf(state).nextFreeMs, Known(nextFree));
    QCOMPARE(limiterOf(state).retryAfterMs, Known(nextFree));
    QCOMPARE(limiterOf(state).windowMs, Known(1000));
    QCOMPARE(limiterOf(state).algorithm, Algorithm::FixedWindow);
    QCOMPARE(state->ttlMs, Known(700));
    QVERIFY(state->revisitAtMs > keys.nowMs);
}

void TestLayoutCounters::undeclaredKnowsOnlyTheCount()
{
    FakeKeys keys;
    keys.string("rate:1.2.3.4", "3", 700);
    const auto state = keys.read(keys.discover().first());
    QCOMPARE(limiterOf(state).occupancy, Known(3));
    QVERIFY(!limiterOf(state).limit && !limiterOf(state).windowMs && !limiterOf(state).remaining &&
            !limiterOf(state).nextFreeMs && !limiterOf(state).retryAfterMs);
    QCOMPARE(state->health, Health::Ok);
}

void TestLayoutCounters::withoutTtlItNeverFrees()
{
    FakeKeys keys;
    keys.string("k", "9");
    const auto state = keys.read(declaredAs("fixed-window", "limit = 5\n"));
    QCOMPARE(state->health, Health::Error);
    QCOMPARE(limiterOf(state).remaining, Known(0));
    QVERIFY(!limiterOf(state).nextFreeMs);
    QCOMPARE(state->revisitAtMs, 0);
}

void TestLayoutCounters::notANumberIsAProblem()
{
    FakeKeys keys;
    for (const char* value : {"", "many", "1e3", "99999999999999999999", " 5"}) {
        keys.string("k", value, 700);
        const auto state = keys.read(declaredAs("fixed-window", "limit = 5\n"));
        QVERIFY2(state && state->problem && state->problem->code == ErrorCode::Undecodable, value);
    }
}

void TestLayoutCounters::gateIsClosedWhileItIsThere()
{
    FakeKeys keys;
    keys.string("gate:spawn_vm", "3", 900);
    const auto state = keys.read(keys.discover().first());
    const LimiterState l = limiterOf(state);
    QCOMPARE(l.algorithm, Algorithm::Gate);
    QCOMPARE(l.limit, Known(1));
    QCOMPARE(l.limitSource, Source::Inferred);
    QCOMPARE(l.occupancy, Known(1));
    QCOMPARE(l.remaining, Known(0));
    QCOMPARE(l.nextFreeMs, Known(900));
    QCOMPARE(l.retryAfterMs, Known(900));
    QCOMPARE(state->health, Health::Ok);
    QCOMPARE(state->facts.size(), size_t(1));
    QCOMPARE(state->facts[0].value, QStringLiteral("2")); // refused, and kept it closed
}

void TestLayoutCounters::gateIsOpenWhenGone()
{
    FakeKeys keys;
    const auto state = keys.read(declaredAs("gate"));
    QVERIFY(state && !state->present);
    QCOMPARE(limiterOf(state).limitSource, Source::Declared);
    QCOMPARE(limiterOf(state).remaining, Known(1));
    QCOMPARE(limiterOf(state).nextFreeMs, Known(0));
}

void TestLayoutCounters::gateWithoutTtlNeverOpens()
{
    FakeKeys keys;
    keys.string("k", "1");
    QCOMPARE(keys.read(declaredAs("gate"))->health, Health::Error);
}

LK_TEST(TestLayoutCounters);
#include "tst_layoutcounters.moc"
