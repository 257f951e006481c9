// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/probe/expectedtypes.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

/// The type that is expected of a key by its name, if any.
class TestExpectedTypes : public QObject
{
    Q_OBJECT

private slots:
    void namesakesAreOfOneType_data();
    void namesakesAreOfOneType();
    void nothingIsExpectedOfAMixture();
    void whatWasWrongIsAskedForMoreOften();
    void sortsOfNamesAreBounded();

private:
    static void learn(ExpectedTypes& types, const QByteArray& pattern, int count, KeyType type)
    {
        for (int i = 0; i < count; ++i)
            types.learn(QByteArray(pattern).replace("%n", QByteArray::number(i)), type);
    }
};

void TestExpectedTypes::namesakesAreOfOneType_data()
{
    QTest::addColumn<QByteArray>("known"); // %n: a number
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("alike");
    QTest::newRow("another number")
        << QByteArray("rl:user:%n") << QByteArray("rl:user:9999") << true;
    QTest::newRow("an identifier")
        << QByteArray("rl:user:%n") << QByteArray("rl:user:4be3-a8") << true;
    QTest::newRow("a name") << QByteArray("rl:user:%n") << QByteArray("rl:user:anna") << true;
    QTest::newRow("number in the middle")
        << QByteArray("bull:%n:wait") << QByteArray("bull:17:wait") << true;
    QTest::newRow("hash tag") << QByteArray("rl:{%n}:hits") << QByteArray("rl:{77}:hits") << true;
    QTest::newRow("no separator") << QByteArray("session%n") << QByteArray("session500") << true;
    QTest::newRow("another prefix") << QByteArray("rl:user:%n") << QByteArray("rl:ip:1") << false;
    QTest::newRow("more parts") << QByteArray("rl:user:%n") << QByteArray("rl:user:1:x") << false;
    QTest::newRow("fewer parts") << QByteArray("rl:user:%n") << QByteArray("rl:user") << false;
}

void TestExpectedTypes::namesakesAreOfOneType()
{
    QFETCH(QByteArray, known);
    QFETCH(QByteArray, name);
    QFETCH(bool, alike);
    ExpectedTypes types;
    learn(types, known, 5, KeyType::ZSet);
    QCOMPARE(types.of(name), KeyType::None); // a few tell nothing
    learn(types, known, 100, KeyType::ZSet);
    QCOMPARE(types.of(name), alike ? KeyType::ZSet : KeyType::None);
}

void TestExpectedTypes::nothingIsExpectedOfAMixture()
{
    ExpectedTypes types;
    for (int i = 0; i < 50; ++i) {
        learn(types, "job:%n", 10, KeyType::Hash);
        learn(types, "job:%n", 1, KeyType::String);
    }
    QCOMPARE(types.of("job:1"), KeyType::None);
}

// So that a mixture costs a server few errors.
void TestExpectedTypes::whatWasWrongIsAskedForMoreOften()
{
    ExpectedTypes types;
    int wrong = 0;
    for (int i = 0; i < 100'000; ++i) { // every fiftieth is another
        const KeyType type = i % 50 == 49 ? KeyType::Set : KeyType::Hash;
        const KeyType expected = types.of("job:1");
        if (expected != KeyType::None && expected != type) {
            types.wasWrong("job:1");
            ++wrong;
        }
        if (expected == KeyType::None || expected != type)
            types.learn("job:1", type);
    }
    QVERIFY(wrong > 0);
    QVERIFY2(wrong < 10, QByteArray::number(wrong).constData());
}

void TestExpectedTypes::sortsOfNamesAreBounded()
{
    ExpectedTypes types;
    for (int sort = 0; sort < 20'000; ++sort) {
        QByteArray letters; // no digits: each is a sort of its own
        for (int rest = sort; letters.size() < 5; rest /= 26)
            letters += char('a' + rest % 26);
        learn(types, letters + ":%n", 20, KeyType::String);
    }
    int expected = 0;
    for (int sort = 0; sort < 20'000; ++sort) {
        QByteArray letters;
        for (int rest = sort; letters.size() < 5; rest /= 26)
            letters += char('a' + rest % 26);
        expected += types.of(letters + ":1") == KeyType::String ? 1 : 0;
    }
    QCOMPARE(expected, 10'000);
}

LK_TEST(TestExpectedTypes);
#include "tst_expectedtypes.moc"
