// SPDX-License-Identifier: GPL-3.0-or-later
// Possible primitives are stored apart from detected ones: bounded, and only while they exist.
#include "backend/discovery/scan/discovery.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QTest>

using namespace lk;

namespace {

Classified possible(Kind kind, const QByteArray& name)
{
    Classified classified;
    classified.primitive.kind = kind;
    classified.primitive.id = {"layout", name};
    classified.primitive.confidence = 0.4;
    return classified;
}

QByteArrayList namesIn(PossibleKeys& keys)
{
    QByteArrayList names;
    for (const PossiblePrimitive& one : keys.published()->named)
        names << one.key;
    return names;
}

ScanSlice sliceOf(FakeKeys& keys, const Discovery& discovery, const QByteArrayList& names)
{
    ScanSlice slice;
    for (const QByteArray& name : names)
        slice.probes.push_back(keys.probe(name, discovery.classifier()));
    return slice;
}

} // namespace

class TestPossibleKeys : public QObject
{
    Q_OBJECT

private slots:
    void ofEachKindByName();
    void publishedAnewOnlyWhereItChanged();
    void theFirstThousandAreNamed();
    void whatNoScanSeesIsForgotten();
    void theyAreNoPrimitives();
    void aPrimitiveTakesItsKeys();
    void declaredTheyAreNone();
};

void TestPossibleKeys::ofEachKindByName()
{
    PossibleKeys keys;
    keys.add(possible(Kind::Lock, "b"), "b");
    keys.add(possible(Kind::Lock, "a"), "a");
    keys.add(possible(Kind::Limiter, "z"), "z");
    keys.add(possible(Kind::Lock, "a"), "a"); // again: nothing more
    QCOMPARE(namesIn(keys), (QByteArrayList{"z", "a", "b"}));
    QCOMPARE(keys.published()->count(Kind::Lock), 2);
    QCOMPARE(keys.published()->count(Kind::Token), 0);
    QCOMPARE(keys.published()->total(), 3);
    keys.add(possible(Kind::Token, "a"), "a"); // another kind by now
    QCOMPARE(keys.published()->count(Kind::Lock), 1);
    QCOMPARE(keys.published()->count(Kind::Token), 1);
    QVERIFY(keys.remove("b"));
    QVERIFY(!keys.remove("b"));
    QCOMPARE(namesIn(keys), (QByteArrayList{"z", "a"}));
    keys.clear();
    QCOMPARE(keys.published()->total(), 0);
}

void TestPossibleKeys::publishedAnewOnlyWhereItChanged()
{
    PossibleKeys keys;
    const PossiblePtr empty = keys.published();
    keys.add(possible(Kind::Lock, "a"), "a");
    const PossiblePtr one = keys.published();
    QVERIFY(one != empty);
    keys.add(possible(Kind::Lock, "a"), "a");
    keys.beginPass();
    keys.see("a");
    keys.endPass();
    QCOMPARE(keys.published(), one);
}

void TestPossibleKeys::theFirstThousandAreNamed()
{
    PossibleKeys keys;
    const int most = int(PossibleKeys::mostNamed);
    for (int i = 0; i < most + 5; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i);
        keys.add(possible(Kind::Lock, name), name);
    }
    QCOMPARE(keys.published()->named.size(), PossibleKeys::mostNamed);
    QCOMPARE(keys.published()->count(Kind::Lock), qint64(most + 5));
    keys.add(possible(Kind::Queue, "jobs"), "jobs");
    QCOMPARE(keys.published()->named.size(), PossibleKeys::mostNamed + 1); // each kind for itself
}

