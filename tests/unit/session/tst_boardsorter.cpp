// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"
#include "backend/session/board/boardsorter.h"
#include "backend/text/columns/column.h"
#include "backend/text/statewords.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <map>

using namespace lk;
using namespace lk::test;
using Handles = std::vector<Handle>;

namespace {

State limiter(const QByteArray& name, std::optional<qint64> occupancy, std::optional<qint64> limit,
              Health health = Health::Ok, double urgency = 0)
{
    State state = madeState(madePrimitive(Kind::Limiter, "rolling-window", name), 1000);
    auto& body = state.body.get<LimiterState>();
    body.occupancy = occupancy;
    body.limit = limit;
    body.windowMs = 1000;
    if (limit && occupancy)
        body.remaining = std::max<qint64>(0, *limit - *occupancy);
    state.health = health;
    state.urgency = urgency;
    return state;
}

State heldLock(const QByteArray& name, const QByteArray& owner, std::optional<qint64> leaseMs)
{
    State state = lockState(owner, leaseMs, 1000, madePrimitive(Kind::Lock, "set-nx-px", name));
    if (!leaseMs)
        state.health = Health::Error;
    return state;
}

DeltaPtr deltaOf(std::vector<std::pair<quint32, std::optional<State>>> changes)
{
    auto delta = std::make_shared<Delta>();
    delta->atMs = 5000;
    for (auto& [handle, state] : changes)
        delta->changes.push_back(
            {Handle(handle), state ? std::make_shared<const State>(std::move(*state)) : nullptr});
    return delta;
}

/// A sorter in this thread and what it answered last.
struct Fixture
{
    BoardSorter sorter;
    BoardRows rows;
    SummaryPtr summary;
    int answers = 0;

    Fixture()
    {
        QObject::connect(&sorter, &BoardSorter::sorted, &sorter, [this](const BoardRows& r) {
            rows = r;
            ++answers;
        });
        QObject::connect(&sorter, &BoardSorter::summarized, &sorter,
                         [this](const SummaryPtr& d) { summary = d; });
    }
    Handles ask(const BoardQuery& query)
    {
        sorter.setQuery(query);
        return *rows.rows;
    }
    Handles filtered(Kind kind, const QString& filter, const RowSet& set = {})
    {
        return ask({kind, filter, set, -1, false, 0, {}, {}});
    }
};

int columnAt(Kind kind, const char* id)
{
    const auto all = columns(kind);
    for (size_t i = 0; i < all.size(); ++i) {
        if (qstrcmp(all[i].id, id) == 0)
            return int(i);
    }
    return -1;
}

} // namespace

class TestBoardSorter : public QObject
{
    Q_OBJECT

private slots:
    void worstFirst();
    void filters_data();
    void filters();
    void filtersByState();
    void countsWithinTheFilter();
    void sortsByEveryColumn();
    void whatEndsSoonestComesFirst();
    void unknownComesLast();
    void removedOnesLeave();
    void aNewNameHasItsPlace();
    void sortsAgainAsThingsChange();
    void firstRowsAreNotWaitedFor();
    void frozenRowsStay();
    void countsStayRight();
    void tokensThatEndAreCounted();
    void leadersAndEnds();
    void labelsOfSeveralQueues();
};

void TestBoardSorter::worstFirst()
{
    Fixture fixture;
    fixture.sorter.apply(deltaOf({{0, limiter("b", 1, 5)},
                                  {1, limiter("a", 1, 5)},
                                  {2, limiter("full", 5, 5, Health::Warning, 2)},
                                  {3, limiter("fuller", 5, 5, Health::Warning, 9)},
                                  {4, limiter("broken", 0, 5, Health::Error)},
                                  {5, heldLock("other kind", "x", 100)}}));
    QCOMPARE(fixture.ask({Kind::Limiter, {}, {}, -1, false, 7, {}, {}}),
             (Handles{4_h, 3_h, 2_h, 1_h, 0_h}));
    QCOMPARE(fixture.rows.query.serial, 7U);
    QCOMPARE(fixture.rows.total, 5);
}

