// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/discovery.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QTest>

using namespace lk;

namespace {

ScanSlice sliceOf(FakeKeys& keys, const Discovery& discovery, const QList<QByteArray>& names)
{
    ScanSlice slice;
    for (const QByteArray& name : names)
        slice.probes.push_back(keys.probe(name, discovery.classifier()));
    slice.names = names.size();
    return slice;
}

} // namespace

class TestDiscovery : public QObject
{
    Q_OBJECT

private slots:
    void probesAnswerWhatTheyCan();
    void whatTheyCannotIsRead();
    void theSameKeysBringNothingNew();
    void unclaimedNamesAreTold();
    void anUnsureClaimGivesWay();
    void aQueueIsOneWhateverIsSeenFirst();
    void declaredOnesAreThereAtOnce();
    void anotherConfigKeepsWhatItDoesNotConcern();
    void whatCouldNotBeSeenIsJudgedByItsName();
};

void TestDiscovery::probesAnswerWhatTheyCan()
{
    FakeKeys keys;
    keys.string("lock:a", "ef1f63c", 60'000);
    Discovery discovery({});
    const auto found = discovery.take(sliceOf(keys, discovery, {"lock:a"}));
    QCOMPARE(found.decoded.size(), 1U);
    QVERIFY(found.toRead.empty());
    const ReadOutcome& outcome = found.decoded[0];
    QCOMPARE(outcome.state.as<LockState>()->owner, QByteArray("ef1f63c"));
    QCOMPARE(outcome.state.asOfMs, keys.nowMs);
    QCOMPARE(outcome.state.observed.firstSeenMs, keys.nowMs);
    QCOMPARE(outcome.state.primitive, discovery.registry().primitive(outcome.handle));
}

void TestDiscovery::whatTheyCannotIsRead()
{
    FakeKeys keys;
    keys.list("jobs", {"a", "b"});
    keys.list("jobs:processing", {"c"});
    Discovery discovery({});
    const auto found = discovery.take(sliceOf(keys, discovery, {"jobs:processing", "jobs"}));
    QVERIFY(found.decoded.empty());
    QVERIFY(!found.toRead.empty());
    QCOMPARE(discovery.registry().size(), 1); // both are parts of one queue
    const ReadRequest request = discovery.request(found.toRead[0], Depth::Detail);
    QCOMPARE(request.primitive->key("ready"), QByteArray("jobs"));
    QCOMPARE(request.primitive->key("processing"), QByteArray("jobs:processing"));
    QVERIFY(request.depth == Depth::Detail);
    QVERIFY(!request.previous);
}

void TestDiscovery::theSameKeysBringNothingNew()
{
    FakeKeys keys;
    keys.string("lock:a", "ef1f63c", 60'000);
    keys.list("jobs", {"a"});
    keys.list("jobs:processing", {"b"});
    Discovery discovery({});
    const QList<QByteArray> names{"lock:a", "jobs", "jobs:processing"};
    discovery.take(sliceOf(keys, discovery, names));
    const auto again = discovery.take(sliceOf(keys, discovery, names));
    QVERIFY(again.decoded.empty() && again.toRead.empty() && again.removed.empty());
    QCOMPARE(discovery.registry().size(), 2);
}

void TestDiscovery::unclaimedNamesAreTold()
{
    FakeKeys keys;
    keys.string("greeting", "hello");
    keys.list("letters", {"a"});
    Discovery discovery({});
    const auto found = discovery.take(sliceOf(keys, discovery, {"greeting", "letters"}));
    QCOMPARE(found.notRecognized, (std::vector<QByteArray>{"greeting", "letters"}));
    QCOMPARE(discovery.registry().size(), 0);
}

// The window alone looks like one limiter; once the retry set is there, it is another.
void TestDiscovery::anUnsureClaimGivesWay()
{
    FakeKeys keys;
    keys.marks("api:rate", {keys.nowMs - 900, keys.nowMs - 500});
    Discovery discovery({});
    const auto first = discovery.take(sliceOf(keys, discovery, {"api:rate"}));
    QCOMPARE(discovery.registry().size(), 1);
    const Handle plain = discovery.registry().findKey("api:rate");
    QCOMPARE(discovery.registry().primitive(plain)->id.layout, QByteArray("rolling-window"));
    keys.marks("api:retry", {keys.nowMs + 200, keys.nowMs + 400});
    const auto second = discovery.take(sliceOf(keys, discovery, {"api:retry"}));
    QCOMPARE(second.removed, std::vector<Handle>{plain});
    QCOMPARE(discovery.registry().size(), 1);
    const Handle sure = discovery.registry().findKey("api:rate");
    QVERIFY(sure != plain);
    QCOMPARE(discovery.registry().primitive(sure)->id.layout, QByteArray("rolling-window-retry"));
    QCOMPARE(discovery.registry().findKey("api:retry"), sure);
}

// Without a stream of events the other keys of a BullMQ queue look like Bull's: the nodes of a
// cluster answer in any order.
void TestDiscovery::aQueueIsOneWhateverIsSeenFirst()
{
    FakeKeys keys;
    keys.hash("bull:{email}:meta", {{"opts.maxLenEvents", "10000"}, {"version", "bullmq:5.12.0"}});
    keys.string("bull:{email}:id", "20", -1);
    keys.list("bull:{email}:wait", {"4", "5"});
    keys.hash("bull:{video}:meta", {{"opts.maxLenEvents", "10000"}, {"version", "bullmq:5.12.0"}});
    keys.string("bull:{video}:id", "20", -1);
    keys.list("bull:{video}:wait", {"4", "5"});
    Discovery discovery({});
    const auto first = discovery.take(
        sliceOf(keys, discovery, {"bull:{email}:wait", "bull:{email}:id", "bull:{video}:meta"}));
    QVERIFY(first.removed.empty());
    const auto second = discovery.take(
        sliceOf(keys, discovery, {"bull:{email}:meta", "bull:{video}:id", "bull:{video}:wait"}));
    QCOMPARE(second.removed.size(), 1U);
    QCOMPARE(second.lost[0]->id, (PrimitiveId{"bull", "bull:{email}"}));
    QCOMPARE(discovery.registry().size(), 2); // while the scan goes on, too
    QVERIFY(discovery.adopt().removed.empty());
    for (const auto& [handle, primitive] : discovery.registry().all())
        QCOMPARE(primitive->id.layout, QByteArray("bullmq"));
}

void TestDiscovery::declaredOnesAreThereAtOnce()
{
    FakeKeys keys;
    Discovery discovery(configOf("[[queue]]\nkey = \"mail\"\nlayout = \"reliable-list\"\n"
                                 "[[lock]]\nkey = \"lk:*\"\nlayout = \"set-nx-px\"\n"));
    const std::vector<Handle> added = discovery.addDeclared().toRead;
    QCOMPARE(added.size(), 1U); // a pattern names none
    QCOMPARE(discovery.registry().primitive(added[0])->id.name, QByteArray("mail"));
    QVERIFY(discovery.registry().primitive(added[0])->declaration);
    QVERIFY(discovery.addDeclared().toRead.empty());
    keys.string("lk:odd", "0123", 5000); // not detectable by name
    const auto found = discovery.take(sliceOf(keys, discovery, {"lk:odd"}));
    QCOMPARE(found.decoded.size() + found.toRead.size(), 1U);
    const PrimitivePtr odd = discovery.registry().primitive(discovery.registry().findKey("lk:odd"));
    QVERIFY(odd && odd->declaration);
    QCOMPARE(odd->confidence, 1.0);
}

// Its handle stays where its name does: numbers over time hang on it.
void TestDiscovery::anotherConfigKeepsWhatItDoesNotConcern()
{
    FakeKeys keys;
    keys.string("lock:a", "ef1f63c", 60'000);
    keys.string("quota:a", "4", 60'000);
    keys.list("jobs", {"a"});
    keys.list("jobs:processing", {"b"});
    const QByteArray quota = "[[limiter]]\nkey = \"quota:*\"\nlayout = \"fixed-window\"\n";
    Discovery discovery(configOf(quota));
    const QList<QByteArray> names{"lock:a", "quota:a", "jobs", "jobs:processing"};
    discovery.take(sliceOf(keys, discovery, names));
    const Handle limiter = discovery.registry().findKey("quota:a");
    const Handle lock = discovery.registry().findKey("lock:a");
    const Handle queue = discovery.registry().findKey("jobs");
    const PrimitivePtr lockBefore = discovery.registry().primitive(lock);
    const auto concerned =
        discovery.setConfig(configOf("\n\n" + quota + "limit = 10\n[[ignore]]\nkey = \"jobs*\"\n"));
    QCOMPARE(concerned.size(), 2U);
    QVERIFY(discovery.isKnown("lock:a"));
    QVERIFY(!discovery.isKnown("quota:a") && !discovery.isKnown("jobs"));
    const auto found = discovery.take(sliceOf(keys, discovery, names));
    QVERIFY(std::find(found.toRead.begin(), found.toRead.end(), limiter) != found.toRead.end());
    QCOMPARE(discovery.registry().findKey("quota:a"), limiter);
    QCOMPARE(discovery.registry().primitive(limiter)->declaration->limit, 10);
    QCOMPARE(discovery.registry().primitive(lock), lockBefore);
    QCOMPARE(discovery.registry().findKey("jobs:processing"), noHandle);
    discovery.judgeDoubted();
    QVERIFY(discovery.isKnown("quota:a"));
    QVERIFY(!discovery.registry().primitive(queue));
    QCOMPARE(found.removed, std::vector<Handle>{queue});
    QCOMPARE(found.lost.size(), 1U); // its watchers are notified
    // The same entries at another place in the file change nothing.
    QVERIFY(discovery.setConfig(configOf("[[ignore]]\nkey = \"jobs*\"\n" + quota + "limit = 10\n"))
                .empty());
}

void TestDiscovery::whatCouldNotBeSeenIsJudgedByItsName()
{
    FakeKeys keys;
    keys.string("lock:a", "ef1f63c", 60'000);
    keys.string("lock:b", "ef1f63c", 60'000);
    keys.string("odd:a", "ef1f63c", 60'000);
    const QByteArray odd = "[[lock]]\nkey = \"odd:*\"\nlayout = \"set-nx-px\"\n";
    Discovery discovery(configOf(odd));
    discovery.take(sliceOf(keys, discovery, {"lock:a", "lock:b", "odd:a"}));
    const Handle kept = discovery.registry().findKey("lock:a");
    const Handle ignored = discovery.registry().findKey("lock:b");
    const Handle undeclared = discovery.registry().findKey("odd:a");
    // All three are free while they are to be read.
    discovery.setConfig(configOf("[[ignore]]\nkey = \"lock:b\"\n[[lock]]\nkey = \"lock:*\"\n"
                                 "layout = \"set-nx-px\"\n"));
    const auto found = discovery.judgeDoubted();
    QCOMPARE(found.removed, (std::vector<Handle>{ignored, undeclared}));
    QCOMPARE(found.toRead, std::vector<Handle>{kept});
    QVERIFY(discovery.registry().primitive(kept)->declaration);
}

LK_TEST(TestDiscovery);
#include "tst_discovery.moc"
