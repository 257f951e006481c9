// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/keptstate.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 nowMs = 1'700'000'000'000;

StatePtr madeLock(const QByteArray& owner)
{
    State state = lockState(owner, 30'000, nowMs, madePrimitive(Kind::Lock, "set-nx-px", "lock:a"));
    state.health = Health::Warning;
    state.urgency = 2.5;
    return std::make_shared<const State>(std::move(state));
}

} // namespace

/// A state among a million: whole or packed, it answers alike.
class TestKeptState : public QObject
{
    Q_OBJECT

private slots:
    void noneIsNone();
    void wholeIsTheSameOne();
    void packedAnswersAlike();
    void whatSaysMoreIsKeptWhole();
    void copiesShareIt();
};

void TestKeptState::noneIsNone()
{
    QVERIFY(!KeptState());
    QVERIFY(!KeptState(StatePtr()));
    QVERIFY(!KeptState::packed(nullptr));
    QVERIFY(!KeptState().state());
    QVERIFY(!KeptState().isPacked());
}

void TestKeptState::wholeIsTheSameOne()
{
    const StatePtr state = madeLock("w1");
    const KeptState kept(state);
    QVERIFY(kept && !kept.isPacked());
    QCOMPARE(kept.state(), state);
    QCOMPARE(kept.primitive(), state->primitive);
}

void TestKeptState::packedAnswersAlike()
{
    const StatePtr state = madeLock("w1");
    const KeptState kept = KeptState::packed(state);
    QVERIFY(kept.isPacked());
    QCOMPARE(kept.primitive(), state->primitive);
    QCOMPARE(kept.kind(), Kind::Lock);
    QCOMPARE(kept.rank().health, Health::Warning);
    QCOMPARE(kept.rank().urgency, 2.5);
    QCOMPARE(kept.asOfMs(), nowMs);
    const StatePtr back = kept.state();
    QVERIFY(back && back != state);
    QCOMPARE(back->as<LockState>()->owner, QByteArray("w1"));
    QVERIFY(back->as<LockState>()->leaseMs == 30'000);
}

// Values that are read rarely are only in the last state; a problem is not packed at all.
void TestKeptState::whatSaysMoreIsKeptWhole()
{
    State lists = *madeLock("w1");
    lists.payloads.edit().bytes = 5;
    QVERIFY(!KeptState::packed(std::make_shared<const State>(lists)).isPacked());
    const StatePtr problem = std::make_shared<const State>(problemState(
        madePrimitive(Kind::Lock, "set-nx-px", "lock:b"), nowMs, Error{ErrorCode::WrongType, {}}));
    const KeptState kept = KeptState::packed(problem);
    QVERIFY(!kept.isPacked());
    QCOMPARE(kept.state(), problem);
}

void TestKeptState::copiesShareIt()
{
    std::weak_ptr<const Primitive> primitive;
    {
        KeptState first;
        {
            const StatePtr state = madeLock("w1");
            primitive = state->primitive;
            first = KeptState::packed(state);
        }
        KeptState second = first;
        KeptState third = std::move(first);
        QVERIFY(!first); // NOLINT: what is left of it is stated
        second = third;
        third = KeptState(madeLock("w2"));
        QCOMPARE(second.state()->as<LockState>()->owner, QByteArray("w1"));
        QCOMPARE(third.state()->as<LockState>()->owner, QByteArray("w2"));
        QVERIFY(!primitive.expired());
    }
    QVERIFY(primitive.expired());
}

LK_TEST(TestKeptState);
#include "tst_keptstate.moc"