void TestBoardSorter::filters_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<Handles>("rows");
    const auto row = [](const char* name, const QString& filter, const Handles& rows) {
        QTest::newRow(name) << filter << rows;
    };
    row("all", {}, {0_h, 1_h, 2_h});
    row("part of the name", QStringLiteral("voice"), {0_h});
    row("whatever its case", QStringLiteral("INVOICE"), {0_h});
    row("blanks around it", QStringLiteral("  invoice "), {0_h});
    row("the owner", QStringLiteral("worker-7"), {1_h});
    row("the owner in other letters", QStringLiteral("WORKER-7"), {1_h});
    row("a key", QStringLiteral("companion"), {2_h});
    row("a byte as it is shown", QStringLiteral("\\xFF"), {2_h});
    row("the layout", QStringLiteral("set-nx"), {0_h, 1_h, 2_h});
    row("none", QStringLiteral("nobody"), {});
    row("a pattern of the whole name", QStringLiteral("lock:*i*"), {0_h, 1_h});
    row("a pattern in other letters", QStringLiteral("*:MAIL"), {1_h});
    row("a pattern of a part of it", QStringLiteral("ock:*"), {});
    row("one character", QStringLiteral("lock:mai?"), {1_h});
    row("of several characters", QStringLiteral("lock:[im]*"), {0_h, 1_h});
    row("a pattern of the owner", QStringLiteral("worker-*"), {1_h});
    row("a pattern of a key", QStringLiteral("its:*"), {2_h});
}

void TestBoardSorter::filters()
{
    QFETCH(QString, filter);
    QFETCH(Handles, rows);
    Fixture fixture;
    State odd = heldLock("lock:\xff", "y", 100);
    auto primitive = std::make_shared<Primitive>(*odd.primitive);
    primitive->keys.push_back({"side", "its:Companion"});
    odd.primitive = primitive;
    fixture.sorter.apply(deltaOf({{0, heldLock("lock:Invoice", "x", 100)},
                                  {1, heldLock("lock:mail", "Worker-7", 100)},
                                  {2, odd}}));
    Handles found = fixture.filtered(Kind::Lock, filter);
    std::sort(found.begin(), found.end());
    QCOMPARE(found, rows);
    QCOMPARE(fixture.rows.total, 3); // of the kind, before the filter
}

void TestBoardSorter::filtersByState()
{
    Fixture fixture;
    const State held = heldLock("a", "x", 100);
    const State noTtl = heldLock("b", "x", std::nullopt);
    fixture.sorter.apply(deltaOf({{0, held}, {1, noTtl}, {2, heldLock("c", "x", 100)}}));
    QVERIFY(rowSetOf(held) != rowSetOf(noTtl));
    QCOMPARE(fixture.filtered(Kind::Lock, {}, rowSetOf(held)), (Handles{0_h, 2_h}));
    QCOMPARE(fixture.filtered(Kind::Lock, {}, rowSetOf(noTtl)), Handles{1_h});
    QVERIFY(fixture.filtered(Kind::Lock, {}, RowSet{StateId::LockExpired, {}}).empty());
    QCOMPARE(fixture.filtered(Kind::Lock, QStringLiteral("c"), rowSetOf(held)), Handles{2_h});
    fixture.sorter.apply(deltaOf({{0, heldLock("a", "x", std::nullopt)}}));
    QCOMPARE(fixture.filtered(Kind::Lock, {}, rowSetOf(noTtl)), (Handles{0_h, 1_h}));
}

