// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartshots.h"
#include "widgets/charts/spanpicker.h"
#include "widgets/charts/timechart.h"

#include <QBuffer>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>

using namespace lk;

namespace {

constexpr qint64 now = 1'700'000'000'000;
constexpr qint64 span = 5 * 60'000;

/// Rises and falls between 0 and top as a limiter's occupancy does; unknown for half a minute.
std::vector<SeriesPoint> believable(double top, int seed, bool outage)
{
    std::vector<SeriesPoint> points;
    double value = top / 2;
    quint32 random = quint32(seed) * 2654435761u + 1;
    for (qint64 t = now - span - 5000; t <= now - 200; t += 1000) {
        random = random * 1664525u + 1013904223u;
        const double drift = (random >> 16) % 100 / 100.0 - 0.47;
        value = std::clamp(value + drift * top * 0.4, 0.0, top);
        const qint64 age = now - t;
        if (outage && age > 120'000 && age < 155'000)
            points.push_back({t, std::nan("")});
        else
            points.push_back({t, std::floor(value)});
    }
    return points;
}

void fillOccupancy(TimeChart& chart)
{
    chart.setTitle(QStringLiteral("Occupancy"), QStringLiteral("requests in the window"),
                   Metric::Unit::Count);
    const int line = chart.addSeries({}, ColorRole::Accent);
    chart.setLimit(5, QStringLiteral("limit 5"));
    chart.setNow(now);
    chart.setPoints(line, believable(5.9, 3, true));
    chart.addFlag(now - 70'000, QStringLiteral("Cleared by anna"));
}

QPoint plotMiddle(const TimeChart& chart)
{
    return {chart.width() / 2, chart.height() / 2};
}

QWidget* plotOf(TimeChart& chart)
{
    QWidget* plot = chart.childAt(plotMiddle(chart));
    return plot;
}

/// The pointer over the plot, whatever the platform's cursor does.
void hover(TimeChart& chart, const QPoint& position)
{
    QWidget* plot = plotOf(chart);
    QMouseEvent move(QEvent::MouseMove, position, plot->mapToGlobal(position), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(plot, &move);
}

} // namespace

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
    void wheelZooms();
    void rangeIsAnnounced();
    void csvHasEveryMoment();
    void pngIsTwiceTheSize();
    void aHiddenChartDoesNotRedraw();
    void coloursFollowTheTheme();
    void theLimitIsDrawn();
    void manyNoisyPointsAreQuick();
    void gallery();

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
    QVERIFY(text.contains(QStringLiteral("1 flag")));
    QVERIFY(text.contains(QStringLiteral("the last 5 m")));
}

void TimeChartTest::valuesUnderTheCrosshair()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Lease left"), QStringLiteral("time"),
                   Metric::Unit::Milliseconds);
    chart.addSeries(QStringLiteral("a"), ColorRole::Accent);
    chart.addSeries(QStringLiteral("b"), ColorRole::Teal);
    chart.setNow(now);
    chart.setPoints(0, {{now - 10'000, 594}});
    chart.setPoints(1, {{now - 10'000, 72'000}, {now - 5000, std::nan("")}});
    chart.addFlag(now - 3000, QStringLiteral("Released"));
    const QString text = chart.valuesAt(now - 3000);
    QVERIFY(text.contains(QStringLiteral("3 s ago")));
    QVERIFY(text.contains(QStringLiteral("a 594 ms")));
    QVERIFY(text.contains(QStringLiteral("b no data")));
    QVERIFY(text.endsWith(QStringLiteral("Released")));
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

void TimeChartTest::wheelZooms()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(600, 200);
    chart.show();
    QWidget* plot = plotOf(chart);
    QWheelEvent wheel({300, 80}, plot->mapToGlobal(QPointF(300, 80)), {}, {0, 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &wheel);
    QVERIFY(chart.spanMs() < span);
    QVERIFY(!chart.following());
    QVERIFY(chart.fromMs() > now - span && chart.toMs() < now);
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

void TimeChartTest::csvHasEveryMoment()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Depth"), QStringLiteral("items"), Metric::Unit::Count);
    chart.addSeries(QStringLiteral("ready"), ColorRole::Accent);
    chart.addSeries(QStringLiteral("processing"), ColorRole::Teal);
    chart.setPoints(0, {{now, 5}, {now + 1000, std::nan("")}});
    chart.setPoints(1, {{now + 500, 2}});
    const QStringList lines = chart.csv().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines[0], QStringLiteral("time_utc,time_local,ready,processing"));
    QVERIFY(lines[1].startsWith(QStringLiteral("2023-11-14T22:13:20.000Z,")));
    QVERIFY(lines[1].endsWith(QStringLiteral(",5,")));
    QVERIFY(lines[2].endsWith(QStringLiteral(",5,2")));
    QVERIFY(lines[3].endsWith(QStringLiteral(",,2")));
}

void TimeChartTest::pngIsTwiceTheSize()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(500, 200);
    chart.show();
    QBuffer buffer;
    buffer.open(QIODevice::ReadWrite);
    QVERIFY(chart.writePng(&buffer));
    const QImage image = QImage::fromData(buffer.data());
    QCOMPARE(image.size(), QSize(1000, 400));
    QVERIFY(pixelsOf(image, themeColors(chart.palette()).accent) > 500);
}

void TimeChartTest::aHiddenChartDoesNotRedraw()
{
    TimeChart chart;
    fillOccupancy(chart);
    QTest::qWait(150);
    QVERIFY(chart.accessibleDescription().isEmpty());
    chart.show();
    QTRY_VERIFY(!chart.accessibleDescription().isEmpty());
}

void TimeChartTest::coloursFollowTheTheme()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(500, 200);
    chart.show();
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        const QImage image = m_shots.take(*m_theme, choice, chart, QStringLiteral("occupancy"));
        const ThemeColors& colors = themeColors(chart.palette());
        QCOMPARE(colors.dark, choice == ThemeChoice::Dark);
        QVERIFY(pixelsOf(image, colors.surface) > image.width() * image.height() / 4);
        QVERIFY(pixelsOf(image, colors.accent) > 300);
    }
}

