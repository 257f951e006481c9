// SPDX-License-Identifier: GPL-3.0-or-later
// States and what a server says of itself, as bytes and back; also those that others wrote.
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/codec/blockparts.h"
#include "backend/history/store/codec/serverfacts.h"
#include "backend/history/store/codec/statecodec.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

using namespace lk;
using namespace lk::test;

class TestStateCodec : public QObject
{
    Q_OBJECT

private slots:
    void hostileBytesAreNoState();
    void aStateComesBackAsItWas();
    void whatFindingsAreMadeOfComesBack();
    void whatIsNotKnownTakesNoRoom();
    void nodesKeepTheirDataAsTheyDid();
};

namespace {

constexpr qint64 t0 = Recording::startMs;

} // namespace

void TestStateCodec::hostileBytesAreNoState()
{
    const State queue = queueState({1, 2, 3}, t0, 7);
    const QByteArray whole = encodeState(queue);
    QVERIFY(decodeState(whole, queue.primitive, t0));
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY2(!decodeState(whole.left(size), queue.primitive, t0),
                 QByteArray::number(size).constData());
    quint32 noise = 7;
    for (int i = 0; i < 20'000; ++i) { // none of these may crash
        QByteArray broken = whole;
        noise = noise * 1664525U + 1013904223U;
        broken[qsizetype(noise % quint32(broken.size()))] = char(noise >> 24);
        decodeState(broken, queue.primitive, t0);
        PartWriter part; // with a checksum that is right
        part.take(broken, 1);
        std::vector<StateFrame> frames;
        decodeBlock(part.block(), t0, frames);
        std::vector<SampleFrame> samples;
        decodeBlock(part.block(), t0, samples);
        decodeBlock(broken, t0, frames);
    }
    QVERIFY(!decodeState(whole, madePrimitive(Kind::Lock, "set-nx-px", "l"), t0));
}

