// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/boardgroups.h"
#include "backend/session/board/boardsorter.h"
#include "backend/text/statewords.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

State lockOf(const QByteArray& name, const QByteArray& owner, std::optional<qint64> leaseMs = 100,
             const QByteArray& layout = "set-nx-px")
{
    State state = lockState(owner, leaseMs, 1000, madePrimitive(Kind::Lock, layout, name));
    state.body.get<LockState>().ownerKnown = !owner.isEmpty();
    if (!leaseMs)
        state.health = Health::Error;
    return state;
}

// A sorter in this thread, and what it answered last.
struct Desk
{
    BoardSorter sorter;
    BoardRows rows;

    Desk()
    {
        QObject::connect(&sorter, &BoardSorter::sorted, &sorter,
                         [this](const BoardRows& r) { rows = r; });
    }
    void give(quint32 handle, State state)
    {
        auto delta = std::make_shared<Delta>();
        delta->atMs = 5000;
        delta->changes.push_back({Handle(handle), std::make_shared<const State>(std::move(state))});
        sorter.apply(delta);
    }
    void take(quint32 handle)
    {
        auto delta = std::make_shared<Delta>();
        delta->changes.push_back({Handle(handle), nullptr});
        sorter.apply(delta);
    }
    const BoardRows& ask(BoardGrouping grouping, const QSet<QByteArray>& collapsed = {},
                         int column = -1, const QString& filter = {})
    {
        BoardQuery query;
        query.kind = Kind::Lock;
        query.grouping = grouping;
        query.collapsed = collapsed;
        query.column = column;
        query.filter = filter;
        sorter.setQuery(query);
        return rows;
    }
    // "title count" of a header row, a primitive's handle below it.
    QStringList lines() const
    {
        QStringList lines;
        size_t next = 0;
        for (size_t row = 0; row < rows.rows->size(); ++row) {
            if (next < rows.groups->size() && (*rows.groups)[next].row == int(row)) {
                const BoardGroup& group = (*rows.groups)[next++];
                lines << QStringLiteral("%1 %2").arg(group.title).arg(group.count);
                if ((*rows.rows)[row] != group.header)
                    lines << QStringLiteral("another row");
            } else {
                lines << QString::number((*rows.rows)[row].index);
            }
        }
        return lines;
    }
};

} // namespace

/// Rows under the header rows of their groups, as the worker thread puts them there.
class TestBoardGroups : public QObject
{
    Q_OBJECT

private slots:
    void prefixes_data();
    void prefixes();
    void byLayout();
    void byPrefixTheWorstFirst();
    void byOwner();
    void collapsedOnesKeepTheirCount();
    void aSortedColumnSortsWithin();
    void aFilterLeavesNoEmptyGroup();
    void aHeaderStaysTheSameRow();
    void onlyLocksHaveOwners();
};

void TestBoardGroups::prefixes_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("prefix");
    const auto row = [](Kind kind, const char* key, const char* prefix) {
        QTest::addRow("%d %s", int(kind), key) << kind << QByteArray(key) << QByteArray(prefix);
    };
    row(Kind::Lock, "lock:invoice:42", "lock:");
    row(Kind::Lock, "lock.nightly", "lock.");
    row(Kind::Lock, "locks/a.b:c", "locks/a.b:");
    row(Kind::Lock, "locks/a.b", "locks/");
    row(Kind::Limiter, "{orders}:api", "{orders}:");
    row(Kind::Queue, "celery", "");
    row(Kind::Queue, "", "");
    row(Kind::Token, "code:c17bd6", "code:");
    row(Kind::Token, "app:code:c17bd6", "app:");
    row(Kind::Token, "reset-3f9a1c0b77de41e2", "reset-");
    row(Kind::Token, "3f9a1c0b77de41e2a4b0c6d8", ""); // nothing of a code is told
}

void TestBoardGroups::prefixes()
{
    QFETCH(Kind, kind);
    QFETCH(QByteArray, key);
    QTEST(prefixOf(kind, key), "prefix");
}

void TestBoardGroups::byLayout()
{
    Desk desk;
    desk.give(1, lockOf("b", "x"));
    desk.give(2, lockOf("a", "x", 100, "setnx-timestamp"));
    desk.give(3, lockOf("c", "x"));
    desk.ask(BoardGrouping::Layout);
    QCOMPARE(desk.rows.groups->size(), 2U);
    QCOMPARE(desk.rows.rows->size(), 5U);
    QCOMPARE(desk.rows.all->size(), 3U);
    QSet<QString> titles;
    for (const BoardGroup& group : *desk.rows.groups) {
        titles.insert(group.title);
        QVERIFY(!group.isVerbatim && !group.isOfNone);
    }
    QVERIFY2(!titles.contains(QStringLiteral("set-nx-px")), "an id is no title");
    desk.ask(BoardGrouping::None);
    QCOMPARE(*desk.rows.rows, *desk.rows.all);
    QVERIFY(desk.rows.groups->empty());
}

