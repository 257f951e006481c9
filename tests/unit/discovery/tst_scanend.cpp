// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/tokenbucket.h"
#include "backend/discovery/scan/scanend.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

constexpr int patience = 300'000; // calls

// After how many calls it is given up; patience: never.
template<typename Cursor> int callsUntilGivenUp(ScanEnd& end, Cursor cursor, qint64 names)
{
    for (int call = 1; call < patience; ++call) {
        if (end.isEndless(cursor(call), names))
            return call;
    }
    return patience;
}

} // namespace

class TestScanEnd : public QObject
{
    Q_OBJECT

private slots:
    void aCursorThatStands();
    void aCursorThatGoesInACircle();
    void farMoreNamesThanKeys();
    void onlyEmptyAnswers();
    void aLongScanIsNone();
    void aSparseTableIsNone();
    void theBucketNeverRunsOver();
    void nothingIsSavedUp();
};

void TestScanEnd::aCursorThatStands()
{
    ScanEnd end;
    QVERIFY(callsUntilGivenUp(
                end, [](int) { return QByteArray("77"); }, 10) < 5);
}

void TestScanEnd::aCursorThatGoesInACircle()
{
    ScanEnd end;
    const auto circle = [](int call) { return QByteArray::number(1 + call % 37); };
    QVERIFY(callsUntilGivenUp(end, circle, 10) < 200);
}

void TestScanEnd::farMoreNamesThanKeys()
{
    ScanEnd end;
    end.setExpected(1000);
    const auto fresh = [](int call) { return QByteArray::number(call); };
    const int calls = callsUntilGivenUp(end, fresh, 500);
    QVERIFY(calls * 500 > 4 * 1000);
    QVERIFY(calls * 500 < 30'000);
}

void TestScanEnd::onlyEmptyAnswers()
{
    ScanEnd end;
    const auto fresh = [](int call) { return QByteArray::number(call); };
    QVERIFY(callsUntilGivenUp(end, fresh, 0) < patience);
}

void TestScanEnd::aLongScanIsNone()
{
    ScanEnd end;
    end.setExpected(2'000'000);
    const auto fresh = [](int call) { return QByteArray::number(call); };
    for (int call = 1; call <= 4000; ++call)
        QVERIFY(!end.isEndless(fresh(call), 500));
    QVERIFY(!end.isEndless("0", 500));
}

void TestScanEnd::aSparseTableIsNone()
{
    ScanEnd end;
    end.setExpected(10); // of ten million a moment ago
    for (int call = 1; call <= 20'000; ++call)
        QVERIFY(!end.isEndless(QByteArray::number(call), call % 2000 == 0 ? 1 : 0));
}

void TestScanEnd::theBucketNeverRunsOver()
{
    ManualClock clock(1'000'000);
    TokenBucket bucket(1000, clock);
    qint64 sent = 0;
    for (const qint64 batch : {1, 500, 1500, 2, 500, 700, 3, 40}) {
        clock.advance(bucket.waitMs(batch));
        sent += batch;
        QVERIFY(sent <= clock.nowMs() - 1'000'000); // a command each millisecond, from the first on
    }
}

void TestScanEnd::nothingIsSavedUp()
{
    ManualClock clock(1'000'000);
    TokenBucket bucket(1000, clock);
    bucket.waitMs(100);
    clock.advance(60'000);
    QCOMPARE(bucket.waitMs(100), 100);
    QCOMPARE(TokenBucket(0, clock).waitMs(1'000'000), 0);
}

LK_TEST(TestScanEnd);
#include "tst_scanend.moc"