void TestStateCodec::aStateComesBackAsItWas()
{
    State lock = lockState("alice", 30'000, t0);
    lock.observed.sinceMs = t0 - 5000;
    lock.observed.renewals = 8;
    lock.urgency = 2.5;
    const StatePtr back = decodeState(encodeState(lock), lock.primitive, t0);
    QVERIFY(back);
    QCOMPARE(back->as<LockState>()->owner, QByteArray("alice"));
    QCOMPARE(back->as<LockState>()->leaseMs, std::optional<qint64>(30'000));
    QCOMPARE(back->ttlMs, std::optional<qint64>(30'000));
    QCOMPARE(back->observed.sinceMs, t0 - 5000);
    QCOMPARE(back->observed.renewals, 8);
    QCOMPARE(back->urgency, 2.5);
    // Seen later, less of the lease is left.
    QCOMPARE(decodeState(encodeState(lock), lock.primitive, t0 + 10'000)->as<LockState>()->leaseMs,
             std::optional<qint64>(20'000));
    const State queue = queueState({1, 2, 3}, t0, 7);
    const StatePtr jobs = decodeState(encodeState(queue), queue.primitive, t0);
    QCOMPARE(jobs->as<QueueState>()->ready, std::optional<qint64>(7));
    QCOMPARE(jobs->as<QueueState>()->items.size(), 3U);
    QVERIFY(jobs->as<QueueState>()->items[0].preview.isEmpty()); // it is the payload
    const PrimitivePtr primitive = decodePrimitive(encodePrimitive(*queue.primitive));
    QVERIFY(primitive);
    QCOMPARE(primitive->id, queue.primitive->id);
    QVERIFY(primitive->keys == queue.primitive->keys);
    // A value that names no owner is not recorded.
    State secret = lockState("s3cret", 30'000, t0);
    secret.body.get<LockState>().ownerKnown = false;
    QVERIFY(!encodeState(secret).contains("s3cret"));
    const PrimitivePtr token =
        madePrimitive(Kind::Token, "string-token", "code:c17bd6a2f09e4d7790ab33e1c2d4f5a6");
    QVERIFY(!encodePrimitive(*token).contains("c17bd6a2f09e4d7790ab33e1c2d4f5a6"));
}

// Else a moment of the past would have other findings than it had.
void TestStateCodec::whatFindingsAreMadeOfComesBack()
{
    State limiter = madeState(madePrimitive(Kind::Limiter, "rolling-window", "api"), t0);
    limiter.bytesKey = QByteArray("api:large");
    auto& window = limiter.body.get<LimiterState>();
    window.bareMembers = TimeUnit::Microseconds;
    window.driftKey = QByteArray("api:value");
    const StatePtr back = decodeState(encodeState(limiter), limiter.primitive, t0);
    QVERIFY(back);
    QCOMPARE(*back->bytesKey, QByteArray("api:large"));
    QVERIFY(back->as<LimiterState>()->bareMembers == TimeUnit::Microseconds);
    QCOMPARE(*back->as<LimiterState>()->driftKey, QByteArray("api:value"));
    State queue = queueState({1, 2, 3}, t0, 7);
    auto& items = queue.body.get<QueueState>().items;
    items[0].facts.leaseAlive = false;
    items[2].facts.leaseAlive = true;
    const QByteArray bytes = encodeState(queue);
    const StatePtr jobs = decodeState(bytes, queue.primitive, t0);
    QVERIFY(jobs);
    QVERIFY(jobs->as<QueueState>()->items[0].facts.leaseAlive == false);
    QVERIFY(!jobs->as<QueueState>()->items[1].facts.leaseAlive);
    QVERIFY(jobs->as<QueueState>()->items[2].facts.leaseAlive == true);
    quint32 noise = 7;
    for (int i = 0; i < 20'000; ++i) { // none of these may crash
        QByteArray broken = bytes;
        noise = noise * 1664525U + 1013904223U;
        broken[qsizetype(noise % quint32(broken.size()))] = char(noise >> 24);
        decodeState(broken, queue.primitive, t0);
        decodeState(bytes + QByteArray(1, char(noise >> 16)), queue.primitive, t0);
    }
    // Data of another kind is not a state.
    const State lock = lockState("alice", 30'000, t0);
    for (const char extra : {2, 4, 8, 16})
        QVERIFY(!decodeState(encodeState(lock) + extra + QByteArray("\1\1"), lock.primitive, t0));
}

// A fact that few jobs have takes no bytes in the others.
void TestStateCodec::whatIsNotKnownTakesNoRoom()
{
    State queue = queueState({1, 2, 3}, t0, 7);
    const QByteArray before = encodeState(queue);
    queue.body.get<QueueState>().items[0].facts.leaseAlive = true;
    const QByteArray now = encodeState(queue);
    QCOMPARE(now.size(), before.size());
    QVERIFY(now != before);
    const StatePtr back = decodeState(before, queue.primitive, t0);
    QVERIFY(back);
    QVERIFY(!back->as<QueueState>()->items[0].facts.leaseAlive);
}

void TestStateCodec::nodesKeepTheirDataAsTheyDid()
{
    ServerFacts server;
    server.endpoint = QStringLiteral("10.0.0.1:6379");
    NodeFacts node;
    node.endpoint = server.endpoint;
    node.durability.appendOnly = true;
    node.durability.fsync = QStringLiteral("everysec");
    node.durability.snapshots = false;
    node.durability.diskError = DiskError::AppendOnlyFile;
    node.durability.failure = QStringLiteral("err");
    node.durability.eviction = QStringLiteral("allkeys-lru");
    node.durability.maxMemory = 1'000'000;
    server.nodes = {node, NodeFacts()};
    ServerFacts back;
    ScanCounts scan;
    const QByteArray bytes = encodeServer(server, scan);
    QVERIFY(decodeServer(bytes, back, scan));
    QVERIFY(!back.leavesKeysUntouched); // what reading did then is not known
    QCOMPARE(back.nodes.size(), 2U);
    QVERIFY(back.nodes[0].durability == node.durability);
    QVERIFY(back.nodes[1].durability == Durability());
    for (qsizetype size = 0; size < bytes.size(); ++size)
        QVERIFY(!decodeServer(bytes.left(size), back, scan));
    QVERIFY(!decodeServer(char(99) + bytes.mid(1), back, scan)); // of a program that is newer
}

LK_TEST(TestStateCodec);
#include "tst_statecodec.moc"
