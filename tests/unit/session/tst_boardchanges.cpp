// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/boardsorter.h"
#include "backend/text/columns/column.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QRandomGenerator>
#include <QTest>

#include <map>

using namespace lk;
using namespace lk::test;

/// A board that is kept up change by change beside one that is arranged anew from all that is
/// there.
class TestBoardChanges : public QObject
{
    Q_OBJECT

private slots:
    void rowsAreAsIfArrangedAnew_data();
    void rowsAreAsIfArrangedAnew();
    void whatMovesNoRowIsNotTold();
};

namespace {

// Few different values, so that many changes move nothing.
State made(Kind kind, const QByteArray& name, QRandomGenerator& random)
{
    if (kind == Kind::Lock) {
        const std::optional<qint64> leaseMs =
            random.bounded(3) ? std::optional<qint64>(100 * random.bounded(1, 3)) : std::nullopt;
        State lock = lockState(random.bounded(2) ? "anna" : "bert", leaseMs, 1000,
                               madePrimitive(kind, "set-nx-px", name));
        lock.health = leaseMs ? Health::Ok : Health::Error;
        return lock;
    }
    State state = madeState(
        madePrimitive(kind, random.bounded(2) ? "rolling-window" : "fixed-window", name), 1000);
    auto& body = state.body.get<LimiterState>();
    body.limit = 5;
    body.occupancy = random.bounded(4, 6);
    body.remaining = 5 - *body.occupancy;
    state.health = *body.remaining == 0 ? Health::Warning : Health::Ok;
    state.urgency = double(random.bounded(2));
    return state;
}

DeltaPtr deltaOf(const std::map<quint32, std::optional<State>>& changes)
{
    auto delta = std::make_shared<Delta>();
    delta->atMs = 5000;
    for (const auto& [place, state] : changes)
        delta->changes.push_back(
            {Handle(place), state ? std::make_shared<const State>(*state) : nullptr});
    return delta;
}

struct Board
{
    BoardSorter sorter;
    BoardRows rows;
    int answers = 0;

    Board()
    {
        QObject::connect(&sorter, &BoardSorter::sorted, &sorter, [this](const BoardRows& sorted) {
            rows = sorted;
            ++answers;
        });
    }
};

// Those of one count and health are in no order.
QHash<RowSet, std::pair<qint64, Health>> countsOf(const BoardRows& rows)
{
    QHash<RowSet, std::pair<qint64, Health>> counts;
    for (const SetCount& one : rows.sets)
        counts.insert(one.set, {one.count, one.worst});
    return counts;
}

// But for their handles, which no other board has.
std::vector<BoardGroup> groupsOf(const BoardRows& rows)
{
    std::vector<BoardGroup> groups = *rows.groups;
    for (BoardGroup& group : groups)
        group.header = noHandle;
    return groups;
}

} // namespace

void TestBoardChanges::rowsAreAsIfArrangedAnew_data()
{
    QTest::addColumn<BoardQuery>("query");
    for (const Kind kind : {Kind::Limiter, Kind::Lock}) {
        const auto row = [kind](const QString& what, const BoardQuery& query) {
            QTest::newRow(qPrintable(QString::fromLatin1(kindId(kind)) + u' ' + what)) << query;
        };
        BoardQuery query;
        query.kind = kind;
        row(QStringLiteral("the worst first"), query);
        query.filter = kind == Kind::Lock ? QStringLiteral("anna") : QStringLiteral("rolling");
        row(QStringLiteral("filtered"), query);
        query.filter.clear();
        query.grouping = kind == Kind::Lock ? BoardGrouping::Owner : BoardGrouping::Prefix;
        row(QStringLiteral("in groups"), query);
        query.grouping = BoardGrouping::None;
        for (int column = 0; column < int(columns(kind).size()); ++column) {
            query.column = column;
            query.descending = column % 2 != 0;
            row(QString::fromLatin1(columns(kind)[size_t(column)].id), query);
        }
    }
}

void TestBoardChanges::rowsAreAsIfArrangedAnew()
{
    QFETCH(BoardQuery, query);
    const Kind other = query.kind == Kind::Lock ? Kind::Limiter : Kind::Lock;
    QRandomGenerator random(3);
    Board kept;
    kept.sorter.setQuery(query);
    std::map<quint32, std::optional<State>> all;
    for (int round = 0; round < 60; ++round) {
        std::map<quint32, std::optional<State>> changes;
        for (int i = random.bounded(1, 6); i > 0; --i) {
            const quint32 place = random.bounded(30U);
            std::optional<State>& its = changes[place];
            if (random.bounded(8) > 0)
                its =
                    made(place < 25 ? query.kind : other, "n:" + QByteArray::number(place), random);
            all[place] = its;
        }
        kept.sorter.apply(deltaOf(changes));
        std::erase_if(all, [](const auto& one) { return !one.second; });
        Board fresh;
        fresh.sorter.apply(deltaOf(all));
        fresh.sorter.setQuery(query);
        const auto areAlike = [&] {
            const BoardRows& rows = kept.rows;
            return *rows.all == *fresh.rows.all && rows.total == fresh.rows.total &&
                   rows.fitting == fresh.rows.fitting && countsOf(rows) == countsOf(fresh.rows) &&
                   (query.grouping == BoardGrouping::None ||
                    groupsOf(rows) == groupsOf(fresh.rows));
        };
        // Not at once where the last arrangement took its time: then it is not due yet.
        QTRY_VERIFY((kept.sorter.everySecond(), areAlike()));
    }
    QVERIFY(kept.answers > 20);
}

void TestBoardChanges::whatMovesNoRowIsNotTold()
{
    QRandomGenerator random(3);
    Board board;
    const State first = made(Kind::Limiter, "a", random);
    board.sorter.apply(deltaOf({{0, first}, {1, made(Kind::Limiter, "b", random)}}));
    board.sorter.setQuery({});
    QCOMPARE(board.answers, 1);
    State read = first;
    read.asOfMs += 1000;
    board.sorter.apply(deltaOf({{0, read}}));
    board.sorter.everySecond();
    QCOMPARE(board.answers, 1);
    read.urgency = 7;
    board.sorter.apply(deltaOf({{0, read}}));
    QTRY_VERIFY((board.sorter.everySecond(), board.answers == 2));
}

LK_TEST(TestBoardChanges);
#include "tst_boardchanges.moc"
