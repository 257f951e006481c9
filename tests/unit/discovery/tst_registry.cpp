// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/registry.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lk;
using Merge = Registry::Merge;

namespace {

Classified claim(const QByteArray& layout, const QByteArray& name, std::vector<KeyRole> keys,
                 double confidence)
{
    Classified found;
    found.primitive.kind = Kind::Limiter;
    found.primitive.id = {layout, name};
    found.primitive.keys = std::move(keys);
    found.primitive.confidence = confidence;
    return found;
}

Classified lockClaim(int n)
{
    const QByteArray name = "lock:" + QByteArray::number(n);
    return claim("set-nx-px", name, {{"lock", name}}, 0.8);
}

Classified declared(Classified found)
{
    found.declared = true;
    found.primitive.confidence = 1;
    found.primitive.declaration = std::make_shared<Declaration>();
    return found;
}

} // namespace

class TestRegistry : public QObject
{
    Q_OBJECT

private slots:
    void companionsMergeInAnyOrder();
    void aSurerClaimTakesTheKeyOver();
    void aSurerClaimTakesACompanion();
    void lessSureClaimsLose();
    void aClaimOfSeveralKeysTakesWhatIsFree();
    void theSameIdLessSurely();
    void declaredOnesAreAlwaysTakenIn();
    void declarationsComeLater();
    void removes();
    void isFoundByItsNameWithoutThatKey();
    void aPlaceIsGivenAnewAndNoHandle();
    void manyConsumersAreBounded();
    void memoryIsFlat();
    void statesStandBesidePrimitives();
};

void TestRegistry::companionsMergeInAnyOrder()
{
    const std::vector<KeyRole> all{{"ready", "jobs"}, {"processing", "jobs:p"}, {"dead", "jobs:d"}};
    std::vector<Classified> parts{
        claim("reliable-list", "jobs", {all[0], all[1]}, 0.8),
        claim("reliable-list", "jobs", {all[0], all[1]}, 0.7),
        claim("reliable-list", "jobs", {all[0], all[2]}, 0.6),
    };
    std::vector<int> order{0, 1, 2};
    do {
        Registry registry;
        std::vector<Merge> merges;
        for (const int part : order)
            merges.push_back(registry.add(parts[size_t(part)]).merge);
        QCOMPARE(int(merges.front()), int(Merge::New));
        QCOMPARE(registry.size(), 1);
        QCOMPARE(registry.keyCount(), 3);
        const PrimitivePtr p = registry.primitive(registry.find({"reliable-list", "jobs"}));
        QCOMPARE(p->keys.front(), all[0]); // the main key stays in front
        QCOMPARE(p->keys.size(), 3U);
        for (const KeyRole& key : all)
            QCOMPARE(p->key(key.role.constData()), key.key);
        QCOMPARE(p->confidence, 0.8);
        for (const Classified& part : parts) // and once more changes nothing
            QCOMPARE(int(registry.add(part).merge), int(Merge::Known));
        QCOMPARE(registry.primitive(Handle(0)).get(), p.get());
    } while (std::next_permutation(order.begin(), order.end()));
}

void TestRegistry::aSurerClaimTakesTheKeyOver()
{
    Registry registry;
    const Handle plain =
        registry.add(claim("rolling-window", "api:rate", {{"window", "api:rate"}}, 0.7)).handle;
    const auto added = registry.add(claim("rolling-window-retry", "api",
                                          {{"window", "api:rate"}, {"retry", "api:retry"}}, 0.95));
    QCOMPARE(int(added.merge), int(Merge::New));
    QCOMPARE(added.removed, std::vector<Handle>{plain});
    QVERIFY(!registry.primitive(plain));
    QCOMPARE(registry.size(), 1);
    QCOMPARE(registry.findKey("api:rate"), added.handle);
    QCOMPARE(registry.findKey("api:retry"), added.handle);
    QCOMPARE(registry.find({"rolling-window", "api:rate"}), noHandle);
}

