// SPDX-License-Identifier: GPL-3.0-or-later
// The states that the layouts of the pattern document decode from their replies.
#include "backend/libraries/api/action.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include "backend/core/derived/patternfigures.h"
#include "backend/findings/findings.h"

#include <QtTest>

#include <cmath>

using namespace lk;

namespace {

using Rows = PatternState::Rows;

Primitive pattern(const QByteArray& layout, std::vector<KeyRole> keys)
{
    return {Kind::Pattern,   ProvenBy::Itself, false, 1, {layout, "p"},
            std::move(keys), nullptr,          {},    {}};
}

Primitive declared(Primitive primitive, Declaration d)
{
    primitive.declaration = std::make_shared<Declaration>(std::move(d));
    return primitive;
}

PatternState bodyOf(const Result<State>& state)
{
    return state && state->as<PatternState>() ? *state->as<PatternState>() : PatternState();
}

double valueOf(const Result<State>& state, const char* id)
{
    for (const auto& [name, value] : bodyOf(state).values) {
        if (name == id)
            return value;
    }
    return -999;
}

QByteArrayList labels(const Result<State>& state)
{
    QByteArrayList all;
    for (const PatternRow& row : bodyOf(state).rows)
        all << row.label;
    return all;
}

} // namespace

class TestPatternStates : public QObject
{
    Q_OBJECT

private slots:
    void whoIsDueComesFirst();
    void longListsAreReadInPart();
    void heavyItemsAreNotRead();
    void aSessionEndsAMinuteAfterItsLastPage();
    void aSessionThatNeverEndsIsWatched();
    void aCacheAndItsLock();
    void countersCount();
    void bitmapsAreCountedByDay();
    void smallBitmapsAreLaidOverEachOther();
    void largeBitmapsAreCountedByRanges();
    void hugeBitmapsAreNotCounted();
    void weightsAreChances();
    void recordsOfAnArray();
    void eventsWait();
    void goneKeysAreIdle();
};

void TestPatternStates::whoIsDueComesFirst()
{
    FakeKeys keys;
    keys.list("k", {"c", "b", "a"});
    const Primitive p = pattern("circular-list", {{"list", "k"}});
    const auto row = keys.read(p);
    QCOMPARE(valueOf(row, "length"), 3.0);
    QVERIFY(bodyOf(row).rows.empty() && bodyOf(row).rowsTruncated);
    const auto detail = keys.read(p, Depth::Detail);
    QCOMPARE(labels(detail), (QByteArrayList{"a", "b", "c"}));
    QCOMPARE(bodyOf(detail).rowsAre, Rows::Rotation);
    QVERIFY(!bodyOf(detail).rowsTruncated);
    QCOMPARE(detail->facts.front().value, QStringLiteral("a"));
    // The action that turns it looks at the same end of the same list.
    const Action* rotate = findAction(*findLayout("circular-list"), "queue.rotate");
    QVERIFY(rotate);
    const std::vector<Command> reads = rotate->prefetch(*detail, {}, {});
    QCOMPARE(reads, (std::vector<Command>{{"LINDEX", "k", "-1"}}));
    const std::vector<Reply> due{Reply::bulk("a")};
    const ActionRequest request;
    const Result<Plan> plan = rotate->plan({*detail, due, request, keys.nowMs});
    QVERIFY(plan);
    QCOMPARE(plan->keys, std::vector<QByteArray>{"k"});
}

void TestPatternStates::longListsAreReadInPart()
{
    FakeKeys keys;
    std::vector<QByteArray> items(5000, "x");
    items.back() = "due";
    keys.list("k", items);
    const auto state = keys.read(pattern("circular-list", {{"list", "k"}}), Depth::Detail);
    QCOMPARE(bodyOf(state).rows.size(), size_t(20));
    QCOMPARE(bodyOf(state).rows.front().label, QByteArray("due"));
    QVERIFY(bodyOf(state).rowsTruncated);
}

