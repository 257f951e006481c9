// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/csv.h"
#include "tests/support/testprogram.h"
#include "widgets/charts/chartdata.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/timeview.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <cmath>

using namespace lk;

namespace {
constexpr qint64 now = 1'700'000'000'000;
constexpr qint64 minute = 60'000;
} // namespace

class ChartViewTest final : public QObject
{
    Q_OBJECT

private slots:
    void followsNow();
    void leavesRoomForTheFuture();
    void panningStandsStill();
    void zoomKeepsThePlaceUnderThePointer();
    void zoomHasEnds();
    void ticksAreRoundAndFew_data();
    void ticksAreRoundAndFew();
    void relativeTicksName();
    void stepsAreRound_data();
    void stepsAreRound();
    void axisTextsAreShort_data();
    void axisTextsAreShort();
    void cellsAreQuotedAndHarmless_data();
    void cellsAreQuotedAndHarmless();
    void valueTextsAreShort_data();
    void valueTextsAreShort();
    void tableNumbersAreAsExactAsTheyAreKept();
    void thereIsNothingBeyondNow();
    void valuesHoldUntilTheNext();
    void gapsReachNowWhileOpen();
    void redrawsComeAtMostTenTimesASecond();
    void hiddenWidgetsAreDrawnWhenShown();
    void aSpanIsChosenWithTheKeyboard();
};

void ChartViewTest::followsNow()
{
    TimeView view(5 * minute);
    view.setNow(now);
    QCOMPARE(view.toMs(), now);
    QCOMPARE(view.fromMs(), now - 5 * minute);
    view.setNow(now + 250);
    QCOMPARE(view.toMs(), now + 250);
}

