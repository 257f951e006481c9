// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/namewords.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

class TestNameWords : public QObject
{
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void tellsWordsOfOneLetterAndLengthApart();
    void longWords();
    void oneNameAfterTheOther();
};

// Each as it is, and so deep in a long name that its words are not remembered.
void TestNameWords::finds_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* name, bool expected) {
        QTest::addRow("'%s'", name) << QByteArray(name) << expected;
        QTest::addRow("'%s' in a long name", name)
            << QByteArray(300, 'x') + ':' + name + ':' << expected;
    };
    for (const char* name : {"lock", "LOCK", "lock:a", "a:lock", "a.lock.b", "a_lock_b", "{lock}",
                             "a:Lock:b", "invoiceLock", "lockInvoice", "a:mutex", "theMutexOfAll"})
        row(name, true);
    for (const char* name :
         {"", "locks", "block", "clock:1", "deadlock", "unlocked", "loc:k", "a:lockdown", "xLocks"})
        row(name, false);
}

void TestNameWords::finds()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, expected);
    QCOMPARE(hasWord(name, words<"lock", "mutex">), expected);
}

void TestNameWords::tellsWordsOfOneLetterAndLengthApart()
{
    QVERIFY(!hasWord("a:limb", words<"lock", "list">));
    QVERIFY(hasWord("a:list", words<"lock", "list">));
    QVERIFY(!hasWord("a:2fb", words<"2fa", "rfc">)); // '2' and 'r' are the same to a glance
    QVERIFY(!hasWord("a:rfa", words<"2fa", "rfc">));
    QVERIFY(hasWord("a:2FA", words<"2fa", "rfc">));
}

void TestNameWords::longWords()
{
    QVERIFY(hasWord("x:Abcdefghijklmnopqrstuvwxyzabcde", // 31 letters
                    words<"abcdefghijklmnopqrstuvwxyzabcde">));
    QVERIFY(
        !hasWord("x:abcdefghijklmnopqrstuvwxyzabcdef", words<"abcdefghijklmnopqrstuvwxyzabcde">));
    const QByteArray parts = QByteArray("ab:").repeated(80); // each is a word
    QVERIFY(hasWord(parts + "lock", words<"lock">));
    QVERIFY(!hasWord(parts + "lick", words<"lock">));
}

// The words of the last name are remembered.
void TestNameWords::oneNameAfterTheOther()
{
    QByteArray name = "a:lock:17";
    QVERIFY(hasWord(name, words<"lock">));
    name[2] = 'r'; // in the same place, and as long
    QVERIFY(!hasWord(name, words<"lock">));
    QVERIFY(hasWord(name, words<"rock">));
    QVERIFY(!hasWord("", words<"rock">));
    QVERIFY(hasWord(name, words<"rock">));
}

LK_TEST(TestNameWords);
#include "tst_namewords.moc"
