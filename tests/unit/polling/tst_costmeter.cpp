// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/costmeter.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

class TestCostMeter : public QObject
{
    Q_OBJECT

private slots:
    void oneSampleTellsNothing();
    void ratesAreOverTheLastSeconds();
    void aClockSetBackGivesNoNonsense();
};

void TestCostMeter::oneSampleTellsNothing()
{
    CostMeter meter;
    const Cost cost = meter.measure({1000, 5000, 5000}, 1000);
    QCOMPARE(cost.commandsPerSecond, 0.0);
    QCOMPARE(cost.bytesPerSecond, 0.0);
    QCOMPARE(cost.roundTripMs, -1.0);
}

void TestCostMeter::ratesAreOverTheLastSeconds()
{
    CostMeter meter;
    meter.measure({0, 0, 0}, 0);
    Cost cost = meter.measure({100, 2000, 1000}, 1000);
    QCOMPARE(cost.commandsPerSecond, 100.0);
    QCOMPARE(cost.bytesPerSecond, 3000.0); // both directions
    for (int s = 2; s <= 10; ++s)          // and then nothing more
        cost = meter.measure({100, 2000, 1000}, s * 1000);
    QCOMPARE(cost.commandsPerSecond, 0.0);
    QCOMPARE(cost.bytesPerSecond, 0.0);
    cost = meter.measure({130, 2000, 1000}, 11'000); // over three seconds
    QCOMPARE(cost.commandsPerSecond, 10.0);
    meter.clear();
    QCOMPARE(meter.measure({160, 0, 0}, 12'000).commandsPerSecond, 0.0);
}

void TestCostMeter::aClockSetBackGivesNoNonsense()
{
    CostMeter meter;
    meter.measure({0, 0, 0}, 100'000);
    meter.measure({50, 0, 0}, 101'000);
    const Cost back = meter.measure({60, 0, 0}, 1000);
    QVERIFY(back.commandsPerSecond >= 0);
    Cost cost;
    for (int s = 2; s < 8; ++s)
        cost = meter.measure({60 + 10 * s, 0, 0}, s * 1000);
    QCOMPARE(cost.commandsPerSecond, 10.0); // it measures again, not only when the old time comes
}

LK_TEST(TestCostMeter);
#include "tst_costmeter.moc"
