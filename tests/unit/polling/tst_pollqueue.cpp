// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/pollqueue.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <array>
#include <map>
#include <set>

using namespace lk;
using namespace lk::test;

namespace {

std::vector<Handle> taken(PollQueue& queue, qint64 nowMs, int others = 1000)
{
    std::vector<Handle> handles;
    for (const PollQueue::Item& item : queue.take(nowMs, others))
        handles.push_back(item.handle);
    return handles;
}

using Handles = std::vector<Handle>;

void know(FollowedTable& table, const Handles& handles)
{
    for (const Handle handle : handles)
        table[handle] = {};
}

} // namespace

class TestPollQueue : public QObject
{
    Q_OBJECT

private slots:
    void attentionComesFirstAndAlways();
    void theSelectedOneIsReadInDetail();
    void attentionThatIsDueIsReadOnce();
    void dirtyOnesComeOnceInTheirOrder();
    void theBudgetLeavesTheRest();
    void ofTooManyTheNewestComeFirst();
    void oneThatChangesAllTheTimeLeavesNothingBehind();
    void dueTimesAreKept();
    void dueTimesMoveEarlierAndLater();
    void movingDueTimesDoNotPileUp();
    void forgets();
    void aForgottenOneLosesItsAttention();
    void whoIsGoneTouchesNobody();
    void nothingIsLostOrDoubled();
};

void TestPollQueue::attentionComesFirstAndAlways()
{
    FollowedTable table;
    know(table, {3_h, 4_h, 5_h, 6_h});
    PollQueue queue(table);
    queue.setAttention({3_h, 4_h}, 5_h);
    queue.setPinned({6_h, 3_h});
    queue.markDirty(1_h);
    queue.setDue(2_h, 100);
    QCOMPARE(taken(queue, 100, 0), (Handles{5_h, 3_h, 4_h, 6_h})); // no budget is needed for these
    QCOMPARE(taken(queue, 100), (Handles{5_h, 3_h, 4_h, 6_h, 2_h, 1_h}));
    QCOMPARE(taken(queue, 100), (Handles{5_h, 3_h, 4_h, 6_h}));
    for (Handle h : {3_h, 4_h, 5_h, 6_h})
        QVERIFY(queue.hasAttention(h));
    QVERIFY(!queue.hasAttention(1_h));
    queue.setAttention({}, noHandle);
    QCOMPARE(taken(queue, 100), (Handles{6_h, 3_h}));
}

void TestPollQueue::theSelectedOneIsReadInDetail()
{
    FollowedTable table;
    know(table, {1_h, 2_h});
    PollQueue queue(table);
    queue.setAttention({1_h, 2_h}, 2_h);
    queue.markDirty(3_h);
    const auto items = queue.take(0, 10);
    QCOMPARE(items.size(), 3U);
    QCOMPARE(items[0].handle, 2_h);
    QVERIFY(items[0].depth == Depth::Detail);
    QVERIFY(items[1].depth == Depth::Summary);
    QVERIFY(items[2].depth == Depth::Summary);
}

void TestPollQueue::attentionThatIsDueIsReadOnce()
{
    FollowedTable table;
    PollQueue queue(table);
    queue.setDue(1_h, 50);
    queue.markDirty(1_h);
    queue.setAttention({}, 1_h);
    const auto items = queue.take(100, 10);
    QCOMPARE(items.size(), 1U); // a second, shorter look would undo the detailed one
    QVERIFY(items[0].depth == Depth::Detail);
    queue.setAttention({}, noHandle);
    QVERIFY(queue.take(100, 10).empty());
}

void TestPollQueue::dirtyOnesComeOnceInTheirOrder()
{
    FollowedTable table;
    PollQueue queue(table);
    for (Handle h : {7_h, 5_h, 7_h, 6_h, 5_h})
        queue.markDirty(h);
    QCOMPARE(queue.backlog(0), 3);
    QCOMPARE(taken(queue, 0), (Handles{7_h, 6_h, 5_h})); // 7 and 5 were changed once more
    QCOMPARE(queue.backlog(0), 0);
    queue.markDirty(5_h);
    QCOMPARE(taken(queue, 0), (Handles{5_h}));
    // A primitive that was read for attention is not read again as dirty.
    queue.markDirty(1_h);
    queue.setAttention({1_h}, noHandle);
    QCOMPARE(taken(queue, 0, 0), (Handles{1_h}));
    QCOMPARE(queue.backlog(0), 0);
    queue.setAttention({}, noHandle);
    QVERIFY(taken(queue, 0).empty());
}