void TimeChartTest::theLimitIsDrawn()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(500, 200);
    chart.show();
    const QColor danger = themeColors(lightPalette()).danger;
    const int with = pixelsOf(m_shots.take(*m_theme, ThemeChoice::Light, chart, {}), danger);
    chart.setLimit({});
    const int without = pixelsOf(m_shots.take(*m_theme, ThemeChoice::Light, chart, {}), danger);
    QVERIFY(with > 200);
    QCOMPARE(without, 0);
}

void TimeChartTest::manyNoisyPointsAreQuick()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Depth"), QStringLiteral("items"), Metric::Unit::Count);
    chart.resize(900, 400);
    chart.setNow(now);
    for (int line = 0; line < 4; ++line) {
        std::vector<SeriesPoint> points;
        for (int i = 0; i < 3600; ++i)
            points.push_back({now - (3600 - i) * 80, double(i * 7919 % 1000)});
        chart.addSeries(QStringLiteral("line %1").arg(line),
                        ColorRole(int(ColorRole::Accent) + line));
        chart.setPoints(line, std::move(points));
    }
    chart.show();
    chart.grab();
    QElapsedTimer time;
    time.start();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QVERIFY(chart.writePng(&buffer)); // a whole replot at twice the size, and the PNG
    QVERIFY2(time.elapsed() < 2500, qPrintable(QString::number(time.elapsed())));
}

void TimeChartTest::gallery()
{
    QWidget sheet;
    auto* column = new QVBoxLayout(&sheet);
    column->setSpacing(12);
    auto* picker = new SpanPicker(&sheet);
    column->addWidget(picker, 0, Qt::AlignRight);
    const auto add = [&] {
        auto* chart = new TimeChart(&sheet);
        column->addWidget(chart);
        return chart;
    };
    fillOccupancy(*add());
    TimeChart* queue = add();
    queue->setTitle(QStringLiteral("Depth"), QStringLiteral("items in each list"),
                    Metric::Unit::Count);
    queue->addSeries(QStringLiteral("ready"), ColorRole::Accent);
    queue->addSeries(QStringLiteral("processing"), ColorRole::Teal);
    queue->addSeries(QStringLiteral("delayed"), ColorRole::Violet);
    queue->setNow(now);
    queue->setPoints(0, believable(1800, 5, false));
    queue->setPoints(1, believable(300, 6, false));
    queue->setPoints(2, believable(280, 9, false));
    TimeChart* lease = add();
    lease->setTitle(QStringLiteral("Lease left"),
                    QStringLiteral("time until the lock frees itself"), Metric::Unit::Milliseconds);
    lease->addSeries({}, ColorRole::Teal, TimeChart::Shape::Line);
    lease->setNow(now);
    std::vector<SeriesPoint> saw;
    for (qint64 t = now - span; t < now; t += 1000)
        saw.push_back({t, double(30'000 - (t / 1000 % 20) * 1000)});
    lease->setPoints(0, saw);
    TimeChart* still = add();
    fillOccupancy(*still);
    QTest::keyClick(still, Qt::Key_Left);
    TimeChart* empty = add();
    empty->setTitle(QStringLiteral("Retry after"), QStringLiteral("what a refused caller is told"),
                    Metric::Unit::Milliseconds);
    empty->addSeries({}, ColorRole::Violet);
    empty->setNow(now);
    sheet.resize(640, 1000);
    sheet.show();
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        hover(*queue, {300, choice == ThemeChoice::Light ? 60 : 61});
        const QImage image = m_shots.take(*m_theme, choice, sheet, QStringLiteral("times"));
        const ThemeColors& colors = themeColors(sheet.palette());
        for (const QColor& color : {colors.accent, colors.teal, colors.violet, colors.danger})
            QVERIFY(pixelsOf(image, color) > 50);
    }
}

QTEST_MAIN(TimeChartTest)
#include "tst_charts_time.moc"