void TestRegistry::aSurerClaimTakesACompanion()
{
    Registry registry;
    const Handle queue =
        registry.add(claim("reliable-list", "jobs", {{"ready", "jobs"}, {"dead", "failed"}}, 0.6))
            .handle;
    const PrimitivePtr before = registry.primitive(queue);
    const auto added = registry.add(claim("other", "failed", {{"ready", "failed"}}, 0.9));
    QVERIFY(added.removed.empty());                     // its main key is still its own
    QCOMPARE(added.shrunk, std::vector<Handle>{queue}); // but what was read of it holds no more
    QCOMPARE(registry.primitive(queue)->keys, (std::vector<KeyRole>{{"ready", "jobs"}}));
    QCOMPARE(before->keys.size(), 2U); // what others hold does not change
    QCOMPARE(registry.findKey("failed"), added.handle);
    registry.remove(queue);
    QCOMPARE(registry.findKey("failed"), added.handle);
    QCOMPARE(registry.findKey("jobs"), noHandle);
}

void TestRegistry::lessSureClaimsLose()
{
    Registry registry;
    const Handle first = registry.add(claim("a", "k", {{"x", "k"}}, 0.7)).handle;
    for (const double confidence : {0.5, 0.7}) { // equally sure: the first stays
        const auto added = registry.add(claim("b", "k", {{"y", "k"}}, confidence));
        QCOMPARE(int(added.merge), int(Merge::Lost));
        QCOMPARE(added.handle, noHandle);
        QVERIFY(added.removed.empty());
    }
    QCOMPARE(registry.size(), 1);
    QCOMPARE(registry.all().places(), 1U);
    QCOMPARE(registry.findKey("k"), first);
}

void TestRegistry::aClaimOfSeveralKeysTakesWhatIsFree()
{
    Registry registry;
    registry.add(claim("a", "k", {{"x", "k"}}, 0.9));
    const auto added = registry.add(claim("b", "pair", {{"main", "k"}, {"side", "s"}}, 0.5));
    QCOMPARE(int(added.merge), int(Merge::New));
    QCOMPARE(registry.primitive(added.handle)->keys, (std::vector<KeyRole>{{"side", "s"}}));
    QCOMPARE(registry.keyCount(), 2);
}

void TestRegistry::theSameIdLessSurely()
{
    Registry registry;
    const Handle handle = registry.add(claim("a", "n", {{"m", "k"}}, 0.9)).handle;
    const auto added = registry.add(claim("a", "n", {{"m", "k"}, {"s", "free"}}, 0.4));
    QCOMPARE(added.handle, handle);
    QCOMPARE(int(added.merge), int(Merge::Grown));
    QCOMPARE(registry.primitive(handle)->confidence, 0.9);
    QCOMPARE(registry.findKey("free"), handle);
    // But it takes nothing from a claim that is surer than this one.
    registry.add(claim("b", "other", {{"m", "theirs"}}, 0.6));
    QCOMPARE(int(registry.add(claim("a", "n", {{"s2", "theirs"}}, 0.4)).merge), int(Merge::Known));
    QVERIFY(registry.findKey("theirs") != handle);
}

void TestRegistry::declaredOnesAreAlwaysTakenIn()
{
    Registry registry;
    registry.add(declared(claim("a", "k", {{"x", "k"}}, 0)));
    const auto second = registry.add(declared(claim("b", "k", {{"y", "k"}}, 0)));
    QCOMPARE(int(second.merge), int(Merge::New)); // the operator's word is not dropped in silence
    QCOMPARE(registry.size(), 2);
}

void TestRegistry::declarationsComeLater()
{
    Registry registry;
    const Handle handle = registry.add(claim("a", "k", {{"x", "k"}}, 0.7)).handle;
    const auto added = registry.add(declared(claim("a", "k", {{"x", "k"}}, 0)));
    QCOMPARE(added.handle, handle);
    QCOMPARE(int(added.merge), int(Merge::Grown));
    QVERIFY(registry.primitive(handle)->declaration);
    QCOMPARE(registry.primitive(handle)->confidence, 1.0);
}

void TestRegistry::removes()
{
    Registry registry;
    const Handle handle = registry.add(lockClaim(1)).handle;
    registry.remove(handle);
    registry.remove(handle); // twice does no harm
    QCOMPARE(registry.size(), 0);
    QCOMPARE(registry.keyCount(), 0);
    QVERIFY(registry.keys().isEmpty());
    QCOMPARE(registry.find({"set-nx-px", "lock:1"}), noHandle);
    const auto again = registry.add(lockClaim(1));
    QCOMPARE(int(again.merge), int(Merge::New));
    QVERIFY(again.handle != handle);
}

