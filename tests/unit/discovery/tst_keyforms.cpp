// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that prove one another, and keys that are proven by what becomes of them: what a single look
// at a single key cannot tell.
#include "backend/discovery/scan/discovery.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QTest>

#include <algorithm>

using namespace lk;

namespace {

constexpr qint64 minute = 60'000;

// The names of what is claimed, as "layout name", and of what is offered.
struct Judged
{
    QByteArrayList claimed;
    QByteArrayList offered;
};

class Scans
{
public:
    FakeKeys keys;
    Discovery discovery{Config()};

    Judged scan(const QByteArrayList& names)
    {
        ScanSlice slice;
        discovery.possible().beginPass();
        for (const QByteArray& name : names) {
            discovery.possible().see(name);
            if (!discovery.isKnown(name))
                slice.probes.push_back(keys.probe(name, discovery.classifier()));
        }
        discovery.take(slice);
        discovery.adopt();
        discovery.possible().endPass();
        Judged judged;
        for (const auto& [handle, primitive] : discovery.registry().all())
            judged.claimed << QByteArray(primitive->id.layout) + ' ' + primitive->id.name;
        for (const PossiblePrimitive& one : discovery.possible().published()->named)
            judged.offered << one.key;
        std::sort(judged.claimed.begin(), judged.claimed.end());
        std::sort(judged.offered.begin(), judged.offered.end());
        return judged;
    }
    ProvenBy provenBy(const QByteArray& layout, const QByteArray& name)
    {
        const Handle handle = discovery.registry().find({layout, name});
        const PrimitivePtr& primitive = discovery.registry().primitive(handle);
        return primitive ? primitive->provenBy : ProvenBy::Itself;
    }
};

QByteArrayList numbered(const QByteArray& before, int count)
{
    QByteArrayList names;
    for (int i = 1; i <= count; ++i)
        names << before + QByteArray::number(i);
    return names;
}

QByteArray hex(int seed)
{
    return QByteArray::number(seed * 7 + 11, 16).rightJustified(8, 'c') +
           QByteArray("9f3b2d1c5e7a4f60b8d2c4e6");
}

} // namespace

class TestKeyForms : public QObject
{
    Q_OBJECT

private slots:
    void theFormOfAName_data();
    void theFormOfAName();
    void callsOfATenantAreOffered();
    void countersThatOnlyGrowAreProven();
    void whatShrinksIsNoCounter();
    void tenThatEndTogetherAndCountCalls();
    void siblingsOfOneForm();
    void aLockIsProvenByItsOwners();
    void whatIsWrittenInAnotherShapeIsNoLock();
    void laterKeysOfAProvenForm();
    void numbersThatAreKeptAreNotOffered();
};

void TestKeyForms::theFormOfAName_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("form");
    const auto row = [](const char* name, const char* key, const char* form) {
        QTest::newRow(key) << QByteArray(name) << QByteArray(key) << QByteArray(form);
    };
    row("calls:tenant-7", "calls:tenant-7", "l\ncalls:*");
    row("acme:10.0.0.7:/login", "acme:10.0.0.7:/login", "l\nacme:*:/login");
    row("acme:alice", "acme:alice:20778", "l\nacme:*:20778");
    row("alone", "alone", "");
    row("17:18", "17:18", "");
}

void TestKeyForms::theFormOfAName()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, form);
    QCOMPARE(formOf({QByteArray("l"), name}, key), form);
}

