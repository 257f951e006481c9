// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/statepacking.h"
#include "backend/report/snapshot/packedstates.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 nowMs = 1'700'000'000'000;

State limiter(const QByteArray& name)
{
    State state = madeState(madePrimitive(Kind::Limiter, "rolling-window", name), nowMs);
    state.urgency = 0.75;
    state.ttlMs = 1500;
    state.bytes = 320;
    state.observed.firstSeenMs = nowMs;
    LimiterState body;
    body.algorithm = Algorithm::PermitLog;
    body.limitSource = Source::Declared;
    body.windowSource = Source::Inferred;
    body.occupancyIsUpperBound = true;
    body.limit = 5;
    body.windowMs = 1000;
    body.occupancy = 3;
    body.remaining = 2;
    body.nextFreeMs = 0;
    body.accepted = {nowMs - 2, nowMs - 1};
    body.newestMs = nowMs - 1;
    body.bareMembers = TimeUnit::Milliseconds;
    body.refused = 7;
    body.permitDrift = -2;
    state.body = std::move(body);
    return state;
}

StatePtr packedAndBack(const State& state)
{
    const QByteArray packed = packState(state);
    return packed.isEmpty() ? nullptr : unpackState(packed, state.primitive);
}

} // namespace

class TestPackedStates : public QObject
{
    Q_OBJECT

private slots:
    void keepsWhatReportsSayOfALimiter();
    void keepsWhatReportsSayOfALock();
    void keepsWhatReportsSayOfATokenAndAPattern();
    void leavesWholeWhatSaysMore();
    void refusesBytesThatAreCut();
    void isSmall();
    void keepsEachByteOfAnOwner_data();
    void keepsEachByteOfAnOwner();
    void keepsWhatIsRarelyThere();
    void ordersByKindAndName();
    void showsTheSameRowsInAnyOrder();
    void tellsRanksWithoutUnpacking();
    void replacesWhatIsReadAgain();
    void isNotTakenForTheNextOneOfItsPlace();
    void packsAllOnceTheyAreMany();
    void packsWhatIsHeavyAtOnce();
};

void TestPackedStates::keepsWhatReportsSayOfALimiter()
{
    const State state = limiter("api");
    const StatePtr back = packedAndBack(state);
    QVERIFY(back);
    QCOMPARE(back->primitive, state.primitive);
    QCOMPARE(back->asOfMs, nowMs);
    QCOMPARE(back->health, Health::Ok);
    QCOMPARE(back->urgency, 0.75);
    QVERIFY(back->ttlMs == 1500 && back->bytes == 320);
    QCOMPARE(back->observed.firstSeenMs, nowMs);
    const auto* body = back->as<LimiterState>();
    QVERIFY(body);
    QCOMPARE(body->algorithm, Algorithm::PermitLog);
    QCOMPARE(body->limitSource, Source::Declared);
    QCOMPARE(body->windowSource, Source::Inferred);
    QVERIFY(body->occupancyIsUpperBound);
    QVERIFY(body->limit == 5 && body->windowMs == 1000 && body->occupancy == 3);
    QVERIFY(body->remaining == 2 && body->nextFreeMs == 0 && !body->retryAfterMs);
    QVERIFY(body->newestMs == nowMs - 1 && body->refused == 7 && body->permitDrift == -2);
    QVERIFY(body->bareMembers == TimeUnit::Milliseconds);
    QVERIFY(body->accepted.empty()); // which no report prints
}