void TestPollQueue::theBudgetLeavesTheRest()
{
    FollowedTable table;
    PollQueue queue(table);
    for (quint32 h = 0; h < 10; ++h)
        queue.markDirty(Handle(h));
    for (quint32 h = 10; h < 20; ++h)
        queue.setDue(Handle(h), 100 + h);
    QCOMPARE(taken(queue, 1000, 4), (Handles{10_h, 11_h, 12_h, 13_h}));
    QVERIFY(queue.backlog(1000) >= 10);
    std::set<Handle> rest;
    for (int i = 0; i < 4; ++i) {
        for (Handle h : taken(queue, 1000, 4))
            QVERIFY(rest.insert(h).second);
    }
    QCOMPARE(rest.size(), 16U);
    QVERIFY(taken(queue, 1000, 4).empty());
}

void TestPollQueue::ofTooManyTheNewestComeFirst()
{
    FollowedTable table;
    PollQueue queue(table);
    for (Handle h : {1_h, 2_h, 3_h, 4_h, 5_h, 6_h, 7_h, 8_h, 9_h, 2_h})
        queue.markDirty(h);
    QCOMPARE(taken(queue, 0, 4), (Handles{2_h, 9_h, 8_h, 1_h}));
    queue.markDirty(8_h);
    QCOMPARE(taken(queue, 0, 4), (Handles{8_h, 7_h, 6_h, 3_h}));
    QCOMPARE(taken(queue, 0, 4), (Handles{4_h, 5_h})); // all of them fit: in their order
    QCOMPARE(queue.backlog(0), 0);
    // Under endless load no primitive waits forever.
    queue.markDirty(1_h);
    bool isRead = false;
    for (int round = 0; round < 10 && !isRead; ++round) {
        for (Handle h : {2_h, 3_h, 4_h, 5_h, 6_h, 7_h, 8_h})
            queue.markDirty(h);
        const Handles handles = taken(queue, 0, 4);
        isRead = std::find(handles.begin(), handles.end(), 1_h) != handles.end();
    }
    QVERIFY(isRead);
}

void TestPollQueue::oneThatChangesAllTheTimeLeavesNothingBehind()
{
    FollowedTable table;
    PollQueue queue(table);
    for (int i = 0; i < 100'000; ++i) {
        queue.markDirty(1_h);
        queue.markDirty(2_h);
    }
    QCOMPARE(queue.backlog(0), 2);
    QCOMPARE(taken(queue, 0, 1).size(), 1U);
    QCOMPARE(taken(queue, 0, 5).size(), 1U);
    QVERIFY(taken(queue, 0, 5).empty());
}

