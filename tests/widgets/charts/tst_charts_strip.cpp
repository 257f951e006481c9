// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/chartshots.h"
#include "tests/widgets/drawntexts.h"
#include "widgets/charts/strips/striplayout.h"
#include "widgets/charts/strips/windowstrip.h"
#include "widgets/theme/themecolors.h"

#include <QVBoxLayout>

using namespace lk;

namespace {

constexpr qint64 now = 1'700'000'000'000;

LimiterState rolling(qint64 limit, std::vector<qint64> ages)
{
    LimiterState state;
    state.limit = limit;
    state.limitSource = Source::Declared;
    state.windowMs = 1000;
    state.windowSource = Source::Declared;
    std::ranges::sort(ages, std::greater());
    for (const qint64 age : ages)
        state.accepted.push_back(now - age);
    state.occupancy = qint64(ages.size());
    state.remaining = std::max<qint64>(0, limit - qint64(ages.size()));
    state.nextFreeMs = qint64(ages.size()) >= limit ? 1000 - ages.front() : 0;
    return state;
}

LimiterState fullWithLine()
{
    LimiterState state = rolling(5, {880, 702, 481, 260, 95});
    state.reserved = {now + 120, now + 298, now + 519};
    state.retryAfterMs = 594;
    return state;
}

LimiterState crowded()
{
    std::vector<qint64> ages;
    for (int i = 0; i < 512; ++i)
        ages.push_back((i * 389 + i * i % 97) % 998 * (i % 3 == 0 ? 1 : 2) / 2);
    return rolling(600, ages);
}

LimiterState counter(Algorithm algorithm, qint64 used, qint64 limit)
{
    LimiterState state;
    state.algorithm = algorithm;
    state.occupancy = used;
    state.limit = limit;
    state.windowMs = 60'000;
    return state;
}

} // namespace

class StripTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void nowStandsAtTheRightWithoutAFuture();
    void theFutureGetsItsShareOfTheWidth();
    void marksDriftAndLeave();
    void reservationsThatPassAreGone();
    void theMarkThatFreesTheNextSlotIsNamed();
    void marksOfOneMomentAreStacked();
    void anUnknownWindowFitsTheMarks();
    void permitsAreNotCountedByMarks();
    void describesWhatItShows();
    void describesACounter();
    void tellsWhatIsUnderThePointer();
    void pausedItStandsStill();
    void aHiddenStripDoesNotMove();
    void everyMarkIsDrawn();
    void captionsAreNotCut();
    void gallery();

private:
    std::unique_ptr<Theme> m_theme;
    Shots m_shots;
};

void StripTest::initTestCase()
{
    m_theme = std::make_unique<Theme>(*qApp);
    m_theme->choose(ThemeChoice::Light);
}

void StripTest::nowStandsAtTheRightWithoutAFuture()
{
    const StripLayout strip = layoutStrip(rolling(5, {500, 200}), now, now, 600, false);
    QVERIFY(strip.nowX > 570);
    QCOMPARE(strip.futureMs, 0);
    QCOMPARE(strip.used, 2);
    QVERIFY(!strip.full());
    QVERIFY(!strip.nextFreeInMs);
}

void StripTest::theFutureGetsItsShareOfTheWidth()
{
    const StripLayout strip = layoutStrip(fullWithLine(), now, now, 600, false);
    QVERIFY(strip.nowX >= 600 * 0.6 && strip.nowX <= 600 * 0.7);
    QVERIFY(strip.futureMs >= 594);
    QCOMPARE(strip.reserved.size(), 3u);
    QVERIFY(strip.reserved.back().x <= 600);
    QVERIFY(strip.reserved.front().x > strip.nowX);
    QCOMPARE(strip.retryInMs, 594);
}

void StripTest::marksDriftAndLeave()
{
    const LimiterState state = fullWithLine();
    const StripLayout before = layoutStrip(state, now, now, 600, false);
    const StripLayout after = layoutStrip(state, now, now + 50, 600, false);
    QCOMPARE(after.accepted.size(), 5u);
    QVERIFY(after.accepted.front().x < before.accepted.front().x);
    QCOMPARE(*after.nextFreeInMs, 70);
    const StripLayout later = layoutStrip(state, now, now + 121, 600, false);
    QCOMPARE(later.accepted.size(), 4u);
    QCOMPARE(later.used, 4);
    QVERIFY(!later.full());
}

