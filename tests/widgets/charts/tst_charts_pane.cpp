// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/drawing.h"
#include "widgets/charts/chartwidget.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/charts/locks/locktimeline.h"
#include "widgets/charts/strips/windowstrip.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"

#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

using namespace lk;
using namespace lk::test;

/// The charts of a detail pane in the console's window, fed by a real server.
class TestChartPane : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    template<typename Chart> static std::vector<Chart*> charts(ConsoleWindow& console, int board)
    {
        std::vector<Chart*> seen;
        auto* pane = console.page(board).findChild<QWidget*>(QStringLiteral("detailPane"));
        for (Chart* chart : pane->findChildren<Chart*>()) {
            if (chart->isVisible())
                seen.push_back(chart);
        }
        return seen;
    }
    static void wheel(QWidget& over, Qt::KeyboardModifiers modifiers)
    {
        const QPoint middle = over.rect().center();
        QWidget* child = over.childAt(middle);
        QWidget& target = child ? *child : over;
        const QPointF place = target.mapFrom(&over, middle);
        QWheelEvent wheel(place, target.mapToGlobal(place), {}, {0, -120}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&wheel); // only a person's goes on to the page
        qApp->notify(&target, &wheel);             // sendEvent() would take the person away
    }

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY(m_server.start());
        fillWithSamples(m_server);
    }

    void theWheelScrollsThePane_data();
    void theWheelScrollsThePane();
    void allChartsOfAPaneShareOneTime();
    void everyChartNamesKeyAndServer();
    void aPausedPaneSaysSo();
    void pictures_data();
    void pictures();
};

void TestChartPane::theWheelScrollsThePane_data()
{
    QTest::addColumn<int>("board");
    QTest::addColumn<QString>("name");
    QTest::newRow("limiter") << int(Limiters) << QStringLiteral("quota:a");
    QTest::newRow("lock") << int(Locks) << QStringLiteral("lock:one");
    QTest::newRow("token") << int(Tokens) << QString();
}

void TestChartPane::theWheelScrollsThePane()
{
    QFETCH(int, board);
    QFETCH(QString, name);
    ConsoleWindow console(setupFor(m_server.url(), sampleConfig), {1024, 600});
    QVERIFY(console.waitForScan(sampleCount));
    console.window.showBoard(board);
    QTRY_VERIFY(!console.cells(board).isEmpty());
    console.clickRow(board, name.isEmpty() ? console.cells(board).front() : name);
    QTRY_VERIFY(!charts<ChartWidget>(console, board).empty());
    QWidget* pane = console.page(board).findChild<QWidget*>(QStringLiteral("detailPane"));
    QScrollBar* bar = pane->findChild<QScrollArea*>()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    for (ChartWidget* chart : charts<ChartWidget>(console, board)) {
        bar->setValue(0);
        wheel(*chart, Qt::NoModifier);
        QVERIFY2(bar->value() > 0, chart->metaObject()->className());
    }
    for (TimeChart* chart : charts<TimeChart>(console, board))
        QVERIFY(chart->following());
}

void TestChartPane::allChartsOfAPaneShareOneTime()
{
    ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
    QVERIFY(console.waitForScan(sampleCount));
    console.window.showBoard(Locks);
    QTRY_VERIFY(console.rowOf(Locks, QStringLiteral("lock:one")) >= 0);
    console.clickRow(Locks, QStringLiteral("lock:one"));
    QTRY_COMPARE(charts<TimeChart>(console, Locks).size(), 1U);
    TimeChart* lease = charts<TimeChart>(console, Locks).front();
    LockTimeline* holders = charts<LockTimeline>(console, Locks).front();
    QTest::keyClick(holders, Qt::Key_Left);
    QVERIFY(!lease->following());
    QCOMPARE(lease->fromMs(), holders->fromMs());
    wheel(*lease, Qt::ControlModifier);
    QCOMPARE(holders->toMs() - holders->fromMs(), lease->spanMs());
    QTest::keyClick(lease, Qt::Key_End);
    QVERIFY(holders->following());
    // Another row begins live.
    QTest::keyClick(lease, Qt::Key_Left);
    console.clickRow(Locks, QStringLiteral("lock:two"));
    QTRY_VERIFY(lease->following());
}

