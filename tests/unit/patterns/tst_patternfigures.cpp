// SPDX-License-Identifier: GPL-3.0-or-later
// The texts and numbers of a pattern in the table and the charts.
#include "backend/core/derived/patternfigures.h"
#include "backend/session/board/summary.h"
#include "backend/text/columns/column.h"
#include "backend/text/numbers/figures.h"
#include "backend/text/statewords.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

#include <cmath>

using namespace lk;
using namespace lk::test;
using Rows = PatternState::Rows;

namespace {

State pattern(const char* layout, Rows rows, std::vector<std::pair<QByteArray, double>> values)
{
    State state = madeState(madePrimitive(Kind::Pattern, layout, "p"), 1000);
    auto& body = state.body.get<PatternState>();
    body.rowsAre = rows;
    body.values = std::move(values);
    return state;
}

const PatternState& bodyOf(const State& state)
{
    return *state.as<PatternState>();
}

const Column& column(const char* id)
{
    for (const Column& c : columns(Kind::Pattern)) {
        if (qstrcmp(c.id, id) == 0)
            return c;
    }
    qFatal("no such column");
}

std::optional<double> metric(const char* id, const State& state)
{
    for (const Metric& m : metrics(Kind::Pattern)) {
        if (qstrcmp(m.id, id) == 0)
            return m.value(state);
    }
    qFatal("no such metric");
}

State bitmaps(std::initializer_list<std::optional<double>> counts)
{
    State state = pattern("bitmap", Rows::Counts, {{"count", 0}, {"keys", double(counts.size())}});
    for (const auto& count : counts)
        state.body.get<PatternState>().rows.push_back({"day", count, 8});
    return state;
}

} // namespace

class TestPatternFigures : public QObject
{
    Q_OBJECT

private slots:
    void whatEachHolds_data();
    void whatEachHolds();
    void unknownIsADash();
    void aProblemHoldsNothing();
    void wordsOfTheState();
    void expiresIn();
    void chipsAreLayouts();
    void everyMetricIsRecorded();
    void differentUsersOfTheLastKeys();
    void onlyAnIncrIsACounter();
    void whatAddingUpLeavesIsNotShown();
};

void TestPatternFigures::whatEachHolds_data()
{
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<int>("rows");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* layout, Rows rows, const char* id, double value,
                        const char* text) {
        QTest::newRow(text) << QByteArray(layout) << int(rows) << QByteArray(id) << value
                            << QString::fromUtf8(text);
    };
    row("circular-list", Rows::Rotation, "length", 7, "7 members");
    row("navigation-session", Rows::Trail, "length", 12, "12 pages");
    row("navigation-session", Rows::Trail, "length", 1, "1 page");
    row("sort-cache", Rows::Results, "length", 0, "0 items");
    row("bitmap", Rows::Counts, "count", 1234, "1,234 users");
    row("weighted-set", Rows::Weights, "members", 5, "5 members");
    row("array", Rows::Records, "records", 40, "40 records");
    row("counter", Rows::None, "value", -3, "-3");
    row("counter", Rows::None, "value", 12'345'678, "12,345,678");
}

void TestPatternFigures::whatEachHolds()
{
    QFETCH(QByteArray, layout);
    QFETCH(int, rows);
    QFETCH(QByteArray, id);
    QFETCH(double, value);
    QFETCH(QString, text);
    const State state = pattern(layout.constData(), Rows(rows), {{id, value}, {"other", 99}});
    QCOMPARE(column("holds").text(state), text);
    QCOMPARE(column("holds").number(state), std::optional(value));
    QCOMPARE(metric("holds", state), std::optional(value));
}

void TestPatternFigures::unknownIsADash()
{
    const State uncounted = pattern("bitmap", Rows::Counts, {{"count", qQNaN()}, {"keys", 2}});
    QCOMPARE(column("holds").text(uncounted), QStringLiteral("\u2013"));
    QVERIFY(!column("holds").number(uncounted));
    QVERIFY(!metric("holds", uncounted));
    // For an array without a record size only the bytes are known.
    const State array = pattern("array", Rows::None, {{"records", qQNaN()}, {"bytes", 4096}});
    QCOMPARE(column("holds").text(array), QStringLiteral("4,096 bytes"));
    const State nothing = pattern("counter", Rows::None, {});
    QCOMPARE(column("holds").text(nothing), QStringLiteral("\u2013"));
}

void TestPatternFigures::aProblemHoldsNothing()
{
    State state = pattern("counter", Rows::None, {{"value", 4}});
    state.problem = Error{ErrorCode::WrongType, {}};
    QCOMPARE(column("holds").text(state), QStringLiteral("\u2013"));
    QVERIFY(!metric("holds", state));
    QVERIFY(!metric("pace", state));
    QCOMPARE(stateWord(state), QStringLiteral("unreadable"));
}

