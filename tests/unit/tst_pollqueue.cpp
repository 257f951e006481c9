// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/pollqueue.h"

#include <QRandomGenerator>
#include <QTest>

#include <map>
#include <set>

using namespace lk;

namespace {

std::vector<Handle> taken(PollQueue& queue, qint64 nowMs, int others = 1000)
{
    std::vector<Handle> handles;
    for (const PollQueue::Item& item : queue.take(nowMs, others))
        handles.push_back(item.handle);
    return handles;
}

using Handles = std::vector<Handle>;

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
    void dueTimesAreKept();
    void dueTimesMoveEarlierAndLater();
    void movingDueTimesDoNotPileUp();
    void forgets();
    void aForgottenOneLosesItsAttention();
    void clears();
    void nothingIsLostOrDoubled();
};

void TestPollQueue::attentionComesFirstAndAlways()
{
    PollQueue queue;
    queue.setAttention({3, 4}, 5);
    queue.setPinned({6, 3});
    queue.markDirty(1);
    queue.setDue(2, 100);
    QCOMPARE(taken(queue, 100, 0), (Handles{5, 3, 4, 6})); // no budget is needed for these
    QCOMPARE(taken(queue, 100), (Handles{5, 3, 4, 6, 2, 1}));
    QCOMPARE(taken(queue, 100), (Handles{5, 3, 4, 6}));
    for (Handle h : {3U, 4U, 5U, 6U})
        QVERIFY(queue.hasAttention(h));
    QVERIFY(!queue.hasAttention(1));
    queue.setAttention({}, noHandle);
    QCOMPARE(taken(queue, 100), (Handles{6, 3}));
}

void TestPollQueue::theSelectedOneIsReadInDetail()
{
    PollQueue queue;
    queue.setAttention({1, 2}, 2);
    queue.markDirty(3);
    const auto items = queue.take(0, 10);
    QCOMPARE(items.size(), 3U);
    QCOMPARE(items[0].handle, 2U);
    QVERIFY(items[0].depth == Depth::Detail);
    QVERIFY(items[1].depth == Depth::Summary);
    QVERIFY(items[2].depth == Depth::Summary);
}

void TestPollQueue::attentionThatIsDueIsReadOnce()
{
    PollQueue queue;
    queue.setDue(1, 50);
    queue.markDirty(1);
    queue.setAttention({}, 1);
    const auto items = queue.take(100, 10);
    QCOMPARE(items.size(), 1U); // a second, shorter look would undo the detailed one
    QVERIFY(items[0].depth == Depth::Detail);
    queue.setAttention({}, noHandle);
    QVERIFY(queue.take(100, 10).empty());
}

void TestPollQueue::dirtyOnesComeOnceInTheirOrder()
{
    PollQueue queue;
    for (Handle h : {7U, 5U, 7U, 6U, 5U})
        queue.markDirty(h);
    QCOMPARE(queue.backlog(0), 3);
    QCOMPARE(taken(queue, 0), (Handles{7, 5, 6}));
    QCOMPARE(queue.backlog(0), 0);
    queue.markDirty(5);
    QCOMPARE(taken(queue, 0), (Handles{5}));
    // What attention has read is not read again for having been dirty.
    queue.markDirty(1);
    queue.setAttention({1}, noHandle);
    QCOMPARE(taken(queue, 0, 0), (Handles{1}));
    QCOMPARE(queue.backlog(0), 0);
    queue.setAttention({}, noHandle);
    QVERIFY(taken(queue, 0).empty());
}

void TestPollQueue::theBudgetLeavesTheRest()
{
    PollQueue queue;
    for (Handle h = 0; h < 10; ++h)
        queue.markDirty(h);
    for (Handle h = 10; h < 20; ++h)
        queue.setDue(h, 100 + h);
    QCOMPARE(taken(queue, 1000, 4), (Handles{10, 11, 12, 13}));
    QVERIFY(queue.backlog(1000) >= 10);
    std::set<Handle> rest;
    for (int i = 0; i < 4; ++i) {
        for (Handle h : taken(queue, 1000, 4))
            QVERIFY(rest.insert(h).second);
    }
    QCOMPARE(rest.size(), 16U);
    QVERIFY(taken(queue, 1000, 4).empty());
}