void TestKeyForms::callsOfATenantAreOffered()
{
    Scans scans;
    scans.keys.string("calls:tenant-7", "120", minute);
    scans.keys.string("login_fail_ip_per_day:10.0.0.7", "3", 600 * minute);
    scans.keys.string("res:invoice:9", "9c1d5b7a20e4f86b3d19aabbccddeeff", 30'000);
    const Judged judged =
        scans.scan({"calls:tenant-7", "login_fail_ip_per_day:10.0.0.7", "res:invoice:9"});
    QCOMPARE(judged.claimed, QByteArrayList());
    QCOMPARE(judged.offered,
             QByteArrayList({"calls:tenant-7", "login_fail_ip_per_day:10.0.0.7", "res:invoice:9"}));
}

void TestKeyForms::countersThatOnlyGrowAreProven()
{
    Scans scans;
    const QByteArrayList names = numbered("acme:guard:t", 12);
    for (int i = 0; i < 12; ++i)
        scans.keys.string(names[i], "3", minute + i * 1000);
    QCOMPARE(scans.scan(names).claimed, QByteArrayList());
    scans.keys.nowMs += 5000;
    for (int i = 0; i < 12; ++i)
        scans.keys.string(names[i], i < 4 ? "5" : "3", minute + i * 1000 - 5000);
    QCOMPARE(scans.scan(names).claimed.size(), 12);
    QCOMPARE(scans.provenBy("fixed-window", names[0]), ProvenBy::Growth);
    QCOMPARE(scans.scan(names).offered, QByteArrayList());
}

void TestKeyForms::whatShrinksIsNoCounter()
{
    Scans scans;
    const QByteArrayList names = numbered("acme:guard:t", 12);
    for (const QByteArray& name : names)
        scans.keys.string(name, "3", minute);
    scans.scan(names);
    scans.keys.nowMs += 5000;
    for (int i = 0; i < 12; ++i)
        scans.keys.string(names[i], i == 7 ? "1" : "9", minute - 5000);
    QCOMPARE(scans.scan(names).claimed, QByteArrayList());
    // Written anew before it ends: kept for a time after each write.
    Scans renewed;
    for (const QByteArray& name : names)
        renewed.keys.string(name, "3", minute);
    renewed.scan(names);
    renewed.keys.nowMs += 30'000;
    for (const QByteArray& name : names)
        renewed.keys.string(name, "4", minute);
    QCOMPARE(renewed.scan(names).claimed, QByteArrayList());
}

void TestKeyForms::tenThatEndTogetherAndCountCalls()
{
    Scans nine;
    for (const QByteArray& name : numbered("calls:tenant-", 9))
        nine.keys.string(name, "120", minute);
    QCOMPARE(nine.scan(numbered("calls:tenant-", 9)).claimed, QByteArrayList());
    Scans ten;
    for (const QByteArray& name : numbered("calls:tenant-", 10))
        ten.keys.string(name, "120", minute);
    QCOMPARE(ten.scan(numbered("calls:tenant-", 10)).claimed.size(), 10);
    // Nothing says that these count calls: they may all have been looked up at one time.
    Scans others;
    for (const QByteArray& name : numbered("acme:guard:t", 20))
        others.keys.string(name, "120", minute);
    QCOMPARE(others.scan(numbered("acme:guard:t", 20)).claimed, QByteArrayList());
}

void TestKeyForms::siblingsOfOneForm()
{
    Scans scans;
    const qint64 day = 24 * 60 * minute;
    const QByteArray number = QByteArray::number(scans.keys.nowMs / day);
    const qint64 left = day - scans.keys.nowMs % day;
    scans.keys.string("acme:alice:" + number, "3", left + 600'000);
    QCOMPARE(scans.scan({"acme:alice:" + number}).claimed, QByteArrayList());
    scans.keys.string("acme:bob:" + number, "4", left + 700'000);
    QCOMPARE(scans.scan({"acme:alice:" + number, "acme:bob:" + number}).claimed,
             QByteArrayList({"numbered-window-long acme:alice", "numbered-window-long acme:bob"}));
    QCOMPARE(scans.provenBy("numbered-window-long", "acme:bob"), ProvenBy::Siblings);

    Scans gcra;
    QByteArrayList names;
    for (const char* user : {"alice", "bob", "carol"}) {
        names << QByteArray("acme:sh0p/") + user;
        gcra.keys.string(names.back(), QByteArray::number(gcra.keys.nowMs + 7000), 7000);
    }
    QCOMPARE(gcra.scan(names.mid(0, 2)).claimed, QByteArrayList());
    QCOMPARE(gcra.scan(names).claimed.size(), 3);
}

void TestKeyForms::aLockIsProvenByItsOwners()
{
    Scans scans;
    const QByteArray name = "res:invoice:9";
    for (int owner = 0; owner < 3; ++owner) {
        scans.keys.string(name, hex(owner), 30'000);
        const Judged judged = scans.scan({name});
        QCOMPARE(judged.claimed.size(), owner < 2 ? 0 : 1);
        scans.keys.nowMs += 10'000;
        scans.scan({}); // released
    }
    QCOMPARE(scans.provenBy("set-nx-px", name), ProvenBy::Turnover);
}

void TestKeyForms::whatIsWrittenInAnotherShapeIsNoLock()
{
    Scans scans;
    const QByteArray name = "acme:seat:12A";
    const QByteArray values[] = {hex(1), hex(2) + "00", hex(3), hex(4), hex(5)};
    for (const QByteArray& value : values) {
        scans.keys.string(name, value, 30'000);
        QCOMPARE(scans.scan({name}).claimed, QByteArrayList());
    }
}

void TestKeyForms::laterKeysOfAProvenForm()
{
    Scans scans;
    const QByteArrayList names = numbered("calls:tenant-", 10);
    for (const QByteArray& name : names)
        scans.keys.string(name, "120", minute);
    scans.scan(names);
    scans.keys.string("calls:tenant-77", "1", 3000);
    QVERIFY(scans.scan(names + QByteArrayList{"calls:tenant-77"})
                .claimed.contains("fixed-window calls:tenant-77"));
}

void TestKeyForms::numbersThatAreKeptAreNotOffered()
{
    Scans scans;
    QByteArrayList names;
    for (const char* what : {"page:views:", "user:unread:", "cache:score:", "stock:item:"})
        names += numbered(what, 12);
    for (const QByteArray& name : names)
        scans.keys.string(name, "7", minute);
    const Judged judged = scans.scan(names);
    QCOMPARE(judged.claimed, QByteArrayList());
    QCOMPARE(judged.offered, QByteArrayList());
}

LK_TEST(TestKeyForms);
#include "tst_keyforms.moc"
