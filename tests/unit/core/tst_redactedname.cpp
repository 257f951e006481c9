// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/namefilter.h"
#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace lk;

class TestRedactedName : public QObject
{
    Q_OBJECT

private slots:
    void maskedNames_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("begin");
        const QByteArray code = "h7Jk2mQx9TzRw4Nb";
        QTest::newRow("prefix") << "code:" + code << QByteArray("code:h7J…#");
        QTest::newRow("uuid") << QByteArray("a:b:550e8400-e29b-41d4-a716-446655440000")
                              << QByteArray("a:b:550e…#");
        QTest::newRow("base64") << "code:h7Jk2mQx/" + code << QByteArray("code:h7Jk…#");
        QTest::newRow("path") << "t/x_y." + code << QByteArray("t/x_y.…#");
        QTest::newRow("words") << "reset_code." + code << QByteArray("reset_code.h7J…#");
        QTest::newRow("dashes in the code")
            << QByteArray("otp-550e8400-e29b-41d4-a716-446655440000") << QByteArray("otp-550e…#");
        QTest::newRow("no prefix") << code + code << QByteArray("h7Jk…#");
        QTest::newRow("code in the middle")
            << "token:" + code + ":meta" << QByteArray("token:h7Jk…#");
        QTest::newRow("long number in the middle")
            << QByteArray("token:123456:data") << QByteArray("token:…~");
        QTest::newRow("version in the middle")
            << "v2:tenant42:" + code << QByteArray("v2:tenant42:h7J…#");
        // Could be found by trying all that have the same digits.
        QTest::newRow("short") << QByteArray("code:c17bd6") << QByteArray("code:c17b…~");
        QTest::newRow("number") << QByteArray("code:123456789012345678") << QByteArray("code:…~");
        QTest::newRow("one letter") << QByteArray("code:aaaa") << QByteArray("code:aa…~");
        QTest::newRow("no code") << QByteArray("code:") << QByteArray("code:…");
        QTest::newRow("empty") << QByteArray() << QByteArray("…");
    }
    void maskedNames()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, begin);
        const QByteArray masked = maskedToken(name);
        QCOMPARE(masked.left(begin.size()), begin);
        const bool digits = begin.endsWith('#') || begin.endsWith('~');
        QCOMPARE(masked.size(), begin.size() + (digits ? 8 : 0));
        QCOMPARE(maskedToken(name), masked);
        QVERIFY(maskedToken(name + 'x') != masked || !digits);
        const MaskedName read = readMasked(masked);
        QCOMPARE(read.masked, digits);
        QCOMPARE(read.lasting, begin.endsWith('#'));
        QVERIFY(name.startsWith(read.beginning));
    }

    void whatIsHiddenCannotBeTried()
    {
        for (qsizetype size = 1; size < 40; ++size) {
            const QByteArray code = QByteArray("9f8e7d6c5b4a39281706").repeated(2).left(size);
            const QByteArray masked = maskedToken("code:" + code);
            const qsizetype shown = masked.indexOf("\xe2\x80\xa6") - qstrlen("code:");
            QVERIFY(shown >= 0 && shown <= 4);
            QVERIFY2(size * 4 < 64 || shown == 0 || (size - shown) * 4 >= 64, masked.constData());
            QVERIFY(size * 4 >= 64 || shown <= size * 2 / 3);
            // The plain hash of a code that can be tried would give it away.
            QCOMPARE(masked.contains('#'), size * 4 >= 64);
        }
    }

    void tokensStayApart()
    {
        QSet<QByteArray> all;
        for (int i = 0; i < 1000; ++i) {
            all << maskedToken("otp:" + QByteArray::number(100000 + i))
                << maskedToken("code:h7Jk2mQx9TzRw4NbP" + QByteArray::number(1000 + i));
        }
        QCOMPARE(all.size(), 2000);
    }

    void readsOnlyWhatItMakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("plain") << QByteArray("code:abc");
        QTest::newRow("no digits") << QByteArray("code:…");
        QTest::newRow("seven") << QByteArray("code:…#1234567");
        QTest::newRow("nine") << QByteArray("code:…#123456789");
        QTest::newRow("no hex") << QByteArray("code:…#1234567g");
        QTest::newRow("no mark") << QByteArray("code:…12345678");
        QTest::newRow("ASCII") << QByteArray("code:...#12345678");
        QTest::newRow("empty") << QByteArray();
    }
    void readsOnlyWhatItMakes()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!readMasked(text).masked);
    }

    void onlyTokensAreMasked()
    {
        Primitive p;
        p.id.name = "job:h7Jk2mQx9TzRw4Nb";
        for (const Kind kind : allKinds) {
            p.kind = kind;
            QCOMPARE(shownName(p) == QString::fromUtf8(p.id.name), kind != Kind::Token);
            QCOMPARE(shownName(p, Codes::Revealed), QString::fromUtf8(p.id.name));
        }
        Finding group;
        group.kind = Kind::Token;
        group.name = "code:*";
        group.key = "code:h7Jk2mQx9TzRw4Nb";
        group.group = true;
        QCOMPARE(shownName(group), QStringLiteral("code:*"));
        QVERIFY(!shownKey(group).contains(QLatin1String("h7Jk2mQx")));
    }

    void isFound_data()
    {
        QTest::addColumn<QByteArray>("filter");
        QTest::addColumn<bool>("found");
        QTest::newRow("prefix") << QByteArray("code:") << true;
        QTest::newRow("what is shown") << QByteArray("ode:h7j") << true;
        QTest::newRow("name") << QByteArray("code:h7jk2mqx9tzrw4nb") << true;
        QTest::newRow("code") << QByteArray("h7jk2mqx9tzrw4nb") << true;
        // Letter by letter it would be found in no time.
        QTest::newRow("more than is shown") << QByteArray("code:h7jk2mqx") << false;
        QTest::newRow("end") << QByteArray("9tzrw4nb") << false;
        QTest::newRow("glob over what is shown") << QByteArray("code:*") << true;
        QTest::newRow("glob over the code") << QByteArray("code:h7jk2m*") << false;
        QTest::newRow("middle") << QByteArray("k2mq") << false;
        const QByteArray digits = maskedToken("code:h7Jk2mQx9TzRw4Nb").right(8);
        QTest::newRow("digits") << digits << true;
        QTest::newRow("all that is shown") << maskedToken("code:h7Jk2mQx9TzRw4Nb") << true;
        QTest::newRow("from the mark on") << QByteArray('#' + digits.first(3)) << true;
        // By chance it is in many a token's.
        QTest::newRow("some digits") << digits.sliced(2, 2) << false;
        QTest::newRow("some digits in a glob") << QByteArray('*' + digits.last(2)) << false;
    }
    void isFound()
    {
        QFETCH(QByteArray, filter);
        QFETCH(bool, found);
        const QByteArray name = "code:h7Jk2mQx9TzRw4Nb";
        const NameFilter typed(QString::fromUtf8(filter));
        QCOMPARE(isFoundBy(Kind::Token, name, typed), found);
    }

    // Only the names of tokens hide parts.
    void anyPartOfAnotherNameIsFound()
    {
        const QByteArray name = "code:h7Jk2mQx9TzRw4Nb";
        for (const char* typed : {"code:", "k2mq", "9tzrw4nb", "code:h7jk2m*"})
            QVERIFY2(isFoundBy(Kind::Lock, name, NameFilter(QLatin1String(typed))), typed);
    }
};

LK_TEST(TestRedactedName);
#include "tst_redactedname.moc"
