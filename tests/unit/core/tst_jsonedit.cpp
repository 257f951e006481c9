// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/json/jsonedit.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

class TestJsonEdit : public QObject
{
    Q_OBJECT

private slots:
    void findsAMember_data()
    {
        QTest::addColumn<QByteArray>("object");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("number") << QByteArray(R"({"a":1,"b":2.50})") << QByteArray("b")
                                << QByteArray("2.50");
        QTest::newRow("blanks") << QByteArray("{ \"a\" : [1, {\"b\": 3}] , \"b\" : null }")
                                << QByteArray("b") << QByteArray("null");
        QTest::newRow("not inside")
            << QByteArray(R"({"x":{"b":1},"y":"\"b\":2"})") << QByteArray("b") << QByteArray();
        QTest::newRow("brackets in a string")
            << QByteArray(R"({"a":"]}\"{","b":[]})") << QByteArray("b") << QByteArray("[]");
        QTest::newRow("cut") << QByteArray(R"({"a":"x)") << QByteArray("a") << QByteArray();
        QTest::newRow("no object") << QByteArray("[1]") << QByteArray("a") << QByteArray();
        QTest::newRow("empty") << QByteArray() << QByteArray("a") << QByteArray();
    }
    void findsAMember()
    {
        QFETCH(const QByteArray, object);
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, value);
        QCOMPARE(jsonMember(object, name).value_or(QByteArray()), value);
    }

    void changesNothingElse()
    {
        const QByteArray job = R"({"z": 1.0, "retry_count" :2,"args":[9007199254740993,{}]})";
        QCOMPARE(withJsonMember(job, {"retry_count"}, "1"),
                 QByteArray(R"({"z": 1.0, "retry_count" :1,"args":[9007199254740993,{}]})"));
        QCOMPARE(withJsonMember(job, {"at"}, "5"),
                 QByteArray(R"({"at":5,"z": 1.0, "retry_count" :2,"args":[9007199254740993,{}]})"));
        QCOMPARE(withJsonMember("{}", {"a"}, "1"), QByteArray(R"({"a":1})"));
    }

    void goesIntoObjects()
    {
        QCOMPARE(withJsonMember(R"({"p":{"d":{"x":1}}})", {"p", "d", "r"}, "true"),
                 QByteArray(R"({"p":{"d":{"r":true,"x":1}}})"));
        QVERIFY(!withJsonMember(R"({"p":1})", {"p", "r"}, "true"));
        QVERIFY(!withJsonMember(R"({"p":1})", {"q", "r"}, "true"));
        QVERIFY(!withJsonMember("[]", {"a"}, "1"));
    }
};

LK_TEST(TestJsonEdit);
#include "tst_jsonedit.moc"
