// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/series.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>

using namespace lk;

namespace {

constexpr qint64 start = 1'700'000'000'000;
constexpr qint64 minute = 60'000;
constexpr qint64 hour = 60 * minute;

double largestOf(const std::vector<SeriesPoint>& points)
{
    double largest = -1;
    for (const SeriesPoint& point : points) {
        if (point.value > largest)
            largest = point.value;
    }
    return largest;
}

bool ascends(const std::vector<SeriesPoint>& points)
{
    for (size_t i = 1; i < points.size(); ++i) {
        if (points[i].tMs <= points[i - 1].tMs)
            return false;
    }
    return true;
}

int gapsOf(const std::vector<SeriesPoint>& points)
{
    return int(std::ranges::count_if(points, [](const auto& p) { return std::isnan(p.value); }));
}

} // namespace

class SeriesTest final : public QObject
{
    Q_OBJECT

private slots:
    void isEmptyAtFirst();
    void keepsRecentSamplesExactly();
    void ignoresSamplesThatAreNotNewer();
    void ignoresWhatIsNoNumber();
    void reachesFromEdgeToEdge();
    void anOutageIsAGap();
    void aSecondGapAddsNothing();
    void whatWasNotReadForLongIsAGap();
    void nothingToMeasureIsNoOutage();
    void anOutageWhileThereIsNothingToMeasure();
    void kindsOfGapsStayInEveryTier();
    void anOldOutageIsAGapInEveryTier();
    void oldPeaksStay_data();
    void oldPeaksStay();
    void forgetsAfterADay();
    void answersWithAtMostWhatWasAsked();
    void thinningKeepsExtremesAndGaps();
    void memoryIsFlatForMonths();
};

void SeriesTest::isEmptyAtFirst()
{
    const Series series;
    QVERIFY(series.isEmpty());
    QCOMPARE(series.lastMs(), 0);
    QVERIFY(series.points(0, start, 100).empty());
}

void SeriesTest::keepsRecentSamplesExactly()
{
    Series series;
    for (int i = 0; i < 400; ++i)
        series.append(start + i * 250, i * 0.1);
    const auto points = series.points(start, start + hour, 1000);
    QCOMPARE(points.size(), 400u);
    QCOMPARE(points[123].tMs, start + 123 * 250);
    QCOMPARE(points[123].value, 123 * 0.1);
}

void SeriesTest::ignoresSamplesThatAreNotNewer()
{
    Series series;
    series.append(start, 1);
    series.append(start, 2);
    series.append(start - 1, 3);
    QCOMPARE(series.points(0, start + 1, 10).size(), 1u);
    QCOMPARE(series.points(0, start + 1, 10).front().value, 1.0);
}

void SeriesTest::ignoresWhatIsNoNumber()
{
    Series series;
    series.append(start, std::nan(""));
    series.append(start + 1, std::numeric_limits<double>::infinity());
    QVERIFY(series.isEmpty());
}