void TestBoardGroups::byPrefixTheWorstFirst()
{
    Desk desk;
    desk.give(1, lockOf("a:1", "x"));
    desk.give(2, lockOf("b:1", "x"));
    desk.give(3, lockOf("b:2", "x", std::nullopt)); // no TTL
    desk.give(4, lockOf("bare", "x"));
    desk.give(5, lockOf("a:2", "x"));
    desk.ask(BoardGrouping::Prefix);
    QCOMPARE(desk.lines(),
             QStringLiteral("b: 2|3|2|a: 2|1|5|No prefix 1|4").split(QLatin1Char('|')));
    const BoardGroup& worst = desk.rows.groups->front();
    QCOMPARE(worst.worst, Health::Error);
    QCOMPARE(worst.worstWord, stateWord(lockOf("b:2", "x", std::nullopt)));
    QVERIFY(worst.isVerbatim);
    QVERIFY(desk.rows.groups->back().isOfNone);
}

void TestBoardGroups::byOwner()
{
    Desk desk;
    desk.give(1, lockOf("a", "worker-2"));
    desk.give(2, lockOf("b", "worker-1"));
    desk.give(3, lockOf("c", ""));
    desk.give(4, lockOf("d", "worker-2"));
    desk.ask(BoardGrouping::Owner);
    QCOMPARE(desk.lines(),
             (QStringList{QStringLiteral("worker-1 1"), QStringLiteral("2"),
                          QStringLiteral("worker-2 2"), QStringLiteral("1"), QStringLiteral("4"),
                          QStringLiteral("No owner 1"), QStringLiteral("3")}));
}

void TestBoardGroups::collapsedOnesKeepTheirCount()
{
    Desk desk;
    for (quint32 i = 0; i < 4; ++i)
        desk.give(i, lockOf(i < 3 ? "a:" + QByteArray::number(i) : QByteArray("b:1"), "x"));
    desk.ask(BoardGrouping::Prefix);
    const QByteArray digest = desk.rows.groups->front().digest;
    QVERIFY(!digest.isEmpty() && !digest.contains(':'));
    desk.ask(BoardGrouping::Prefix, {digest});
    QCOMPARE(desk.lines(),
             (QStringList{QStringLiteral("a: 3"), QStringLiteral("b: 1"), QStringLiteral("3")}));
    QVERIFY(desk.rows.groups->front().collapsed);
    QVERIFY(!desk.rows.groups->back().collapsed);
    QCOMPARE(desk.rows.all->size(), 4U);
    // A collapsed group shows the worst health of its rows.
    desk.give(1, lockOf("a:1", "x", std::nullopt));
    desk.ask(BoardGrouping::Prefix, {digest});
    QCOMPARE(desk.rows.groups->front().worst, Health::Error);
}

void TestBoardGroups::aSortedColumnSortsWithin()
{
    Desk desk;
    desk.give(1, lockOf("b:2", "x", std::nullopt));
    desk.give(2, lockOf("b:1", "x"));
    desk.give(3, lockOf("a:1", "x"));
    desk.ask(BoardGrouping::Prefix, {}, 0); // by name: the groups, too, whatever their state
    QCOMPARE(desk.lines(),
             (QStringList{QStringLiteral("a: 1"), QStringLiteral("3"), QStringLiteral("b: 2"),
                          QStringLiteral("2"), QStringLiteral("1")}));
}

void TestBoardGroups::aFilterLeavesNoEmptyGroup()
{
    Desk desk;
    desk.give(1, lockOf("a:1", "x"));
    desk.give(2, lockOf("b:1", "x"));
    desk.ask(BoardGrouping::Prefix, {}, -1, QStringLiteral("b:"));
    QCOMPARE(desk.lines(), (QStringList{QStringLiteral("b: 1"), QStringLiteral("2")}));
    desk.ask(BoardGrouping::Prefix, {}, -1, QStringLiteral("nothing"));
    QVERIFY(desk.rows.rows->empty());
    QVERIFY(desk.rows.groups->empty());
}

// However the groups around it come and go, also very many of them.
void TestBoardGroups::aHeaderStaysTheSameRow()
{
    Desk desk;
    desk.give(0, lockOf("stays", "me"));
    const Handle header = desk.ask(BoardGrouping::Owner).groups->front().header;
    QVERIFY(header != noHandle && header != Handle(0));
    for (int round = 0; round < 3; ++round) {
        for (quint32 i = 1; i <= 900; ++i)
            desk.give(i, lockOf("l" + QByteArray::number(i),
                                "o" + QByteArray::number(round * 900 + int(i))));
        QCOMPARE(desk.ask(BoardGrouping::Owner).groups->size(), 901U);
        QSet<Handle> headers;
        for (const BoardGroup& group : *desk.rows.groups)
            headers.insert(group.header);
        QCOMPARE(headers.size(), 901);
        QVERIFY(headers.contains(header));
    }
    for (quint32 i = 1; i <= 900; ++i)
        desk.take(i);
    QCOMPARE(desk.ask(BoardGrouping::Owner).groups->front().header, header);
}

void TestBoardGroups::onlyLocksHaveOwners()
{
    for (const Kind kind : allKinds) {
        QVERIFY(canGroupBy(kind, BoardGrouping::Layout));
        QVERIFY(canGroupBy(kind, BoardGrouping::Prefix));
        QCOMPARE(canGroupBy(kind, BoardGrouping::Owner), kind == Kind::Lock);
    }
}

LK_TEST(TestBoardGroups);
#include "tst_boardgroups.moc"
