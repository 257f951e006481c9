// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/timecharts.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/charts/timeaxis.h"

#include <QAbstractButton>
#include <QBuffer>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>

using namespace lk;
using namespace lk::test;

class TimeChartTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void saysItHasNoSamples();
    void describesLatestLimitGapAndFlag();
    void valuesUnderTheCrosshair();
    void theCrosshairIsSeenAndLeaves();
    void keysMoveAndReturn();
    void dragPansAndDoubleClickReturns();
    void ctrlWheelZoomsAndTheBareWheelIsThePages();
    void labelsBelongToTheVisibleEnd();
    void whatIsNotLiveSaysSoAndReturns();
    void staleLinesEndWhereTheyWereRead();
    void nothingToMeasureIsNoGap();
    void aLonePointIsSeen();
    void chartsOfAnAxisMoveTogether();
    void rangeIsAnnounced();

private:
    std::unique_ptr<Theme> m_theme;
    Shots m_shots;
};

void TimeChartTest::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp);
    m_theme->choose(ThemeChoice::Light);
}

void TimeChartTest::saysItHasNoSamples()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Occupancy"), QStringLiteral("requests"), Metric::Unit::Count);
    chart.addSeries({}, ColorRole::Accent);
    chart.show();
    QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("No samples yet"));
    QCOMPARE(chart.accessibleName(), QStringLiteral("Occupancy"));
}

void TimeChartTest::describesLatestLimitGapAndFlag()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.setPoints(0, {{now - 9000, 1}, {now - 8000, std::nan("")}, {now - 1000, 4}});
    chart.show();
    QTRY_VERIFY(!chart.accessibleDescription().isEmpty());
    const QString text = chart.accessibleDescription();
    QVERIFY2(text.startsWith(QStringLiteral("requests in the window: 4, limit 5")),
             qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("1 gap")));
    QVERIFY(text.contains(QStringLiteral("the last 5 m")));
}

void TimeChartTest::valuesUnderTheCrosshair()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("TTL"), QStringLiteral("time"), Metric::Unit::Milliseconds);
    chart.addSeries(QStringLiteral("a"), ColorRole::Accent);
    chart.addSeries(QStringLiteral("b"), ColorRole::Teal);
    chart.setNow(now);
    chart.setPoints(0, {{now - 10'000, 594}, {now - 500, 600}});
    chart.setPoints(1, {{now - 10'000, 72'000}, {now - 5000, std::nan("")}});
    const QString text = chart.valuesAt(now - 3000);
    QVERIFY(text.contains(QStringLiteral("3 s ago")));
    QVERIFY(text.contains(QStringLiteral("a 594 ms")));
    QVERIFY(text.contains(QStringLiteral("b no data")));
    QVERIFY(chart.valuesAt(now - 7000).contains(QStringLiteral("b 1 m 12 s")));
}

void TimeChartTest::theCrosshairIsSeenAndLeaves()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(500, 200);
    chart.show();
    const QImage before = m_shots.take(*m_theme, ThemeChoice::Light, chart, {});
    hover(chart, {200, 80});
    const QImage with = chart.grab().toImage();
    const QColor box = themeColors(chart.palette()).ground;
    QVERIFY(pixelsOf(with, box) > pixelsOf(before, box) + 1000);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(plotOf(chart), &leave);
    QCOMPARE(pixelsOf(chart.grab().toImage(), box), pixelsOf(before, box));
}

void TimeChartTest::keysMoveAndReturn()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.show();
    QTest::keyClick(&chart, Qt::Key_Left);
    QVERIFY(!chart.following());
    QCOMPARE(chart.toMs(), now - span / 5);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.toMs(), now);
    QTest::keyClick(&chart, Qt::Key_Plus);
    QVERIFY(chart.spanMs() < span);
    QTest::keyClick(&chart, Qt::Key_Minus);
    QVERIFY(std::abs(chart.spanMs() - span) <= 1);
    QTest::keyClick(&chart, Qt::Key_Home);
    QCOMPARE(chart.fromMs(), now - span - 5000);
    QTest::keyClick(&chart, Qt::Key_End);
    QVERIFY(chart.following());
    QCOMPARE(chart.toMs(), now);
}

