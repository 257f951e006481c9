// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/keyindex.h"
#include "tests/support/testprogram.h"

#include <QHash>
#include <QRandomGenerator>
#include <QTest>

using namespace lk;

/// Where keys are found without being kept: held against a table that keeps them.
class TestKeyIndex : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatIsThere();
    void asksWhichPlaceIsMeant();
    void doesAsATableOfNamesDoes();
};

void TestKeyIndex::findsWhatIsThere()
{
    const auto isAny = [](quint32) { return true; };
    KeyIndex places;
    QCOMPARE(places.find("a", isAny), KeyIndex::none);
    places.remove("a", 0); // there is none: nothing happens
    places.insert("a", 7);
    QCOMPARE(places.size(), size_t(1));
    QCOMPARE(places.find("a", isAny), 7U);
    QCOMPARE(places.find("b", isAny), KeyIndex::none);
    places.remove("a", 8); // of another place
    QCOMPARE(places.size(), size_t(1));
    places.remove("a", 7);
    QCOMPARE(places.size(), size_t(0));
    QCOMPARE(places.find("a", isAny), KeyIndex::none);
}

// As of names that have the same hash: two stand under one.
void TestKeyIndex::asksWhichPlaceIsMeant()
{
    KeyIndex places;
    places.insert("a", 1);
    places.insert("a", 2);
    for (const quint32 meant : {1U, 2U})
        QCOMPARE(places.find("a", [&](quint32 place) { return place == meant; }), meant);
    QCOMPARE(places.find("a", [](quint32) { return false; }), KeyIndex::none);
    places.remove("a", 1);
    QCOMPARE(places.find("a", [](quint32) { return true; }), 2U);
}

void TestKeyIndex::doesAsATableOfNamesDoes()
{
    QRandomGenerator random(4711);
    KeyIndex places;
    QHash<QByteArray, quint32> table;
    places.reserve(100);
    for (quint32 i = 0; i < 200'000; ++i) {
        const QByteArray key = "key:" + QByteArray::number(random.bounded(3000));
        if (const auto known = table.find(key); known != table.end()) {
            places.remove(key, *known);
            table.erase(known);
        } else {
            places.insert(key, i);
            table.insert(key, i);
        }
        const QByteArray other = "key:" + QByteArray::number(random.bounded(3000));
        const quint32 expected = table.value(other, KeyIndex::none);
        const quint32 found = places.find(other, [&](quint32 place) { return place == expected; });
        if (found != expected)
            QFAIL(other.constData());
        QCOMPARE(places.contains(other), table.contains(other));
    }
    QCOMPARE(places.size(), size_t(table.size()));
    for (auto it = table.cbegin(); it != table.cend(); ++it) {
        const quint32 place = *it;
        QCOMPARE(places.find(it.key(), [&](quint32 other) { return other == place; }), place);
    }
}

LK_TEST(TestKeyIndex);
#include "tst_keyindex.moc"