void TestPollQueue::dueTimesAreKept()
{
    FollowedTable table;
    PollQueue queue(table);
    queue.setDue(1_h, 300);
    queue.setDue(2_h, 100);
    queue.setDue(3_h, 200);
    QVERIFY(taken(queue, 99).empty());
    QCOMPARE(queue.backlog(99), 0);
    QVERIFY(queue.backlog(100) > 0);
    QCOMPARE(taken(queue, 250), (Handles{2_h, 3_h}));
    QCOMPARE(taken(queue, 300), (Handles{1_h}));
    QVERIFY(taken(queue, 100'000).empty()); // due once
}

void TestPollQueue::dueTimesMoveEarlierAndLater()
{
    FollowedTable table;
    PollQueue queue(table);
    queue.setDue(1_h, 100);
    queue.setDue(1_h, 500);
    QVERIFY(taken(queue, 400).empty());
    queue.setDue(1_h, 450);
    QCOMPARE(taken(queue, 450), (Handles{1_h}));
    QVERIFY(taken(queue, 1000).empty());
    queue.setDue(1_h, 2000);
    queue.setDue(1_h, 0);
    QVERIFY(taken(queue, 3000).empty());
    queue.setDue(1_h, 4000); // and it may be set again
    QCOMPARE(taken(queue, 4000), (Handles{1_h}));
}

void TestPollQueue::movingDueTimesDoNotPileUp()
{
    FollowedTable table;
    PollQueue queue(table);
    queue.setDue(1_h, 10);
    // The time goes to and fro, and each time that is passed finds the handle not due yet.
    for (int i = 0; i < 200'000; ++i) {
        queue.setDue(1_h, i + 2000);
        queue.setDue(1_h, i + 1000);
        QVERIFY(taken(queue, i, 1).empty());
    }
    QCOMPARE(taken(queue, 1'000'000), (Handles{1_h}));
    QCOMPARE(queue.backlog(1'000'000), 0); // no entry of an earlier time is left behind
}

void TestPollQueue::forgets()
{
    FollowedTable table;
    PollQueue queue(table);
    queue.markDirty(1_h);
    queue.setDue(2_h, 10);
    table.erase(1_h);
    table.erase(2_h);
    table.erase(77_h); // never heard of
    QVERIFY(taken(queue, 100).empty());
    const Handle again(1, 1); // another primitive in its place
    queue.setDue(1_h, 10);
    table.erase(1_h);
    queue.markDirty(again);
    queue.setDue(2_h, 50);
    QCOMPARE(taken(queue, 100), (Handles{2_h, again}));
    QVERIFY(taken(queue, 100).empty());
}

void TestPollQueue::aForgottenOneLosesItsAttention()
{
    FollowedTable table;
    know(table, {1_h, 2_h, 3_h, 4_h, 5_h});
    PollQueue queue(table);
    queue.setAttention({1_h, 2_h}, 3_h);
    queue.setPinned({4_h, 5_h});
    for (const Handle handle : {1_h, 3_h, 5_h})
        table.erase(handle);
    QCOMPARE(taken(queue, 100), (Handles{2_h, 4_h}));
    QVERIFY(!queue.hasAttention(3_h));
}

// A window may still speak of one that is gone, whose place another has by now.
void TestPollQueue::whoIsGoneTouchesNobody()
{
    FollowedTable table;
    PollQueue queue(table);
    const Handle successor(1, 1);
    queue.setDue(1_h, 500); // never forgotten
    queue.markDirty(1_h);
    queue.markDirty(successor);
    queue.setDue(successor, 100);
    QCOMPARE(queue.backlog(0), 1);
    queue.setAttention({1_h}, noHandle);
    queue.markDirty(1_h);
    queue.setDue(1_h, 0);
    table.erase(1_h);
    QCOMPARE(queue.backlog(0), 1);
    QCOMPARE(taken(queue, 100), Handles{successor});
    QCOMPARE(queue.backlog(100), 0);
    queue.setAttention({1_h}, noHandle);
    queue.markDirty(successor);
    QCOMPARE(taken(queue, 100), Handles{successor});
}

void TestPollQueue::nothingIsLostOrDoubled()
{
    FollowedTable table;
    PollQueue queue(table);
    QRandomGenerator random(11);
    std::map<Handle, qint64> due; // what ought to be read, and when
    std::set<Handle> dirty;
    std::array<quint32, 50> before{};
    for (int step = 0; step < 20'000; ++step) {
        const quint32 place = random.bounded(50U);
        const Handle h(place, before[place]);
        const qint64 atMs = step + random.bounded(1, 200);
        switch (random.bounded(4)) {
        case 0:
            queue.markDirty(h);
            dirty.insert(h);
            break;
        case 1:
            queue.setDue(h, atMs);
            due[h] = atMs;
            break;
        case 2:
            if (random.bounded(10) == 0) {
                queue.forget(h);
                table.erase(h);
                due.erase(h);
                dirty.erase(h);
                ++before[place]; // no handle is given twice
            }
            break;
        default:
            for (Handle read : taken(queue, step, random.bounded(4))) {
                const bool isDue = due.count(read) > 0 && due[read] <= step;
                QVERIFY2(isDue || dirty.count(read) > 0, "read without a reason");
                due.erase(read);
                dirty.erase(read);
            }
        }
        QCOMPARE(queue.backlog(-1), qsizetype(dirty.size()));
    }
    for (Handle read : taken(queue, 1'000'000, 1000)) {
        QVERIFY(due.erase(read) + dirty.erase(read) > 0);
        due.erase(read);
    }
    QVERIFY(due.empty());
    QVERIFY(dirty.empty());
}

LK_TEST(TestPollQueue);
#include "tst_pollqueue.moc"