// Most are called as one of their keys is; a declared one, or one that lost it, is not.
void TestRegistry::isFoundByItsNameWithoutThatKey()
{
    Registry registry;
    const Handle named =
        registry.add(declared(claim("rolling-window", "logins", {{"window", "w"}}, 1))).handle;
    QCOMPARE(registry.find({"rolling-window", "logins"}), named);
    QCOMPARE(registry.findKey("logins"), noHandle);

    const Handle queue =
        registry.add(claim("list", "jobs", {{"ready", "todo"}, {"index", "jobs"}}, 0.6)).handle;
    const Handle taker = registry.add(claim("set", "jobs", {{"set", "jobs"}}, 0.9)).handle;
    QCOMPARE(registry.findKey("jobs"), taker);
    QCOMPARE(registry.find({"set", "jobs"}), taker);
    QCOMPARE(registry.find({"list", "jobs"}), queue);
    const auto again = registry.add(claim("list", "jobs", {{"ready", "todo"}}, 0.6));
    QCOMPARE(int(again.merge), int(Merge::Known));
    QCOMPARE(again.handle, queue);
    QCOMPARE(registry.size(), 3);
    QCOMPARE(registry.keyCount(), 3);

    for (const Handle handle : {named, queue})
        registry.remove(handle);
    QCOMPARE(registry.find({"rolling-window", "logins"}), noHandle);
    QCOMPARE(registry.find({"list", "jobs"}), noHandle);
    QCOMPARE(registry.find({"set", "jobs"}), taker);
    QCOMPARE(registry.keys(), QList<QByteArray>{"jobs"});
}

void TestRegistry::aPlaceIsGivenAnewAndNoHandle()
{
    Registry registry;
    std::set<Handle> given;
    for (int i = 0; i < 100; ++i) {
        const Handle handle = registry.add(lockClaim(i)).handle;
        QCOMPARE(handle.index, 0U);
        QVERIFY2(given.insert(handle).second, "a handle that others may still hold");
        registry.setState(handle, StatePtr(std::make_shared<State>()));
        registry.remove(handle);
    }
    const Handle last = registry.add(lockClaim(100)).handle;
    QVERIFY(registry.contains(last) && !registry.state(last));
    for (const Handle handle : given) {
        QVERIFY(!registry.contains(handle) && !registry.primitive(handle));
        registry.setState(handle, StatePtr(std::make_shared<State>())); // has no effect
    }
    QVERIFY(!registry.state(last));
}

void TestRegistry::manyConsumersAreBounded()
{
    Registry registry;
    Handle handle = noHandle;
    for (int i = 0; i < 5000; ++i) {
        const QByteArray key = "r:consumer:" + QByteArray::number(i);
        handle =
            registry
                .add(claim("resource-consumer", "r",
                           {{"resource", "r"}, {"consumer:" + QByteArray::number(i), key}}, 0.9))
                .handle;
    }
    QCOMPARE(registry.size(), 1);
    QVERIFY(registry.primitive(handle)->keys.size() <= 1024);
    QVERIFY(registry.keyCount() <= 1024);
}

void TestRegistry::memoryIsFlat()
{
    Registry registry;
    std::set<Handle> live;
    for (int i = 0; i < 1'000'000; ++i) {
        live.insert(registry.add(lockClaim(i)).handle);
        if (live.size() > 100) {
            registry.remove(*live.begin());
            live.erase(live.begin());
        }
    }
    QCOMPARE(registry.size(), 100);
    QCOMPARE(registry.keyCount(), 100);
    QVERIFY(registry.all().places() <= 101);
}

void TestRegistry::statesStandBesidePrimitives()
{
    Registry registry;
    const Handle handle = registry.add(lockClaim(1)).handle;
    QVERIFY(!registry.state(handle));
    registry.setState(handle, StatePtr(std::make_shared<State>()));
    QVERIFY(registry.state(handle));
    registry.remove(handle);
    QVERIFY(!registry.state(handle));
}

LK_TEST(TestRegistry);
#include "tst_registry.moc"
