// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"
#include "backend/core/json/jsontext.h"
#include "backend/core/names/foreigntext.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

/// Text from others never reaches a person as it is. .ci/sources checks that there is no way
/// around.
class TestForeignText : public QObject
{
    Q_OBJECT

private slots:
    void plainTextStays_data();
    void plainTextStays();
    void oddCharactersAreEscaped();
    void isTheSameTwice();
    void marksDoNotPileUp();
    void jsonHasNone();
    void serversTellNone();
};

namespace {

// All that does something else than to be seen.
const char32_t odd[] = {0x00,   0x07,   0x08,   0x1b,   0x7f,    0x80,    0x85,     0x9b,   0x9d,
                        0xa0,   0xad,   0x061c, 0x180e, 0x200b,  0x200d,  0x200e,   0x200f, 0x2028,
                        0x2029, 0x202a, 0x202e, 0x2060, 0x2066,  0x2069,  0x206f,   0xe000, 0xfe0f,
                        0xfeff, 0xfff9, 0xfffc, 0xffff, 0xe0041, 0xf0000, 0x10ffff, 0x378};

// QString::fromUcs4() would take U+FEFF for a mark of the byte order, and leave it out.
QString textOf(char32_t c)
{
    if (QChar::requiresSurrogates(c))
        return QString(QChar(QChar::highSurrogate(c))) + QChar(QChar::lowSurrogate(c));
    return QString(QChar(char16_t(c)));
}

QString allOdd()
{
    QString text;
    for (const char32_t c : odd)
        text += QStringLiteral("a") + textOf(c);
    return text;
}

bool isPlain(const QString& text)
{
    const auto all = text.toUcs4();
    return std::all_of(all.begin(), all.end(), [](uint c) { return isPlainCharacter(c); });
}

} // namespace

void TestForeignText::plainTextStays_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("ASCII") << QStringLiteral("lock:a \"b\" \\x00 ~!");
    QTest::newRow("scripts") << QString::fromUtf8("Schlüssel 閘 ключ מפתח مفتاح 🚢 a\u0301");
    QTest::newRow("Thai") << QString::fromUtf8("กุญแจที่");
    QTest::newRow("punctuation") << QString::fromUtf8("… – • „“ → ≥ €");
}

void TestForeignText::plainTextStays()
{
    QFETCH(QString, text);
    QCOMPARE(foreignText(text), text);
}

void TestForeignText::oddCharactersAreEscaped()
{
    for (const char32_t c : odd) {
        const QString shown = foreignText(QStringLiteral("a") + textOf(c) + QStringLiteral("b"));
        QVERIFY2(isPlain(shown), QByteArray::number(uint(c), 16).constData());
        QVERIFY2(shown.startsWith(QStringLiteral("a\\x")) && shown.endsWith(QLatin1Char('b')),
                 QByteArray::number(uint(c), 16).constData());
    }
    QCOMPARE(foreignText(QStringLiteral("\x1b[31m")), QStringLiteral("\\x1b[31m"));
    QCOMPARE(foreignText(QString(QChar(0x202e))), QStringLiteral("\\xe2\\x80\\xae"));
    QVERIFY(isPlain(foreignText(QString(QChar(0xd800))))); // half a pair
}

void TestForeignText::isTheSameTwice()
{
    const QString once = foreignText(allOdd());
    QVERIFY(isPlain(once));
    QCOMPARE(foreignText(once), once);
}

void TestForeignText::marksDoNotPileUp()
{
    const QString tower = QStringLiteral("e") + QString(50, QChar(0x0301));
    int inARow = 0;
    int most = 0;
    for (const uint c : foreignText(tower).toUcs4()) {
        inARow = isStackedMark(c) ? inARow + 1 : 0;
        most = std::max(most, inARow);
    }
    QCOMPARE(most, mostStackedMarks);
}

void TestForeignText::jsonHasNone()
{
    JsonObject o;
    o.add(allOdd().toUtf8(), allOdd());
    QVERIFY2(isPlain(QString::fromUtf8(o.text())), o.text().constData());
    QVERIFY(isPlain(QString::fromUtf8(jsonString(allOdd()))));
}

void TestForeignText::serversTellNone()
{
    Reply info;
    info.type = Reply::Type::Bulk;
    info.text = "redis_version:" + allOdd().remove(QLatin1Char('\n')).toUtf8() +
                "\r\nredis_mode:\x1b]0;pwned\x07\r\nrole:master\xe2\x80\xae\r\nlong:" +
                QByteArray(100'000, 'x') + "\r\n";
    const ServerInfo told = ServerInfo::fromReply(info);
    for (const char* field : {"redis_version", "redis_mode", "role", "long"}) {
        QVERIFY2(!told.text(field).isEmpty(), field);
        QVERIFY2(isPlain(told.text(field)), field);
        QVERIFY2(told.text(field).size() < 1000, field);
    }
    QVERIFY(isPlain(errorText(errorFromReply("ERR \x1b[2J" + allOdd().toUtf8()))));
}

LK_TEST(TestForeignText);
#include "tst_foreigntext.moc"
