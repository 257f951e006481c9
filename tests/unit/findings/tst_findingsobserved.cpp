// SPDX-License-Identifier: GPL-3.0-or-later
// Hazards that only show over several looks: what is noted from look to look, and what follows.
#include "backend/core/derived/observation.h"
#include "backend/findings/findings.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 start = 1'795'000'000'000;

State gate(qint64 refused, qint64 ttlMs, qint64 atMs)
{
    State state = madeState(madePrimitive(Kind::Limiter, "gate", "g"), start + atMs);
    auto& limiter = state.body.get<LimiterState>();
    limiter.algorithm = Algorithm::Gate;
    limiter.limit = 1;
    limiter.occupancy = 1;
    limiter.remaining = 0;
    limiter.refused = refused;
    state.ttlMs = ttlMs;
    return state;
}

State window(qint64 remaining, qint64 atMs)
{
    State state = madeState(madePrimitive(Kind::Limiter, "rolling-window", "w"), start + atMs);
    auto& limiter = state.body.get<LimiterState>();
    limiter.algorithm = Algorithm::SlidingLog;
    limiter.windowMs = 1000;
    limiter.remaining = remaining;
    state.ttlMs = 1000;
    return state;
}

QByteArrayList codesAfter(std::vector<State> looks)
{
    observe(looks.front(), nullptr);
    for (size_t i = 1; i < looks.size(); ++i)
        observe(looks[i], &looks[i - 1]);
    QByteArrayList codes;
    for (const Finding& f : findingsOf(looks.back()))
        codes << f.code;
    return codes;
}

} // namespace

class TestFindingsObserved : public QObject
{
    Q_OBJECT

private slots:
    void aGateThatRefusedCallsClosedAnew()
    {
        // 20 s each time; the second and third are the well-known version's mistake.
        QCOMPARE(codesAfter({gate(0, 20'000, 0), gate(1, 19'900, 5000)}),
                 QByteArrayList{"gate-prolonged"});
        QCOMPARE(codesAfter({gate(2, 6000, 0), gate(2, 5000, 1000), gate(5, 19'000, 3000)}),
                 QByteArrayList{"gate-prolonged"});
    }

    void aGateThatCountsAndKeepsItsTtl()
    {
        QVERIFY(codesAfter({gate(3, 20'000, 0)}).isEmpty()); // one read shows nothing
        QVERIFY(codesAfter({gate(0, 20'000, 0), gate(3, 15'000, 5000)}).isEmpty());
        // It opened in between and closed with a call that passed.
        QVERIFY(codesAfter({gate(3, 2000, 0), gate(0, 19'000, 3000)}).isEmpty());
        QVERIFY(codesAfter({gate(3, 2000, 0), gate(4, 19'000, 3000)}).isEmpty());
        // A client gave it another TTL, and there was no call.
        QVERIFY(codesAfter({gate(3, 2000, 0), gate(3, 19'000, 1000)}).isEmpty());
        State open = gate(0, 0, 6000);
        open.present = false;
        QVERIFY(codesAfter({gate(0, 20'000, 0), gate(1, 19'900, 5000), open}).isEmpty());
    }

    void aCacheThatTwoRebuild()
    {
        // So many items with so much of their TTL left, and so much of the lock's lease; 0: none.
        const auto cache = [](qint64 items, qint64 ttlMs, qint64 leaseMs, qint64 atMs,
                              quint64 holder = 1) {
            State state = madeState(madePrimitive(Kind::Pattern, "sort-cache", "c"), start + atMs);
            PatternState pattern;
            pattern.values = {{"length", double(items)}};
            pattern.lock = leaseMs > 0 ? LockState::Phase::Held : LockState::Phase::Free;
            if (leaseMs > 0) {
                pattern.lockLeaseMs = leaseMs;
                pattern.lockHolder = holder;
            }
            if (items > 0)
                state.ttlMs = ttlMs;
            state.body = pattern;
            return state;
        };
        const QByteArrayList twice{"cache-rebuilt-twice"};
        QCOMPARE(codesAfter({cache(0, 0, 300, 0), cache(0, 0, 2000, 500, 2)}), twice);
        QCOMPARE(codesAfter({cache(0, 0, 300, 0), cache(0, 0, 0, 400), cache(0, 0, 2000, 600, 2)}),
                 twice);
        QCOMPARE(codesAfter({cache(3, 500, 300, 0), cache(3, 200, 2000, 300, 2)}), twice);
        QVERIFY(codesAfter({cache(0, 0, 2000, 0), cache(0, 0, 1500, 500)}).isEmpty());
        QVERIFY(codesAfter({cache(0, 0, 300, 0), cache(0, 0, 2000, 200)}).isEmpty()); // prolonged
        // Stored in between, and the lock taken for the next list.
        QVERIFY(codesAfter({cache(3, 500, 300, 0), cache(3, 9000, 2000, 300, 2)}).isEmpty());
        QVERIFY(codesAfter({cache(0, 0, 300, 0), cache(3, 9000, 0, 300), cache(0, 0, 0, 9400),
                            cache(0, 0, 2000, 9600, 2)})
                    .isEmpty());
        // Given back in time with nothing to store.
        QVERIFY(codesAfter({cache(0, 0, 2000, 0), cache(0, 0, 0, 500), cache(0, 0, 2000, 900, 2)})
                    .isEmpty());
    }

    void aLimiterThatIsAlwaysFull()
    {
        const QByteArrayList saturated{"limiter-saturated"};
        QCOMPARE(codesAfter({window(0, 0), window(0, 500), window(0, 1000), window(0, 1600)}),
                 saturated);
        QVERIFY(codesAfter({window(0, 0)}).isEmpty());
        QVERIFY(codesAfter({window(0, 0), window(0, 60'000)}).isEmpty()); // and in between?
        QVERIFY(
            codesAfter({window(0, 0), window(0, 300), window(0, 600), window(0, 900)}).isEmpty());
        QVERIFY(codesAfter({window(0, 0), window(0, 500), window(1, 1000), window(0, 1500),
                            window(0, 1600)})
                    .isEmpty());
    }

    void aLockThatIsNoLongerRenewed()
    {
        const auto lock = [](qint64 leaseMs, qint64 atMs) {
            return lockState("worker-1", leaseMs, start + atMs);
        };
        QCOMPARE(codesAfter(
                     {lock(10'000, 0), lock(10'000, 3000), lock(10'000, 6000), lock(2000, 14'000)}),
                 QByteArrayList{"lock-abandoned"});
        QVERIFY(codesAfter(
                    {lock(10'000, 0), lock(10'000, 3000), lock(10'000, 6000), lock(6000, 10'000)})
                    .isEmpty());
        QVERIFY(codesAfter({lock(10'000, 0), lock(2000, 8000)}).isEmpty()); // never renewed
        // Taken for a minute, kept for ten seconds at a time.
        QVERIFY(codesAfter({lock(60'000, 0), lock(3000, 57'000), lock(10'000, 58'000),
                            lock(10'000, 63'000), lock(6000, 67'000)})
                    .isEmpty());
        // Renewed each time with a second left.
        QVERIFY(codesAfter({lock(10'000, 0), lock(1200, 8800), lock(10'000, 9000),
                            lock(1200, 17'800), lock(10'000, 18'000), lock(1200, 26'800)})
                    .isEmpty());
    }
};

LK_TEST(TestFindingsObserved);
#include "tst_findingsobserved.moc"
