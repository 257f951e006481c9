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

/// Saving a chart as a picture and as numbers.
class TimeChartFilesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void rightClickOpensTheMenu();
    void picturesSayWhatTheyAreOf();
    void filesAreNamedAfterTheirSubject();
    void csvHasEveryMoment();
    void pngIsTwiceTheSize();

private:
    std::unique_ptr<Theme> m_theme;
    Shots m_shots;
};

void TimeChartFilesTest::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp);
    m_theme->choose(ThemeChoice::Light);
}

void TimeChartFilesTest::rightClickOpensTheMenu()
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

void TimeChartFilesTest::picturesSayWhatTheyAreOf()
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

void TimeChartFilesTest::filesAreNamedAfterTheirSubject()
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

void TimeChartFilesTest::csvHasEveryMoment()
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

void TimeChartFilesTest::pngIsTwiceTheSize()
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

LK_WIDGET_TEST(TimeChartFilesTest);
#include "tst_charts_saving.moc"
