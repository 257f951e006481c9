// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/timecharts.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/charts/time/timeaxis.h"

#include <QSignalSpy>

using namespace lk;
using namespace lk::test;

/// What a recording adds to the charts: moments to choose, flags, the past as what is shown, and
/// what it is compared with.
class TestChartsPast : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;
    TimeAxis* m_axis = nullptr;

    std::unique_ptr<TimeChart> shown()
    {
        auto chart = std::make_unique<TimeChart>();
        m_axis = new TimeAxis(span, 0, chart.get());
        chart->setAxis(m_axis);
        fillOccupancy(*chart);
        chart->resize(600, 220);
        chart->show();
        return QTest::qWaitForWindowExposed(chart.get()) ? std::move(chart) : nullptr;
    }
    static TimeMark action(qint64 tMs)
    {
        TimeMark mark;
        mark.tMs = mark.toMs = tMs;
        mark.sort = TimeMark::Sort::Action;
        mark.text = QStringLiteral("queue.requeue by ann: ticket 42");
        return mark;
    }

private slots:
    void initTestCase()
    {
        m_theme = std::make_unique<Theme>(*qApp);
        m_theme->choose(ThemeChoice::Light);
    }

    void aClickChoosesItsMomentADragDoesNot()
    {
        const auto chart = shown();
        QVERIFY(chart);
        QSignalSpy chosen(m_axis, &TimeAxis::momentChosen);
        QWidget* plot = plotOf(*chart);
        QTest::mouseClick(plot, Qt::LeftButton, {}, {300, 80});
        QCOMPARE(chosen.size(), 1);
        const qint64 tMs = chosen[0][0].toLongLong();
        QVERIFY(tMs > chart->fromMs() && tMs < chart->toMs());
        QVERIFY(chart->following()); // nothing has moved by that
        QTest::mousePress(plot, Qt::LeftButton, {}, {300, 80});
        QMouseEvent move(QEvent::MouseMove, QPointF(360, 80), plot->mapToGlobal(QPointF(360, 80)),
                         Qt::LeftButton, Qt::LeftButton, {});
        QApplication::sendEvent(plot, &move);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, {360, 80});
        QCOMPARE(chosen.size(), 1);
        QVERIFY(!chart->following());
    }

    void theCrosshairMovesByKeysAndReturnChooses()
    {
        const auto chart = shown();
        QVERIFY(chart);
        QSignalSpy chosen(m_axis, &TimeAxis::momentChosen);
        chart->setFocus();
        QTest::keyClick(chart.get(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 0); // there is no crosshair yet
        QTest::keyClick(chart.get(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(m_axis->cursor());
        const qint64 first = *m_axis->cursor();
        QTest::keyClick(chart.get(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(*m_axis->cursor() < first);
        QVERIFY(chart->following());
        QTest::keyClick(chart.get(), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toLongLong(), *m_axis->cursor());
    }

    void flagsAreDrawnAndTold()
    {
        const auto chart = shown();
        QVERIFY(chart);
        QCoreApplication::sendPostedEvents();
        QTRY_VERIFY(!chart->accessibleDescription().isEmpty());
        const qint64 at = now - span / 2;
        QVERIFY(!chart->valuesAt(at).contains(QStringLiteral("ann")));
        m_axis->setMarks({action(at)});
        QTRY_VERIFY(chart->accessibleDescription().contains(QStringLiteral("1 event")));
        QVERIFY(chart->valuesAt(at).contains(QStringLiteral("by ann")));
        QVERIFY(!chart->valuesAt(at - span / 4).contains(QStringLiteral("ann")));
        TimeMark change = action(at);
        change.sort = TimeMark::Sort::Change;
        QVERIFY(isFlag(action(at)) && !isFlag(change)); // what the lines show needs no flag
    }

    void thePastSaysSoAndWhatFollowedIsSeen()
    {
        const auto chart = shown();
        QVERIFY(chart);
        const qint64 then = now - span / 2;
        m_axis->setPast(now);
        m_axis->setNow(then);
        m_axis->follow();
        QVERIFY(m_axis->isPast());
        QVERIFY(chart->toMs() > then && chart->toMs() <= now);
        QTRY_VERIFY(chart->accessibleDescription().contains(QStringLiteral("Past: ")));
        m_axis->pan(5);
        QCOMPARE(chart->toMs(), now); // and no further
        m_axis->setPast(0);
        m_axis->setNow(now);
        m_axis->follow();
        QCOMPARE(chart->toMs(), now);
        QTRY_VERIFY(!chart->accessibleDescription().contains(QStringLiteral("Past: ")));
    }

    void comparesWithADayAndAWeekBefore()
    {
        const auto chart = shown();
        QVERIFY(chart);
        chart->setFocus();
        QTest::keyClick(chart.get(), Qt::Key_C);
        QCOMPARE(m_axis->compare(), 0); // there is nothing so old
        m_axis->setComparable(true);
        QTest::keyClick(chart.get(), Qt::Key_C);
        QCOMPARE(m_axis->compare(), compareSpans[0]);
        const qint64 at = now - span / 2;
        chart->setBefore(0, {{now - span, 4}});
        QVERIFY2(chart->valuesAt(at).contains(QStringLiteral("(a day before: 4)")),
                 qPrintable(chart->valuesAt(at)));
        QTRY_VERIFY(chart->accessibleDescription().contains(QStringLiteral("a day before")));
        QTest::keyClick(chart.get(), Qt::Key_C);
        QCOMPARE(m_axis->compare(), compareSpans[1]);
        QVERIFY(!chart->valuesAt(at).contains(QStringLiteral("before"))); // not yet loaded
        QTest::keyClick(chart.get(), Qt::Key_C);
        QCOMPARE(m_axis->compare(), 0);
    }

    void reachesBackTwoYears()
    {
        TimeView view(span);
        view.setNow(now);
        for (int i = 0; i < 200; ++i)
            view.zoom(2, 0.5);
        QCOMPARE(view.spanMs(), TimeView::longestMs);
        QVERIFY(TimeView::longestMs >= 730 * 24 * 3600 * 1000ll);
        const auto ticks = timeTicks(view, TimeLabels::Clock, 8);
        QVERIFY(!ticks.empty() && ticks.size() < 20);
    }
};

QTEST_MAIN(TestChartsPast)
#include "tst_charts_past.moc"
