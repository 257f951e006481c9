// SPDX-License-Identifier: GPL-3.0-or-later
// Queues of lists: which keys make one queue, and what is in it.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

using Known = std::optional<qint64>;

QueueState queueOf(const Result<State>& state)
{
    return state && state->as<QueueState>() ? *state->as<QueueState>() : QueueState();
}

} // namespace

class TestLayoutLists : public QObject
{
    Q_OBJECT

private slots:
    void keysOfOneQueue_data();
    void keysOfOneQueue();
    void counts();
    void aListAloneHasNoKnownProcessing();
    void oldestItemsFirst();
    void itemsAreBounded();
    void heavyItemsThatWaitAreNotRead();
    void itemsStayWhereTheyAreNotReadAgain();
    void aProbeTellsOfAChange_data();
    void aProbeTellsOfAChange();
    void aProbeReadsNoHeavyEnds();
    void declaredKeys();
    void aWidePatternFoldsCompanions();
    void declaredAndGone();
    void wrongTypeOfACompanion();
};

void TestLayoutLists::keysOfOneQueue_data()
{
    QTest::addColumn<QByteArrayList>("lists");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("ready");
    const auto row = [](QByteArrayList lists, const char* name, const char* ready) {
        QTest::newRow(lists.join(' ').constData())
            << lists << QByteArray(name) << QByteArray(ready);
    };
    row({"jobs", "jobs:processing"}, "jobs", "jobs");
    row({"jobs", "jobs:processing", "jobs:dead"}, "jobs", "jobs");
    row({"jobs:processing:w1", "jobs:processing:w2", "jobs"}, "jobs", "jobs");
    row({"processing:jobs", "jobs"}, "jobs", "jobs");
    row({"orders:pending", "orders:in_progress"}, "orders", "orders:pending");
    row({"work_queue", "work_queue_processing"}, "work_queue", "work_queue");
    row({"mail.ready", "mail.unacked", "mail.dlq"}, "mail", "mail.ready");
    row({"jobs:processing"}, "jobs", "jobs"); // the ready list is empty at the moment
}

void TestLayoutLists::keysOfOneQueue()
{
    QFETCH(QByteArrayList, lists);
    FakeKeys keys;
    for (const QByteArray& list : lists)
        keys.list(list, {"a"});
    const auto found = keys.discover();
    QCOMPARE(found.size(), 1);
    QTEST(found.first().id.name, "name");
    QTEST(found.first().key("ready"), "ready");
    for (const QByteArray& list : lists) {
        const auto& roles = found.first().keys;
        QVERIFY2(std::any_of(roles.begin(), roles.end(),
                             [&](const KeyRole& k) { return k.key == list; }),
                 list.constData());
    }
}

