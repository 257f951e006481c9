// SPDX-License-Identifier: GPL-3.0-or-later
// Locks: with owner and lease, and with the time of their end as value.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

using Known = std::optional<qint64>;
using Phase = LockState::Phase;

Primitive lock(const QByteArray& layout)
{
    return {Kind::Lock,      ProvenBy::Itself, false, 1, {layout, "k"},
            {{"lock", "k"}}, nullptr,          {},    {}};
}

LockState lockOf(const Result<State>& state)
{
    return state && state->as<LockState>() ? *state->as<LockState>() : LockState();
}

} // namespace

class TestLayoutLocks : public QObject
{
    Q_OBJECT

private slots:
    void heldWithLease();
    void withoutTtlItHasNoEnd();
    void goneIsFree();
    void owners_data();
    void owners();
    void confidence();
    void timestamps_data();
    void timestamps();
    void timestampThatIsNone();
};

void TestLayoutLocks::heldWithLease()
{
    FakeKeys keys;
    keys.string("k", "ef1f63c", 10'000);
    const auto state = keys.read(lock("set-nx-px"));
    QCOMPARE(lockOf(state).phase, Phase::Held);
    QCOMPARE(lockOf(state).leaseMs, Known(10'000));
    QCOMPARE(lockOf(state).holds, 1);
    QVERIFY(lockOf(state).ownerKnown);
    QCOMPARE(lockOf(state).owner, QByteArray("ef1f63c"));
    QCOMPARE(state->health, Health::Ok);
    QCOMPARE(state->revisitAtMs, keys.nowMs + 10'001);
}

void TestLayoutLocks::withoutTtlItHasNoEnd()
{
    FakeKeys keys;
    keys.string("k", "worker-3");
    const auto state = keys.read(lock("set-nx-px"));
    QCOMPARE(lockOf(state).phase, Phase::NoTtl);
    QVERIFY(!lockOf(state).leaseMs && !state->ttlMs);
    QCOMPARE(state->health, Health::Error);
    QCOMPARE(state->revisitAtMs, 0);
}

void TestLayoutLocks::goneIsFree()
{
    FakeKeys keys;
    for (const char* layout : {"set-nx-px", "setnx-timestamp"}) {
        const auto state = keys.read(lock(layout));
        QVERIFY(state && !state->present);
        QCOMPARE(lockOf(state).phase, Phase::Free);
        QCOMPARE(lockOf(state).holds, 0);
        QCOMPARE(state->health, Health::Idle);
    }
}

void TestLayoutLocks::owners_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("known");
    QTest::newRow("token") << QByteArray("ef1f63c") << true;
    QTest::newRow("utf-8") << QByteArray("wörker-1") << true;
    QTest::newRow("longest") << QByteArray(127, 'a') << true;
    QTest::newRow("may go on") << QByteArray(500, 'a') << false;
    QTest::newRow("json") << QByteArray(R"({"password":"hunter2"})") << false;
    QTest::newRow("binary") << QByteArray("\x80\x04\x95\0", 4) << false;
    QTest::newRow("control characters") << QByteArray("a\nb") << false;
    QTest::newRow("empty") << QByteArray() << false;
}

void TestLayoutLocks::owners()
{
    QFETCH(QByteArray, value);
    QFETCH(bool, known);
    FakeKeys keys;
    keys.string("k", value, 1000);
    const LockState l = lockOf(keys.read(lock("set-nx-px")));
    QCOMPARE(l.phase, Phase::Held);
    QCOMPARE(l.ownerKnown, known);
    QCOMPARE(l.owner, known ? value : QByteArray());
}

void TestLayoutLocks::confidence()
{
    FakeKeys keys;
    const auto of = [&](const char* key, const char* value, qint64 ttl) {
        keys.string(key, value, ttl);
        const auto c = keys.classify(key);
        return c ? double(c->primitive.confidence) : 0.0;
    };
    const double named = of("lock:a", "ef1f63c", 10'000);
    const double namedWord = of("lock:a", "worker", 10'000);
    const double nameless = of("myresource", "ef1f63c", 10'000);
    QVERIFY(named > namedWord && namedWord > nameless && nameless == 0.5);
    QCOMPARE(of("myresource", "ef1f63c", -1), 0.0);
    QCOMPARE(of("lock.foo", "1795223360", -1), 0.85);
    QVERIFY(of("nameless", "1795223360", -1) < likelyFrom);
    QCOMPARE(of("nameless", "1795523360", -1), 0.0); // more than a day away
}

void TestLayoutLocks::timestamps_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("phase");
    QTest::addColumn<qint64>("lease");
    const auto row = [](const char* value, Phase phase, qint64 lease) {
        QTest::newRow(value) << QByteArray(value) << int(phase) << lease;
    };
    // now is 1795223350.117
    row("1795223360", Phase::Held, 9883);
    row("1795223360.5", Phase::Held, 10383);
    row("1795223360000", Phase::Held, 9883);
    row("1795223350117", Phase::Held, 0); // not before it has passed
    row("1795223350116", Phase::Expired, 0);
    row("1795223350", Phase::Expired, 0);
    row("1300000000", Phase::Expired, 0);
}

void TestLayoutLocks::timestamps()
{
    QFETCH(QByteArray, value);
    FakeKeys keys;
    keys.string("k", value);
    const auto state = keys.read(lock("setnx-timestamp"));
    QTEST(int(lockOf(state).phase), "phase");
    QFETCH(qint64, lease);
    QCOMPARE(lockOf(state).leaseMs, Known(lease));
    QVERIFY(!lockOf(state).ownerKnown);
    const bool expired = lockOf(state).phase == Phase::Expired;
    QCOMPARE(state->health, expired ? Health::Error : Health::Ok);
    QCOMPARE(state->revisitAtMs, expired ? 0 : keys.nowMs + lease + 1);
}

void TestLayoutLocks::timestampThatIsNone()
{
    FakeKeys keys;
    for (const char* value : {"", "locked", "12", "nan", "-1795223360", "1795223360 "}) {
        keys.string("k", value);
        const auto state = keys.read(lock("setnx-timestamp"));
        QVERIFY2(state && state->problem, value);
        QCOMPARE(state->problem->code, ErrorCode::Undecodable);
    }
}

LK_TEST(TestLayoutLocks);
#include "tst_layoutlocks.moc"
