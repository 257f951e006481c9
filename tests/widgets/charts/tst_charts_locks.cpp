// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/chartshots.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/charts/locks/locktimeline.h"
#include "widgets/charts/strips/windowstrip.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/controls/tables/cellpainters.h"

#include <QMenu>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QWindow>

#include <cmath>

using namespace lk;

namespace {

constexpr qint64 now = 1'700'000'000'000;

HoldInterval hold(const char* lane, const char* owner, qint64 fromAge, qint64 toAge)
{
    HoldInterval interval;
    interval.lane = QLatin1String(lane);
    interval.owner = QLatin1String(owner);
    interval.fromMs = now - fromAge;
    interval.toMs = now - toAge;
    interval.open = toAge == 0;
    return interval;
}

// Three at a time at most: a semaphore.
std::vector<HoldInterval> shared()
{
    return {hold("semaphore:video", "encoder-1", 230'000, 0),
            hold("semaphore:video", "encoder-2", 210'000, 96'000),
            hold("semaphore:video", "encoder-3", 180'000, 40'000),
            hold("semaphore:video", "encoder-4", 90'000, 0),
            hold("semaphore:video", "encoder-2", 30'000, 0)};
}

std::vector<HoldInterval> believable()
{
    std::vector<HoldInterval> all{
        hold("lock:invoice:42", "worker-a:7f3c", 228'000, 151'000),
        hold("lock:invoice:42", "worker-b:91aa", 149'000, 60'000),
        hold("lock:invoice:42", "worker-c:0d51", 58'000, 0),
        hold("lock:nightly-report", "beat@host-3", 400'000, 0),
        hold("lock:import", "ef1f63c", 130'000, 118'000),
        hold("lock:import", "a90b112", 117'000, 111'000),
        hold("lock:import", "ef1f63c", 90'000, 84'000),
        hold("lock:import", "77c0de1", 61'000, 60'500),
        hold("lock:import", "77c0de1", 21'000, 0),
        hold("z:very:long:key:name:of:a:lock:for:tenant:4711", "", 190'000, 20'000),
    };
    all[2].leaseEndMs = now + 31'000;
    all[2].renewals = 4;
    all[3].noTtl = true;
    all[8].leaseEndMs = now + 9'000;
    return all;
}

QImage painted(const std::function<void(QPainter&)>& paint)
{
    QImage image(200, 24, QImage::Format_ARGB32_Premultiplied);
    image.fill(themeColors(lightPalette()).surface);
    QPainter painter(&image);
    paint(painter);
    return image;
}

} // namespace

class LockChartsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void lanesAreInTheirOrder();
    void barsAreFoundWhereTheyAre();
    void severalHoldersStandBelowEachOther();
    void manyHoldersGetThinnerBars();
    void theLeaseIsPartOfTheBar();
    void describesWhoHolds();
    void keysMoveAndReturn();
    void aBarIsAsLongAsTheHoldWasSeen();
    void aLaneStandsBelowItsChart();
    void everyChartHasItsMenu();
    void theWheelScrollsAndCtrlZooms();
    void aLaneIsActivatedByKeyboard();
    void intervalsAsCsv();
    void fillTexts_data();
    void fillTexts();
    void theBarShowsItsShare();
    void gallery();

private:
    std::unique_ptr<Theme> m_theme;
    Shots m_shots;
};

void LockChartsTest::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp);
    m_theme->choose(ThemeChoice::Light);
}

void LockChartsTest::lanesAreInTheirOrder()
{
    LockTimeline timeline;
    const int emptyHeight = timeline.sizeHint().height();
    timeline.setIntervals(believable());
    QCOMPARE(timeline.lanes().size(), 4);
    QCOMPARE(timeline.lanes()[2], QStringLiteral("lock:import"));
    QVERIFY(timeline.sizeHint().height() > emptyHeight);
}

void LockChartsTest::barsAreFoundWhereTheyAre()
{
    LockTimeline timeline;
    timeline.resize(700, timeline.minimumSizeHint().height());
    timeline.setNow(now);
    timeline.setIntervals({hold("a", "first", 200'000, 120'000), hold("a", "second", 60'000, 0)});
    timeline.show();
    // All places along the lane: free, first, free, second, free.
    QStringList met;
    const int y = timeline.height() / 2;
    for (int x = 0; x < timeline.width(); ++x) {
        const HoldInterval* interval = timeline.intervalAt({x, y});
        const QString owner = interval ? interval->owner : QString();
        if (met.isEmpty() || met.back() != owner)
            met += owner;
    }
    QCOMPARE(met, QStringList({{}, QStringLiteral("first"), {}, QStringLiteral("second"), {}}));
}

void LockChartsTest::severalHoldersStandBelowEachOther()
{
    LockTimeline timeline;
    timeline.setIntervals({hold("a", "alone", 60'000, 0)});
    const int single = timeline.minimumSizeHint().height();
    timeline.setIntervals({hold("a", "first", 200'000, 60'000), hold("a", "second", 120'000, 0),
                           hold("a", "third", 50'000, 10'000)});
    QVERIFY(timeline.minimumSizeHint().height() > single);
    timeline.resize(700, timeline.minimumSizeHint().height());
    timeline.setNow(now);
    timeline.show();
    const auto ownersIn = [&](int x) {
        QSet<QString> met;
        for (int y = 0; y < timeline.height(); ++y) {
            if (const HoldInterval* interval = timeline.intervalAt({x, y}))
                met << interval->owner;
        }
        return met;
    };
    QSet<QString> most;
    for (int x = 0; x < timeline.width(); ++x) {
        const QSet<QString> met = ownersIn(x);
        QVERIFY(met.size() <= 2);
        if (met.size() == 2)
            most += met;
    }
    QCOMPARE(most, (QSet<QString>{QStringLiteral("first"), QStringLiteral("second"),
                                  QStringLiteral("third")}));
}

void LockChartsTest::manyHoldersGetThinnerBars()
{
    LockTimeline timeline;
    std::vector<HoldInterval> holders;
    for (int i = 0; i < 4; ++i)
        holders.push_back(hold("a", QByteArray::number(i).constData(), 60'000, 0));
    timeline.setIntervals(holders);
    const int four = timeline.minimumSizeHint().height();
    for (int i = 4; i < 64; ++i)
        holders.push_back(hold("a", QByteArray::number(i).constData(), 60'000, 0));
    timeline.setIntervals(holders);
    QCOMPARE(timeline.minimumSizeHint().height(), four);
    timeline.resize(700, four);
    timeline.setNow(now);
    timeline.show();
    QSet<QString> met;
    for (int x = 0; x < timeline.width(); ++x) {
        for (int y = 0; y < timeline.height(); ++y) {
            if (const HoldInterval* interval = timeline.intervalAt({x, y}))
                met << interval->owner;
        }
    }
    QVERIFY2(met.size() >= 32, QByteArray::number(met.size()).constData());
    QVERIFY(!timeline.grab().isNull());
}

void LockChartsTest::theLeaseIsPartOfTheBar()
{
    const auto lastX = [](std::optional<qint64> leaseEnd, bool noTtl) {
        LockTimeline timeline;
        timeline.resize(700, timeline.minimumSizeHint().height());
        timeline.setNow(now);
        HoldInterval interval = hold("a", "owner", 60'000, 0);
        interval.leaseEndMs = leaseEnd;
        interval.noTtl = noTtl;
        timeline.setIntervals({interval});
        int last = 0;
        for (int x = 0; x < timeline.width(); ++x) {
            if (timeline.intervalAt({x, timeline.height() / 2}))
                last = x;
        }
        return last;
    };
    const int atNow = lastX({}, false);
    const int withLease = lastX(now + 30'000, false);
    QVERIFY(withLease > atNow + 30);
    QVERIFY(lastX({}, true) > withLease);
}

void LockChartsTest::describesWhoHolds()
{
    LockTimeline timeline;
    timeline.setNow(now);
    timeline.setIntervals(believable());
    timeline.show();
    QTRY_VERIFY(!timeline.accessibleDescription().isEmpty());
    const QString text = timeline.accessibleDescription();
    QVERIFY(text.contains(QStringLiteral("lock:invoice:42: worker-c:0d51")));
    QVERIFY(text.contains(QStringLiteral("expires in 31 s")));
    QVERIFY(text.contains(QStringLiteral("4 renewal")));
    QVERIFY(text.contains(QStringLiteral("never expires")));
    QVERIFY(!text.contains(QStringLiteral("worker-a")));
}

void LockChartsTest::keysMoveAndReturn()
{
    LockTimeline timeline;
    timeline.setNow(now);
    timeline.setIntervals(believable());
    const qint64 followed = timeline.toMs();
    QVERIFY(followed > now);
    QTest::keyClick(&timeline, Qt::Key_Left);
    QVERIFY(!timeline.following());
    QVERIFY(timeline.toMs() < followed);
    QTest::keyClick(&timeline, Qt::Key_Home);
    QCOMPARE(timeline.fromMs(), now - 400'000);
    QTest::keyClick(&timeline, Qt::Key_End);
    QCOMPARE(timeline.toMs(), followed);
    QVERIFY(timeline.following());
}

void LockChartsTest::aBarIsAsLongAsTheHoldWasSeen()
{
    const auto ink = [this](qint64 toAge, bool open, bool endKnown) {
        LockTimeline timeline;
        timeline.resize(700, timeline.minimumSizeHint().height());
        HoldInterval interval = hold("a", "owner", 200'000, toAge);
        interval.open = open;
        interval.endKnown = endKnown;
        timeline.setIntervals({interval});
        timeline.setNow(now);
        timeline.show();
        const QImage image = m_shots.take(*m_theme, ThemeChoice::Light, timeline, {});
        return pixelsOf(image, ownerColor(QStringLiteral("owner"), timeline.palette()));
    };
    const int fresh = ink(1000, true, true);
    const int stale = ink(100'000, true, true); // held when last read, half of the time ago
    QVERIFY(stale < fresh * 2 / 3);
    QVERIFY(std::abs(ink(100'000, false, false) - stale) < stale / 10);
    LockTimeline timeline;
    HoldInterval interval = hold("a", "owner", 200'000, 100'000);
    interval.open = true;
    timeline.setIntervals({interval});
    timeline.setNow(now);
    timeline.show();
    QTRY_VERIFY2(timeline.accessibleDescription().contains(
                     QStringLiteral("held when last read, at 22:11:40")),
                 qPrintable(timeline.accessibleDescription()));
}

void LockChartsTest::aLaneStandsBelowItsChart()
{
    QObject owner;
    TimeAxis axis(100'000, 0.22, &owner);
    axis.setNow(now);
    LockTimeline timeline;
    timeline.setAxis(&axis);
    timeline.resize(500, timeline.minimumSizeHint().height());
    timeline.setIntervals({hold("a", "owner", 1'000'000, 0)});
    // The bar begins where the chart's plot begins, which is right of its value axis.
    int first = -1;
    int last = -1;
    for (int x = 0; x < timeline.width(); ++x) {
        if (timeline.intervalAt({x, timeline.height() / 2})) {
            first = first < 0 ? x : first;
            last = x;
        }
    }
    QCOMPARE(first, chartMargin + roomLeftOfTime());
    const double plot = 500 - 2 * chartMargin - roomLeftOfTime() - roomRightOfTime;
    QVERIFY(std::abs(last - (first + plot * 0.78)) < 4);
    QTest::keyClick(&timeline, Qt::Key_Left); // and both move together
    QVERIFY(!axis.view().following());
}

void LockChartsTest::everyChartHasItsMenu()
{
    LockTimeline timeline;
    timeline.setIntervals(believable());
    ExpiryHistogram horizon;
    horizon.setTitle(QStringLiteral("Locks expiring"), QStringLiteral("locks"));
    horizon.setEnds({now + 5000}, 0);
    WindowStrip strip;
    for (ChartWidget* chart : std::initializer_list<ChartWidget*>{&timeline, &horizon, &strip}) {
        chart->resize(500, 200);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart));
        QTest::mouseClick(chart->windowHandle(), Qt::RightButton, {}, {250, 120});
        QTRY_VERIFY(chart->findChild<QMenu*>());
        QVERIFY(chart->findChild<QMenu*>()->actions().size() >= 4);
        chart->findChild<QMenu*>()->close();
        QTRY_VERIFY(!chart->findChild<QMenu*>());
        QTest::keyClick(chart, Qt::Key_F10, Qt::ShiftModifier);
        QTRY_VERIFY(chart->findChild<QMenu*>());
        chart->findChild<QMenu*>()->close();
        QVERIFY(chart->focusPolicy() == Qt::StrongFocus);
        chart->setSubject({QStringLiteral("lock:a"), QStringLiteral("orders-eu")});
        QVERIFY(chart->fileStem().startsWith(QStringLiteral("lock-a ")));
        QVERIFY(chart->fileStem().endsWith(QStringLiteral(" UTC")));
    }
}

void LockChartsTest::theWheelScrollsAndCtrlZooms()
{
    LockTimeline timeline;
    timeline.setNow(now);
    timeline.setIntervals(believable());
    ExpiryHistogram horizon;
    horizon.setNow(now);
    horizon.setEnds({now + 400'000}, 0);
    const auto turned = [](QWidget& chart, Qt::KeyboardModifiers modifiers) {
        chart.resize(500, 200);
        QWheelEvent wheel({250, 100}, {250, 100}, {}, {0, 120}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&chart, &wheel);
        return wheel.isAccepted();
    };
    const qint64 before = timeline.toMs() - timeline.fromMs();
    QVERIFY(!turned(timeline, Qt::NoModifier)); // goes on to the page
    QCOMPARE(timeline.toMs() - timeline.fromMs(), before);
    QVERIFY(turned(timeline, Qt::ControlModifier));
    QVERIFY(timeline.toMs() - timeline.fromMs() < before);
    QCOMPARE(horizon.bins().back().toMs, 600'000);
    QVERIFY(!turned(horizon, Qt::NoModifier));
    QVERIFY(turned(horizon, Qt::ControlModifier));
    QCOMPARE(horizon.bins().back().toMs, 300'000);
    QTest::keyClick(&horizon, Qt::Key_Minus);
    QTest::keyClick(&horizon, Qt::Key_Minus);
    QCOMPARE(horizon.bins().back().toMs, 3'000'000);
    QTest::keyClick(&horizon, Qt::Key_End);
    QCOMPARE(horizon.bins().back().toMs, 600'000);
}

void LockChartsTest::aLaneIsActivatedByKeyboard()
{
    LockTimeline timeline;
    timeline.setIntervals(believable());
    QSignalSpy activated(&timeline, &LockTimeline::laneActivated);
    QTest::keyClick(&timeline, Qt::Key_Down);
    QTest::keyClick(&timeline, Qt::Key_Down);
    QTest::keyClick(&timeline, Qt::Key_Up);
    QTest::keyClick(&timeline, Qt::Key_Return);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toString(), QStringLiteral("lock:nightly-report"));
}

void LockChartsTest::intervalsAsCsv()
{
    LockTimeline timeline;
    timeline.setIntervals(believable());
    const QStringList lines = timeline.csv().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 12);
    QCOMPARE(lines[1], QStringLiteral("lock:invoice:42,worker-a:7f3c,2023-11-14T22:09:32.000Z,"
                                      "2023-11-14T22:10:49.000Z,0,,0,0,1"));
    QCOMPARE(lines[3], QStringLiteral("lock:invoice:42,worker-c:0d51,2023-11-14T22:12:22.000Z,,1,"
                                      "2023-11-14T22:13:51.000Z,0,4,0"));
}

void LockChartsTest::fillTexts_data()
{
    QTest::addColumn<FillBar>("bar");
    QTest::addColumn<QString>("text");
    QTest::newRow("known") << FillBar{3, 5} << QStringLiteral("3 / 5");
    QTest::newRow("no limit") << FillBar{7, {}} << QStringLiteral("7 / ?");
    QTest::newRow("no number") << FillBar{{}, 5} << QStringLiteral("? / 5");
    QTest::newRow("upper bound") << FillBar{7, 9, true} << QStringLiteral("\u2264 7 / 9");
}

void LockChartsTest::fillTexts()
{
    QFETCH(FillBar, bar);
    QTEST(fillBarText(bar), "text");
}

void LockChartsTest::theBarShowsItsShare()
{
    const auto ink = [](qint64 used, Health health, ColorRole role) {
        const QImage image = painted([&](QPainter& painter) {
            paintFillBar(painter, QRectF(0, 0, 200, 24), {used, 10, false, health}, lightPalette());
        });
        return pixelsOf(image, themeColors(lightPalette()).of(role));
    };
    const int three = ink(3, Health::Ok, ColorRole::Accent);
    const int nine = ink(9, Health::Ok, ColorRole::Accent);
    QVERIFY(three > 50);
    QVERIFY(std::abs(nine - 3 * three) < three / 3);
    QVERIFY(ink(10, Health::Error, ColorRole::Danger) > nine);
    QCOMPARE(ink(99, Health::Error, ColorRole::Danger), ink(10, Health::Error, ColorRole::Danger));
}

namespace {

/// Some rows as a table would draw them.
class Cells final : public QWidget
{
public:
    explicit Cells(QWidget* parent)
        : QWidget(parent)
    {
        setFixedHeight(150);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const ThemeColors& colors = themeColors(palette());
        painter.fillRect(rect(), colors.surface);
        const FillBar bars[] = {{5, 5, false, Health::Error},
                                {4, 5, false, Health::Warning},
                                {3, 12, false, Health::Ok},
                                {7, {}, true, Health::Ok},
                                {2, 3, false, Health::Ok, true}};
        for (int row = 0; row < 5; ++row) {
            const QRectF line(0, row * 30, width(), 30);
            if (bars[row].selected)
                painter.fillRect(line, palette().highlight());
            paintFillBar(painter, line.adjusted(12, 0, -480, 0), bars[row], palette());
        }
    }
};

} // namespace

void LockChartsTest::gallery()
{
    QWidget sheet;
    auto* column = new QVBoxLayout(&sheet);
    column->setSpacing(16);
    auto* timeline = new LockTimeline(&sheet);
    timeline->setNow(now);
    timeline->setIntervals(believable());
    column->addWidget(timeline);
    auto* horizon = new ExpiryHistogram(&sheet);
    horizon->setTitle(QStringLiteral("Locks expiring"), QStringLiteral("locks, by time from now"));
    horizon->setNow(now);
    std::vector<EndCount> ends;
    for (int i = 0; i < 46; ++i)
        ends.push_back(now + 4200 + i * i * 23);
    ends.push_back(now + 600'000);
    horizon->setEnds(ends, 4);
    column->addWidget(horizon);
    auto* several = new LockTimeline(&sheet);
    several->setNow(now);
    several->setIntervals(shared());
    column->addWidget(several);
    auto* empty = new LockTimeline(&sheet);
    column->addWidget(empty);
    column->addWidget(new Cells(&sheet));
    sheet.resize(760, 800);
    sheet.show();
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QImage image = m_shots.take(*m_theme, choice, sheet, QStringLiteral("locks"));
        QVERIFY(pixelsOf(image, ownerColor(QStringLiteral("ef1f63c"), sheet.palette())) > 100);
        QVERIFY(pixelsOf(image, themeColors(sheet.palette()).warning) > 100);
    }
}

LK_WIDGET_TEST(LockChartsTest);
#include "tst_charts_locks.moc"
