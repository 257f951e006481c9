// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/primitive.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <thread>

using namespace lk;

/// A text that is kept once behaves as any other.
class TestInternedString : public QObject
{
    Q_OBJECT

private slots:
    void noneIsEmpty();
    void isKeptOnce();
    void othersKeepTheirOwn_data();
    void othersKeepTheirOwn();
    void manyOfThemAreStillThemselves();
    void threadsShareIt();
};

void TestInternedString::noneIsEmpty()
{
    const InternedString none;
    QVERIFY(none.isEmpty() && none.text().isEmpty());
    QVERIFY(none == InternedString("") && none == InternedString(QByteArray()));
    QVERIFY(!(none == "lock"));
}

void TestInternedString::isKeptOnce()
{
    const InternedString one("set-nx-px");
    const InternedString other(QByteArray("set-") + "nx-px");
    QCOMPARE(&one.text(), &other.text());
    QVERIFY(one == other && one == "set-nx-px" && one == QByteArray("set-nx-px"));
    QVERIFY(one != InternedString("set-nx-pX"));
    QVERIFY(one.startsWith("set-") && !one.startsWith("nx"));
    QCOMPARE(sizeof(InternedString), sizeof(void*));
}

void TestInternedString::othersKeepTheirOwn_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a part for each client") << QByteArray("consumer:7");
    QTest::newRow("long") << QByteArray(1000, 'x');
}

void TestInternedString::othersKeepTheirOwn()
{
    QFETCH(QByteArray, text);
    InternedString one(text);
    const InternedString copy = one;
    QVERIFY(&one.text() != &copy.text());
    QVERIFY(one == copy && copy.text() == text);
    const InternedString moved = std::move(one);
    QVERIFY(one.isEmpty()); // NOLINT: what is left of it is stated
    QVERIFY(moved == copy);
    one = moved;
    one = InternedString("lock");
    QVERIFY(one == "lock" && moved == copy && one != moved);
}

// More than there is room for: none is mistaken for another, and the first stay as they are.
void TestInternedString::manyOfThemAreStillThemselves()
{
    const InternedString first("word-0");
    std::vector<InternedString> all;
    for (int i = 0; i < 20'000; ++i)
        all.emplace_back("word-" + QByteArray::number(i));
    for (int i = 0; i < 20'000; ++i)
        QVERIFY(all[size_t(i)] == "word-" + QByteArray::number(i));
    QVERIFY(all[0] == first && all[19'999] == InternedString("word-19999"));
    QVERIFY(all[19'998] != all[19'999]);
    QCOMPARE(&all[0].text(), &first.text());
}

void TestInternedString::threadsShareIt()
{
    std::vector<const QByteArray*> found(4);
    std::vector<std::thread> threads;
    for (const QByteArray*& one : found)
        threads.emplace_back([&one] {
            for (int i = 0; i < 1000; ++i) {
                InternedString(QByteArray("thread-") + QByteArray::number(i % 50));
                one = &InternedString("set-nx-px").text();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const QByteArray* one : found)
        QCOMPARE(one, &InternedString("set-nx-px").text());
}

LK_TEST(TestInternedString);
#include "tst_internedstring.moc"