// Counts the rows that match the text, whatever state is chosen. A state without rows has 0.
void TestBoardSorter::countsWithinTheFilter()
{
    Fixture fixture;
    const State held = heldLock("mail:1", "x", 100);
    const State noTtl = heldLock("jobs:1", "x", std::nullopt);
    fixture.sorter.apply(deltaOf(
        {{0, held}, {1, noTtl}, {2, heldLock("mail:2", "x", 100)}, {3, limiter("mail", 1, 5)}}));
    const auto countsNow = [&] {
        std::map<QString, qint64> counts;
        for (const SetCount& one : fixture.rows.sets)
            counts[rowSetTitle(one.set)] = one.count;
        return counts;
    };
    fixture.filtered(Kind::Lock, {}, rowSetOf(noTtl));
    QCOMPARE(fixture.rows.fitting, 3);
    QCOMPARE(countsNow(), (std::map<QString, qint64>{{QStringLiteral("held"), 2},
                                                     {QStringLiteral("no TTL"), 1}}));
    fixture.filtered(Kind::Lock, QStringLiteral("mail*"), rowSetOf(held));
    QCOMPARE(fixture.rows.fitting, 2);
    QCOMPARE(countsNow(), (std::map<QString, qint64>{{QStringLiteral("held"), 2},
                                                     {QStringLiteral("no TTL"), 0}}));
}

void TestBoardSorter::sortsByEveryColumn()
{
    Fixture fixture;
    std::vector<std::pair<quint32, std::optional<State>>> changes;
    QRandomGenerator random(3);
    quint32 next = 0;
    for (int i = 0; i < 40; ++i) {
        const QByteArray name = QByteArray::number(random.bounded(1000));
        changes.emplace_back(next++,
                             limiter(name, random.bounded(6), 5, Health(random.bounded(4))));
        changes.emplace_back(next++, heldLock(name, name, random.bounded(1, 9000)));
        changes.emplace_back(next++, queueState({1, 2}, 1000, random.bounded(50), name));
        changes.emplace_back(next++,
                             tokenState(TokenState::Phase::Live, random.bounded(1, 9000), 1000));
    }
    std::map<Handle, State> states;
    for (const auto& [handle, state] : changes)
        states.emplace(Handle(handle), *state);
    fixture.sorter.apply(deltaOf(changes));
    for (const Kind kind : {Kind::Limiter, Kind::Lock, Kind::Queue, Kind::Token}) {
        const auto shown = columns(kind);
        for (int c = 0; c < int(shown.size()); ++c) {
            for (const bool descending : {false, true}) {
                const Handles rows = fixture.ask({kind, {}, {}, c, descending, 0, {}, {}});
                QCOMPARE(rows.size(), 40U);
                const Column& column = shown[size_t(c)];
                for (size_t i = 1; i < rows.size(); ++i) {
                    const State& a = states.at(rows[descending ? i : i - 1]);
                    const State& b = states.at(rows[descending ? i - 1 : i]);
                    if (!column.number)
                        QVERIFY2(column.text(a) <= column.text(b), column.id);
                    else if (column.number(a) && column.number(b))
                        QVERIFY2(*column.number(a) <= *column.number(b), column.id);
                }
            }
        }
    }
}