void TestPackedStates::keepsWhatReportsSayOfALock()
{
    State state = lockState("worker-1", 30'000, nowMs);
    state.present = true;
    LockState body = *state.as<LockState>();
    body.ownerLabel = QByteArray("one");
    body.holds = 2;
    body.limit.reset();
    body.shared = true;
    body.waiters = 4;
    body.partOf = QByteArray("bullmq");
    state.body = body;
    const StatePtr back = packedAndBack(state);
    QVERIFY(back);
    const auto* lock = back->as<LockState>();
    QVERIFY(lock);
    QCOMPARE(lock->phase, LockState::Phase::Held);
    QVERIFY(lock->ownerKnown && lock->shared && !lock->limit);
    QCOMPARE(lock->owner, QByteArray("worker-1"));
    QCOMPARE(*lock->ownerLabel, QByteArray("one"));
    QCOMPARE(*lock->partOf, QByteArray("bullmq"));
    QVERIFY(lock->leaseMs == 30'000 && lock->waiters == 4);
    QCOMPARE(lock->holds, 2);
}

void TestPackedStates::keepsWhatReportsSayOfATokenAndAPattern()
{
    const StatePtr token = packedAndBack(tokenState(TokenState::Phase::Used, 5000, nowMs, 3));
    QVERIFY(token && token->as<TokenState>());
    QCOMPARE(token->as<TokenState>()->phase, TokenState::Phase::Used);
    QVERIFY(token->as<TokenState>()->uses == 3);

    State state = madeState(madePrimitive(Kind::Pattern, "counter", "hits"), nowMs);
    PatternState body;
    body.values = {{"length", 2}, {"value", 0.5}};
    body.lock = LockState::Phase::Held;
    body.lockLeaseMs = 100;
    body.lockHolder = 99;
    body.perMinute = 1.5;
    state.body = body;
    const StatePtr pattern = packedAndBack(state);
    QVERIFY(pattern && pattern->as<PatternState>());
    QCOMPARE(pattern->as<PatternState>()->values, body.values);
    QVERIFY(pattern->as<PatternState>()->lock == LockState::Phase::Held);
    QVERIFY(pattern->as<PatternState>()->perMinute == 1.5);
    QCOMPARE(pattern->as<PatternState>()->lockHolder, quint64(99));
}

void TestPackedStates::leavesWholeWhatSaysMore()
{
    State shared = limiter("shared");
    LimiterState body = *shared.as<LimiterState>();
    body.consumers = {{"client-9", "api:client-9", 3, 3, 40}};
    shared.body = body;
    QVERIFY(packState(shared).isEmpty());
    QVERIFY(packState(queueState({1}, nowMs)).isEmpty());
    QVERIFY(packState(problemState(shared.primitive, nowMs, {ErrorCode::NoPerm, {}})).isEmpty());

    PackedStates states(0);
    states.keep(Handle(0), shared);
    states.list(Handle(0), shared.primitive);
    states.sort();
    QCOMPARE(states.state(0)->as<LimiterState>()->consumers.size(), size_t(1));
    QVERIFY(states.problems().empty());
}

void TestPackedStates::refusesBytesThatAreCut()
{
    const State state = limiter("api");
    const QByteArray packed = packState(state);
    for (qsizetype size = 0; size < packed.size(); ++size)
        QVERIFY(!unpackState(packed.first(size), state.primitive));
    QVERIFY(!unpackState(packed + 'x', state.primitive));
}

// A million of them are to fit beside their names.
void TestPackedStates::isSmall()
{
    QVERIFY(packState(limiter("api")).size() <= 36);
    QVERIFY(packState(tokenState(TokenState::Phase::Live, 5000, nowMs)).size() <= 24);
    State lock = lockState("0ac35a1e-7d5b-4be5-9d0a-3f1c5e0f6d11", 86'400'000, nowMs);
    lock.ttlMs = 86'400'000;
    lock.urgency = 86'400;
    lock.observed.firstSeenMs = lock.observed.sinceMs = nowMs - 5000;
    lock.observed.largestTtlMs = 86'400'000;
    QVERIFY2(packState(lock).size() <= 40, QByteArray::number(packState(lock).size()).constData());
}

void TestPackedStates::keepsEachByteOfAnOwner_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<int>("bytesLess");
    QTest::newRow("none") << QByteArray() << 0;
    QTest::newRow("plain") << QByteArray("worker-1") << 0;
    QTest::newRow("binary") << QByteArray("\xff\0\x01 a", 5) << 0;
    QTest::newRow("UUID") << QByteArray("0ac35a1e-7d5b-4be5-9d0a-3f1c5e0f6d11") << 20;
    QTest::newRow("UUID and thread") << QByteArray("0ac35a1e-7d5b-4be5-9d0a-3f1c5e0f6d11:42") << 20;
    QTest::newRow("upper case") << QByteArray("0AC35A1E-7D5B-4BE5-9D0A-3F1C5E0F6D11") << 0;
    QTest::newRow("dashes elsewhere") << QByteArray("0ac35a1e7-d5b-4be5-9d0a-3f1c5e0f6d11") << 0;
    QTest::newRow("cut UUID") << QByteArray("0ac35a1e-7d5b-4be5-9d0a-3f1c5e0f6d1") << 0;
    QTest::newRow("digits of a hash") << QByteArray("00ff8a3b4b1e9a6d") << 8;
    QTest::newRow("an odd number of them") << QByteArray("00ff8a3b4b1e9a6") << 0;
    QTest::newRow("few of them") << QByteArray("00ff8a") << 0;
}

void TestPackedStates::keepsEachByteOfAnOwner()
{
    QFETCH(QByteArray, owner);
    QFETCH(int, bytesLess);
    const State state = lockState(owner, 30'000, nowMs);
    const StatePtr back = packedAndBack(state);
    QVERIFY(back);
    QCOMPARE(back->as<LockState>()->owner, owner);
    const QByteArray packed = packState(state);
    const State plain = lockState(QByteArray(owner.size(), 'z'), 30'000, nowMs);
    QCOMPARE(packState(plain).size() - packed.size(), qsizetype(bytesLess));
    for (qsizetype size = 0; size < packed.size(); ++size)
        QVERIFY(!unpackState(packed.first(size), state.primitive));
}

void TestPackedStates::keepsWhatIsRarelyThere()
{
    State state = lockState("w", 30'000, nowMs);
    state.present = false;
    state.health = Health::Error;
    state.urgency = -0.1;
    state.ttlMs = 29'000;
    state.observed = {nowMs - 100, nowMs - 7, 31'000, 12, nowMs - 3, 4, 5};
    const StatePtr back = packedAndBack(state);
    QVERIFY(back && !back->present);
    QCOMPARE(back->health, Health::Error);
    QCOMPARE(back->urgency, -0.1);
    QVERIFY(back->ttlMs == 29'000 && back->as<LockState>()->leaseMs == 30'000);
    const Observed& o = back->observed;
    QCOMPARE(o.firstSeenMs, nowMs - 100);
    QCOMPARE(o.sinceMs, nowMs - 7);
    QCOMPARE(o.largestTtlMs, 31'000);
    QCOMPARE(o.leastLeftMs, 12);
    QCOMPARE(o.fullSinceMs, nowMs - 3);
    QCOMPARE(o.renewals, 4);
    QCOMPARE(o.fullSamples, 5);
    for (const double urgency : {0.0, 29.0, 1.0 / 3, 86'399.999, 1e300, -2e9, 0.0005}) {
        state.urgency = urgency;
        const QByteArray packed = packState(state);
        QCOMPARE(unpackState(packed, state.primitive)->urgency, urgency);
        QCOMPARE(rankOf(packed).urgency, urgency);
        QCOMPARE(rankOf(packed).health, Health::Error);
        QCOMPARE(asOfMsOf(packed), nowMs);
    }
}

void TestPackedStates::ordersByKindAndName()
{
    PackedStates states(0);
    const State all[] = {tokenState(TokenState::Phase::Live, 1, nowMs), limiter("user:b"),
                         lockState("w", 5, nowMs), limiter("user:a"), limiter("user:aa")};
    for (quint32 i = 0; i < std::size(all); ++i) {
        states.keep(Handle(i), all[i]);
        states.list(Handle(i), all[i].primitive);
    }
    states.sort();
    QByteArrayList names;
    for (size_t at = 0; at < states.size(); ++at) {
        names << states.primitive(at).name();
        QCOMPARE(states.state(at)->primitive.get(), &states.primitive(at));
    }
    QCOMPARE(names, (QByteArrayList{"user:a", "user:aa", "user:b", "l", "t"}));
    QCOMPARE(states.count(Kind::Limiter), size_t(3));
}

// A text shows few of many: these are the same whether all were put in order or not.
void TestPackedStates::showsTheSameRowsInAnyOrder()
{
    QByteArrayList names[2];
    for (const auto order : {PackedStates::Order::Whole, PackedStates::Order::ByKind}) {
        PackedStates states(0);
        std::vector<State> all{lockState("w", 5, nowMs)};
        for (const char* name : {"user:d", "user:b", "user:c", "user:a", "user:aa"})
            all.push_back(limiter(name));
        for (const char* name : {"z", "y"})
            all.push_back(problemState(limiter(name).primitive, nowMs, {ErrorCode::NoPerm, {}}));
        for (quint32 i = 0; i < all.size(); ++i) {
            states.keep(Handle(i), all[i]);
            states.list(Handle(i), all[i].primitive);
        }
        states.sort(order);
        QByteArrayList& shown = names[size_t(order)];
        for (const StatePtr& state : rowsOf(states, Kind::Limiter, 5))
            shown << state->primitive->name();
        for (const StatePtr& state : states.problems())
            shown << state->primitive->name();
        QCOMPARE(states.count(Kind::Limiter), size_t(7));
        QCOMPARE(states.count(Kind::Lock), size_t(1));
        QCOMPARE(states.primitive(states.rangeOf(Kind::Lock).begin).kind, Kind::Lock);
    }
    QCOMPARE(names[0], (QByteArrayList{"y", "z", "user:a", "user:aa", "user:b", "y", "z"}));
    QCOMPARE(names[1], names[0]);
}

void TestPackedStates::tellsRanksWithoutUnpacking()
{
    for (const bool whole : {false, true}) {
        PackedStates states(whole ? PackedStates::never : 0);
        const State state = limiter("api");
        states.keep(Handle(0), state);
        states.list(Handle(0), state.primitive);
        states.sort();
        QCOMPARE(states.rank(0).health, Health::Ok);
        QCOMPARE(states.rank(0).urgency, 0.75);
        QCOMPARE(states.state(0)->as<LimiterState>()->accepted.size(), whole ? 2U : 0U);
    }
}

void TestPackedStates::replacesWhatIsReadAgain()
{
    for (const bool whole : {false, true}) {
        PackedStates states(whole ? PackedStates::never : 0);
        State state = limiter("api");
        QVERIFY(!states.find(Handle(3), state.primitive));
        states.keep(Handle(3), state);
        state.ttlMs = 9;
        states.keep(Handle(3), state);
        QVERIFY(states.find(Handle(3), state.primitive)->ttlMs == 9);
        states.keep(Handle(3), problemState(state.primitive, nowMs, {ErrorCode::NoPerm, {}}));
        QVERIFY(states.find(Handle(3), state.primitive)->problem);
        states.list(Handle(3), state.primitive);
        states.sort();
        QCOMPARE(states.problems().size(), size_t(1));
    }
}

void TestPackedStates::isNotTakenForTheNextOneOfItsPlace()
{
    PackedStates states(0);
    const State state = limiter("api");
    states.keep(Handle(0, 1), state);
    QVERIFY(!states.find(Handle(0, 2), state.primitive));
    QVERIFY(!states.find(Handle(0, 0), state.primitive));
    QVERIFY(states.find(Handle(0, 1), state.primitive));
}

void TestPackedStates::packsAllOnceTheyAreMany()
{
    PackedStates states(3);
    const auto keep = [&](quint32 at, const State& state) { states.keep(Handle(at), state); };
    const State first = limiter("a");
    keep(0, first);
    keep(1, problemState(limiter("b").primitive, nowMs, {ErrorCode::NoPerm, {}}));
    keep(2, limiter("c"));
    QCOMPARE(states.find(Handle(0), first.primitive)->as<LimiterState>()->accepted.size(), 2U);
    const State last = limiter("d");
    keep(3, last);
    for (const auto& [at, state] : {std::pair(0U, first), std::pair(3U, last)}) {
        const StatePtr back = states.find(Handle(at), state.primitive);
        QVERIFY(back->as<LimiterState>()->occupancy == 3);
        QVERIFY(back->as<LimiterState>()->accepted.empty()); // packed
        states.list(Handle(at), state.primitive);
    }
    const PrimitivePtr denied = limiter("b").primitive;
    QVERIFY(states.find(Handle(1), denied)->problem);
    states.list(Handle(1), denied);
    states.sort();
    QCOMPARE(states.size(), size_t(3));
    QCOMPARE(states.problems().size(), size_t(1));
    keep(4, limiter("e"));
    QVERIFY(states.find(Handle(4), first.primitive)->as<LimiterState>()->accepted.empty());
}

void TestPackedStates::packsWhatIsHeavyAtOnce()
{
    PackedStates states;
    State state = limiter("a");
    states.keep(Handle(0), state);
    QVERIFY(!states.find(Handle(0), state.primitive)->as<LimiterState>()->accepted.empty());
    LimiterState body = *state.as<LimiterState>();
    body.accepted.assign(500, nowMs);
    body.occupancy = 500;
    state.body = body;
    states.keep(Handle(0), state);
    const StatePtr back = states.find(Handle(0), state.primitive);
    QVERIFY(back->as<LimiterState>()->accepted.empty());
    QVERIFY(back->as<LimiterState>()->occupancy == 500);
}

LK_TEST(TestPackedStates);
#include "tst_packedstates.moc"