void ChartViewTest::leavesRoomForTheFuture()
{
    TimeView view(100'000, 0.25);
    view.setNow(now);
    QCOMPARE(view.toMs(), now + 25'000);
    QCOMPARE(view.fromMs(), now - 75'000);
}

void ChartViewTest::panningStandsStill()
{
    TimeView view(5 * minute);
    view.setNow(now);
    view.pan(-0.5);
    QVERIFY(!view.following());
    const qint64 to = view.toMs();
    view.setNow(now + 5000);
    QCOMPARE(view.toMs(), to);
    QCOMPARE(to, now - 150'000);
    view.follow();
    QCOMPARE(view.toMs(), now + 5000);
}

void ChartViewTest::zoomKeepsThePlaceUnderThePointer()
{
    TimeView view(100'000);
    view.setNow(now);
    view.zoom(0.5, 0.25);
    QCOMPARE(view.spanMs(), 50'000);
    QCOMPARE(view.fromMs() + view.spanMs() / 4, now - 75'000);
    QVERIFY(!view.following());
}

void ChartViewTest::zoomHasEnds()
{
    TimeView view(100'000);
    view.setNow(now);
    for (int i = 0; i < 100; ++i)
        view.zoom(0.5, 0.5);
    QCOMPARE(view.spanMs(), TimeView::shortestMs);
    for (int i = 0; i < 100; ++i)
        view.zoom(2, 0.5);
    QCOMPARE(view.spanMs(), TimeView::longestMs);
}

void ChartViewTest::ticksAreRoundAndFew_data()
{
    QTest::addColumn<qint64>("span");
    QTest::addColumn<qint64>("step");
    QTest::newRow("1 s") << qint64(1000) << qint64(200);
    QTest::newRow("1 min") << minute << qint64(10'000);
    QTest::newRow("5 min") << 5 * minute << minute;
    QTest::newRow("15 min") << 15 * minute << 5 * minute;
    QTest::newRow("24 h") << 24 * 60 * minute << 6 * 60 * minute;
}

void ChartViewTest::ticksAreRoundAndFew()
{
    QFETCH(qint64, span);
    QFETCH(qint64, step);
    TimeView view(span);
    view.setNow(now + 1234);
    const auto ticks = timeTicks(view, TimeLabels::Clock, 6);
    QVERIFY(ticks.size() >= 3 && ticks.size() <= 7);
    for (const TimeTick& tick : ticks) {
        QVERIFY(tick.tMs >= view.fromMs() && tick.tMs <= view.toMs());
        QCOMPARE(tick.tMs % step, 0);
        QVERIFY(!tick.label.isEmpty());
    }
    QCOMPARE(ticks[1].tMs - ticks[0].tMs, step);
}

void ChartViewTest::relativeTicksName()
{
    TimeView view(minute);
    view.setNow(now + 1234);
    const auto ticks = timeTicks(view, TimeLabels::Relative, 3);
    QCOMPARE(ticks.back().label, QStringLiteral("now"));
    QCOMPARE(ticks.back().tMs, now + 1234);
    QCOMPARE(ticks[ticks.size() - 2].label, QStringLiteral("\u221230 s"));
}

void ChartViewTest::stepsAreRound_data()
{
    QTest::addColumn<double>("top");
    QTest::addColumn<int>("unit");
    QTest::addColumn<double>("step");
    const int count = int(Metric::Unit::Count);
    const int ms = int(Metric::Unit::Milliseconds);
    QTest::newRow("small counts") << 5.0 << count << 2.0;
    QTest::newRow("never below one") << 1.0 << count << 1.0;
    QTest::newRow("large counts") << 120'000.0 << count << 50'000.0;
    QTest::newRow("milliseconds") << 594.0 << ms << 200.0;
    QTest::newRow("a minute") << 61'000.0 << ms << 30'000.0;
    QTest::newRow("an hour") << 3'700'000.0 << ms << 1'800'000.0;
    QTest::newRow("days") << 86'400'000.0 * 9 << ms << 86'400'000.0 * 5;
}

void ChartViewTest::stepsAreRound()
{
    QFETCH(double, top);
    QFETCH(int, unit);
    QFETCH(double, step);
    QCOMPARE(roundStep(top, 3, Metric::Unit(unit)), step);
}

void ChartViewTest::axisTextsAreShort_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("isDuration");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << true << QStringLiteral("0");
    QTest::newRow("count") << 250.0 << false << QStringLiteral("250");
    QTest::newRow("thousands") << 1500.0 << false << QStringLiteral("1.5k");
    QTest::newRow("millions") << 2e6 << false << QStringLiteral("2M");
    QTest::newRow("milliseconds") << 500.0 << true << QStringLiteral("500ms");
    QTest::newRow("minutes") << 90'000.0 << true << QStringLiteral("1m30s");
}

void ChartViewTest::axisTextsAreShort()
{
    QFETCH(double, value);
    QFETCH(bool, isDuration);
    QTEST(axisText(value, isDuration ? Metric::Unit::Milliseconds : Metric::Unit::Count), "text");
}

void ChartViewTest::cellsAreQuotedAndHarmless_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("cell");
    QTest::newRow("plain") << QStringLiteral("api") << QStringLiteral("api");
    QTest::newRow("comma") << QStringLiteral("a,b") << QStringLiteral("\"a,b\"");
    QTest::newRow("quote") << QStringLiteral("a\"b") << QStringLiteral("\"a\"\"b\"");
    QTest::newRow("line") << QStringLiteral("a\nb") << QStringLiteral("\"a\nb\"");
    QTest::newRow("formula") << QStringLiteral("=1+1") << QStringLiteral("'=1+1");
}

void ChartViewTest::cellsAreQuotedAndHarmless()
{
    QFETCH(QString, text);
    QTEST(csvCell(text), "cell");
}

void ChartViewTest::valueTextsAreShort_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0");
    QTest::newRow("count") << 1204.0 << QStringLiteral("1,204");
    QTest::newRow("rate") << 12.54 << QStringLiteral("12.5");
    QTest::newRow("many") << 212.7 << QStringLiteral("213");
    QTest::newRow("nearly one") << 0.9999999999999999 << QStringLiteral("1");
    QTest::newRow("nearly three") << 2.9999999 << QStringLiteral("3");
    QTest::newRow("small") << 0.04 << QStringLiteral("0.04");
    QTest::newRow("tiny is not none") << 0.0004 << QStringLiteral("<\u20090.01");
}

void ChartViewTest::valueTextsAreShort()
{
    QFETCH(double, value);
    QTEST(valueText(value, Metric::Unit::Count), "text");
}

void ChartViewTest::tableNumbersAreAsExactAsTheyAreKept()
{
    QCOMPARE(numberCell(0.9999999999999999), QStringLiteral("1"));
    QCOMPARE(numberCell(double(0.1F)), QStringLiteral("0.1"));
    QCOMPARE(numberCell(1234567890), QStringLiteral("1234567890"));
    QCOMPARE(numberCell(2.5), QStringLiteral("2.5"));
}

void ChartViewTest::thereIsNothingBeyondNow()
{
    TimeView view(5 * minute);
    view.setNow(now);
    view.pan(-0.5);
    QVERIFY(!view.following());
    view.pan(3);
    QVERIFY(view.following());
    QCOMPARE(view.toMs(), now);
    view.moveTo(now - minute); // less than a span ago: it is all there to see
    QVERIFY(view.following());
}

void ChartViewTest::valuesHoldUntilTheNext()
{
    const std::vector<SeriesPoint> points{{100, 1}, {200, std::nan("")}, {300, 2}};
    QVERIFY(std::isnan(valueAt(points, 99)));
    QCOMPARE(valueAt(points, 100), 1.0);
    QCOMPARE(valueAt(points, 199), 1.0);
    QVERIFY(std::isnan(valueAt(points, 250)));
    QCOMPARE(valueAt(points, 9999), 2.0);
}

void ChartViewTest::gapsReachNowWhileOpen()
{
    ChartData data;
    data.lines.push_back({{},
                          ColorRole::Accent,
                          true,
                          {{100, 1}, {200, std::nan("")}, {300, 2}, {400, std::nan("")}}});
    const auto gaps = data.gaps(1000);
    QCOMPARE(gaps.size(), 2u);
    QCOMPARE(gaps[0].fromMs, 200);
    QCOMPARE(gaps[0].toMs, 300);
    QCOMPARE(gaps[1].toMs, 1000);
}

void ChartViewTest::redrawsComeAtMostTenTimesASecond()
{
    QWidget widget;
    widget.show();
    int drawn = 0;
    RedrawGate gate(&widget, [&drawn] { ++drawn; });
    QElapsedTimer time;
    time.start();
    QTimer requests;
    connect(&requests, &QTimer::timeout, this, [&gate] { gate.request(); });
    requests.start(5);
    QTRY_VERIFY(time.elapsed() >= 450);
    QVERIFY2(drawn >= 2 && drawn <= 6, qPrintable(QString::number(drawn)));
}

void ChartViewTest::hiddenWidgetsAreDrawnWhenShown()
{
    QWidget widget;
    int drawn = 0;
    RedrawGate gate(&widget, [&drawn] { ++drawn; });
    for (int i = 0; i < 20; ++i)
        gate.request();
    QWidget seen;
    int drawnThere = 0;
    RedrawGate other(&seen, [&drawnThere] { ++drawnThere; });
    seen.show();
    other.request();
    QTRY_COMPARE(drawnThere, 1);
    other.request(); // as late as it gets
    QTRY_COMPARE(drawnThere, 2);
    QCOMPARE(drawn, 0);
    widget.show();
    QTRY_COMPARE(drawn, 1);
}

void ChartViewTest::aSpanIsChosenWithTheKeyboard()
{
    SpanPicker picker;
    picker.show();
    QSignalSpy chosen(&picker, &SpanPicker::spanChosen);
    const auto buttons = picker.findChildren<QAbstractButton*>();
    QCOMPARE(buttons.size(), 5);
    for (const QAbstractButton* button : buttons)
        QVERIFY(!button->accessibleName().isEmpty());
    QTest::keyClick(buttons[0], Qt::Key_Space);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toLongLong(), minute);
    QCOMPARE(picker.spanMs(), minute);
    picker.setSpan(7 * minute);
    QCOMPARE(picker.spanMs(), 0);
    QCOMPARE(chosen.size(), 1);
}

LK_WIDGET_TEST(ChartViewTest);
#include "tst_charts_view.moc"