void TestPatternFigures::wordsOfTheState()
{
    State cache = pattern("sort-cache", Rows::Results, {{"length", 25}});
    auto& body = cache.body.get<PatternState>();
    QCOMPARE(stateWord(cache), QStringLiteral("cached"));
    body.lock = LockState::Phase::Held;
    QCOMPARE(stateWord(cache), QStringLiteral("rebuilding"));
    body.lock = LockState::Phase::NoTtl;
    QCOMPARE(stateWord(cache), QStringLiteral("blocked"));
    body.lock = LockState::Phase::Free;
    cache.present = false;
    QCOMPARE(stateWord(cache), QStringLiteral("not cached"));
    State trail = pattern("navigation-session", Rows::Trail, {{"length", 2}});
    QCOMPARE(stateWord(trail), QStringLiteral("live"));
    trail.present = false;
    QCOMPARE(stateWord(trail), QStringLiteral("ended"));
}

void TestPatternFigures::expiresIn()
{
    State state = pattern("navigation-session", Rows::Trail, {{"length", 2}});
    QCOMPARE(column("ttl").text(state), QStringLiteral("none"));
    state.ttlMs = 59'000;
    QCOMPARE(column("ttl").text(state), QStringLiteral("59 s"));
    QCOMPARE(metric("ttl", state), std::optional(59'000.0));
}

void TestPatternFigures::chipsAreLayouts()
{
    const auto chip = [](const State& state) {
        const RowSet set = rowSetOf(state);
        return rowSetFrom(rowSetId(set)) == set ? rowSetTitle(set) : QString();
    };
    QCOMPARE(chip(pattern("bitmap", Rows::Counts, {})), QStringLiteral("Bitmap per period"));
    QCOMPARE(chip(pattern("of another version", Rows::None, {})),
             QStringLiteral("of another version"));
    QCOMPARE(chip(lockState("me", 100, 1000)), QStringLiteral("held"));
    QVERIFY(rowSetFrom(rowSetId({})).isAll());
}

void TestPatternFigures::everyMetricIsRecorded()
{
    State state = pattern("counter", Rows::None, {{"value", 4}});
    state.ttlMs = 100;
    state.body.get<PatternState>().perMinute = 12;
    QCOMPARE(metrics(Kind::Pattern).size(), size_t(3));
    QCOMPARE(metric("holds", state), std::optional(4.0));
    QCOMPARE(metric("ttl", state), std::optional(100.0));
    QCOMPARE(metric("pace", state), std::optional(12.0));
}

void TestPatternFigures::differentUsersOfTheLastKeys()
{
    QVERIFY(!idsOfLast(bodyOf(pattern("counter", Rows::None, {{"value", 4}})), 7));
    QVERIFY(!idsOfLast(bodyOf(bitmaps({})), 7));
    const auto three = idsOfLast(bodyOf(bitmaps({900, 10, 30, 20})), 3); // the oldest first
    QVERIFY(three);
    QCOMPARE(three->keys, 3);
    QCOMPARE(three->atLeast, 30.0);
    QCOMPARE(three->atMost, 60.0);
    const auto all = idsOfLast(bodyOf(bitmaps({5, 5})), 7);
    QVERIFY(all && all->keys == 2 && all->atLeast == 5 && all->atMost == 10);
    QVERIFY(!idsOfLast(bodyOf(bitmaps({5, std::nullopt, 5})), 7));
    QVERIFY(idsOfLast(bodyOf(bitmaps({std::nullopt, 5, 5})), 2)); // beyond those asked for
}

void TestPatternFigures::onlyAnIncrIsACounter()
{
    QVERIFY(isCounter(bodyOf(pattern("counter", Rows::None, {{"value", 4}}))));
    QVERIFY(!isCounter(bodyOf(pattern("counter", Rows::None, {}))));
    QVERIFY(!isCounter(bodyOf(pattern("array", Rows::None, {{"records", 4}, {"bytes", 9}}))));
    QVERIFY(!isCounter(bodyOf(pattern("bitmap", Rows::Counts, {{"value", 4}}))));
}

void TestPatternFigures::whatAddingUpLeavesIsNotShown()
{
    QCOMPARE(figureText(0.1 + 0.7 + 0.1 + 0.1), QStringLiteral("1"));
    QCOMPARE(figureText(0.1 + 0.2), QStringLiteral("0.3"));
    QCOMPARE(figureText(2.125), QStringLiteral("2.125"));
    QCOMPARE(figureText(1'234'567), QStringLiteral("1,234,567"));
    QCOMPARE(figureText(0.00012), QStringLiteral("0.00012"));
    QCOMPARE(mainText(bodyOf(pattern("counter", Rows::None, {{"value", 0.1 + 0.2}}))),
             QStringLiteral("0.3"));
}

LK_TEST(TestPatternFigures);
#include "tst_patternfigures.moc"
