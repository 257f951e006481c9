// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/textfinder.h"
#include "backend/libraries/api/layoutindex.h"
#include "tests/support/lookalikes.h"
#include "tests/support/siblingsof.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace lk;

/// Which texts occur in a name, and with that which layouts are asked about a key.
class TestTextFinder : public QObject
{
    Q_OBJECT

private slots:
    void finds();
    void findsNothingWithoutTexts();
    void findsWhatLookingForEachFinds();
    void asksEveryLayoutThatClaims();

private:
    static TextFinder finderOf(const QByteArrayList& texts)
    {
        std::vector<TextFinder::Text> all;
        for (int i = 0; i < texts.size(); ++i) {
            TextFinder::Text& text = all.emplace_back();
            text.text = texts[i];
            text.numbers.set(size_t(i));
        }
        return TextFinder(all);
    }

    static QByteArray found(const TextFinder& finder, const QByteArray& name)
    {
        QByteArray numbers;
        const TextFinder::Numbers all = finder.find(name);
        for (size_t i = 0; i < all.size(); ++i)
            numbers += all[i] ? QByteArray::number(qulonglong(i)) + ' ' : QByteArray();
        return numbers.trimmed();
    }
};

void TestTextFinder::finds()
{
    const TextFinder finder = finderOf({"limit:", "limit", "it:", "rl:", "limit:", "\xff"});
    QCOMPARE(found(finder, ""), "");
    QCOMPARE(found(finder, "limi"), "");
    QCOMPARE(found(finder, "limit"), "1");
    QCOMPARE(found(finder, "app:limit:7"), "0 1 2 4");
    QCOMPARE(found(finder, "lilimit"), "1"); // begins anew inside what failed
    QCOMPARE(found(finder, "url:limilimit:rl:"), "0 1 2 3 4");
    QCOMPARE(found(finder, "lim~it:"), "2"); // a byte of none of them
    QCOMPARE(found(finder, QByteArray("a\0b\xff", 4)), "5");
}

void TestTextFinder::findsNothingWithoutTexts()
{
    QVERIFY(TextFinder().find("lock:a").none());
    QVERIFY(TextFinder(std::vector<TextFinder::Text>()).find("lock:a").none());
}

void TestTextFinder::findsWhatLookingForEachFinds()
{
    QRandomGenerator random(20261122);
    const auto text = [&random](int shortest, int longest) {
        QByteArray made;
        for (int length = random.bounded(shortest, longest + 1); length > 0; --length)
            made += "ab:"[random.bounded(3)];
        return made;
    };
    for (int round = 0; round < 300; ++round) {
        QByteArrayList texts;
        for (int i = random.bounded(1, 12); i > 0; --i)
            texts << text(1, 5);
        const TextFinder finder = finderOf(texts);
        for (int i = 0; i < 30; ++i) {
            const QByteArray name = text(0, 20);
            const TextFinder::Numbers numbers = finder.find(name);
            for (int t = 0; t < texts.size(); ++t)
                QVERIFY2(numbers[size_t(t)] == name.contains(texts[t]),
                         (name + " contains " + texts[t]).constData());
        }
    }
}

// Names of every sort, of which some are built so that they match: a layout that the index leaves
// out asks for no sibling of such a key.
void TestTextFinder::asksEveryLayoutThatClaims()
{
    QByteArrayList names;
    for (const test::KeyKind& kind : test::lookAlikes(1795223350117))
        names << kind.commands.front().args()[1];
    for (const char* start : {"", "app:", "{app}:"}) {
        for (const char* middle : {"rl:", "limit:", "limit_conn:", "l-rate-limit3:", "lock:",
                                   "plugin-limit-count:", "limit_req:", "bull:", "throttle:"}) {
            for (const char* end : {"7", "user:7", "10.0.0.1", "user:7:stats"})
                names << QByteArray(start) + middle + end;
        }
    }
    qsizetype asked = 0;
    qsizetype leading = 0;
    for (const KeyType type : {KeyType::String, KeyType::List, KeyType::Set, KeyType::ZSet,
                               KeyType::Hash, KeyType::Stream}) {
        for (const QByteArray& name : names) {
            std::vector<const Layout*> visited;
            layoutIndex().forEach(type, name,
                                  [&](const Layout& layout) { visited.push_back(&layout); });
            asked += qsizetype(visited.size());
            size_t next = 0; // in the order of the list
            for (const Layout* layout : allLayouts()) {
                if (next < visited.size() && visited[next] == layout) {
                    ++next;
                    QVERIFY(layout->wants(type));
                    continue;
                }
                QVERIFY2(!layout->wants(type) || lk::test::siblingsOf(*layout, name, type).empty(),
                         (layout->id() + ' ' + name).constData());
                leading += layout->wants(type) ? 1 : 0;
            }
            QCOMPARE(next, visited.size());
        }
    }
    QVERIFY(leading > asked / 4); // it does leave out many
}

LK_TEST(TestTextFinder);
#include "tst_textfinder.moc"
