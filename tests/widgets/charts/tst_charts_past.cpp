// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/timecharts.h"
#include "widgets/charts/locks/locktimeline.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/charts/timeaxis.h"

#include <QSignalSpy>

using namespace lk;
using namespace lk::test;

/// The parts that a recording adds to the charts: moments to choose, flags, the past on display,
/// and a past span to compare with.
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
    static HoldInterval held(qint64 fromMs, qint64 toMs)
    {
        HoldInterval interval;
        interval.lane = QStringLiteral("lock:a");
        interval.owner = QStringLiteral("ann");
        interval.fromMs = fromMs;
        interval.toMs = toMs;
        return interval;
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

    // The first of two clicks that lead back to live does not lead into the past.
    void aDoubleClickChoosesNothingWhereItStandsStill()
    {
        const auto chart = shown();
        QVERIFY(chart);
        QSignalSpy chosen(m_axis, &TimeAxis::momentChosen);
        QWidget* plot = plotOf(*chart);
        m_axis->pan(-0.5);
        QVERIFY(!chart->following());
        const qint64 stands = chart->toMs();
        QTest::mouseClick(plot, Qt::LeftButton, {}, {300, 80});
        QCOMPARE(chosen.size(), 0); // it may be the first of two
        QTest::mouseDClick(plot, Qt::LeftButton, {}, {300, 80});
        QVERIFY(chart->following() && chart->toMs() > stands);
        m_axis->pan(-0.5);
        QTest::mouseClick(plot, Qt::LeftButton, {}, {300, 80});
        QTRY_COMPARE(chosen.size(), 1); // that click alone
        QVERIFY(chosen[0][0].toLongLong() < now);
    }

    void returnChoosesInATimelineOfOneLock()
    {
        LockTimeline timeline;
        auto* axis = new TimeAxis(span, 0, &timeline);
        timeline.setAxis(axis);
        axis->setNow(now);
        timeline.setIntervals({held(now - 60'000, now)});
        timeline.resize(600, 160);
        timeline.show();
        QVERIFY(QTest::qWaitForWindowExposed(&timeline));
        QSignalSpy chosen(axis, &TimeAxis::momentChosen);
        QSignalSpy opened(&timeline, &LockTimeline::laneActivated);
        timeline.setFocus();
        QTest::keyClick(&timeline, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QTest::keyClick(&timeline, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(axis->cursor());
        QTest::keyClick(&timeline, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toLongLong(), *axis->cursor());
        QCOMPARE(opened.size(), 1);
    }

    // A lock that is taken each second: what is out of sight or shares a pixel is not drawn.
    void tenThousandHoldsAreSeenWhereTheyAre()
    {
        LockTimeline timeline;
        auto* axis = new TimeAxis(span, 0, &timeline);
        timeline.setAxis(axis);
        axis->setNow(now);
        std::vector<HoldInterval> intervals;
        const auto add = [&](qint64 fromMs, qint64 toMs) {
            intervals.push_back(held(fromMs, toMs));
        };
        for (qint64 t = now - 100 * span; t < now - span; t += 10'000)
            add(t, t + 9000); // all before what is shown
        for (qint64 t = now - span / 2; t < now; t += 30)
            add(t, t + 20); // in its right half
        QVERIFY(intervals.size() > 7000);
        timeline.setIntervals(intervals);
        timeline.resize(600, 160);
        timeline.show();
        QVERIFY(QTest::qWaitForWindowExposed(&timeline));
        const QImage picture = timeline.grab().toImage();
        const QColor color = ownerColor(QStringLiteral("ann"), timeline.palette());
        const int middle = picture.width() / 2;
        const int left = pixelsOf(picture.copy(0, 0, middle - 40, picture.height()), color);
        const int right =
            pixelsOf(picture.copy(middle, 0, picture.width() - middle, picture.height()), color);
        QCOMPARE(left, 0);
        QVERIFY2(right > 2000, qPrintable(QString::number(right))); // no gap is seen between them
    }

    // A movement by the user is drawn with the next frame; new values wait.
    void whatIsMovedIsDrawnBeforeWhatIsNew()
    {
        QWidget widget;
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QByteArrayList drawn;
        RedrawGate values(&widget, [&] { drawn << "values"; });
        RedrawGate moved(&widget, [&] { drawn << "moved"; });
        values.request();
        moved.request();
        QTRY_COMPARE(drawn.size(), 2);
        drawn.clear();
        values.request();
        moved.request();
        moved.requestFrame();
        QTRY_COMPARE(drawn, (QByteArrayList{"moved", "values"}));
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

    // No frame is half of one theme and half of the other.
    void anotherThemeIsDrawnAtOnce()
    {
        const auto chart = shown();
        QVERIFY(chart);
        m_axis->setPast(now);
        m_axis->setNow(now - span / 2);
        m_axis->follow();
        QTRY_VERIFY(chart->accessibleDescription().contains(QStringLiteral("Past: ")));
        for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            const ThemeColors before = themeColors(chart->palette());
            m_theme->choose(choice);
            QCoreApplication::sendPostedEvents(); // which tell of it
            const QImage picture = chart->grab().toImage();
            const ThemeColors& colors = themeColors(chart->palette());
            QVERIFY(before.surface != colors.surface);
            QVERIFY(pixelsOf(picture, colors.surface) > 1000); // what was not yet
            QVERIFY(pixelsOf(picture, colors.tint(ColorRole::Violet)) > 10'000);
            QVERIFY(pixelsOf(picture, colors.border) > 100);   // the axis
            QVERIFY(pixelsOf(picture, before.surface) < 1000); // texts are as dark, or as light
            QCOMPARE(pixelsOf(picture, before.tint(ColorRole::Violet)), 0);
        }
    }

    void whatWasHiddenHasTheThemeOfNow()
    {
        const auto chart = shown();
        QVERIFY(chart);
        QTRY_VERIFY(!chart->accessibleDescription().isEmpty());
        const QColor light = themeColors(chart->palette()).surface;
        chart->hide();
        m_theme->choose(ThemeChoice::Dark);
        QCoreApplication::sendPostedEvents();
        chart->show();
        QTRY_VERIFY(pixelsOf(chart->grab().toImage(), light) < 1000);
        QVERIFY(pixelsOf(chart->grab().toImage(), themeColors(chart->palette()).surface) > 10'000);
        m_theme->choose(ThemeChoice::Light);
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
        QVERIFY2(chart->valuesAt(at).contains(QStringLiteral("(one day earlier: 4)")),
                 qPrintable(chart->valuesAt(at)));
        QTRY_VERIFY(chart->accessibleDescription().contains(QStringLiteral("one day earlier")));
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

LK_WIDGET_TEST(TestChartsPast);
#include "tst_charts_past.moc"
