// SPDX-License-Identifier: GPL-3.0-or-later
// Queues of bee-queue, rsmq, kue, GroupMQ and Resque: which keys prove them, and which do not. What
// is in them tests/clients compares with the libraries themselves.
#include "backend/discovery/scan/discovery.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

#include <algorithm>

using namespace lk;

namespace {

constexpr double soon = 1795223350117.0 + 60'000;
const QByteArray message = "hoe2nw3slqdLf274RGv4FZZhmbd80LET";

void bee(FakeKeys& keys, const QByteArray& stem)
{
    keys.string(stem + ":id", "3");
    keys.hash(stem + ":jobs", {{"1", "{}"}, {"2", "{}"}, {"3", "{}"}});
    keys.list(stem + ":waiting", {"2", "1"});
    keys.set(stem + ":failed", {"3"});
}

void rsmq(FakeKeys& keys, const QByteArray& queue)
{
    keys.hash(queue + ":Q", {{"vt", "30"}, {"delay", "0"}, {"maxsize", "65536"}, {message, "a"}});
    keys.zset(queue, {{message, soon}});
}

void kue(FakeKeys& keys, const QByteArray& prefix)
{
    keys.string(prefix + ":ids", "12");
    keys.set(prefix + ":job:types", {"email"});
    keys.zset(prefix + ":jobs:email:inactive", {{"01|7", -10}, {"02|12", 0}});
}

void groupMq(FakeKeys& keys, const QByteArray& stem)
{
    keys.set(stem + ":groups", {"alice"});
    keys.zset(stem + ":g:alice", {{"a1", 91261600521008.0}, {"a2", 91261600521009.0}});
    keys.hash(stem + ":job:a1", {{"groupId", "alice"}, {"orderMs", "1795328800521"}});
}

void resque(FakeKeys& keys, const QByteArray& space)
{
    keys.set(space + ":queues", {"mail"});
    keys.set(space + ":workers", {"web-1:77:mail,other"});
    keys.list(space + ":queue:mail", {R"({"class":"Mail","args":[1]})"});
}

ScanSlice sliceOf(FakeKeys& keys, const Discovery& discovery, const QList<QByteArray>& names)
{
    ScanSlice slice;
    for (const QByteArray& name : names)
        slice.probes.push_back(keys.probe(name, discovery.classifier()));
    return slice;
}

} // namespace

class TestLayoutNodeQueues : public QObject
{
    Q_OBJECT

private slots:
    void proven_data();
    void proven();
    void lookAlikes_data();
    void lookAlikes();
    void locksOfKueAreIts();
    void keysOfAQueueAreItsInAnyOrder();
};

using Fill = std::function<void(FakeKeys&)>;

void TestLayoutNodeQueues::proven_data()
{
    QTest::addColumn<Fill>("fill");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qint64>("ready");
    const auto row = [](const char* name, Fill fill, const char* layout, const char* queue,
                        qint64 ready) {
        QTest::newRow(name) << fill << QByteArray(layout) << QByteArray(queue) << ready;
    };
    row(
        "bee-queue", [](FakeKeys& k) { bee(k, "bq:mail"); }, "bee-queue", "mail", 2);
    row(
        "bee-queue, strange", [](FakeKeys& k) { bee(k, "{x}:y:mail"); }, "bee-queue", "mail", 2);
    row(
        "rsmq", [](FakeKeys& k) { rsmq(k, "rsmq:mail"); }, "rsmq", "mail", 0);
    row(
        "rsmq, strange", [](FakeKeys& k) { rsmq(k, "x:mail"); }, "rsmq", "mail", 0);
    row(
        "kue", [](FakeKeys& k) { kue(k, "q"); }, "kue", "email", 2);
    row(
        "kue of a cluster", [](FakeKeys& k) { kue(k, "{q}"); }, "kue", "email", 2);
    row(
        "groupmq", [](FakeKeys& k) { groupMq(k, "groupmq:mail"); }, "groupmq", "mail", 2);
    row(
        "resque", [](FakeKeys& k) { resque(k, "resque"); }, "resque", "mail", 1);
    row(
        "resque, strange", [](FakeKeys& k) { resque(k, "x:y"); }, "resque", "mail", 1);
}