void SeriesTest::reachesFromEdgeToEdge()
{
    Series series;
    for (int i = 0; i < 5; ++i)
        series.append(start + i * 10'000, i);
    const auto points = series.points(start + 15'000, start + 25'000, 10);
    QCOMPARE(points.size(), 3u); // the one that holds at the left, and the one to draw on to
    QCOMPARE(points.front().value, 1.0);
    QCOMPARE(points.back().value, 3.0);
}

void SeriesTest::anOutageIsAGap()
{
    Series series;
    series.append(start, 1);
    series.gap(start + 250);
    series.append(start + 20'000, 2);
    const auto points = series.points(start, start + hour, 10);
    QCOMPARE(points.size(), 3u);
    QVERIFY(std::isnan(points[1].value));
    QCOMPARE(points[1].tMs, start + 250);
}

void SeriesTest::aSecondGapAddsNothing()
{
    Series series;
    series.gap(start); // before the first sample there is nothing to end
    QVERIFY(series.isEmpty());
    series.append(start, 1);
    series.gap(start + 1);
    series.gap(start + 5000);
    QCOMPARE(series.points(start, start + hour, 10).size(), 2u);
}

void SeriesTest::whatWasNotReadForLongIsAGap()
{
    Series series;
    series.append(start, 1, 2000);
    series.append(start + 2000, 2, 2000); // as often as expected
    series.append(start + 30'000, 3, 2000);
    const auto points = series.points(start, start + hour, 10);
    QCOMPARE(points.size(), 4u);
    QVERIFY(std::isnan(points[2].value) && !isAbsent(points[2].value));
    QCOMPARE(points[2].tMs, start + 2001); // known for its moment and no longer
    QCOMPARE(points[3].value, 3.0);
}

void SeriesTest::nothingToMeasureIsNoOutage()
{
    Series series;
    series.absent(start); // before the first sample there is nothing to end
    QVERIFY(series.isEmpty());
    series.append(start, 1, 2000);
    for (int i = 1; i <= 40; ++i)
        series.absent(start + i * 1000, 2000); // each is a read: no silence
    series.append(start + 41'000, 2, 2000);
    const auto points = series.points(start, start + hour, 10);
    QCOMPARE(points.size(), 3u);
    QCOMPARE(points[1].tMs, start + 1000);
    QVERIFY(isAbsent(points[1].value));
}

void SeriesTest::anOutageWhileThereIsNothingToMeasure()
{
    Series series;
    series.append(start, 1, 2000);
    series.absent(start + 1000, 2000);
    series.gap(start + 2000);
    series.absent(start + 60'000, 2000);
    series.append(start + 90'000, 2, 2000); // and a silence after it
    const auto points = series.points(start, start + hour, 10);
    QCOMPARE(points.size(), 6u);
    for (size_t i = 1; i <= 4; ++i)
        QCOMPARE(isAbsent(points[i].value), i % 2 == 1);
    QCOMPARE(points[4].tMs, start + 60'001);
}

void SeriesTest::kindsOfGapsStayInEveryTier()
{
    Series series;
    for (qint64 t = 0; t < 3 * hour; t += 250) {
        const qint64 minutes = t / minute;
        if (minutes >= 10 && minutes < 20)
            series.absent(start + t);
        else if (minutes >= 30 && minutes < 40)
            series.gap(start + t);
        else
            series.append(start + t, 3);
    }
    const auto points = series.points(start, start + 3 * hour, 5000);
    std::vector<SeriesPoint> gaps;
    std::ranges::copy_if(points, std::back_inserter(gaps),
                         [](const auto& p) { return std::isnan(p.value); });
    QCOMPARE(gaps.size(), 2u);
    QVERIFY(isAbsent(gaps[0].value));
    QVERIFY(!isAbsent(gaps[1].value));
}

void SeriesTest::anOldOutageIsAGapInEveryTier()
{
    Series series;
    for (qint64 t = 0; t < 2 * hour; t += 250) {
        const bool outage = t > 10 * minute && t < 20 * minute;
        if (outage)
            series.gap(start + t);
        else
            series.append(start + t, 3);
    }
    const auto points = series.points(start, start + 2 * hour, 5000);
    QCOMPARE(gapsOf(points), 1);
    const auto gap =
        std::ranges::find_if(points, [](const auto& p) { return std::isnan(p.value); });
    QVERIFY(std::abs(gap->tMs - (start + 10 * minute)) <= 2 * minute);
    QVERIFY((gap + 1)->tMs - gap->tMs >= 7 * minute);
}

void SeriesTest::oldPeaksStay_data()
{
    QTest::addColumn<qint64>("age");
    QTest::newRow("as a sample") << minute;
    QTest::newRow("among the seconds") << 10 * minute;
    QTest::newRow("among the minutes") << 20 * hour;
}

void SeriesTest::oldPeaksStay()
{
    QFETCH(qint64, age);
    Series series;
    const qint64 peak = start + 23 * hour - age;
    for (qint64 t = start; t <= start + 23 * hour; t += 250)
        series.append(t, t == peak - peak % 250 ? 500 : 2);
    const auto points = series.points(start, start + 23 * hour, 1000);
    QCOMPARE(largestOf(points), 500.0);
    QVERIFY(ascends(points));
    const auto found = std::ranges::max_element(points, {}, &SeriesPoint::value);
    QVERIFY(std::abs(found->tMs - peak) <= minute);
}

void SeriesTest::forgetsAfterADay()
{
    Series series;
    for (qint64 t = 0; t < 30 * hour; t += 1000)
        series.append(start + t, 1);
    QVERIFY(series.firstMs() >= start + 6 * hour - 2 * minute);
    QVERIFY(series.firstMs() <= start + 6 * hour + 2 * minute);
    QCOMPARE(series.lastMs(), start + 30 * hour - 1000);
}

void SeriesTest::answersWithAtMostWhatWasAsked()
{
    Series series;
    for (qint64 t = 0; t < 24 * hour; t += 500)
        series.append(start + t, double(t % 7919));
    for (const int most : {50, 400, 1000}) {
        const auto points = series.points(start, start + 24 * hour, most);
        QVERIFY2(points.size() <= size_t(most), qPrintable(QString::number(points.size())));
        QVERIFY(points.size() >= size_t(most) / 3);
        QVERIFY(ascends(points));
    }
}

void SeriesTest::thinningKeepsExtremesAndGaps()
{
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 10'000; ++i)
        points.push_back({i * 10, 5});
    points[4321].value = 99;
    points[7654].value = -1;
    points[2500].value = std::nan("");
    const auto few = thinned(points, 200);
    QVERIFY(few.size() <= 200);
    QCOMPARE(largestOf(few), 99.0);
    QVERIFY(std::ranges::any_of(few, [](const auto& p) { return p.value == -1; }));
    QCOMPARE(gapsOf(few), 1);
    QCOMPARE(few.front().tMs, points.front().tMs);
    QCOMPARE(few.back().tMs, points.back().tMs);
}

void SeriesTest::memoryIsFlatForMonths()
{
    Series series;
    constexpr qint64 day = 24 * hour;
    size_t afterTwoDays = 0;
    for (qint64 t = 0; t < 30 * day; t += 250) {
        series.append(start + t, double(t % 11));
        if (t == 2 * day)
            afterTwoDays = series.memory();
    }
    QCOMPARE(series.memory(), afterTwoDays);
    QVERIFY(series.memory() < 40'000);
}

LK_TEST(SeriesTest);
#include "tst_series.moc"
