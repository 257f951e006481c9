// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/queueflow.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

QueueState read(QueueFlow& flow, const std::vector<quint64>& items, qint64 ready, qint64 atMs)
{
    State state = queueState(items, atMs, ready);
    flow.apply(state);
    return *state.as<QueueState>();
}

} // namespace

class TestQueueFlow : public QObject
{
    Q_OBJECT

private slots:
    void oneLookTellsNothing();
    void whatComesIn();
    void whatGoesOut();
    void whatGoesThrough();
    void nothingMovesIsZero();
    void ratesAreOverTenSeconds();
    void anOutageIsNoRate();
    void whereNothingMovesTwoLooksTell();
    void isLookedAtAgainWhenTheRateIsOver();
    void aClockSetBackStartsAnew();
    void whatIsNotReadAgainIsCountedOnce();
    void leavesOthersAlone();
};

void TestQueueFlow::oneLookTellsNothing()
{
    QueueFlow flow;
    const QueueState queue = read(flow, {1}, 10, 1000);
    QVERIFY(!queue.inPerSecond && !queue.outPerSecond);
}

void TestQueueFlow::whatComesIn()
{
    QueueFlow flow;
    QueueState queue;
    for (int s = 0; s <= 5; ++s)
        queue = read(flow, {}, 3 * s, 1000 + s * 1000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(3.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.0));
}

void TestQueueFlow::whatGoesOut()
{
    QueueFlow flow;
    QueueState queue;
    for (int s = 0; s <= 5; ++s) // taken and done between two looks
        queue = read(flow, {}, 100 - 2 * s, 1000 + s * 1000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(0.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(2.0));
}

void TestQueueFlow::whatGoesThrough()
{
    QueueFlow flow;
    QueueState queue;
    for (quint64 s = 0; s <= 5; ++s) // one item a second comes in and one leaves processing
        queue = read(flow, {s, s + 1}, 7, 1000 + qint64(s) * 1000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(1.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(1.0));
    // Moving from ready to processing is no flow.
    QueueFlow moving;
    read(moving, {}, 3, 1000);
    read(moving, {1}, 2, 2000);
    queue = read(moving, {1, 2}, 1, 3000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(0.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.0));
}

void TestQueueFlow::nothingMovesIsZero()
{
    QueueFlow flow;
    QueueState queue;
    for (int i = 0; i < 20; ++i)
        queue = read(flow, {1, 2}, 5, 1000 + i * 250);
    QCOMPARE(queue.inPerSecond, std::optional<double>(0.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.0));
}

void TestQueueFlow::ratesAreOverTenSeconds()
{
    QueueFlow flow;
    read(flow, {}, 0, 1000);
    read(flow, {}, 1000, 2000); // a burst
    QueueState queue;
    for (int s = 3; s <= 30; ++s)
        queue = read(flow, {}, 1000, s * 1000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(0.0));
}

void TestQueueFlow::anOutageIsNoRate()
{
    QueueFlow flow;
    for (int s = 1; s <= 5; ++s)
        read(flow, {}, 10, s * 1000);
    QueueState queue =
        read(flow, {}, 5000, 605'000); // ten minutes later: the rate in between is unknown
    QVERIFY(!queue.inPerSecond);
    read(flow, {}, 5001, 606'000);
    queue = read(flow, {}, 5002, 607'000);
    QVERIFY(queue.inPerSecond);
    QVERIFY(*queue.inPerSecond <= 1.0);
}

// A queue without writers is read seldom.
void TestQueueFlow::whereNothingMovesTwoLooksTell()
{
    QueueFlow flow;
    read(flow, {1}, 5, 1000);
    QueueState queue = read(flow, {1}, 5, 41'000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(0.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.0));
    queue = read(flow, {1}, 5, 641'000); // jobs may have come and gone meanwhile
    QVERIFY(!queue.inPerSecond);
}

void TestQueueFlow::isLookedAtAgainWhenTheRateIsOver()
{
    QueueFlow flow;
    const auto revisitAt = [&flow](qint64 ready, qint64 atMs) {
        State state = queueState({}, atMs, ready);
        flow.apply(state);
        return state.revisitAtMs;
    };
    QCOMPARE(revisitAt(5, 1000), 10'500);
    QCOMPARE(revisitAt(5, 2000), 0); // the one before still stands
    QCOMPARE(revisitAt(6, 3000), 12'500);
    QCOMPARE(revisitAt(0, 4000), 0); // nothing is left to wait
}

void TestQueueFlow::aClockSetBackStartsAnew()
{
    QueueFlow flow;
    for (int s = 0; s < 5; ++s)
        read(flow, {}, s, 1'000'000 + s * 1000);
    QueueState queue;
    for (int s = 0; s < 5; ++s)
        queue = read(flow, {}, 100 + 2 * s, 10'000 + s * 1000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(2.0));
}

// The depth shows at once that two jobs are done; their list, read later, does not count them
// again. A third one came and went in between: only the list shows it.
void TestQueueFlow::whatIsNotReadAgainIsCountedOnce()
{
    QueueFlow flow;
    const auto kept = [&](const std::vector<quint64>& items, qint64 processing, qint64 atMs,
                          qint64 readMs) {
        State state = queueState(items, atMs, 10);
        state.body.get<QueueState>().processing = processing;
        state.payloads.edit().asOfMs = readMs;
        flow.apply(state);
        return *state.as<QueueState>();
    };
    kept({1, 2, 3, 4}, 4, 1000, 1000);
    QueueState queue = kept({1, 2, 3, 4}, 2, 3000, 1000);
    QCOMPARE(queue.outPerSecond, std::optional<double>(1.0)); // two in two seconds
    queue = kept({1, 2, 3, 4}, 2, 4000, 1000);
    queue = kept({4, 5}, 2, 5000, 5000);
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.75)); // three in four
    QCOMPARE(queue.inPerSecond, std::optional<double>(0.25));
    queue = kept({4, 5}, 2, 6000, 6000);
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.6));
}

void TestQueueFlow::leavesOthersAlone()
{
    QueueFlow flow;
    for (int s = 0; s < 4; ++s) {
        read(flow, {}, 5 * s, 1000 + s * 1000);
        State broken = problemState(madePrimitive(Kind::Queue, "reliable-list", "jobs"),
                                    1500 + s * 1000, {ErrorCode::NoPerm, {}});
        flow.apply(broken); // an unreadable look is not an empty queue
    }
    const QueueState queue = read(flow, {}, 20, 5000);
    QCOMPARE(queue.inPerSecond, std::optional<double>(5.0));
    QCOMPARE(queue.outPerSecond, std::optional<double>(0.0));
    State lock = lockState("a", 100, 2000);
    flow.apply(lock);
    QVERIFY(lock.as<LockState>());
}

LK_TEST(TestQueueFlow);
#include "tst_queueflow.moc"
