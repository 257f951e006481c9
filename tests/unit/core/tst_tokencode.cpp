// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/tokens/tokencode.h"
#include "tests/support/testprogram.h"

#include <QHash>
#include <QSet>
#include <QTest>

#include <cmath>

using namespace lk;

class TestTokenCode : public QObject
{
    Q_OBJECT

private slots:
    void defaultsCannotBeGuessedOrMistaken()
    {
        QVERIFY(double(codeLength) * std::log2(double(codeAlphabet.size())) >= 128);
        for (const char c : {'0', 'O', '1', 'l', 'I', ' ', '"', '\\', '*'})
            QVERIFY2(!codeAlphabet.contains(c), QByteArray(1, c).constData());
        QCOMPARE(QSet<char>(codeAlphabet.begin(), codeAlphabet.end()).size(), codeAlphabet.size());
    }

    void lengthAndAlphabet_data()
    {
        QTest::addColumn<qint64>("length");
        QTest::addColumn<QByteArray>("alphabet");
        QTest::newRow("default") << codeLength << codeAlphabet;
        QTest::newRow("64 bits exactly") << qint64(64) << QByteArray("01");
        QTest::newRow("hex") << qint64(16) << QByteArray("0123456789abcdef");
        QTest::newRow("longest") << qint64(512) << codeAlphabet;
        QTest::newRow("bytes") << qint64(41) << QByteArray("\0\xff\n", 3);
    }
    void lengthAndAlphabet()
    {
        QFETCH(qint64, length);
        QFETCH(QByteArray, alphabet);
        QSet<char> used;
        for (int i = 0; i < 200; ++i) {
            const Result<QByteArray> code = randomCode(length, alphabet);
            QVERIFY(code);
            QCOMPARE(code->size(), length);
            used.unite(QSet<char>(code->begin(), code->end()));
        }
        QCOMPARE(used, QSet<char>(alphabet.begin(), alphabet.end()));
    }

    void whatCouldBeGuessed_data()
    {
        QTest::addColumn<qint64>("length");
        QTest::addColumn<QByteArray>("alphabet");
        QTest::newRow("63 bits") << qint64(63) << QByteArray("01");
        QTest::newRow("short") << qint64(4) << codeAlphabet;
        QTest::newRow("none") << qint64(0) << codeAlphabet;
        QTest::newRow("negative") << qint64(-5) << codeAlphabet;
        QTest::newRow("long") << qint64(100'000'000) << codeAlphabet;
        QTest::newRow("endless") << (qint64(1) << 40) << codeAlphabet;
        QTest::newRow("empty alphabet") << codeLength << QByteArray();
        QTest::newRow("one character") << qint64(500) << QByteArray("a");
        QTest::newRow("one character twice") << qint64(500) << QByteArray("aba");
    }
    void whatCouldBeGuessed()
    {
        QFETCH(qint64, length);
        QFETCH(QByteArray, alphabet);
        const Result<QByteArray> code = randomCode(length, alphabet);
        QVERIFY(!code);
        QCOMPARE(code.error().code, ErrorCode::BadArgument);
        const bool tooLong = length > 512;
        QCOMPARE(code.error().detail.contains(QStringLiteral("at most 512")), tooLong);
        QCOMPARE(code.error().detail.contains(QStringLiteral("can be guessed")),
                 !tooLong && alphabet.size() > 1 && alphabet != "aba");
    }

    // Chi-square over all characters: a generator that favours some, as by a modulo, stands out.
    void eachCharacterIsAsLikely()
    {
        QHash<char, qint64> counts;
        constexpr int codes = 20'000;
        for (int i = 0; i < codes; ++i) {
            const QByteArray code = *randomCode(codeLength, codeAlphabet);
            for (const char c : code)
                ++counts[c];
        }
        const double expected = double(codes) * codeLength / double(codeAlphabet.size());
        double chi = 0;
        for (const char c : codeAlphabet)
            chi += std::pow(double(counts[c]) - expected, 2) / expected;
        const double degrees = double(codeAlphabet.size() - 1);
        QVERIFY2(chi < degrees + 7 * std::sqrt(2 * degrees), QByteArray::number(chi).constData());
    }

    void noRepeats()
    {
        QSet<QByteArray> seen;
        for (int i = 0; i < 20'000; ++i)
            seen << *randomCode(codeLength, codeAlphabet);
        QCOMPARE(seen.size(), 20'000);
    }
};

LK_TEST(TestTokenCode);
#include "tst_tokencode.moc"
