// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/replyvalues.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>

using namespace lk;

/// Numbers as replies and stored values have them: read exactly, or not at all.
class TestReplyValues : public QObject
{
    Q_OBJECT

private slots:
    void decimals_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isNumber");
        QTest::addColumn<double>("number");
        const auto number = [](const char* text, double value) {
            QTest::newRow(text) << QByteArray(text) << true << value;
        };
        const auto other = [](const char* name, const QByteArray& text) {
            QTest::newRow(name) << text << false << 0.0;
        };
        number("0", 0);
        number("7", 7);
        number("1234567", 1'234'567);
        number("12345678", 12'345'678);
        number("00000000", 0);
        number("99999999", 99'999'999);
        number("123456789", 123'456'789);
        number("1763900000123", 1'763'900'000'123);
        number("999999999999999", 999'999'999'999'999);
        number("1234567890123456", 1'234'567'890'123'456);
        number("-12345678", -12'345'678);
        number("1763900000.25", 1'763'900'000.25);
        number("1e3", 1000);
        number("+5", 5);
        other("empty", "");
        other("a letter among eight", "1234567a");
        other("a letter first", "a2345678");
        other("a space among eight", "1234 678");
        other("below and above the digits", "/:/:/:/:");
        other("what looks like digits seven bits wide", QByteArray(8, char(0xb0)));
        other("zeros", QByteArray(8, '\0'));
        other("a digit below its neighbour's", QByteArray("0123456\x2f"));
        other("a letter behind eight", "12345678x");
        other("eight, a space, digits", "12345678 1");
        other("not finite", "inf");
    }
    void decimals()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isNumber);
        QFETCH(double, number);
        const std::optional<double> read = decimalNumber(text);
        QCOMPARE(read.has_value(), isNumber);
        if (read)
            QCOMPARE(*read, number);
    }

    void ofEachLength()
    {
        QByteArray text;
        for (int digits = 1; digits <= 17; ++digits) {
            text += char('0' + digits * 7 % 10);
            QCOMPARE(decimalNumber(text), std::optional(text.toDouble()));
            for (int place = 0; place < digits; ++place) {
                QByteArray other = text;
                other[place] = ':';
                QVERIFY2(!decimalNumber(other), other.constData());
            }
        }
    }

    /// Each byte at each of eight places, and whether it is a digit.
    void eachByteAtEachPlace()
    {
        for (int place = 0; place < 8; ++place) {
            for (int byte = 0; byte < 256; ++byte) {
                QByteArray text("11111111");
                text[place] = char(byte);
                const std::optional<double> read = scoreOf(text);
                const bool digit = byte >= '0' && byte <= '9';
                if (digit)
                    QCOMPARE(read, std::optional(text.toDouble()));
                else if (byte != '.' && byte != 'e' && byte != 'E' && !(byte == '-' && place == 0))
                    QVERIFY2(!read,
                             qPrintable(QStringLiteral("byte %1 at %2").arg(byte).arg(place)));
            }
        }
    }

    void scoresMayBeInfinite()
    {
        QCOMPARE(scoreOf("inf"), std::optional(std::numeric_limits<double>::infinity()));
        QCOMPARE(scoreOf("-inf"), std::optional(-std::numeric_limits<double>::infinity()));
        QCOMPARE(scoreOf("nan"), std::nullopt);
    }

    void wholeNumbersHaveNothingAroundThem()
    {
        QCOMPARE(wholeNumber("5"), std::optional<qint64>(5));
        QCOMPARE(wholeNumber("-3"), std::optional<qint64>(-3));
        QCOMPARE(wholeNumber("9223372036854775807"),
                 std::optional(std::numeric_limits<qint64>::max()));
        for (const char* text : {"", "5 ", " 5", "05x", "1e3", "9223372036854775808"})
            QVERIFY2(!wholeNumber(text), text);
    }
};

LK_TEST(TestReplyValues);
#include "tst_replyvalues.moc"