// By the moment, whenever it was read; what never ends comes last.
void TestBoardSorter::whatEndsSoonestComesFirst()
{
    Fixture fixture;
    const State soon = heldLock("worker:user:1", "w1", 30'000); // seen at 1,000
    State later = heldLock("worker:user:2", "w2", 20'000);
    later.asOfMs += 14'000;
    fixture.sorter.apply(deltaOf({{0, later}, {1, heldLock("w", "w3", std::nullopt)}, {2, soon}}));
    const int lease = columnAt(Kind::Lock, "lease");
    QCOMPARE(fixture.ask({Kind::Lock, {}, {}, lease, false, 0, {}, {}}), (Handles{2_h, 0_h, 1_h}));
    QCOMPARE(fixture.ask({Kind::Lock, {}, {}, lease, true, 0, {}, {}}), (Handles{0_h, 2_h, 1_h}));
}

void TestBoardSorter::unknownComesLast()
{
    Fixture fixture;
    fixture.sorter.apply(deltaOf({{0, limiter("a", std::nullopt, std::nullopt)},
                                  {1, limiter("b", 4, 5)},
                                  {2, limiter("c", std::nullopt, std::nullopt)},
                                  {3, limiter("d", 2, 5)}}));
    const int used = columnAt(Kind::Limiter, "used");
    QVERIFY(used >= 0);
    Handles rows = fixture.ask({Kind::Limiter, {}, {}, used, false, 0, {}, {}});
    QCOMPARE(Handles(rows.begin(), rows.begin() + 2), (Handles{3_h, 1_h}));
    rows = fixture.ask({Kind::Limiter, {}, {}, used, true, 0, {}, {}});
    QCOMPARE(Handles(rows.begin(), rows.begin() + 2), (Handles{1_h, 3_h}));
    QCOMPARE(fixture.ask({Kind::Limiter, {}, {}, 999, false, 0, {}, {}}).size(),
             4U); // no such column
}

void TestBoardSorter::removedOnesLeave()
{
    Fixture fixture;
    fixture.sorter.apply(deltaOf({{0, heldLock("a", "x", 100)}, {9, heldLock("b", "x", 100)}}));
    QCOMPARE(fixture.filtered(Kind::Lock, {}), (Handles{0_h, 9_h}));
    fixture.sorter.apply(deltaOf({{0, std::nullopt}, {4, std::nullopt}}));
    QCOMPARE(fixture.filtered(Kind::Lock, {}), Handles{9_h});
    QCOMPARE(fixture.rows.total, 1);
}

void TestBoardSorter::aNewNameHasItsPlace()
{
    Fixture fixture;
    const BoardQuery asked{Kind::Limiter, {}, {}, 0, false, 7, {}, {}};
    fixture.sorter.apply(
        deltaOf({{0, limiter("a", 1, 5)}, {1, limiter("b", 1, 5)}, {2, limiter("c", 1, 5)}}));
    fixture.sorter.everySecond(); // the names are in order before anybody asks
    QCOMPARE(fixture.ask(asked), (Handles{0_h, 1_h, 2_h}));
    fixture.sorter.apply(deltaOf({{0, limiter("d", 1, 5)}, {1, std::nullopt}}));
    fixture.sorter.apply(deltaOf({{3, limiter("bb", 1, 5)}}));
    QCOMPARE(fixture.ask(asked), (Handles{3_h, 2_h, 0_h}));
}

void TestBoardSorter::firstRowsAreNotWaitedFor()
{
    Fixture f;
    QVERIFY(f.filtered(Kind::Limiter, {}).empty());
    QCOMPARE(f.answers, 1);
    f.sorter.apply(deltaOf({{3, limiter("a", 1, 5)}}));
    QCOMPARE(f.answers, 2);
    QCOMPARE(*f.rows.rows, Handles({Handle(3)}));
    f.sorter.apply(deltaOf({{4, limiter("b", 1, 5)}})); // from now on once a second
    QCOMPARE(f.answers, 2);
    f.sorter.everySecond();
    QCOMPARE(f.rows.rows->size(), size_t(2));
}

void TestBoardSorter::sortsAgainAsThingsChange()
{
    Fixture fixture;
    fixture.sorter.start();
    fixture.filtered(Kind::Lock, {});
    QCOMPARE(fixture.answers, 1); // at once
    fixture.sorter.apply(deltaOf({{0, heldLock("a", "x", 100)}}));
    QTRY_COMPARE(fixture.answers, 2);
    QCOMPARE(*fixture.rows.rows, Handles{0_h});
    QTRY_VERIFY(fixture.summary);
    fixture.sorter.apply(deltaOf({{1, limiter("of another board", 1, 5)}}));
    QTRY_COMPARE(fixture.summary->of(Kind::Limiter).total, 1);
    QCOMPARE(fixture.answers, 2);
    fixture.sorter.apply(deltaOf({{0, std::nullopt}}));
    QTRY_VERIFY(fixture.rows.rows->empty());
    fixture.sorter.stop();
}

void TestBoardSorter::frozenRowsStay()
{
    Fixture fixture;
    fixture.sorter.start();
    fixture.filtered(Kind::Lock, {});
    fixture.sorter.setFrozen(true);
    fixture.sorter.apply(deltaOf({{0, heldLock("a", "x", 100)}}));
    QTRY_VERIFY(fixture.summary && fixture.summary->of(Kind::Lock).total == 1); // a turn has passed
    QCOMPARE(fixture.answers, 1);
    fixture.sorter.setFrozen(false);
    QTRY_COMPARE(fixture.answers, 2); // what was missed is made up for
    QCOMPARE(*fixture.rows.rows, Handles{0_h});
}

void TestBoardSorter::countsStayRight()
{
    Fixture fixture;
    std::map<quint32, State> model;
    QRandomGenerator random(5);
    const auto made = [&](quint32 h) {
        const QByteArray name = QByteArray::number(h);
        switch (random.bounded(4)) {
        case 0:
            return limiter(name, random.bounded(6), 5, Health(random.bounded(4)));
        case 1:
            return heldLock(name, "x",
                            random.bounded(2) ? std::optional<qint64>(100) : std::nullopt);
        case 2:
            return queueState({}, 1000, random.bounded(3), name);
        default:
            return tokenState(TokenState::Phase(random.bounded(4)), 100, 1000);
        }
    };
    for (int round = 0; round < 400; ++round) {
        std::vector<std::pair<quint32, std::optional<State>>> changes;
        for (int i = random.bounded(20); i > 0; --i) {
            const quint32 h = random.bounded(100U);
            if (random.bounded(5) == 0) {
                changes.emplace_back(h, std::nullopt);
                model.erase(h);
            } else {
                const State state = made(h);
                changes.emplace_back(h, state);
                model.insert_or_assign(h, state);
            }
        }
        fixture.sorter.apply(deltaOf(changes));
    }
    fixture.sorter.start();
    QTRY_VERIFY(fixture.summary);
    qint64 attention = 0;
    for (const Kind kind : {Kind::Limiter, Kind::Lock, Kind::Queue, Kind::Token}) {
        QHash<RowSet, qint64> sets;
        std::array<qint64, 4> health{};
        qint64 total = 0;
        for (const auto& [handle, state] : model) {
            if (state.kind() != kind)
                continue;
            ++total;
            ++sets[rowSetOf(state)];
            ++health[size_t(state.health)];
            attention += state.health >= Health::Warning;
        }
        const KindSummary& summary = fixture.summary->of(kind);
        QCOMPARE(summary.total, total);
        QCOMPARE(summary.byHealth, health);
        QCOMPARE(summary.bySet.size(), size_t(sets.size()));
        for (const SetCount& one : summary.bySet)
            QCOMPARE(one.count, sets[one.set]);
        for (size_t i = 1; i < summary.bySet.size(); ++i) {
            const SetCount& before = summary.bySet[i - 1];
            const SetCount& after = summary.bySet[i];
            QVERIFY(before.worst > after.worst ||
                    (before.worst == after.worst && before.count >= after.count));
        }
        if (!summary.bySet.empty())
            QCOMPARE(summary.bySet.front().worst, summary.worst());
    }
    QCOMPARE(fixture.summary->attentionTotal, attention);
    QCOMPARE(fixture.summary->atMs, 5000);
}

void TestBoardSorter::tokensThatEndAreCounted()
{
    using Phase = TokenState::Phase;
    Fixture fixture;
    State expired = tokenState(Phase::Gone, std::nullopt, 2000);
    expired.body.get<TokenState>().end = TokenState::End::Expired;
    fixture.sorter.apply(deltaOf({{0, tokenState(Phase::Live, 100, 1000)},
                                  {1, tokenState(Phase::Used, 100, 1000)},
                                  {2, tokenState(Phase::Gone, std::nullopt, 1000)},
                                  {3, tokenState(Phase::Live, std::nullopt, 1000)},
                                  {4, tokenState(Phase::NeverIssued, std::nullopt, 1000)}}));
    const auto ended = [&expired](TokenState::End end) {
        State state = expired;
        state.body.get<TokenState>().end = end;
        return state;
    };
    using End = TokenState::End;
    fixture.sorter.apply(deltaOf({{5, tokenState(Phase::Live, 9000, 1000)},
                                  {6, tokenState(Phase::Live, 9000, 1000)},
                                  {7, tokenState(Phase::Live, 9000, 1000)}}));
    fixture.sorter.apply(deltaOf({{0, expired},
                                  {1, ended(End::Consumed)},
                                  {4, ended(End::Removed)},
                                  {5, ended(End::Gone)},
                                  {6, ended(End::Gone)},
                                  {7, ended(End::Revoked)}}));
    fixture.sorter.apply(deltaOf({{6, ended(End::Revoked)}}));   // known better by now
    fixture.sorter.apply(deltaOf({{0, expired}, {2, expired}})); // were gone already
    fixture.sorter.apply(deltaOf({{0, std::nullopt}}));          // forgotten, not ended
    fixture.sorter.start();
    QTRY_VERIFY(fixture.summary);
    const auto count = [&](End end) { return fixture.summary->tokenEnds[size_t(end)]; };
    QCOMPARE(count(End::Expired), 1);
    QCOMPARE(count(End::Consumed), 1);
    QCOMPARE(count(End::Gone), 1);
    QCOMPARE(count(End::Revoked), 2);
    QCOMPARE(count(End::Removed), 1);
    QCOMPARE(fixture.summary->tokensLive, 1);
    QCOMPARE(fixture.summary->tokensWithoutEnd, 1);
}

void TestBoardSorter::leadersAndEnds()
{
    Fixture fixture;
    std::vector<std::pair<quint32, std::optional<State>>> changes;
    for (quint32 h = 0; h < 60; ++h)
        changes.emplace_back(
            h, limiter("l" + QByteArray::number(h), qint64(h), 60, Health::Warning, double(h)));
    changes.emplace_back(60, heldLock("held", "x", 4000));
    changes.emplace_back(61, heldLock("immortal", "x", std::nullopt));
    changes.emplace_back(62, queueState({1}, 1000, 7));
    changes.emplace_back(63, queueState({}, 1000, 0, "empty"));
    fixture.sorter.apply(deltaOf(changes));
    fixture.sorter.start();
    QTRY_VERIFY(fixture.summary);
    const Summary& d = *fixture.summary;
    QCOMPARE(d.fullest.size(), 8U);
    QCOMPARE(d.fullest.front().handle, 59_h);
    QCOMPARE(d.fullest.back().handle, 52_h);
    QCOMPARE(d.attention.size(), 40U);
    QCOMPARE(d.attention.front().handle, 61_h);
    QCOMPARE(d.attention[1].handle, 59_h);
    QCOMPARE(d.attentionTotal, 61);
    for (const SummaryItem& item : d.attention)
        QVERIFY(!item.reason.isEmpty());
    QCOMPARE(d.deepest.size(), 1U);
    QCOMPARE(d.leasesByEnd, std::vector<EndCount>{5000});
    QCOMPARE(d.noTtlLocks, 1);
}

/// Two queues of one label are told apart by their keys; a filter that hides one changes nothing.
void TestBoardSorter::labelsOfSeveralQueues()
{
    const auto called = [](const QByteArray& name, const QByteArray& label) {
        State state = queueState({}, 1000, 1, name);
        auto primitive = std::make_shared<Primitive>(*state.primitive);
        primitive->label = label;
        state.primitive = std::move(primitive);
        return state;
    };
    Fixture fixture;
    fixture.filtered(Kind::Queue, {});
    const auto shared = [&](std::vector<std::pair<quint32, std::optional<State>>> changes) {
        fixture.sorter.apply(deltaOf(std::move(changes)));
        fixture.filtered(Kind::Queue, QStringLiteral("bull"));
        return fixture.rows.sharedLabels;
    };
    using Labels = QSet<QByteArray>;
    QCOMPARE(shared({{1, called("bull:email", "email")}, {2, queueState({}, 1000, 0, "plain")}}),
             Labels());
    QCOMPARE(shared({{3, called("eu:email", "email")}}), Labels{"email"});
    QCOMPARE(shared({{4, called("us:email", "email")}, {3, called("eu:email", "mail")}}),
             Labels{"email"});
    QCOMPARE(shared({{4, std::nullopt}}), Labels());

    fixture.filtered(Kind::Lock, {});
    QCOMPARE(fixture.rows.sharedLabels, Labels());
}

LK_TEST(TestBoardSorter);
#include "tst_boardsorter.moc"