void StripTest::reservationsThatPassAreGone()
{
    const StripLayout strip = layoutStrip(fullWithLine(), now, now + 300, 600, true);
    QCOMPARE(strip.reserved.size(), 1u);
    QCOMPARE(*strip.retryInMs, 294);
}

void StripTest::theMarkThatFreesTheNextSlotIsNamed()
{
    const StripLayout strip = layoutStrip(fullWithLine(), now, now, 600, false);
    QCOMPARE(strip.leavesNext, 0u);
    LimiterState behindTwo = fullWithLine();
    behindTwo.nextFreeMs = 519; // the two oldest slots go to those who wait
    QCOMPARE(layoutStrip(behindTwo, now, now, 600, false).leavesNext, 2u);
}

void StripTest::marksOfOneMomentAreStacked()
{
    const StripLayout strip = layoutStrip(rolling(5, {500, 500, 500, 100}), now, now, 600, false);
    QCOMPARE(strip.accepted[0].rows, 3);
    QCOMPARE(strip.accepted[2].row, 2);
    QCOMPARE(strip.accepted[3].rows, 1);
}

void StripTest::anUnknownWindowFitsTheMarks()
{
    LimiterState state = rolling(5, {});
    state.windowMs.reset();
    state.limit.reset();
    state.accepted = {now - 7300, now - 4000, now - 10};
    state.occupancy = 3;
    state.occupancyIsUpperBound = true;
    const StripLayout strip = layoutStrip(state, now, now, 600, false);
    QVERIFY(!strip.windowKnown);
    QVERIFY(strip.pastMs >= 7300);
    QCOMPARE(strip.accepted.size(), 3u);
    QVERIFY(strip.accepted.front().x >= 0);
}

void StripTest::permitsAreNotCountedByMarks()
{
    LimiterState state = rolling(10, {500, 200});
    state.algorithm = Algorithm::PermitLog;
    state.occupancy = 7; // two acquires of several permits
    QCOMPARE(layoutStrip(state, now, now + 100, 600, false).used, 7);
}

void StripTest::describesWhatItShows()
{
    WindowStrip strip;
    strip.setPaused(true);
    strip.setState(fullWithLine(), now);
    strip.show();
    QTRY_VERIFY(strip.accessibleDescription().contains(QStringLiteral("5 of 5")));
    const QString text = strip.accessibleDescription();
    QVERIFY(text.contains(QStringLiteral("5 mark")));
    QVERIFY(text.contains(QStringLiteral("3 reservation")));
    QVERIFY(text.contains(QStringLiteral("next free in 120 ms")));
    QVERIFY(text.contains(QStringLiteral("retry after 594 ms")));
    strip.clear();
    QTRY_VERIFY(!strip.accessibleDescription().contains(QStringLiteral("5 of 5")));
}

