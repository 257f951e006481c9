// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/patternrates.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

using Pace = std::optional<double>;

Pace rotation(PatternRates& pace, const QByteArrayList& order, qint64 atMs, bool truncated = false)
{
    State state = madeState(madePrimitive(Kind::Pattern, "circular-list", "r"), atMs);
    auto& pattern = state.body.get<PatternState>();
    pattern.rowsAre = PatternState::Rows::Rotation;
    pattern.values = {{"length", double(order.size())}};
    pattern.rowsTruncated = truncated;
    for (const QByteArray& member : order)
        pattern.rows.push_back({member, std::nullopt, member.size()});
    pace.apply(state);
    return pattern.perMinute;
}

Pace counter(PatternRates& pace, double value, qint64 atMs)
{
    State state = madeState(madePrimitive(Kind::Pattern, "counter", "c"), atMs);
    auto& pattern = state.body.get<PatternState>();
    pattern.values = {{"value", value}};
    pace.apply(state);
    return pattern.perMinute;
}

QByteArrayList turned(QByteArrayList order, int turns)
{
    std::rotate(order.begin(), order.begin() + turns % order.size(), order.end());
    return order;
}

const QByteArrayList members{"a", "b", "c", "d", "e"};

} // namespace

class TestPatternRates : public QObject
{
    Q_OBJECT

private slots:
    void unknownAtFirst();
    void turnsOfARotation();
    void wholeRoundsAreMissed();
    void theFirstOfALongList();
    void aListFilledAnewHasNotTurned();
    void notLookedAtIsUnknownAgain();
    void countsOfACounter();
    void aResetCountsNothing();
    void overTheLastMinute();
    void rareLooksTell();
    void aClockSetBackStartsAnew();
    void othersAreLeftAlone();
};

void TestPatternRates::unknownAtFirst()
{
    PatternRates pace;
    QVERIFY(!rotation(pace, members, 1000));
    QVERIFY(!rotation(pace, turned(members, 1), 5999));
    QCOMPARE(rotation(pace, turned(members, 1), 6000), Pace(12));
}

void TestPatternRates::turnsOfARotation()
{
    PatternRates pace;
    Pace last;
    for (int s = 0; s <= 20; ++s)
        last = rotation(pace, turned(members, 2 * s), 1000 + s * 1000);
    QCOMPARE(last, Pace(120));
    for (int s = 21; s <= 200; ++s)
        last = rotation(pace, turned(members, 40), 1000 + s * 1000);
    QCOMPARE(last, Pace(0));
}

void TestPatternRates::wholeRoundsAreMissed()
{
    PatternRates pace;
    Pace last;
    for (int s = 0; s <= 20; ++s) // six turns a second
        last = rotation(pace, turned(members, 6 * s), 1000 + s * 1000);
    QCOMPARE(last, Pace(60));
}

void TestPatternRates::theFirstOfALongList()
{
    PatternRates pace;
    QByteArrayList all;
    for (int i = 0; i < 100; ++i)
        all << QByteArray::number(i);
    rotation(pace, all.mid(0, 20), 1000, true);
    QCOMPARE(rotation(pace, all.mid(19, 20), 61'000, true), Pace(19));
    // Farther than what was read: who knows how far.
    QCOMPARE(rotation(pace, all.mid(60, 20), 121'000, true), Pace(0));
}

void TestPatternRates::aListFilledAnewHasNotTurned()
{
    PatternRates pace;
    rotation(pace, members, 1000);
    QCOMPARE(rotation(pace, {"x", "y"}, 11'000), Pace(0));
    // Somebody joins at the end: who is due is the same.
    QCOMPARE(rotation(pace, {"x", "y", "z"}, 12'000), Pace(0));
    QCOMPARE(rotation(pace, {"y", "z", "x"}, 13'000), Pace(5));
}

void TestPatternRates::notLookedAtIsUnknownAgain()
{
    PatternRates pace;
    rotation(pace, members, 1000);
    QVERIFY(rotation(pace, turned(members, 1), 11'000));
    QVERIFY(!rotation(pace, {}, 12'000)); // a row of the table reads no members
    QVERIFY(!rotation(pace, turned(members, 3), 13'000));
    QCOMPARE(rotation(pace, turned(members, 4), 23'000), Pace(6));
}

void TestPatternRates::countsOfACounter()
{
    PatternRates pace;
    Pace last;
    for (int s = 0; s <= 30; ++s)
        last = counter(pace, 1000 + 3 * s, 1000 + s * 1000);
    QCOMPARE(last, Pace(180));
}

void TestPatternRates::aResetCountsNothing()
{
    PatternRates pace;
    counter(pace, 500, 1000);
    QCOMPARE(counter(pace, 510, 11'000), Pace(60));
    QCOMPARE(counter(pace, 7, 21'000), Pace(30)); // GETSET 0, and seven at most since
    QCOMPARE(counter(pace, 9, 31'000), Pace(24));
}

void TestPatternRates::overTheLastMinute()
{
    PatternRates pace;
    Pace last;
    for (int s = 0; s <= 60; ++s)
        last = counter(pace, 10 * s, 1000 + s * 1000);
    QCOMPARE(last, Pace(600));
    for (int s = 61; s <= 90; ++s)
        last = counter(pace, 600, 1000 + s * 1000);
    QCOMPARE(last, Pace(300));
}

void TestPatternRates::rareLooksTell()
{
    PatternRates pace;
    counter(pace, 0, 1000);
    QCOMPARE(counter(pace, 100, 601'000), Pace(10));
    QCOMPARE(counter(pace, 120, 1'201'000), Pace(2));
}

void TestPatternRates::aClockSetBackStartsAnew()
{
    PatternRates pace;
    counter(pace, 0, 100'000);
    QVERIFY(counter(pace, 10, 110'000));
    QVERIFY(!counter(pace, 20, 50'000));
    QCOMPARE(counter(pace, 30, 60'000), Pace(60));
}

void TestPatternRates::othersAreLeftAlone()
{
    PatternRates pace;
    State lock = lockState("me", 100, 1000);
    pace.apply(lock);
    State broken = problemState(madePrimitive(Kind::Pattern, "counter", "c"), 1000, {});
    pace.apply(broken);
    QVERIFY(!broken.as<PatternState>()->perMinute);
    State weights = madeState(madePrimitive(Kind::Pattern, "weighted-set", "w"), 1000);
    auto& pattern = weights.body.get<PatternState>();
    pattern.values = {{"members", 3}, {"total", 1}};
    pattern.rowsAre = PatternState::Rows::Weights;
    pace.apply(weights);
    weights.asOfMs = 20'000;
    pace.apply(weights);
    QVERIFY(!pattern.perMinute);
}

LK_TEST(TestPatternRates);
#include "tst_patternrates.moc"