void TestPatternStates::heavyItemsAreNotRead()
{
    FakeKeys keys;
    keys.list("k", {QByteArray(100'000, 'x')});
    const auto heavy = keys.read(pattern("circular-list", {{"list", "k"}}), Depth::Detail);
    QVERIFY(bodyOf(heavy).rows.empty());
    keys.list("k", std::vector<QByteArray>(30, QByteArray(20'000, 'x')));
    const auto some = keys.read(pattern("circular-list", {{"list", "k"}}), Depth::Detail);
    QCOMPARE(bodyOf(some).rows.size(), size_t(3)); // what 64 KB hold
    QCOMPARE(bodyOf(some).rows.front().label.size(), 128);
    QCOMPARE(bodyOf(some).rows.front().bytes, 20'000);
}

void TestPatternStates::aSessionEndsAMinuteAfterItsLastPage()
{
    FakeKeys keys;
    keys.list("k", {"http://a", "http://b"}, 45'000);
    const Primitive guessed = pattern("navigation-session", {{"session", "k"}});
    const auto state = keys.read(guessed, Depth::Detail);
    QCOMPARE(bodyOf(state).values.size(), size_t(1));
    QCOMPARE(valueOf(state, "length"), 2.0);
    QCOMPARE(state->ttlMs, std::optional<qint64>(45'000));
    QCOMPARE(state->revisitAtMs, keys.nowMs + 45'001);
    QCOMPARE(labels(state), (QByteArrayList{"http://b", "http://a"}));
    Declaration d;
    d.ttlMs = 60'000;
    QCOMPARE(valueOf(keys.read(declared(guessed, d)), "idle_ms"), 15'000.0);
}

void TestPatternStates::aSessionThatNeverEndsIsWatched()
{
    FakeKeys keys;
    keys.list("k", {"http://a"});
    const auto state = keys.read(pattern("navigation-session", {{"session", "k"}}));
    QVERIFY(state && state->health == Health::Warning);
}

void TestPatternStates::aCacheAndItsLock()
{
    FakeKeys keys;
    const Primitive p = pattern("sort-cache", {{"cache", "k"}, {"lock", "k:lock"}});
    keys.list("k", {"1", "2", "3"}, 30'000);
    for (const Depth depth : {Depth::Summary, Depth::Detail})
        QCOMPARE(valueOf(keys.read(p, depth), "rebuilding"), 0.0);
    QCOMPARE(labels(keys.read(p, Depth::Detail)), (QByteArrayList{"1", "2", "3"}));
    keys.string("k:lock", "ef1f63c", 5000);
    for (const Depth depth : {Depth::Summary, Depth::Detail}) {
        const auto state = keys.read(p, depth);
        QCOMPARE(valueOf(state, "rebuilding"), 1.0);
        QCOMPARE(state->health, Health::Ok);
        QCOMPARE(state->revisitAtMs, keys.nowMs + 5001);
    }
    keys.remove("k");
    QVERIFY(keys.read(p)->present); // somebody is at it
    keys.string("k:lock", "ef1f63c");
    const auto stuck = keys.read(p);
    QCOMPARE(stuck->health, Health::Error);
    QCOMPARE(findingsOf(*stuck).front().code, QByteArray("lock-without-ttl"));
    // Alone, with no lock known, and never sorted anew.
    keys.list("k", {"1"});
    const auto alone = keys.read(pattern("sort-cache", {{"cache", "k"}}));
    QCOMPARE(alone->health, Health::Warning);
    QCOMPARE(valueOf(alone, "rebuilding"), -999.0);
}

void TestPatternStates::countersCount()
{
    FakeKeys keys;
    const Primitive p = pattern("counter", {{"counter", "k"}});
    keys.string("k", "-17");
    QCOMPARE(valueOf(keys.read(p), "value"), -17.0);
    keys.remove("k");
    QCOMPARE(valueOf(keys.read(p), "value"), 0.0);
    keys.string("k", "many");
    QVERIFY(keys.read(p)->problem);
    QVERIFY(bodyOf(keys.read(p)).values.empty());
}

void TestPatternStates::bitmapsAreCountedByDay()
{
    FakeKeys keys;
    std::vector<KeyRole> roles;
    for (int day = 1; day <= 9; ++day) {
        const QByteArray key = "dau:2026-11-0" + QByteArray::number(day);
        roles.push_back({"bitmap", key});
        if (day != 4) // its time was over
            keys.string(key, QByteArray(day, '\x03'), day == 9 ? 5000 : -1);
    }
    const Primitive p = pattern("bitmap", roles);
    const auto row = keys.read(p);
    QCOMPARE(valueOf(row, "count"), 18.0);
    QCOMPARE(valueOf(row, "keys"), 9.0);
    QCOMPARE(row->ttlMs, std::optional<qint64>(5000));
    const auto detail = keys.read(p, Depth::Detail);
    QCOMPARE(bodyOf(detail).rows.size(), size_t(8));
    QCOMPARE(bodyOf(detail).rows.front().label, QByteArray("dau:2026-11-01"));
    QCOMPARE(bodyOf(detail).rows.front().value, std::optional(2.0));
    QCOMPARE(bodyOf(detail).rows.back().value, std::optional(18.0));
}

// Who was active in the last seven periods, each counted once.
void TestPatternStates::smallBitmapsAreLaidOverEachOther()
{
    FakeKeys keys;
    std::vector<KeyRole> roles;
    for (int day = 1; day <= 9; ++day) {
        const QByteArray key = "dau:2026-11-0" + QByteArray::number(day);
        roles.push_back({"bitmap", key});
        if (day != 4) // its time was over
            keys.string(key, '\x03' + QByteArray(day, '\0') + '\x01');
    }
    const Primitive p = pattern("bitmap", roles);
    const auto first = keys.read(p, Depth::Detail);
    QCOMPARE(valueOf(first, "last_7"), -999.0); // how large they are is not known yet
    const auto known = keys.read(p, Depth::Detail, &*first);
    QCOMPARE(valueOf(known, "last_7"), 9.0); // two on each day, and one on each day alone
    const auto range = idsOfLast(bodyOf(known), lastPeriods);
    QVERIFY(range);
    QCOMPARE(range->keys, 7);
    QCOMPARE(range->atLeast, 9.0);
    QCOMPARE(range->atMost, 9.0);
    // A new day, whose size is not known yet: no number is told for other days than those shown.
    keys.string("dau:2026-11-04", "\xff");
    QCOMPARE(valueOf(keys.read(p, Depth::Detail, &*known), "last_7"), -999.0);
    // Too large together.
    keys.string("dau:2026-11-09", QByteArray(40'000, '\x01'));
    const auto large = keys.read(p, Depth::Detail);
    QCOMPARE(valueOf(keys.read(p, Depth::Detail, &*large), "last_7"), -999.0);
    QCOMPARE(valueOf(keys.read(p), "last_7"), -999.0); // and never for a row alone
}

void TestPatternStates::largeBitmapsAreCountedByRanges()
{
    FakeKeys keys;
    keys.string("k", QByteArray(3 * 1024 * 1024 + 5, '\x01'));
    keys.string("j", QByteArray(10, '\x01'));
    const Primitive p = pattern("bitmap", {{"bitmap", "k"}, {"bitmap", "j"}});
    for (const Depth depth : {Depth::Summary, Depth::Detail}) {
        const auto state = keys.read(p, depth);
        QCOMPARE(valueOf(state, "count"), 3.0 * 1024 * 1024 + 5);
        // Known once, it is counted in one round.
        keys.commands = 0;
        QCOMPARE(valueOf(keys.read(p, depth, &*state), "count"), 3.0 * 1024 * 1024 + 5);
        QCOMPARE(keys.commands, depth == Depth::Detail ? 9 : 6); // too large to be read as a whole
    }
    const ReadContext context{0, Depth::Detail, false, nullptr};
    for (const Command& c : firstCommands("bitmap", p, context)) {
        if (c.args()[0] == "BITCOUNT")
            QVERIFY(c.args()[3].toLongLong() - c.args()[2].toLongLong() < 1024 * 1024);
    }
}

void TestPatternStates::hugeBitmapsAreNotCounted()
{
    FakeKeys keys;
    keys.string("k", QByteArray(9 * 1024 * 1024, '\x01'));
    const auto state = keys.read(pattern("bitmap", {{"bitmap", "k"}}));
    QVERIFY(std::isnan(valueOf(state, "count")));
    QVERIFY(!bodyOf(state).rows.front().value);
    QCOMPARE(bodyOf(state).rows.front().bytes, 9 * 1024 * 1024);
}

void TestPatternStates::weightsAreChances()
{
    FakeKeys keys;
    const Primitive p = pattern("weighted-set", {{"weights", "k"}});
    keys.zset("k", {{"a", 0.5}, {"b", 0.75}, {"c", 1}});
    const auto state = keys.read(p);
    QCOMPARE(valueOf(state, "members"), 3.0);
    QCOMPARE(valueOf(state, "total"), 1.0);
    QVERIFY(state->facts.empty());
    QCOMPARE(labels(state), (QByteArrayList{"a", "b", "c"}));
    QCOMPARE(bodyOf(state).rows[0].value, std::optional(0.5));
    QCOMPARE(bodyOf(state).rows[2].value, std::optional(0.25));
    std::vector<ScoredMember> many;
    for (int i = 1; i <= 100; ++i)
        many.push_back({QByteArray::number(i), double(i)});
    keys.zset("k", many);
    QCOMPARE(bodyOf(keys.read(p)).rows.size(), size_t(16));
    const auto detail = keys.read(p, Depth::Detail);
    QCOMPARE(bodyOf(detail).rows.size(), size_t(64));
    QVERIFY(bodyOf(detail).rowsTruncated);
    QCOMPARE(bodyOf(detail).rows[9].value, std::optional(0.01));
    QVERIFY(!detail->facts.empty()); // a RAND() below 1 draws the first only
}

void TestPatternStates::recordsOfAnArray()
{
    FakeKeys keys;
    keys.string("k", QByteArray("bob\0\0\0\0\0\0\0\0\0\0\0\0\0eve", 19));
    const Primitive p = pattern("array", {{"array", "k"}});
    const auto unknown = keys.read(p, Depth::Detail);
    QVERIFY(std::isnan(valueOf(unknown, "records")));
    QCOMPARE(valueOf(unknown, "bytes"), 19.0);
    QVERIFY(bodyOf(unknown).rows.empty());
    Declaration d;
    d.recordBytes = 8;
    const auto known = keys.read(declared(p, d), Depth::Detail);
    QCOMPARE(valueOf(known, "records"), 3.0);
    QCOMPARE(labels(known), (QByteArrayList{"bob", "", "eve"}));
    d.recordBytes = 1'000'000; // too large for a look
    QVERIFY(bodyOf(keys.read(declared(p, d), Depth::Detail)).rows.empty());
}

void TestPatternStates::eventsWait()
{
    FakeKeys keys;
    keys.set("k", {"a", "b"});
    keys.list("h", {"x"});
    Primitive p = pattern("event-queue", {{"events", "k"}, {"helper", "h"}});
    p.kind = Kind::Queue;
    const auto state = keys.read(p);
    QVERIFY(state && state->as<QueueState>());
    QCOMPARE(state->as<QueueState>()->ready, std::optional<qint64>(2));
    QVERIFY(!state->as<QueueState>()->processing && !state->as<QueueState>()->dead);
    QCOMPARE(state->as<QueueState>()->wakeUps, std::optional<qint64>(1));
    keys.remove("k");
    QVERIFY(keys.read(p)->present);
    keys.remove("h");
    QVERIFY(!keys.read(p)->present);
}

void TestPatternStates::goneKeysAreIdle()
{
    FakeKeys keys;
    for (const char* layout : {"circular-list", "navigation-session", "counter", "bitmap",
                               "sort-cache", "weighted-set", "array"}) {
        for (const Depth depth : {Depth::Summary, Depth::Detail}) {
            const QByteArray role = findLayout(layout)->mainRole();
            const auto state = keys.read(pattern(layout, {{role, "k"}}), depth);
            QVERIFY2(state && !state->present && state->health == Health::Idle, layout);
            QVERIFY2(bodyOf(state).rows.empty(), layout);
        }
    }
}

LK_TEST(TestPatternStates);
#include "tst_patternstates.moc"