void TestChartPane::everyChartNamesKeyAndServer()
{
    Session::Setup setup = setupFor(m_server.url(), sampleConfig);
    setup.name = QStringLiteral("orders-eu");
    ConsoleWindow console(std::move(setup));
    QVERIFY(console.waitForScan(sampleCount));
    console.window.showBoard(Limiters);
    QTRY_VERIFY(console.rowOf(Limiters, QStringLiteral("quota:a")) >= 0);
    console.clickRow(Limiters, QStringLiteral("quota:a"));
    QTRY_VERIFY(charts<ChartWidget>(console, Limiters).size() >= 2);
    for (ChartWidget* chart : charts<ChartWidget>(console, Limiters)) {
        QVERIFY2(chart->caption().startsWith(QStringLiteral("quota:a  \u00b7  orders-eu (")),
                 qPrintable(chart->caption()));
        QVERIFY(chart->caption().endsWith(QStringLiteral("UTC")));
    }
    console.window.showBoard(Locks);
    QTRY_VERIFY(console.rowOf(Locks, QStringLiteral("lock:one")) >= 0);
    console.clickRow(Locks, QStringLiteral("lock:one"));
    QTRY_VERIFY(!charts<ExpiryHistogram>(console, Locks).empty());
    // It counts all locks.
    QVERIFY(charts<ExpiryHistogram>(console, Locks)
                .front()
                ->caption()
                .startsWith(QStringLiteral("orders-eu (")));
    for (int board : {int(Overview), int(ServerBoard)}) {
        console.window.showBoard(board);
        int seen = 0;
        for (ChartWidget* chart : console.window.findChildren<ChartWidget*>()) {
            if (!chart->isVisible())
                continue;
            ++seen;
            QVERIFY(chart->caption().startsWith(QStringLiteral("orders-eu (")));
        }
        QVERIFY(seen >= 2);
    }
}

void TestChartPane::aPausedPaneSaysSo()
{
    ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
    QVERIFY(console.waitForScan(sampleCount));
    console.window.showBoard(Limiters);
    QTRY_VERIFY(console.rowOf(Limiters, QStringLiteral("quota:a")) >= 0);
    console.clickRow(Limiters, QStringLiteral("quota:a"));
    QTRY_VERIFY(!charts<TimeChart>(console, Limiters).empty());
    TimeChart* used = charts<TimeChart>(console, Limiters).front();
    QTRY_VERIFY(used->accessibleDescription().contains(QStringLiteral(": used 10")));
    console.session().polling().setPaused(true);
    QTRY_VERIFY2(
        used->accessibleDescription().contains(QStringLiteral("Not live: nothing is read")),
        qPrintable(used->accessibleDescription()));
    QVERIFY(used->accessibleDescription().contains(QStringLiteral("used no data")));
    console.session().polling().setPaused(false);
    QTRY_VERIFY(used->accessibleDescription().contains(QStringLiteral("used 10")));
}

void TestChartPane::pictures_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1024") << QSize(1024, 700);
    QTest::newRow("1280") << QSize(1280, 800);
}

void TestChartPane::pictures()
{
    QFETCH(QSize, size);
    ConsoleWindow console(setupFor(m_server.url(), sampleConfig), size);
    QVERIFY(console.waitForScan(sampleCount));
    for (const int board : {int(Overview), int(Limiters), int(Locks), int(Queues), int(Tokens),
                            int(Patterns), int(ServerBoard)}) {
        console.window.showBoard(board);
        if (qobject_cast<BoardPage*>(console.window.boards()[size_t(board)])) {
            QTRY_VERIFY(!console.cells(board).isEmpty());
            console.clickRow(board, console.cells(board).front());
        }
        const auto isDrawn = [](const TimeChart* chart) {
            return !chart->isVisible() || !chart->accessibleDescription().isEmpty();
        };
        QVERIFY(waitUntil([&] {
            const auto charts = console.window.findChildren<TimeChart*>();
            return std::all_of(charts.begin(), charts.end(), isDrawn);
        }));
        QVERIFY(waitForDrawing(console.window));
        test::shoot(console.window, QStringLiteral("board-%1-%2").arg(board).arg(size.width()));
    }
}

LK_WIDGET_TEST(TestChartPane);
#include "tst_charts_pane.moc"
