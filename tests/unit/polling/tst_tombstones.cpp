// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/tombstones.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

#include <algorithm>

using namespace lk;
using namespace lk::test;
using Handles = std::vector<Handle>;

namespace {

constexpr qint64 minute = 60'000;

State goneToken(qint64 atMs)
{
    return tokenState(TokenState::Phase::Gone, std::nullopt, atMs);
}

} // namespace

class TestTombstones : public QObject
{
    Q_OBJECT

private slots:
    void stayForAWhile();
    void whatCameBackStays();
    void eachTimeAnew();
    void unreadableIsNotGone();
    void declaredByNameStays();
    void theOldestMakeRoom();
    void aClockSetBackDelaysNoLonger();
};

void TestTombstones::stayForAWhile()
{
    FollowedTable table;
    Tombstones tombstones(table);
    tombstones.saw(1_h, freeLock(1000));
    tombstones.saw(2_h, goneToken(1000));
    tombstones.saw(3_h, lockState("a", 100, 1000));
    tombstones.saw(1_h, freeLock(5 * minute)); // still gone: since the first time
    QVERIFY(tombstones.takeDue(minute).empty());
    QCOMPARE(tombstones.takeDue(minute + 1001), Handles{2_h});
    QVERIFY(tombstones.takeDue(10 * minute + 1000).empty());
    QCOMPARE(tombstones.takeDue(10 * minute + 1001), Handles{1_h});
    QVERIFY(tombstones.takeDue(100 * minute).empty()); // told once
}

void TestTombstones::whatCameBackStays()
{
    FollowedTable table;
    Tombstones tombstones(table);
    tombstones.saw(1_h, freeLock(1000));
    tombstones.saw(2_h, freeLock(1000));
    tombstones.saw(1_h, lockState("a", 100, 2000));
    table.erase(2_h);
    QVERIFY(tombstones.takeDue(100 * minute).empty());
}

void TestTombstones::eachTimeAnew()
{
    FollowedTable table;
    Tombstones tombstones(table);
    tombstones.saw(1_h, freeLock(0));
    tombstones.saw(1_h, lockState("a", 100, 9 * minute));
    tombstones.saw(1_h, freeLock(9 * minute + 100));
    QVERIFY(tombstones.takeDue(11 * minute).empty());
    QCOMPARE(tombstones.takeDue(20 * minute), Handles{1_h});
}

void TestTombstones::unreadableIsNotGone()
{
    FollowedTable table;
    Tombstones tombstones(table);
    State denied =
        problemState(madePrimitive(Kind::Lock, "set-nx-px", "l"), 1000, {ErrorCode::NoPerm, {}});
    denied.present = false;
    tombstones.saw(1_h, denied);
    QVERIFY(tombstones.takeDue(100 * minute).empty());
}

void TestTombstones::declaredByNameStays()
{
    const auto declared = [](const char* pattern) {
        auto declaration = std::make_shared<Declaration>();
        declaration->pattern = pattern;
        auto primitive = std::make_shared<Primitive>();
        primitive->kind = Kind::Queue;
        primitive->declaration = declaration;
        State state = madeState(primitive, 1000);
        state.present = false;
        return state;
    };
    FollowedTable table;
    Tombstones tombstones(table);
    tombstones.saw(1_h, declared("jobs"));
    tombstones.saw(2_h, declared("jobs:*"));
    QCOMPARE(tombstones.takeDue(100 * minute), Handles{2_h});
}

void TestTombstones::theOldestMakeRoom()
{
    FollowedTable table;
    Tombstones tombstones(table);
    for (quint32 h = 0; h < 2500; ++h)
        tombstones.saw(Handle(h), freeLock(1000 + h));
    Handles due = tombstones.takeDue(5000);
    std::sort(due.begin(), due.end());
    QCOMPARE(due.size(), 500U);
    QCOMPARE(due.front(), 0_h);
    QCOMPARE(due.back(), 499_h);
    QVERIFY(tombstones.takeDue(5000).empty());
}

void TestTombstones::aClockSetBackDelaysNoLonger()
{
    FollowedTable table;
    Tombstones tombstones(table);
    tombstones.saw(1_h, freeLock(1000 * minute));
    QVERIFY(tombstones.takeDue(10 * minute).empty());
    QCOMPARE(tombstones.takeDue(21 * minute), Handles{1_h});
}

LK_TEST(TestTombstones);
#include "tst_tombstones.moc"
