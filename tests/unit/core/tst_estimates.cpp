// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/estimates.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QRandomGenerator>
#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

Snapshot sampled(qint64 scanned, qint64 expected)
{
    Snapshot snapshot;
    snapshot.scan.scanned = scanned;
    snapshot.scan.expected = expected;
    Missing stopped;
    stopped.cause = Missing::Cause::Stopped;
    snapshot.scan.missing.push_back(stopped);
    return snapshot;
}

StatePtr limiter(const QByteArray& name)
{
    return std::make_shared<State>(
        madeState(madePrimitive(Kind::Limiter, "rolling-window", name), 1000));
}

} // namespace

class tst_Estimates : public QObject
{
    Q_OBJECT

private slots:
    void boundsAreWilsons();
    void allKeysSeenLeaveNothingToChance();
    void boundsHoldTheTruthNineteenTimesOfTwenty();
    void layoutsAndPrefixesAreToldApart();
    void severalKeysCountOnce();
    void onlyAStoppedScanIsASample();
};

void tst_Estimates::boundsAreWilsons()
{
    // 10 of 100 of a keyspace without end: 5.5 % to 17.4 %, as the textbooks have it.
    Estimate estimate;
    setBounds(estimate, 10, 100, 1'000'000'000);
    QCOMPARE(estimate.likely, 100'000'000);
    QVERIFY(qAbs(estimate.low - 55'228'000) < 200'000);
    QVERIFY(qAbs(estimate.high - 174'370'000) < 200'000);
    // None of 1,000: up to 0.38 %.
    setBounds(estimate, 0, 1000, 1'000'000);
    QCOMPARE(estimate.low, 0);
    QVERIFY(qAbs(estimate.high - 3827) < 10);
}

void tst_Estimates::allKeysSeenLeaveNothingToChance()
{
    Estimate estimate;
    setBounds(estimate, 37, 100, 100);
    QCOMPARE(estimate.low, 37);
    QCOMPARE(estimate.likely, 37);
    QCOMPARE(estimate.high, 37);
}

void tst_Estimates::boundsHoldTheTruthNineteenTimesOfTwenty()
{
    constexpr int total = 20'000;
    constexpr int truth = 3'000;
    constexpr int drawn = 1'000;
    constexpr int draws = 2'000;
    QRandomGenerator random(11);
    int held = 0;
    for (int draw = 0; draw < draws; ++draw) {
        int hits = 0;
        int left = truth; // drawn without putting back
        for (int i = 0; i < drawn; ++i) {
            const bool hit = random.bounded(total - i) < left;
            hits += hit;
            left -= hit;
        }
        Estimate estimate;
        setBounds(estimate, hits, drawn, total);
        held += estimate.low <= truth && truth <= estimate.high;
        QVERIFY(estimate.low <= estimate.likely && estimate.likely <= estimate.high);
    }
    QVERIFY2(held > draws * 0.93, qPrintable(QString::number(held)));
    QVERIFY2(held < draws * 0.975, qPrintable(QString::number(held)));
}

void tst_Estimates::layoutsAndPrefixesAreToldApart()
{
    Snapshot snapshot = sampled(1000, 10'000);
    for (int i = 0; i < 30; ++i)
        snapshot.states.push_back(limiter("rl:user:" + QByteArray::number(i)));
    for (int i = 0; i < 10; ++i)
        snapshot.states.push_back(limiter("throttle:" + QByteArray::number(i)));
    const Estimates estimates = estimatesOf(snapshot.scan, GatheredStates(snapshot.states));
    QCOMPARE(estimates.layouts.size(), size_t(1));
    QCOMPARE(estimates.layouts[0].seen, 40);
    QCOMPARE(estimates.layouts[0].likely, 400);
    QCOMPARE(estimates.prefixes.size(), size_t(2));
    QCOMPARE(estimates.prefixes[0].prefix, QByteArray("rl:"));
    QCOMPARE(estimates.prefixes[0].likely, 300);
    QCOMPARE(estimates.prefixes[1].likely, 100);
}

void tst_Estimates::severalKeysCountOnce()
{
    // Each of two keys leads to it: what is seen is twice as many as there are in the sample.
    Snapshot snapshot = sampled(1000, 10'000);
    for (int i = 0; i < 20; ++i) {
        auto primitive = std::make_shared<Primitive>(
            *madePrimitive(Kind::Limiter, "rolling-window-retry", "a" + QByteArray::number(i)));
        primitive->keys.push_back({"retry", "b" + QByteArray::number(i)});
        snapshot.states.push_back(std::make_shared<State>(madeState(primitive, 1000)));
    }
    QCOMPARE(estimatesOf(snapshot.scan, GatheredStates(snapshot.states)).layouts[0].seen, 20);
    QCOMPARE(estimatesOf(snapshot.scan, GatheredStates(snapshot.states)).layouts[0].likely, 100);
}

void tst_Estimates::onlyAStoppedScanIsASample()
{
    QVERIFY(isSample(sampled(10, 100)));
    Snapshot whole = sampled(10, 10);
    whole.scan.missing.clear();
    QVERIFY(!isSample(whole));
}

LK_TEST(tst_Estimates);
#include "tst_estimates.moc"