void TestPollQueue::dueTimesAreKept()
{
    PollQueue queue;
    queue.setDue(1, 300);
    queue.setDue(2, 100);
    queue.setDue(3, 200);
    QVERIFY(taken(queue, 99).empty());
    QCOMPARE(queue.backlog(99), 0);
    QVERIFY(queue.backlog(100) > 0);
    QCOMPARE(taken(queue, 250), (Handles{2, 3}));
    QCOMPARE(taken(queue, 300), (Handles{1}));
    QVERIFY(taken(queue, 100'000).empty()); // due once
}

void TestPollQueue::dueTimesMoveEarlierAndLater()
{
    PollQueue queue;
    queue.setDue(1, 100);
    queue.setDue(1, 500);
    QVERIFY(taken(queue, 400).empty());
    queue.setDue(1, 450);
    QCOMPARE(taken(queue, 450), (Handles{1}));
    QVERIFY(taken(queue, 1000).empty());
    queue.setDue(1, 2000);
    queue.setDue(1, 0);
    QVERIFY(taken(queue, 3000).empty());
    queue.setDue(1, 4000); // and it may be set again
    QCOMPARE(taken(queue, 4000), (Handles{1}));
}

void TestPollQueue::movingDueTimesDoNotPileUp()
{
    PollQueue queue;
    queue.setDue(1, 10);
    // The time goes to and fro, and each time that is passed finds the handle not due yet.
    for (int i = 0; i < 200'000; ++i) {
        queue.setDue(1, i + 2000);
        queue.setDue(1, i + 1000);
        QVERIFY(taken(queue, i, 1).empty());
    }
    QCOMPARE(taken(queue, 1'000'000), (Handles{1}));
    QCOMPARE(queue.backlog(1'000'000), 0); // no entry of an earlier time is left behind
}

void TestPollQueue::forgets()
{
    PollQueue queue;
    queue.markDirty(1);
    queue.setDue(2, 10);
    queue.forget(1);
    queue.forget(2);
    queue.forget(77); // never heard of
    QVERIFY(taken(queue, 100).empty());
    queue.markDirty(1); // the handle lives again
    queue.setDue(2, 50);
    QCOMPARE(taken(queue, 100), (Handles{2, 1}));
    QVERIFY(taken(queue, 100).empty());
}

void TestPollQueue::aForgottenOneLosesItsAttention()
{
    PollQueue queue;
    queue.setAttention({1, 2}, 3);
    queue.setPinned({4, 5});
    for (const Handle handle : {1U, 3U, 5U})
        queue.forget(handle);
    QCOMPARE(taken(queue, 100), (Handles{2, 4})); // nor has whoever gets its handle
    QVERIFY(!queue.hasAttention(3));
}

void TestPollQueue::clears()
{
    PollQueue queue;
    queue.setAttention({1}, 2);
    queue.setPinned({3});
    queue.markDirty(4);
    queue.setDue(5, 1);
    queue.clear();
    QVERIFY(taken(queue, 100).empty());
    QCOMPARE(queue.backlog(100), 0);
}

void TestPollQueue::nothingIsLostOrDoubled()
{
    PollQueue queue;
    QRandomGenerator random(11);
    std::map<Handle, qint64> due; // what ought to be read, and when
    std::set<Handle> dirty;
    for (int step = 0; step < 20'000; ++step) {
        const Handle h = random.bounded(50U);
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
                due.erase(h);
                dirty.erase(h);
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

QTEST_GUILESS_MAIN(TestPollQueue)
#include "tst_pollqueue.moc"
