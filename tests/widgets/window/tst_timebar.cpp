// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/timetravel/timebar.h"
#include "widgets/timetravel/timestrip.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 nowMs = 1'700'000'000'000;
constexpr qint64 firstMs = nowMs - 60 * minute;

TimeMark mark(TimeMark::Sort sort, qint64 tMs, const char* text)
{
    TimeMark made;
    made.sort = sort;
    made.tMs = made.toMs = tMs;
    made.text = QString::fromLatin1(text);
    return made;
}

} // namespace

/// The time bar by itself: what it asks for, by mouse and keys, and what it says.
class TestTimeBar : public QObject
{
    Q_OBJECT

private:
    struct Shown
    {
        Shown()
        {
            bar.resize(1000, 80);
            bar.setRecorded(firstMs, nowMs);
            bar.show();
        }
        TimeStrip& strip() { return bar.strip(); }
        TimeBar bar;
        QSignalSpy moments{&bar, &TimeBar::momentWanted};
        QSignalSpy live{&bar, &TimeBar::liveWanted};
    };

private slots:
    void initTestCase() { theme().choose(ThemeChoice::Light); }

    void showsAllThatIsRecorded()
    {
        Shown shown;
        QVERIFY(shown.strip().view().fromMs() <= firstMs);
        QCOMPARE(shown.strip().view().toMs(), nowMs);
        QVERIFY(shown.strip().view().following());
    }

    void aClickWantsItsMoment()
    {
        Shown shown;
        const qint64 wanted = nowMs - 20 * minute;
        QTest::mouseClick(&shown.strip(), Qt::LeftButton, {},
                          {qRound(shown.strip().xOf(wanted)), 10});
        QCOMPARE(shown.moments.size(), 1);
        const qint64 pixelMs = shown.strip().view().spanMs() / shown.strip().width();
        QVERIFY(std::abs(shown.moments[0][0].toLongLong() - wanted) <= 2 * pixelMs);
    }

    void aClickOnATickMeansIt()
    {
        Shown shown;
        const qint64 at = nowMs - 30 * minute + 123;
        shown.strip().setMarks({mark(TimeMark::Sort::Action, at, "requeued by ann")});
        QTest::mouseClick(&shown.strip(), Qt::LeftButton, {},
                          {qRound(shown.strip().xOf(at)) + 2, 10});
        QCOMPARE(shown.moments.size(), 1);
        QCOMPARE(shown.moments[0][0].toLongLong(), at);
    }