void TimeChartTest::dragPansAndDoubleClickReturns()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(600, 200);
    chart.show();
    QWidget* plot = plotOf(chart);
    QTest::mousePress(plot, Qt::LeftButton, {}, {200, 80});
    QTest::mouseMove(plot, {300, 80});
    QTest::mouseRelease(plot, Qt::LeftButton, {}, {300, 80});
    QVERIFY(!chart.following());
    QVERIFY(chart.toMs() < now - span / 8);
    QTest::mouseDClick(plot, Qt::LeftButton, {}, {300, 80});
    QVERIFY(chart.following());
}

void TimeChartTest::ctrlWheelZoomsAndTheBareWheelIsThePages()
{
    QScrollArea page;
    auto* chart = new TimeChart;
    fillOccupancy(*chart);
    chart->setFixedSize(600, 900);
    page.setWidget(chart);
    page.resize(640, 300);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    wheel(*plotOf(*chart), {300, 80}, -120, Qt::NoModifier);
    QVERIFY(page.verticalScrollBar()->value() > 0);
    QVERIFY(chart->following());
    QCOMPARE(chart->spanMs(), span);
    const int scrolled = page.verticalScrollBar()->value();
    wheel(*plotOf(*chart), {300, 400}, 120, Qt::ControlModifier);
    QCOMPARE(page.verticalScrollBar()->value(), scrolled);
    QVERIFY(chart->spanMs() < span);
    QVERIFY(!chart->following());
    QVERIFY(chart->fromMs() > now - span && chart->toMs() < now);
    for (int i = 0; i < 5; ++i) // out again: there is nothing beyond now
        wheel(*plotOf(*chart), {300, 400}, -120, Qt::ControlModifier);
    QVERIFY(chart->following());
    QCOMPARE(chart->toMs(), now);
}

void TimeChartTest::labelsBelongToTheVisibleEnd()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Depth"), QStringLiteral("items"), Metric::Unit::Count);
    chart.addSeries(QStringLiteral("ready"), ColorRole::Accent);
    chart.setNow(now);
    chart.setPoints(0, {{now - 2 * span, 7}, {now - 1000, 4321}});
    chart.show();
    QTRY_VERIFY(chart.accessibleDescription().contains(QStringLiteral("ready 4,321")));
    QTest::keyClick(&chart, Qt::Key_Left);
    QTRY_VERIFY(chart.accessibleDescription().contains(QStringLiteral("ready 7,")));
    QVERIFY(!chart.accessibleDescription().contains(QStringLiteral("4,321")));
}

void TimeChartTest::whatIsNotLiveSaysSoAndReturns()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(500, 200);
    chart.show();
    const ThemeColors& colors = themeColors(chart.palette());
    auto* button = chart.findChild<QAbstractButton*>();
    QVERIFY(!button->isVisible());
    QCOMPARE(pixelsOf(m_shots.take(*m_theme, ThemeChoice::Light, chart, {}), colors.warning), 0);
    QTest::keyClick(&chart, Qt::Key_Left);
    const QImage still = m_shots.take(*m_theme, ThemeChoice::Light, chart, QStringLiteral("still"));
    QVERIFY(pixelsOf(still, colors.warning) > 5); // words, whose edges are smooth
    QVERIFY(pixelsOf(still, colors.tint(ColorRole::Warning)) > still.width() * still.height() / 4);
    QVERIFY2(
        chart.accessibleDescription().contains(QStringLiteral("Paused at 22:12:20 \u00b7 1 m ago")),
        qPrintable(chart.accessibleDescription()));
    QVERIFY(button->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Back to live"));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(chart.following());
    QTRY_VERIFY(!button->isVisible());
    QTest::keyClick(&chart, Qt::Key_Left);
    QTest::keyClick(&chart, Qt::Key_End);
    QVERIFY(chart.following());
}

