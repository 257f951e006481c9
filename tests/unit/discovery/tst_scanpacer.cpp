// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/scanpacer.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>

using namespace lk;

class TestScanPacer : public QObject
{
    Q_OBJECT

private slots:
    void commandsArePaidBeforeTheyAreSent();
    void whatWasPaidAheadIsNotPaidAgain();
    void pausesAddUp_data();
    void pausesAddUp();
    void aLongAnswerIsNoReasonToPauseForMinutes();
    void aScanOwesNothingOfTheLastOne();
    void aBusyNodeIsAskedNoMore();
};

void TestScanPacer::commandsArePaidBeforeTheyAreSent()
{
    ManualClock clock(1'000'000);
    ScanPacer pacer(clock);
    QCOMPARE(pacer.waitMs(100), 0); // no bound
    pacer.setBounds({.commandsPerSecond = 1000});
    QCOMPARE(pacer.waitMs(100), 100);
    QCOMPARE(pacer.waitMs(50), 150); // behind those
    clock.advance(150);
    QCOMPARE(pacer.waitMs(10), 10);
}

void TestScanPacer::whatWasPaidAheadIsNotPaidAgain()
{
    ManualClock clock(1'000'000);
    ScanPacer pacer(clock);
    pacer.setBounds({.commandsPerSecond = 1000});
    QCOMPARE(pacer.waitMs(1 + 60), 61);
    pacer.prepay(60);
    clock.advance(61);
    QCOMPARE(pacer.waitMs(20), 0);
    QCOMPARE(pacer.waitMs(50), 10); // ten more than was thought
    QCOMPARE(pacer.waitMs(5), 15);
}

void TestScanPacer::pausesAddUp_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("ofName");
    QTest::addColumn<int>("total"); // of ten slices of 0.3 ms and 20 names
    QTest::newRow("none") << 0.0 << 0.0 << 0.0 << 0;
    QTest::newRow("twice what the server took") << 2.0 << 0.0 << 0.0 << 6;
    QTest::newRow("at least") << 2.0 << 5.0 << 0.0 << 50;
    QTest::newRow("for each name") << 2.0 << 5.0 << 0.5 << 100;
}

// A timer waits whole milliseconds.
void TestScanPacer::pausesAddUp()
{
    QFETCH(double, share);
    QFETCH(double, least);
    QFETCH(double, ofName);
    QFETCH(int, total);
    ManualClock clock(1'000'000);
    ScanPacer pacer(clock);
    pacer.setBounds({.pauseShare = share, .leastPauseMs = least, .namePauseMs = ofName});
    int paused = 0;
    for (int i = 0; i < 10; ++i)
        paused += pacer.pauseMs(0.3, 20);
    QVERIFY2(std::abs(paused - total) <= 1, qPrintable(QString::number(paused)));
}

void TestScanPacer::aLongAnswerIsNoReasonToPauseForMinutes()
{
    ManualClock clock(1'000'000);
    ScanPacer pacer(clock);
    pacer.setBounds({.pauseShare = 8});
    QCOMPARE(pacer.pauseMs(60'000, 20), 4000);
}

void TestScanPacer::aScanOwesNothingOfTheLastOne()
{
    ManualClock clock(1'000'000);
    ScanPacer pacer(clock);
    pacer.setBounds({.commandsPerSecond = 1000, .pauseShare = 1});
    QCOMPARE(pacer.pauseMs(0.9, 1), 0);
    pacer.prepay(1000);
    pacer.start();
    QCOMPARE(pacer.pauseMs(0.9, 1), 0);
    QCOMPARE(pacer.waitMs(10), 10);
}

void TestScanPacer::aBusyNodeIsAskedNoMore()
{
    const auto most = [](const ScanBounds& bounds) {
        return bounds.commandsPerSecond > 0 ? bounds.commandsPerSecond
                                            : std::numeric_limits<qint64>::max();
    };
    for (const ScanPace pace : {ScanPace::Polite, ScanPace::Normal, ScanPace::Fast}) {
        const ScanBounds idle = boundsOf(pace, false);
        const ScanBounds busy = boundsOf(pace, true);
        QVERIFY(most(busy) <= most(idle));
        QVERIFY(busy.pauseShare >= idle.pauseShare);
        QVERIFY(busy.longestUs > 0 && idle.longestUs > 0); // one slice at a time
    }
    for (const bool busy : {false, true}) {
        QVERIFY(most(boundsOf(ScanPace::Polite, busy)) < most(boundsOf(ScanPace::Normal, busy)));
        QVERIFY(most(boundsOf(ScanPace::Normal, busy)) < most(boundsOf(ScanPace::Fast, busy)));
    }
    // Who asks all the time asks for the least at a time.
    QVERIFY(boundsOf(ScanPace::Fast, true).longestUs < boundsOf(ScanPace::Fast, false).longestUs);
}

LK_TEST(TestScanPacer);
#include "tst_scanpacer.moc"
