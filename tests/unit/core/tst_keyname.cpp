// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

using namespace lk;

class TestKeyName : public QObject
{
    Q_OBJECT

private slots:
    void displays_data();
    void displays();
    void longNamesAreShownByTheirBeginning();
    void losesNothing();
    void readsEscapesBack();
    void previews_data();
    void previews();
    void segments_data();
    void segments();
};

void TestKeyName::displays_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const QByteArray& bytes, const char* shown) {
        QTest::newRow(name) << bytes << QString::fromUtf8(shown);
    };
    row("empty", "", "");
    row("plain", "lock:invoice:42", "lock:invoice:42");
    row("space", "a b", "a b");
    row("quotes", "\"'", "\"'");
    row("backslash", "a\\b", "a\\x5cb");
    row("zero", QByteArray("a\0b", 3), "a\\x00b");
    row("line ends", "a\r\nb\t", "a\\x0d\\x0ab\\x09");
    row("delete", "\x7f", "\\x7f");
    row("two bytes", "caf\xc3\xa9", "caf\u00e9");
    row("three bytes", "\xe9\x96\x98", "\u9598");
    row("four bytes", "\xf0\x9f\x9a\xa2", "\U0001F6A2");
    row("cut short", "caf\xc3", "caf\\xc3");
    row("lone continuation", "\xa9", "\\xa9");
    row("overlong slash", "\xc0\xaf", "\\xc0\\xaf");
    row("overlong in three", "\xe0\x80\xaf", "\\xe0\\x80\\xaf");
    row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
    row("beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    row("C1 control", "\xc2\x85", "\\xc2\\x85");
    row("right-to-left override", "\xe2\x80\xae", "\\xe2\\x80\\xae");
    row("zero width space", "\xe2\x80\x8b", "\\xe2\\x80\\x8b");
    row("never Unicode", "\xff\xfe", "\\xff\\xfe");
    row("line separator",
        "a\xe2\x80\xa8"
        "b",
        "a\\xe2\\x80\\xa8b");
    row("paragraph separator", "\xe2\x80\xa9", "\\xe2\\x80\\xa9");
    row("no-break space",
        "a\xc2\xa0"
        "b",
        "a\\xc2\\xa0b");
    row("isolate", "\xe2\x81\xa6", "\\xe2\\x81\\xa6");
    row("private use", "\xee\x80\x80", "\\xee\\x80\\x80");
    row("unassigned", "\xf0\xaf\xbf\xbd", "\\xf0\\xaf\\xbf\\xbd");
    row("Hangul filler", "\xe3\x85\xa4", "\\xe3\\x85\\xa4");
    row("variation selector", "a\xef\xb8\x8f", "a\\xef\\xb8\\x8f");
    row("tag", "\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81");
    row("an accent", "e\xcc\x81", "e\u0301");
    row("three accents", "e\xcc\x81\xcc\x82\xcc\x83", "e\u0301\u0302\u0303");
    row("stacked accents", "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84x", "e\u0301\u0302\u0303\\xcc\\x84x");
    row("accent on nothing",
        "\xcc\x81"
        "e",
        "\\xcc\\x81e");
}

void TestKeyName::displays()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    QCOMPARE(displayName(bytes), shown);
    QCOMPARE(bytesFromDisplay(shown), bytes);
}

void TestKeyName::longNamesAreShownByTheirBeginning()
{
    for (const QByteArray& one :
         {QByteArray("n"), QByteArray("caf\xc3\xa9"), QByteArray("\xe9\x96\x98"),
          QByteArray("\xf0\x9f\x9a\xa2"), QByteArray("\xff")}) {
        const QByteArray name = QByteArray("lock:") + one.repeated(1024 * 1024 / int(one.size()));
        const QString shown = displayName(name);
        QVERIFY2(shown.size() < 3000, one.constData());
        QVERIFY(shown.startsWith(displayName("lock:" + one + one)));
        QVERIFY(shown.contains(QStringLiteral("\u2026 (")));
        QCOMPARE(shown.contains(QLatin1Char('\\')), one == "\xff"); // no character is cut in two
        QCOMPARE(bytesFromDisplay(exactName(name)), name);
    }
    const QByteArray fits(1024, 'n');
    QCOMPARE(displayName(fits), QString::fromLatin1(fits));
}

void TestKeyName::losesNothing()
{
    QRandomGenerator random(5);
    for (int i = 0; i < 5000; ++i) {
        QByteArray bytes;
        for (int length = random.bounded(24); length > 0; --length) {
            // Half of it from what UTF-8 and escapes are made of.
            const QByteArray special("\\x0a\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\xa2");
            bytes += random.bounded(2) ? char(random.bounded(256))
                                       : special[random.bounded(int(special.size()))];
        }
        const QString shown = displayName(bytes);
        QCOMPARE(bytesFromDisplay(shown), bytes);
        for (const QChar c : shown)
            QVERIFY(c.isPrint() || c.isSurrogate());
    }
}

void TestKeyName::readsEscapesBack()
{
    QCOMPARE(bytesFromDisplay(QStringLiteral("a\\x00\\xFFb")), QByteArray("a\0\xff"
                                                                          "b",
                                                                          4));
    QCOMPARE(bytesFromDisplay(QStringLiteral("\\x4")), "\\x4");
    QCOMPARE(bytesFromDisplay(QStringLiteral("\\xzz")), "\\xzz");
    QCOMPARE(bytesFromDisplay(QStringLiteral("a\\b")), "a\\b");
}

void TestKeyName::previews_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("short") << QByteArray("abc") << QStringLiteral("abc");
    QTest::newRow("exact") << QByteArray("abcde") << QStringLiteral("abcde");
    QTest::newRow("cut") << QByteArray("abcdef") << QStringLiteral("abcde\u2026");
    QTest::newRow("huge") << QByteArray(10'000'000, 'x') << QStringLiteral("xxxxx\u2026");
    QTest::newRow("accents") << QByteArray("\xc3\xa9").repeated(6)
                             << QString(5, QChar(0xE9)) + QChar(0x2026);
    QTest::newRow("empty") << QByteArray() << QString();
}

void TestKeyName::previews()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    QCOMPARE(displayPreview(bytes, 5), shown);
}

void TestKeyName::segments_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("last");
    for (const char* name : {"lock:x", "lock.x", "lock/x", "lock_x", "lock-x", "lock|x", "lock#x",
                             "a:b.c:x", "x", "::x"})
        QTest::newRow(name) << QByteArray(name) << QByteArray("x");
    QTest::newRow("ends in a separator") << QByteArray("lock:") << QByteArray();
    QTest::newRow("empty") << QByteArray() << QByteArray();
}

void TestKeyName::segments()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, last);
    QCOMPARE(name.mid(lastSegment(name)), last);
}

LK_TEST(TestKeyName);
#include "tst_keyname.moc"