void TimeChartTest::staleLinesEndWhereTheyWereRead()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Depth"), QStringLiteral("items"), Metric::Unit::Count);
    chart.addSeries({}, ColorRole::Accent);
    chart.setNow(now);
    chart.setPoints(0, {{now - 60'000, 5}, {now - 30'000, 5}});
    chart.resize(500, 200);
    chart.show();
    QTRY_VERIFY(chart.accessibleDescription().startsWith(QStringLiteral("items: no data")));
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("1 gap")));
    QVERIFY(chart.valuesAt(now - 10'000).contains(QStringLiteral("no data")));
    QVERIFY(chart.valuesAt(now - 40'000).endsWith(QLatin1Char('5')));
    const QImage image = m_shots.take(*m_theme, ThemeChoice::Light, chart, {});
    const QColor under = themeColors(chart.palette()).tint(ColorRole::Accent);
    const int plotRight = image.width() - 62;
    QCOMPARE(pixelsOf(image.copy(plotRight - 30, 40, 30, 120), under), 0); // nor ground below it
    chart.setStaleAfter(40'000);
    QTRY_VERIFY(
        pixelsOf(
            m_shots.take(*m_theme, ThemeChoice::Light, chart, {}).copy(plotRight - 30, 40, 30, 120),
            under) > 100);
}

void TimeChartTest::nothingToMeasureIsNoGap()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("TTL"), QStringLiteral("time"), Metric::Unit::Milliseconds);
    const int lease = chart.addSeries({}, ColorRole::Accent, TimeChart::Shape::Line);
    chart.setAbsentText(lease, QStringLiteral("no lease"));
    chart.setNow(now);
    chart.setPoints(lease,
                    {{now - 200'000, 30'000}, {now - 150'000, std::copysign(std::nan(""), -1.0)}});
    chart.show();
    QTRY_VERIFY(chart.accessibleDescription().startsWith(QStringLiteral("time: no lease")));
    QVERIFY(!chart.accessibleDescription().contains(QStringLiteral("gap")));
    QVERIFY(chart.valuesAt(now - 5000).contains(QStringLiteral("no lease")));
}

void TimeChartTest::aLonePointIsSeen()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Retry after"), QStringLiteral("time"),
                   Metric::Unit::Milliseconds);
    chart.addSeries({}, ColorRole::Violet, TimeChart::Shape::Line);
    chart.setNow(now);
    chart.setPoints(0, {{now - 100'000, 500}, {now - 99'999, std::nan("")}});
    chart.resize(500, 200);
    chart.show();
    const QImage image = m_shots.take(*m_theme, ThemeChoice::Light, chart, {});
    QVERIFY(pixelsOf(image, themeColors(chart.palette()).violet) >= 5);
}

void TimeChartTest::chartsOfAnAxisMoveTogether()
{
    QObject owner;
    auto* axis = new TimeAxis(span, 0, &owner);
    QWidget pane;
    auto* column = new QVBoxLayout(&pane);
    std::vector<TimeChart*> charts;
    for (int i = 0; i < 2; ++i) {
        auto* chart = charts.emplace_back(new TimeChart(&pane));
        chart->setAxis(axis);
        fillOccupancy(*chart);
        column->addWidget(chart);
    }
    auto* picker = new SpanPicker(&pane);
    picker->setAxis(axis);
    column->addWidget(picker);
    pane.resize(500, 460);
    pane.show();
    QTest::keyClick(charts[0], Qt::Key_Left);
    QVERIFY(!charts[1]->following());
    QCOMPARE(charts[1]->toMs(), charts[0]->toMs());
    QTest::keyClick(charts[1], Qt::Key_Plus);
    QCOMPARE(charts[0]->spanMs(), charts[1]->spanMs());
    QVERIFY(charts[0]->spanMs() < span);
    QCOMPARE(picker->spanMs(), 0); // none of its five
    QTest::keyClick(charts[0], Qt::Key_End);
    QVERIFY(charts[1]->following());
    // One crosshair: the pointer over one shows the moment in the other.
    const QImage before = m_shots.take(*m_theme, ThemeChoice::Light, *charts[1], {});
    hover(*charts[0], {200, 80});
    const QImage with = charts[1]->grab().toImage();
    QVERIFY(with != before);
}

void TimeChartTest::rangeIsAnnounced()
{
    TimeChart chart;
    chart.setNow(now);
    QSignalSpy ranges(&chart, &TimeChart::rangeChanged);
    chart.setSpan(60'000);
    QCOMPARE(ranges.size(), 1);
    QCOMPARE(ranges[0][0].toLongLong(), now - 60'000);
    QCOMPARE(ranges[0][1].toLongLong(), now);
    QCOMPARE(ranges[0][2].toBool(), true);
}

LK_WIDGET_TEST(TimeChartTest);
#include "tst_charts_time.moc"
