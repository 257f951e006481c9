// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartshots.h"
#include "widgets/charts/spanpicker.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/charts/timechart.h"

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

void turn(QWidget& plot, const QPoint& position, int angle, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent wheel(position, plot.mapToGlobal(QPointF(position)), {}, {0, angle}, Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&wheel); // only a person's goes on to the page
    qApp->notify(&plot, &wheel);               // sendEvent() would take the person away
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
    void ctrlWheelZoomsAndTheBareWheelIsThePages();
    void labelsBelongToTheVisibleEnd();
    void whatIsNotLiveSaysSoAndReturns();
    void staleLinesEndWhereTheyWereRead();
    void nothingToMeasureIsNoGap();
    void aLonePointIsSeen();
    void chartsOfAnAxisMoveTogether();
    void rightClickOpensTheMenu();
    void picturesSayWhatTheyAreOf();
    void filesAreNamedAfterTheirSubject();
    void endLabelsKeepClearOfNow();
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
    turn(*plotOf(*chart), {300, 80}, -120, Qt::NoModifier);
    QVERIFY(page.verticalScrollBar()->value() > 0);
    QVERIFY(chart->following());
    QCOMPARE(chart->spanMs(), span);
    const int scrolled = page.verticalScrollBar()->value();
    turn(*plotOf(*chart), {300, 400}, 120, Qt::ControlModifier);
    QCOMPARE(page.verticalScrollBar()->value(), scrolled);
    QVERIFY(chart->spanMs() < span);
    QVERIFY(!chart->following());
    QVERIFY(chart->fromMs() > now - span && chart->toMs() < now);
    for (int i = 0; i < 5; ++i) // out again: there is nothing beyond now
        turn(*plotOf(*chart), {300, 400}, -120, Qt::ControlModifier);
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

void TimeChartTest::rightClickOpensTheMenu()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.resize(500, 200);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const auto texts = [&] {
        QStringList all;
        if (auto* menu = chart.findChild<QMenu*>()) {
            for (const QAction* action : menu->actions())
                all << action->text();
            menu->close();
        }
        return all;
    };
    // As the window system sends it: to the window, wherever the pointer is.
    QTest::mouseClick(chart.windowHandle(), Qt::RightButton, {}, plotMiddle(chart));
    QTRY_VERIFY(chart.findChild<QMenu*>());
    const QStringList byMouse = texts();
    for (const char* text : {"Back to live", "Copy picture", "Copy values as CSV",
                             "Save values as CSV\u2026", "Save picture as PNG\u2026"})
        QVERIFY2(byMouse.contains(QString::fromUtf8(text)), text);
    QTRY_VERIFY(!chart.findChild<QMenu*>());
    QTest::keyClick(&chart, Qt::Key_F10, Qt::ShiftModifier);
    QTRY_VERIFY(chart.findChild<QMenu*>());
    QCOMPARE(texts(), byMouse);
}

void TimeChartTest::picturesSayWhatTheyAreOf()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.setSubject({QStringLiteral("api:rate"), QStringLiteral("orders-eu (10.0.0.1:6379/0)")});
    QCOMPARE(chart.caption(),
             QStringLiteral("api:rate  \u00b7  orders-eu (10.0.0.1:6379/0)  \u00b7  "
                            "2023-11-14 22:08:20 \u2013 22:13:20 UTC"));
    chart.resize(500, 200);
    chart.show();
    const auto ink = [&] {
        QBuffer buffer;
        buffer.open(QIODevice::ReadWrite);
        chart.picture().save(&buffer, "PNG");
        const QImage image = QImage::fromData(buffer.data());
        const QImage below = image.copy(0, 400, image.width(), image.height() - 400);
        return pixelsOf(below, themeColors(chart.palette()).second);
    };
    const int named = ink();
    QVERIFY(named > 200);
    chart.setOfAll(true); // not of one key
    QVERIFY(ink() < named);
    QVERIFY(!chart.caption().contains(QStringLiteral("api:rate")));
}

void TimeChartTest::filesAreNamedAfterTheirSubject()
{
    TimeChart chart;
    fillOccupancy(chart);
    chart.setSubject({QStringLiteral("api:rate/a"), QStringLiteral("10.0.0.1:6379/0")});
    chart.show();
    QTest::keyClick(&chart, Qt::Key_F10, Qt::ShiftModifier);
    auto* menu = chart.findChild<QMenu*>();
    QVERIFY(menu);
    for (QAction* action : menu->actions()) {
        if (action->text().contains(QStringLiteral("PNG")))
            action->trigger();
    }
    menu->close();
    auto* dialog = chart.findChild<QFileDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QLineEdit*>()->text(),
             QStringLiteral("api-rate-a Occupancy 10.0.0.1-6379-0 2023-11-14 221320 UTC.png"));
    dialog->reject();
}

void TimeChartTest::endLabelsKeepClearOfNow()
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
    QVERIFY(chart.picture().save(&buffer, "PNG"));
    const QImage image = QImage::fromData(buffer.data());
    QCOMPARE(image.width(), 1000);
    QVERIFY(image.height() > 400 && image.height() < 500); // what it is of stands below
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
    QVERIFY(chart.picture().save(&buffer, "PNG")); // a whole replot at twice the size, and the PNG
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

QTEST_MAIN(TimeChartTest)
#include "tst_charts_time.moc"