void TestLayoutNodeQueues::proven()
{
    QFETCH(const Fill, fill);
    QFETCH(const QByteArray, layout);
    QFETCH(const QByteArray, name);
    FakeKeys keys;
    fill(keys);
    const QMap<QByteArray, Primitive> found = keys.discover();
    QCOMPARE(found.size(), 1);
    const Primitive& queue = found.first();
    QCOMPARE(queue.id.layout, layout);
    QCOMPARE(queue.name(), name);
    QVERIFY(queue.confidence >= 0.9);
    const Result<State> state = keys.read(queue, Depth::Detail);
    QVERIFY(state && state->as<QueueState>());
    QTEST(state->as<QueueState>()->ready.value_or(-1), "ready");
}

void TestLayoutNodeQueues::lookAlikes_data()
{
    QTest::addColumn<Fill>("fill");
    const auto row = [](const char* name, Fill fill) { QTest::newRow(name) << fill; };
    row("lists of payloads beside a hash and an id", [](FakeKeys& k) {
        k.string("app:id", "3");
        k.hash("app:jobs", {{"a", "b"}});
        k.list("app:waiting", {R"({"task":1})"});
    });
    row("sets without a hash of jobs", [](FakeKeys& k) {
        k.string("users:id", "3");
        k.set("users:failed", {"1"});
    });
    row("a sorted set of other members beside settings", [](FakeKeys& k) {
        k.hash("board:main:Q", {{"vt", "30"}, {"colour", "red"}});
        k.zset("board:main", {{"alice", soon}});
    });
    row("members with a bar", [](FakeKeys& k) {
        k.string("q:ids", "12");
        k.set("q:job:types", {"email"});
        k.zset("q:jobs:email:inactive", {{"05|7", 0}});
    });
    row("a list of classes without queues",
        [](FakeKeys& k) { k.list("app:queue:mail", {R"({"class":"Mail","args":[1]})"}); });
    row("Sidekiq's jobs", [](FakeKeys& k) {
        k.set("app:queues", {"mail"});
        k.set("app:workers", {"x"});
        k.list("app:queue:mail",
               {R"({"class":"Mail","args":[1],"jid":"0123456789abcdef01234567"})"});
    });
    row("RQ's queues and workers", [](FakeKeys& k) {
        k.set("rq:queues", {"rq:queue:default"});
        k.set("rq:workers", {"rq:worker:ab12"});
        k.string("rq:stat:processed", "5");
    });
}

void TestLayoutNodeQueues::lookAlikes()
{
    QFETCH(const Fill, fill);
    FakeKeys keys;
    fill(keys);
    for (const Primitive& found : keys.discover()) {
        for (const char* layout : {"bee-queue", "rsmq", "kue", "groupmq", "resque"})
            QVERIFY2(found.id.layout != layout, found.id.name.constData());
    }
}

// They have no prefix, so only a queue of kue identifies them.
void TestLayoutNodeQueues::locksOfKueAreIts()
{
    for (const bool withKue : {false, true}) {
        FakeKeys keys;
        keys.string("promotion:lock", "EwMkQMc8EfC1vwJCrBIAAg==", 2000);
        QList<QByteArray> names{"promotion:lock"};
        if (withKue) {
            kue(keys, "{acme}:v2");
            names << "{acme}:v2:jobs:email:inactive";
        }
        Discovery discovery{Config()};
        QCOMPARE(discovery.take(sliceOf(keys, discovery, names)).notRecognized.size(), size_t(0));
        const Discovery::Found adopted = discovery.adopt();
        QCOMPARE(adopted.lost.size(), size_t(withKue ? 1 : 0));
        QCOMPARE(adopted.members, qint64(withKue ? 1 : 0));
        QCOMPARE(discovery.ownerOf("activeJobsTTL:lock") != noHandle, withKue);
    }
}

// The id counter alone identifies nothing: the keys that contain ids identify it.
void TestLayoutNodeQueues::keysOfAQueueAreItsInAnyOrder()
{
    QList<QByteArray> names{"bq:mail:failed", "bq:mail:id", "bq:mail:waiting"};
    do {
        FakeKeys keys;
        bee(keys, "bq:mail");
        Discovery discovery{Config()};
        const Discovery::Found found = discovery.take(sliceOf(keys, discovery, names));
        QCOMPARE(qint64(found.notRecognized.size()) - found.recovered, 0);
        QCOMPARE(discovery.registry().size(), 1);
    } while (std::next_permutation(names.begin(), names.end()));
}

LK_TEST(TestLayoutNodeQueues);
#include "tst_layoutnodequeues.moc"