void TestPossibleKeys::whatNoScanSeesIsForgotten()
{
    PossibleKeys keys;
    for (const char* name : {"a", "b", "c"})
        keys.add(possible(Kind::Lock, name), name);
    keys.beginPass();
    keys.see("a");
    keys.add(possible(Kind::Lock, "c"), "c"); // read again
    keys.add(possible(Kind::Lock, "d"), "d");
    QCOMPARE(keys.total(), 4); // not before the scan is through
    keys.endPass();
    QCOMPARE(namesIn(keys), (QByteArrayList{"a", "c", "d"}));
    QCOMPARE(keys.published()->count(Kind::Lock), 3);
}

void TestPossibleKeys::theyAreNoPrimitives()
{
    FakeKeys keys;
    keys.string("lock:pool", "7", 60'000);
    keys.string("lock:a", "ef1f63c", 60'000);
    Discovery discovery({});
    const auto found = discovery.take(sliceOf(keys, discovery, {"lock:pool", "lock:a"}));
    QCOMPARE(found.decoded.size(), 1U);
    QCOMPARE(found.notRecognized, std::vector<QByteArray>{"lock:pool"});
    QCOMPARE(discovery.registry().size(), 1);
    QCOMPARE(namesIn(discovery.possible()), QByteArrayList{"lock:pool"});
    const PossiblePrimitive one = discovery.possible().published()->named.front();
    QCOMPARE(one.kind, Kind::Lock);
    QCOMPARE(one.id.layout, QByteArray("set-nx-px"));
    QCOMPARE(one.doubt, Doubt::NameOnly);
    // It holds another value by now.
    keys.string("lock:pool", "4f8a1c0d77b2e9a6530f", 60'000);
    discovery.take(sliceOf(keys, discovery, {"lock:pool"}));
    QCOMPARE(discovery.registry().size(), 2);
    QCOMPARE(discovery.possible().total(), 0);
}

// A number that stands alone may be a limiter's; the hash beside it proves that it is.
void TestPossibleKeys::aPrimitiveTakesItsKeys()
{
    FakeKeys keys;
    keys.string("{api}:value", "2");
    keys.hash("api", {{"rate", "3"}, {"interval", "60000"}, {"type", "0"}});
    Discovery discovery({});
    const auto first = discovery.take(sliceOf(keys, discovery, {"{api}:value"}));
    QCOMPARE(first.notRecognized.size(), 1U);
    QCOMPARE(discovery.possible().total(), 1);
    const auto second = discovery.take(sliceOf(keys, discovery, {"api"}));
    QCOMPARE(second.recovered, 1);
    QCOMPARE(discovery.possible().total(), 0);
    QCOMPARE(discovery.registry().size(), 1);
    const auto again = discovery.take(sliceOf(keys, discovery, {"{api}:value"}));
    QVERIFY(again.notRecognized.empty());
    QCOMPARE(discovery.possible().total(), 0);
}

void TestPossibleKeys::declaredTheyAreNone()
{
    FakeKeys keys;
    keys.string("lock:pool", "7", 60'000);
    Discovery discovery(configOf("[[lock]]\nkey = \"lock:pool\"\nlayout = \"set-nx-px\"\n"));
    discovery.take(sliceOf(keys, discovery, {"lock:pool"}));
    QCOMPARE(discovery.registry().size(), 1);
    QCOMPARE(discovery.possible().total(), 0);
    // Declared while it was only possible, it is not probed again.
    Discovery later({});
    later.take(sliceOf(keys, later, {"lock:pool"}));
    QCOMPARE(later.possible().total(), 1);
    later.setConfig(configOf("[[lock]]\nkey = \"lock:pool\"\nlayout = \"set-nx-px\"\n"));
    later.addDeclared();
    QCOMPARE(later.possible().total(), 0);
    Discovery ignoring(configOf("[[ignore]]\nkey = \"lock:*\"\n"));
    ignoring.take(sliceOf(keys, ignoring, {"lock:pool"}));
    QCOMPARE(ignoring.registry().size(), 0);
    QCOMPARE(ignoring.possible().total(), 0);
}

LK_TEST(TestPossibleKeys);
#include "tst_possiblekeys.moc"
