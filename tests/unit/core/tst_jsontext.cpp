// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/json/jsontext.h"
#include "backend/core/names/keyname.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace lk;

class TestJsonText final : public QObject
{
    Q_OBJECT

private slots:
    void membersKeepTheirOrder();
    void texts_data();
    void texts();
    void rawBytesAsUsersSeeThem();
    void brokenUtf16StaysValid();
    void numbers_data();
    void numbers();
    void unknownIsNull();
    void nothingIsAnEmptyObject();
    void objectsInObjects();
};

namespace {

QJsonObject parsed(const JsonObject& object)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(object.text(), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning("%s in %s", qPrintable(error.errorString()), object.text().constData());
    return document.object();
}

} // namespace

void TestJsonText::membersKeepTheirOrder()
{
    JsonObject o;
    o.add("b", true);
    o.add("a", false);
    o.add("c", QByteArrayLiteral("x"));
    QCOMPARE(o.text(), QByteArrayLiteral("{\"b\":true,\"a\":false,\"c\":\"x\"}"));
}

void TestJsonText::texts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addRow("plain") << QStringLiteral("rl:user:1");
    QTest::addRow("empty") << QString();
    QTest::addRow("quotes") << QStringLiteral("a\"b\"\"");
    QTest::addRow("backslash") << QStringLiteral("\\x00\\");
    QTest::addRow("line feed, tab") << QStringLiteral("a\nb\r\tc\b\f");
    QTest::addRow("umlaut, dash") << QStringLiteral("Schl\u00fcssel \u2013 \u65e5\u672c");
    QTest::addRow("surrogates") << QStringLiteral("lock \U0001F512 \U0001F511");
    QTest::addRow("line separator") << QStringLiteral("a\u2028b\u007f");
    QString controls;
    for (char16_t c = 0; c < 0x20; ++c)
        controls += QChar(c);
    QTest::addRow("all control characters") << controls;
}

void TestJsonText::texts()
{
    QFETCH(QString, text);
    JsonObject o;
    o.add("value", text);
    o.add(text.toUtf8(), qint64(1));
    const QJsonObject read = parsed(o);
    QCOMPARE(read[QLatin1String("value")].toString(), text);
    QCOMPARE(read[text].toInt(), 1);
    QCOMPARE(QJsonDocument::fromJson('[' + jsonString(text) + ']').array().first().toString(),
             text);
    for (const char c : o.text())
        QVERIFY(uchar(c) >= 0x20);
}

void TestJsonText::rawBytesAsUsersSeeThem()
{
    JsonObject o;
    o.add("name", displayName(QByteArray("k\xff\x01\\\"", 5)));
    QCOMPARE(o.text(), QByteArrayLiteral("{\"name\":\"k\\\\xff\\\\x01\\\\x5c\\\"\"}"));
    QCOMPARE(parsed(o)[QLatin1String("name")].toString(), QStringLiteral("k\\xff\\x01\\x5c\""));
}

void TestJsonText::brokenUtf16StaysValid()
{
    JsonObject o;
    o.add("name", QStringLiteral("a") + QChar(0xD83D) + QStringLiteral("b"));
    const QString read = parsed(o)[QLatin1String("name")].toString();
    QVERIFY(read.startsWith(QLatin1Char('a')));
    QVERIFY(read.endsWith(QLatin1Char('b')));
}

void TestJsonText::numbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QByteArray>("text");
    QTest::addRow("zero") << 0.0 << QByteArrayLiteral("0");
    QTest::addRow("whole") << 100000.0 << QByteArrayLiteral("100000");
    QTest::addRow("below zero") << -3.0 << QByteArrayLiteral("-3");
    QTest::addRow("shortest") << 0.9 << QByteArrayLiteral("0.9");
    QTest::addRow("sum") << 0.1 + 0.2 << QByteArrayLiteral("0.30000000000000004");
    QTest::addRow("large") << 1e300 << QByteArrayLiteral("1e+300");
    QTest::addRow("infinite") << std::numeric_limits<double>::infinity()
                              << QByteArrayLiteral("null");
    QTest::addRow("no number") << std::numeric_limits<double>::quiet_NaN()
                               << QByteArrayLiteral("null");
}

void TestJsonText::numbers()
{
    QFETCH(double, value);
    QFETCH(QByteArray, text);
    JsonObject o;
    o.add("n", value);
    QCOMPARE(o.text(), "{\"n\":" + text + '}');
    QVERIFY(parsed(o).contains(QLatin1String("n")));
}

void TestJsonText::unknownIsNull()
{
    JsonObject o;
    o.add("known", std::optional<qint64>(std::numeric_limits<qint64>::min()));
    o.add("unknown", std::optional<qint64>());
    o.addNull("nothing");
    QCOMPARE(o.text(), QByteArrayLiteral(
                           "{\"known\":-9223372036854775808,\"unknown\":null,\"nothing\":null}"));
}

void TestJsonText::nothingIsAnEmptyObject()
{
    QCOMPARE(JsonObject().text(), QByteArrayLiteral("{}"));
}

void TestJsonText::objectsInObjects()
{
    JsonObject inner;
    inner.add("n", qint64(1));
    JsonObject o;
    o.addJson("inner", inner.text());
    o.addJson("list", "[1,2]");
    QCOMPARE(parsed(o)[QLatin1String("inner")][QLatin1String("n")].toInt(), 1);
    QCOMPARE(parsed(o)[QLatin1String("list")].toArray().size(), 2);
}

LK_TEST(TestJsonText);
#include "tst_jsontext.moc"
