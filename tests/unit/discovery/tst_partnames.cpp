// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/partnames.h"
#include "backend/libraries/api/layout.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>

using namespace lk;

class TestPartNames : public QObject
{
    Q_OBJECT

private slots:
    void asEveryLayoutSays_data();
    void asEveryLayoutSays();
    void manyNamesOfTheirOwn();
};

void TestPartNames::asEveryLayoutSays_data()
{
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<QByteArray>("alike");
    const auto row = [](const char* one, const char* alike) {
        QTest::newRow(one) << QByteArray(one) << QByteArray(alike);
    };
    row("bull:mails:17", "bull:mails:42");
    row("bull:mails:17:lock", "bull:mails:42:lock");
    row("cache:page:123", "cache:page:456");
    row("rq:job:0f1e2d3c-1111-4222-8333-444455556666",
        "rq:job:9f9e9d9c-7777-4888-8999-000011112222");
    row("arq:job:17", "arq:job:71");
    row("session:7", "session:0");
    row("", "");
}

// Whichever of the two is asked about first: what is remembered of one is right for the other.
void TestPartNames::asEveryLayoutSays()
{
    QFETCH(QByteArray, one);
    QFETCH(QByteArray, alike);
    const auto all = allLayouts();
    const auto isOwned = [&](const QByteArray& name) {
        return std::any_of(all.begin(), all.end(),
                           [&](const Layout* layout) { return !layout->ownersOf(name).empty(); });
    };
    for (const auto& [first, second] : {std::pair(one, alike), std::pair(alike, one)}) {
        PartNames names;
        QCOMPARE(names.mayBePart(first), isOwned(first));
        QCOMPARE(names.mayBePart(second), isOwned(second));
        QCOMPARE(names.mayBePart(first), isOwned(first));
    }
}

void TestPartNames::manyNamesOfTheirOwn()
{
    PartNames names;
    const auto letters = [](int i) {
        QByteArray text;
        for (; i > 0; i /= 26)
            text += char('a' + i % 26);
        return text;
    };
    for (int i = 1; i < 12'000; ++i)
        QVERIFY(!names.mayBePart("cache-" + letters(i)));
    QVERIFY(names.mayBePart("bull:mails:17:lock"));
    QVERIFY(!names.mayBePart("cache-" + letters(11'999)));
}

LK_TEST(TestPartNames);
#include "tst_partnames.moc"