void StripTest::describesACounter()
{
    WindowStrip strip;
    strip.setPaused(true);
    strip.setState(counter(Algorithm::FixedWindow, 7, 10), now, 12'000);
    strip.setServerNow(now + 2000);
    strip.show();
    QTRY_COMPARE(strip.accessibleDescription(), QStringLiteral("7 of 10, resets in 10 s"));
}

void StripTest::tellsWhatIsUnderThePointer()
{
    WindowStrip strip;
    strip.setPaused(true);
    strip.resize(604, strip.sizeHint().height());
    strip.setState(fullWithLine(), now);
    strip.show();
    const StripLayout layout = layoutStrip(fullWithLine(), now, now, 600, true);
    const int y = strip.height() - 40;
    const auto at = [&](qreal x) { return strip.textAt(QPoint(2 + qRound(x), y)); };
    QCOMPARE(at(layout.accepted[1].x),
             QStringLiteral("accepted 702 ms ago, leaves the window in 298 ms"));
    QCOMPARE(at(layout.reserved[2].x), QStringLiteral("reserved: retry in 519 ms"));
    QVERIFY(at(layout.nowX + 10).isEmpty());
    QVERIFY(strip.textAt(QPoint(2, 2)).isEmpty());
}

// A strip that is seen and not paused; false if it does not.
static bool anotherMoves()
{
    WindowStrip strip;
    strip.setState(fullWithLine(), now);
    strip.show();
    QString before;
    return QTest::qWaitFor([&] {
               before = strip.accessibleDescription();
               return !before.isEmpty();
           }) &&
           QTest::qWaitFor([&] { return strip.accessibleDescription() != before; });
}

void StripTest::pausedItStandsStill()
{
    WindowStrip strip;
    strip.setPaused(true);
    strip.setState(fullWithLine(), now);
    strip.show();
    QTRY_VERIFY(!strip.accessibleDescription().isEmpty());
    const QString before = strip.accessibleDescription();
    QVERIFY(anotherMoves());
    QCOMPARE(strip.accessibleDescription(), before);
    strip.setPaused(false);
    QTRY_VERIFY(strip.accessibleDescription() != before);
}

void StripTest::aHiddenStripDoesNotMove()
{
    WindowStrip strip;
    strip.setState(fullWithLine(), now);
    strip.show();
    QTRY_VERIFY(!strip.accessibleDescription().isEmpty());
    strip.hide();
    const QString before = strip.accessibleDescription();
    QVERIFY(anotherMoves());
    QCOMPARE(strip.accessibleDescription(), before);
}

void StripTest::everyMarkIsDrawn()
{
    WindowStrip strip;
    strip.setPaused(true);
    strip.setFocusPolicy(Qt::NoFocus); // its frame has the marks' colour
    strip.resize(604, strip.sizeHint().height());
    strip.setState(rolling(9, {}), now);
    strip.show();
    const QColor accent = themeColors(strip.palette()).accent;
    const int none = pixelsOf(m_shots.take(*m_theme, ThemeChoice::Light, strip, {}), accent);
    strip.setState(rolling(9, {900, 500, 200}), now);
    const int three = pixelsOf(m_shots.take(*m_theme, ThemeChoice::Light, strip, {}), accent);
    QCOMPARE(none, 0);
    QVERIFY(three > 200);
}

// Where there is little room it is said in fewer words, the duration with its unit always.
void StripTest::captionsAreNotCut()
{
    WindowStrip strip;
    strip.setPaused(true);
    strip.setState(fullWithLine(), now);
    const auto drawn = [&](int width) {
        strip.resize(width, strip.sizeHint().height());
        strip.show();
        return test::drawnTexts(strip);
    };
    QVERIFY(drawn(604).contains(QStringLiteral("retry after 594 ms")));
    const QStringList narrow = drawn(304);
    QVERIFY(!narrow.contains(QStringLiteral("retry after 594 ms")));
    QVERIFY2(narrow.contains(QStringLiteral("retry 594 ms")) ||
                 narrow.contains(QStringLiteral("594 ms")),
             qPrintable(narrow.join(QLatin1Char('|'))));
}

void StripTest::gallery()
{
    LimiterState unknown = rolling(5, {});
    unknown.windowMs.reset();
    unknown.limit.reset();
    unknown.accepted = {now - 7300, now - 6100, now - 4000, now - 3500, now - 800, now - 10};
    unknown.occupancy = 6;
    unknown.occupancyIsUpperBound = true;
    LimiterState longLine = rolling(5, {930, 925, 920, 340, 330});
    for (int i = 1; i <= 24; ++i)
        longLine.reserved.push_back(now + i * 290);
    longLine.retryAfterMs = 7053;

    QWidget sheet;
    auto* column = new QVBoxLayout(&sheet);
    column->setSpacing(20);
    const auto add = [&](const LimiterState& state, std::optional<qint64> ttl = {}) {
        auto* strip = new WindowStrip(&sheet);
        strip->setPaused(true);
        strip->setState(state, now, ttl);
        column->addWidget(strip);
    };
    add(fullWithLine());
    add(rolling(5, {640, 210}));
    add(longLine);
    add(crowded());
    add(unknown);
    add(counter(Algorithm::FixedWindow, 42, 60), 17'000);
    add(counter(Algorithm::FixedWindow, 950, 1000), 42'000);
    add(counter(Algorithm::Gate, 1, 1), 24'000);
    sheet.resize(680, sheet.sizeHint().height());
    sheet.show();
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        const QImage image = m_shots.take(*m_theme, choice, sheet, QStringLiteral("strips"));
        QVERIFY(pixelsOf(image, themeColors(sheet.palette()).accent) > 1000);
    }
}

LK_WIDGET_TEST(StripTest);
#include "tst_charts_strip.moc"
