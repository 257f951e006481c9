// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/roundrobinrefresh.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

#include <set>

using namespace lk;
using namespace lk::test;

/// The primitives that are read again for changes without a notification.
class TestRoundRobinRefresh : public QObject
{
    Q_OBJECT

private:
    static constexpr int count = 900;

    /// So many locks that were last read at that moment.
    static std::vector<Handle> fill(Registry& registry, qint64 readMs)
    {
        std::vector<Handle> handles;
        for (int i = 0; i < count; ++i) {
            Classified found;
            found.primitive = *madePrimitive(Kind::Lock, "set-nx-px", QByteArray::number(i));
            handles.push_back(registry.add(found).handle);
            read(registry, handles.back(), readMs);
        }
        return handles;
    }
    static void read(Registry& registry, Handle handle, qint64 atMs)
    {
        const StatePtr state =
            std::make_shared<State>(lockState("me", 1000, atMs, registry.primitive(handle)));
        registry.setState(handle, state);
    }
    /// Those that are to be read after so many seconds.
    static std::set<Handle> marked(RoundRobinRefresh& refresh, const Registry& registry,
                                   quint64 feedEpoch, qint64 nowMs, int seconds,
                                   const RoundRobinRefresh::Fed& isFed = {})
    {
        std::set<Handle> handles;
        for (int i = 0; i < seconds; ++i) {
            FollowedTable table;
            PollQueue queue(table);
            refresh.everySecond(registry, feedEpoch, nowMs + i * 1000, queue, isFed);
            for (const PollQueue::Item& item : queue.take(nowMs, count))
                handles.insert(item.handle);
        }
        return handles;
    }

private slots:
    void withoutAFeedAllAreReadInHalfAMinute();
    void withAFeedFewAreRead();
    void whatIsOlderThanTheFeedIsReadOnceMore();
    void anEpochBeginsWhenItIsToldTo();
    void aNewEpochBeginsAnew();
    void aFeedThatIsGoneHasNothingOlder();
    void onlyThoseWithoutAFeedArePolled();
};

void TestRoundRobinRefresh::withoutAFeedAllAreReadInHalfAMinute()
{
    Registry registry;
    fill(registry, 1000);
    RoundRobinRefresh refresh;
    QCOMPARE(marked(refresh, registry, 0, 2000, 15).size(), 465U);
    QCOMPARE(marked(refresh, registry, 0, 2000, 30).size(), size_t(count));
}

void TestRoundRobinRefresh::withAFeedFewAreRead()
{
    Registry registry;
    fill(registry, 1000);
    RoundRobinRefresh refresh;
    QCOMPARE(marked(refresh, registry, 1, 500, 30).size(), 60U); // all were read in its time
}

void TestRoundRobinRefresh::whatIsOlderThanTheFeedIsReadOnceMore()
{
    Registry registry;
    const std::vector<Handle> handles = fill(registry, 1000);
    for (size_t i = 0; i < count; i += 3) // the feed told of these
        read(registry, handles[i], 3000);
    RoundRobinRefresh refresh;
    const std::set<Handle> first = marked(refresh, registry, 1, 2000, 20);
    for (size_t i = 0; i < count; ++i) {
        if (i % 3 != 0)
            QVERIFY2(first.contains(handles[i]), "changed while nobody told");
    }
    QVERIFY2(first.size() < count * 3 / 4, "what was read since");
    QVERIFY(marked(refresh, registry, 1, 30'000, 20).size() <= 40); // once
}

// Primitives that were read between that moment and the next second are not read again.
void TestRoundRobinRefresh::anEpochBeginsWhenItIsToldTo()
{
    Registry registry;
    const std::vector<Handle> handles = fill(registry, 1000);
    for (size_t i = 0; i < count; i += 3)
        read(registry, handles[i], 400);
    RoundRobinRefresh refresh;
    refresh.epochBegan(1, 500);
    const std::set<Handle> first = marked(refresh, registry, 1, 1400, 20);
    for (size_t i = 0; i < count; i += 3)
        QVERIFY(first.contains(handles[i]));
    QVERIFY(first.size() <= count / 3 + 40); // and two a second in their turn
    QCOMPARE(marked(refresh, registry, 2, 1400, 30).size(),
             size_t(count)); // of it nothing was told
}

void TestRoundRobinRefresh::aNewEpochBeginsAnew()
{
    Registry registry;
    fill(registry, 1000);
    RoundRobinRefresh refresh;
    marked(refresh, registry, 1, 2000, 10);
    QCOMPARE(marked(refresh, registry, 2, 12'000, 30).size(), size_t(count));
}

void TestRoundRobinRefresh::aFeedThatIsGoneHasNothingOlder()
{
    Registry registry;
    fill(registry, 1000);
    RoundRobinRefresh refresh;
    marked(refresh, registry, 1, 2000, 1);
    QCOMPARE(marked(refresh, registry, 0, 3000, 1).size(), 31U);
}

void TestRoundRobinRefresh::onlyThoseWithoutAFeedArePolled()
{
    Registry registry;
    const std::vector<Handle> handles = fill(registry, 1000);
    const auto isFed = [](const Primitive& primitive) {
        return primitive.id.name.toInt() % 3 != 0;
    };
    RoundRobinRefresh refresh;
    const std::set<Handle> read = marked(refresh, registry, 1, 500, 30, isFed);
    size_t unfed = 0;
    for (size_t i = 0; i < count; i += 3)
        unfed += read.contains(handles[i]) ? 1 : 0;
    QCOMPARE(unfed, size_t(count / 3)); // all of them in half a minute
    QVERIFY2(read.size() - unfed <= 60, "as few of the others as with a feed");
}

LK_TEST(TestRoundRobinRefresh);
#include "tst_roundrobinrefresh.moc"