void TestLayoutLists::counts()
{
    FakeKeys keys;
    keys.list("jobs", {"a", "b"});
    keys.list("jobs:processing:w1", {"c"});
    keys.list("jobs:processing:w2", {"d", "e"});
    keys.list("jobs:dead", {"f"});
    keys.zset("jobs:delayed", {{"g", keys.nowMs + 5000.0}});
    const auto found = keys.discover();
    QCOMPARE(found.size(), 1);
    const auto state = keys.read(found.first());
    QCOMPARE(queueOf(state).ready, Known(2));
    QCOMPARE(queueOf(state).processing, Known(3));
    QCOMPARE(queueOf(state).dead, Known(1));
    QCOMPARE(queueOf(state).delayed, Known(1));
    QCOMPARE(queueOf(state).stuckAfterMs, 30'000);
    QVERIFY(!queueOf(state).oldestProcessingMs);
    QCOMPARE(state->health, Health::Warning); // for the dead one
}

void TestLayoutLists::aListAloneHasNoKnownProcessing()
{
    FakeKeys keys;
    keys.list("jobs", {"a", "b"});
    const auto found = keys.discover();
    QCOMPARE(found.first().confidence, 0.5);
    const auto state = keys.read(found.first());
    QCOMPARE(queueOf(state).ready, Known(2));
    QVERIFY(!queueOf(state).processing);
    QCOMPARE(queueOf(state).dead, Known(0));
}

void TestLayoutLists::oldestItemsFirst()
{
    FakeKeys keys;
    keys.list("jobs:processing",
              {"newest", "middle", QByteArray(2000, 'o')}); // entered on the left
    const Primitive p = keys.discover().first();
    const QueueState q = queueOf(keys.read(p, Depth::Detail));
    QCOMPARE(q.items.size(), size_t(3));
    QCOMPARE(q.items[0].preview, QByteArray(512, 'o'));
    QCOMPARE(q.items[0].size, 2000);
    QCOMPARE(q.items[2].preview, QByteArray("newest"));
    QVERIFY(q.items[0].fingerprint != q.items[1].fingerprint);
    QCOMPARE(q.items[1].fingerprint, queueOf(keys.read(p, Depth::Detail)).items[1].fingerprint);
    QVERIFY(!q.itemsTruncated);
}

void TestLayoutLists::itemsAreBounded()
{
    FakeKeys keys;
    std::vector<QByteArray> items;
    for (int i = 0; i < 500; ++i)
        items.push_back(QByteArray::number(i));
    keys.list("jobs:processing", items);
    const QueueState q = queueOf(keys.read(keys.discover().first(), Depth::Detail));
    QCOMPARE(q.processing, Known(500));
    QCOMPARE(q.items.size(), size_t(50));
    QCOMPARE(q.items[0].preview, QByteArray("499"));
    QVERIFY(q.itemsTruncated);
}

// A light list in processing says nothing of what waits: that is read by its own weight, and not
// before it is known.
void TestLayoutLists::heavyItemsThatWaitAreNotRead()
{
    FakeKeys keys;
    keys.list("jobs:processing", {"p"});
    keys.list("jobs", std::vector<QByteArray>(20, QByteArray(5 * 1024 * 1024, 'r')));
    const Primitive p = keys.discover().first();
    Result<State> state = keys.read(p, Depth::Detail);
    for (int i = 0; i < 2; ++i) {
        const ReadContext context{0, Depth::Detail, false, &*state};
        for (const Command& c : firstCommands("reliable-list", p, context))
            QVERIFY(c.args()[0] != "LRANGE" || c.args()[1] != "jobs");
        state = keys.read(p, Depth::Detail, &*state);
        QVERIFY(state);
    }
    QVERIFY(*queueOf(state).readyItemBytes > 4 * 1024 * 1024);
    QCOMPARE(queueOf(state).items.size(), size_t(1));
    QCOMPARE(*state->bytesKey, QByteArray("jobs"));
}

namespace {

State readAgain(FakeKeys& keys, const Primitive& p, const State& before, PayloadRead payloads,
                bool unchanged = false)
{
    const ReadContext context{keys.nowMs, Depth::Summary, false, &before, payloads, unchanged};
    return keys.read(p, context).value_or(State());
}

} // namespace

void TestLayoutLists::itemsStayWhereTheyAreNotReadAgain()
{
    FakeKeys keys;
    keys.list("jobs", {"w"});
    keys.list("jobs:processing", {"b", "a", "w"});
    const Primitive p = keys.discover().first();
    const State read = *keys.read(p);
    const qint64 readMs = keys.nowMs;
    QCOMPARE(read.payloads->asOfMs, Known(readMs));
    QVERIFY(*read.payloads->bytes > 0);

    keys.nowMs += 1000;
    keys.commands = 0;
    State kept = readAgain(keys, p, read, PayloadRead::None);
    QCOMPARE(keys.commands, 2); // the lengths
    QCOMPARE(queueOf(kept).items.size(), size_t(3));
    QCOMPARE(queueOf(kept).duplicates, Known(1));
    QCOMPARE(queueOf(kept).itemBytes, queueOf(read).itemBytes);
    QCOMPARE(*kept.bytesKey, *read.bytesKey);
    QCOMPARE(kept.payloads->asOfMs, Known(readMs)); // they are not known to be current
    QVERIFY(!kept.payloads->changed);
    kept = readAgain(keys, p, kept, PayloadRead::None, true);
    QCOMPARE(kept.payloads->asOfMs, Known(keys.nowMs));

    // Whatever the feed says: another length is a change, and stays one until they are read.
    keys.list("jobs:processing", {"b", "a"});
    kept = readAgain(keys, p, kept, PayloadRead::None, true);
    QVERIFY(kept.payloads->changed);
    keys.list("jobs:processing", {"b", "a", "w"});
    keys.nowMs += 1000;
    kept = readAgain(keys, p, kept, PayloadRead::None, true);
    QVERIFY(kept.payloads->changed);
    QCOMPARE(kept.payloads->asOfMs, Known(keys.nowMs - 1000));
    kept = readAgain(keys, p, kept, PayloadRead::Full);
    QVERIFY(!kept.payloads->changed);

    keys.remove("jobs:processing");
    kept = readAgain(keys, p, kept, PayloadRead::None);
    QVERIFY(queueOf(kept).items.empty()); // known without a look
    QCOMPARE(kept.payloads->asOfMs, Known(keys.nowMs));
}

void TestLayoutLists::aProbeTellsOfAChange_data()
{
    QTest::addColumn<QByteArrayList>("after");
    QTest::addColumn<bool>("changed");
    QTest::newRow("nothing") << QByteArrayList{"c", "b", "a"} << false;
    QTest::newRow("one came") << QByteArrayList{"d", "c", "b", "a"} << true;
    QTest::newRow("one left, one came") << QByteArrayList{"d", "c", "a"} << true;
    QTest::newRow("the oldest left, one came") << QByteArrayList{"d", "c", "b"} << true;
    QTest::newRow("another weight") << QByteArrayList{"c", "bbbbbb", "a"} << true;
}

void TestLayoutLists::aProbeTellsOfAChange()
{
    QFETCH(QByteArrayList, after);
    FakeKeys keys;
    keys.list("jobs:processing", {"c", "b", "a"});
    const Primitive p = keys.discover().first();
    State state = readAgain(keys, p, *keys.read(p), PayloadRead::Full);
    keys.list("jobs:processing", {after.begin(), after.end()});
    state = readAgain(keys, p, state, PayloadRead::Probe);
    QTEST(state.payloads->changed, "changed");
    QCOMPARE(queueOf(state).items.size(), size_t(3)); // those read before
}

void TestLayoutLists::aProbeReadsNoHeavyEnds()
{
    FakeKeys keys;
    keys.list("jobs:processing", std::vector<QByteArray>(3, QByteArray(100'000, 'h')));
    const Primitive p = keys.discover().first();
    const State first = *keys.read(p);
    QCOMPARE(queueOf(first).items.size(), size_t(2)); // of 256 KB
    const ReadContext context{0, Depth::Detail, false, &first, PayloadRead::Probe};
    for (const Command& c : firstCommands("reliable-list", p, context))
        QVERIFY2(c.args()[0] == "LLEN" || c.args()[0] == "MEMORY", c.args()[0].constData());
}

void TestLayoutLists::declaredKeys()
{
    const Classifier classifier(
        configOf("[[queue]]\nkey=\"a\"\nlayout=\"reliable-list\"\n"
                 "processing=\"b\"\ndead=\"c\"\ndelayed=\"d\"\nstuck_after=\"5s\"\n"));
    FakeKeys keys;
    keys.list("a", {"1"});
    keys.list("b", {"2", "3"});
    keys.list("c", {"4"});
    keys.zset("d", {{"5", 1}});
    const auto found = keys.discover(classifier);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().id.name, QByteArray("a"));
    const QueueState q = queueOf(keys.read(found.first()));
    QCOMPARE(q.ready, Known(1));
    QCOMPARE(q.processing, Known(2));
    QCOMPARE(q.dead, Known(1));
    QCOMPARE(q.delayed, Known(1));
    QCOMPARE(q.stuckAfterMs, 5000);
}

void TestLayoutLists::aWidePatternFoldsCompanions()
{
    const Classifier classifier(configOf("[[queue]]\nkey=\"jobs*\"\nlayout=\"reliable-list\"\n"));
    FakeKeys keys;
    keys.list("jobs", {"1"});
    keys.list("jobs:processing", {"2"});
    keys.list("jobs:dead", {"3"});
    keys.zset("jobs:delayed", {{"4", 1}});
    const auto found = keys.discover(classifier);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().id.name, QByteArray("jobs"));
    const auto state = keys.read(found.first());
    QVERIFY(state);
    QCOMPARE(queueOf(state).delayed, Known(1));
}

void TestLayoutLists::declaredAndGone()
{
    const Classifier classifier(configOf("[[queue]]\nkey=\"jobs\"\nlayout=\"reliable-list\"\n"));
    FakeKeys keys;
    const auto state = keys.read(classifier.declaredByName().front().primitive);
    QVERIFY(state && !state->present);
    QCOMPARE(queueOf(state).ready, Known(0));
    QCOMPARE(queueOf(state).processing, Known(0));
    QCOMPARE(state->health, Health::Idle);
}

void TestLayoutLists::wrongTypeOfACompanion()
{
    const Classifier classifier(
        configOf("[[queue]]\nkey=\"jobs\"\nlayout=\"reliable-list\"\nprocessing=\"busy\"\n"));
    FakeKeys keys;
    keys.list("jobs", {"1"});
    keys.string("busy", "yes");
    const auto state = keys.read(classifier.declaredByName().front().primitive);
    QVERIFY(!state);
    QCOMPARE(state.error().code, ErrorCode::WrongType);
    QVERIFY(state.error().detail.startsWith(QStringLiteral("busy")));
}

LK_TEST(TestLayoutLists);
#include "tst_layoutlists.moc"