    void draggingMovesAndTheRightEndIsLive()
    {
        Shown shown;
        QTest::mousePress(&shown.strip(), Qt::LeftButton, {}, {300, 10});
        for (const int x : {350, 400}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 10),
                             shown.strip().mapToGlobal(QPointF(x, 10)), Qt::LeftButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(&shown.strip(), &move);
        }
        QCOMPARE(shown.moments.size(), 3);
        QVERIFY(shown.moments[0][0].toLongLong() < shown.moments[1][0].toLongLong());
        QVERIFY(shown.moments[1][0].toLongLong() < shown.moments[2][0].toLongLong());
        QMouseEvent end(QEvent::MouseMove, QPointF(5000, 10),
                        shown.strip().mapToGlobal(QPointF(5000, 10)), Qt::LeftButton,
                        Qt::LeftButton, {});
        QApplication::sendEvent(&shown.strip(), &end);
        QCOMPARE(shown.live.size(), 1);
        QTest::mouseRelease(&shown.strip(), Qt::LeftButton, {}, {5000, 10});
    }

    void nothingBeforeTheRecording()
    {
        Shown shown;
        QTest::mouseClick(&shown.strip(), Qt::LeftButton, {}, {0, 10});
        QCOMPARE(shown.moments.size(), 1);
        QCOMPARE(shown.moments[0][0].toLongLong(), firstMs);
    }

    void keysGoStepsAndToTheEnds_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<qint64>("by"); // 0: more than a second, at least
        QTest::addColumn<bool>("back");
        QTest::newRow("left") << int(Qt::Key_Left) << int(Qt::NoModifier) << 0ll << true;
        QTest::newRow("right") << int(Qt::Key_Right) << int(Qt::NoModifier) << 0ll << false;
        QTest::newRow("a second") << int(Qt::Key_Left) << int(Qt::ShiftModifier) << 1000ll << true;
        QTest::newRow("page up") << int(Qt::Key_PageUp) << int(Qt::NoModifier) << 0ll << true;
        QTest::newRow("page down") << int(Qt::Key_PageDown) << int(Qt::NoModifier) << 0ll << false;
    }
    void keysGoStepsAndToTheEnds()
    {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(qint64, by);
        QFETCH(bool, back);
        Shown shown;
        const qint64 at = nowMs - 30 * minute;
        shown.bar.setMoment(at);
        QTest::keyClick(&shown.strip(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
        QCOMPARE(shown.moments.size(), 1);
        const qint64 gone = shown.moments[0][0].toLongLong() - at;
        QCOMPARE(gone < 0, back);
        if (by > 0)
            QCOMPARE(std::abs(gone), by);
        else
            QVERIFY(std::abs(gone) > 1000);
    }

    void homeEndAndSpace()
    {
        Shown shown;
        QSignalSpy play(&shown.bar, &TimeBar::playWanted);
        QSignalSpy events(&shown.bar, &TimeBar::eventWanted);
        shown.bar.setMoment(nowMs - minute);
        QTest::keyClick(&shown.strip(), Qt::Key_Home);
        QCOMPARE(shown.moments[0][0].toLongLong(), firstMs);
        QTest::keyClick(&shown.strip(), Qt::Key_End);
        QCOMPARE(shown.live.size(), 1);
        QTest::keyClick(&shown.strip(), Qt::Key_Space);
        QCOMPARE(play.size(), 1);
        QVERIFY(play[0][0].toBool());
        shown.bar.setPlaying(true);
        QTest::keyClick(&shown.strip(), Qt::Key_Space);
        QVERIFY(!play[1][0].toBool());
        QTest::keyClick(&shown.strip(), Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(&shown.strip(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(events.size(), 2);
        QVERIFY(events[0][0].toBool() && !events[1][0].toBool());
    }

    void zoomsAboutThePointer()
    {
        Shown shown;
        QSignalSpy ranges(&shown.strip(), &TimeStrip::rangeChanged);
        const qint64 span = shown.strip().view().spanMs();
        const QPointF at(400, 10);
        const qint64 below = shown.strip().timeAt(at.x());
        QWheelEvent wheel(at, shown.strip().mapToGlobal(at), {}, {0, 240}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&shown.strip(), &wheel);
        QVERIFY(shown.strip().view().spanMs() < span);
        QVERIFY(std::abs(shown.strip().timeAt(at.x()) - below) < 2000);
        QVERIFY(ranges.size() > 0);
    }

    void saysWhatIsShown()
    {
        Shown shown;
        QVERIFY(shown.bar.sentence().isEmpty());
        shown.bar.setMoment(nowMs - 12 * minute);
        QVERIFY2(shown.bar.sentence().contains(QStringLiteral("12 m")),
                 qPrintable(shown.bar.sentence()));
        QVERIFY(shown.bar.sentence().contains(QStringLiteral("Actions are off")));
        shown.bar.setMoment(nowMs - 12 * minute, nowMs - 20 * minute);
        QVERIFY(shown.bar.sentence().contains(QStringLiteral("Nothing was recorded then")));
        shown.bar.setEvents({mark(TimeMark::Sort::Action, nowMs, "requeued by ann")});
        QVERIFY(shown.bar.sentence().contains(QStringLiteral("requeued by ann")));
        shown.bar.setMoment(nowMs - 11 * minute);
        QVERIFY(!shown.bar.sentence().contains(QStringLiteral("ann")));
        shown.bar.setMoment(std::nullopt);
        QVERIFY(shown.bar.sentence().isEmpty());
    }

    void saysWhatElseHappenedAtThatMoment()
    {
        Shown shown;
        const TimeMark event = mark(TimeMark::Sort::Finding, nowMs - 30 * minute, "2 jobs stuck");
        shown.bar.setMoment(event.tMs);
        shown.bar.setEvents({event});
        QVERIFY2(shown.bar.sentence().contains(QStringLiteral("2 jobs stuck")),
                 qPrintable(shown.bar.sentence()));
        QVERIFY(!shown.bar.sentence().contains(QStringLiteral("at that moment")));
        const TimeMark full = mark(TimeMark::Sort::Change, event.tMs, "at its limit");
        shown.bar.setEvents({event, full, full, full, full});
        for (const char* said : {"2 jobs stuck", "at its limit", "and 2 more at that moment"})
            QVERIFY2(shown.bar.sentence().contains(QLatin1String(said)),
                     qPrintable(shown.bar.sentence()));
        // It does not say so for another moment.
        shown.bar.setMoment(event.tMs + minute);
        QVERIFY(!shown.bar.sentence().contains(QStringLiteral("stuck")));
    }

    void typedTimesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ago"); // -1: refused, 0: live
        QTest::newRow("ago") << QStringLiteral("-30m") << 30 * minute;
        QTest::newRow("now") << QStringLiteral("now") << 0ll;
        QTest::newRow("iso") << QStringLiteral("2023-11-14T22:00:00Z") << 800'000ll;
        QTest::newRow("no time") << QStringLiteral("teatime") << -1ll;
    }
    void typedTimesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(qint64, ago);
        Shown shown;
        shown.bar.openField();
        auto* field = shown.bar.findChild<QLineEdit*>(QStringLiteral("timeField"));
        QVERIFY(field->isVisible());
        field->setText(text);
        QTest::keyClick(field, Qt::Key_Return);
        if (ago < 0) {
            QVERIFY(!shown.bar.sentence().isEmpty());
            QVERIFY(field->isVisible());
            QCOMPARE(shown.moments.size() + shown.live.size(), 0);
            return;
        }
        QVERIFY(field->isHidden());
        QCOMPARE(shown.live.size(), ago == 0 ? 1 : 0);
        if (ago > 0)
            QCOMPARE(shown.moments[0][0].toLongLong(), nowMs - ago);
    }

    void everythingHasAName()
    {
        Shown shown;
        shown.bar.setMoment(nowMs - minute);
        for (const QAbstractButton* button : shown.bar.findChildren<QAbstractButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty() || !button->text().isEmpty());
            QVERIFY(button->focusPolicy() & Qt::TabFocus);
        }
        QVERIFY(!shown.strip().accessibleName().isEmpty());
        QVERIFY(shown.strip().accessibleDescription().contains(QStringLiteral("showing")));
    }
};

LK_WIDGET_TEST(TestTimeBar);
#include "tst_timebar.moc"
