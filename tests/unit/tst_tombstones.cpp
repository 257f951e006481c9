// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/tombstones.h"
#include "tests/support/handles.h"
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

class TestDeparted : public QObject
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

void TestDeparted::stayForAWhile()
{
    Tombstones departed;
    departed.saw(1_h, freeLock(1000));
    departed.saw(2_h, goneToken(1000));
    departed.saw(3_h, lockState("a", 100, 1000));
    departed.saw(1_h, freeLock(5 * minute)); // still gone: since the first time
    QVERIFY(departed.takeDue(minute).empty());
    QCOMPARE(departed.takeDue(minute + 1001), Handles{2_h});
    QVERIFY(departed.takeDue(10 * minute + 1000).empty());
    QCOMPARE(departed.takeDue(10 * minute + 1001), Handles{1_h});
    QVERIFY(departed.takeDue(100 * minute).empty()); // told once
}

void TestDeparted::whatCameBackStays()
{
    Tombstones departed;
    departed.saw(1_h, freeLock(1000));
    departed.saw(2_h, freeLock(1000));
    departed.saw(1_h, lockState("a", 100, 2000));
    departed.forget(2_h);
    QVERIFY(departed.takeDue(100 * minute).empty());
}

void TestDeparted::eachTimeAnew()
{
    Tombstones departed;
    departed.saw(1_h, freeLock(0));
    departed.saw(1_h, lockState("a", 100, 9 * minute));
    departed.saw(1_h, freeLock(9 * minute + 100));
    QVERIFY(departed.takeDue(11 * minute).empty());
    QCOMPARE(departed.takeDue(20 * minute), Handles{1_h});
}

void TestDeparted::unreadableIsNotGone()
{
    Tombstones departed;
    State denied =
        problemState(madePrimitive(Kind::Lock, "set-nx-px", "l"), 1000, {ErrorCode::NoPerm, {}});
    denied.present = false;
    departed.saw(1_h, denied);
    QVERIFY(departed.takeDue(100 * minute).empty());
}

void TestDeparted::declaredByNameStays()
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
    Tombstones departed;
    departed.saw(1_h, declared("jobs"));
    departed.saw(2_h, declared("jobs:*"));
    QCOMPARE(departed.takeDue(100 * minute), Handles{2_h});
}

void TestDeparted::theOldestMakeRoom()
{
    Tombstones departed;
    for (quint32 h = 0; h < 2500; ++h)
        departed.saw(Handle(h), freeLock(1000 + h));
    Handles due = departed.takeDue(5000);
    std::sort(due.begin(), due.end());
    QCOMPARE(due.size(), 500U);
    QCOMPARE(due.front(), 0_h);
    QCOMPARE(due.back(), 499_h);
    QVERIFY(departed.takeDue(5000).empty());
}

void TestDeparted::aClockSetBackDelaysNoLonger()
{
    Tombstones departed;
    departed.saw(1_h, freeLock(1000 * minute));
    QVERIFY(departed.takeDue(10 * minute).empty());
    QCOMPARE(departed.takeDue(21 * minute), Handles{1_h});
}

QTEST_GUILESS_MAIN(TestDeparted)
#include "tst_tombstones.moc"
