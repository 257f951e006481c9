// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/timecharts.h"
#include "widgets/charts/time/spanpicker.h"
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

using namespace lk;
using namespace lk::test;

/// How a chart is drawn, in which colours, and how fast.
class TimeChartDrawingTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void endLabelsKeepClearOfNow();
    void aHiddenChartDoesNotRedraw();
    void coloursFollowTheTheme();
    void theLimitIsDrawn();
    void manyNoisyPointsAreQuick();
    void gallery();

private:
    std::unique_ptr<Theme> m_theme;
    Shots m_shots;
};

void TimeChartDrawingTest::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp);
    m_theme->choose(ThemeChoice::Light);
}

void TimeChartDrawingTest::endLabelsKeepClearOfNow()
{
    TimeChart chart;
    chart.setTitle(QStringLiteral("Depth"), QStringLiteral("items"), Metric::Unit::Count);
    for (const ColorRole role : {ColorRole::Violet, ColorRole::Teal, ColorRole::Danger}) {
        const int line = chart.addSeries(QStringLiteral("delayed"), role);
        chart.setPoints(line, {{now - 1000, 0}});
    }
    chart.setNow(now);
    chart.resize(420, 180);
    chart.show();
    const QImage image = m_shots.take(*m_theme, ThemeChoice::Light, chart, QStringLiteral("ends"));
    const ThemeColors& colors = themeColors(chart.palette());
    int axis = 0; // the row of the time axis
    for (int y = 0; y < image.height(); ++y) {
        int ink = 0;
        for (int x = 60; x < 260; ++x)
            ink += image.pixelColor(x, y) == colors.border;
        if (ink > 190)
            axis = y;
    }
    QVERIFY(axis > 100);
    const QImage below = image.copy(0, axis + 5, image.width(), image.height() - axis - 5);
    for (const QColor& color : {colors.violet, colors.teal, colors.danger})
        QCOMPARE(pixelsOf(below, color), 0);
}

void TimeChartDrawingTest::aHiddenChartDoesNotRedraw()
{
    TimeChart chart;
    fillOccupancy(chart);
    TimeChart seen;
    fillOccupancy(seen);
    seen.show();
    QTRY_VERIFY(!seen.accessibleDescription().isEmpty());
    QVERIFY(chart.accessibleDescription().isEmpty());
    chart.show();
    QTRY_VERIFY(!chart.accessibleDescription().isEmpty());
}

void TimeChartDrawingTest::coloursFollowTheTheme()
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

void TimeChartDrawingTest::theLimitIsDrawn()
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

void TimeChartDrawingTest::manyNoisyPointsAreQuick()
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
    QVERIFY(chart.picture().save(&buffer, "PNG")); // a whole replot at twice the size, and the PNG
    QVERIFY2(time.elapsed() < 2500, qPrintable(QString::number(time.elapsed())));
}

void TimeChartDrawingTest::gallery()
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
    lease->setTitle(QStringLiteral("TTL"), QStringLiteral("time until the lock frees itself"),
                    Metric::Unit::Milliseconds);
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
    empty->setTitle(QStringLiteral("Retry after"), QStringLiteral("what a rejected client is told"),
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

LK_WIDGET_TEST(TimeChartDrawingTest);
#include "tst_charts_drawing.moc"
