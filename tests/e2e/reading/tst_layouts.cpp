// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// Layouts of an operator's own: the one that README teaches, from the file to what a snapshot
/// shows and an action does.
class TestLayouts : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    QByteArray m_taught; ///< README's file

    static bool write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
               file.write(text) == text.size();
    }
    static QString defaultFile(const Program& program)
    {
        return program.home() + u"/lockkeeper/layouts/shop-checkout.toml"_s;
    }
    static QJsonObject limiterIn(const QByteArray& json)
    {
        const QJsonArray all = QJsonDocument::fromJson(json)[u"limiters"].toArray();
        return all.size() == 1 ? all.first().toObject() : QJsonObject();
    }
    void verifyTaught(const QByteArray& json)
    {
        const QJsonObject limiter = limiterIn(json);
        QCOMPARE(limiter[u"name"].toString(), u"shop:berlin:checkout:42"_s);
        QCOMPARE(limiter[u"layout"].toString(), u"shop-checkout"_s);
        QCOMPARE(limiter[u"algorithm"].toString(), u"fixed-window"_s);
        QCOMPARE(limiter[u"occupancy"].toInt(), 7);
        QCOMPARE(limiter[u"limit"].toInt(), 20);
        QCOMPARE(limiter[u"limit_source"].toString(), u"declared"_s);
        QCOMPARE(limiter[u"remaining"].toInt(), 13);
        QCOMPARE(limiter[u"window_ms"].toInt(), 60'000);
    }

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        QFile readme(QStringLiteral(LOCKKEEPER_README));
        QVERIFY(readme.open(QIODevice::ReadOnly));
        const QByteArray text = readme.readAll();
        const qsizetype from =
            text.indexOf("```toml\n", text.indexOf("### Add your own limiter")) + 8;
        m_taught = text.mid(from, text.indexOf("```", from) - from);
        QVERIFY2(m_taught.startsWith("id = \"shop-checkout\""), m_taught.constData());
        QVERIFY(m_taught.count('\n') <= 10);
    }
    void init()
    {
        m_server.flush();
        m_server.lines({"SET shop:berlin:checkout:42 7 EX 41", "SET shop:berlin:orders 7 EX 41"});
    }

    void whatReadmeTeachesIsDetected()
    {
        const QStringList snapshot{u"snapshot"_s, m_server.urlText(), u"--format"_s, u"json"_s};
        Program without;
        QVERIFY(without.run(snapshot));
        QVERIFY2(limiterIn(without.out()).isEmpty(), without.out().constData());
        Program standard;
        QVERIFY(write(defaultFile(standard), m_taught));
        QVERIFY(standard.run(snapshot));
        QCOMPARE(standard.exitCode(), 0);
        verifyTaught(standard.out());
        Program given;
        QVERIFY(write(given.home() + u"/mine/checkout.toml"_s, m_taught));
        QVERIFY(given.run(snapshot + QStringList{u"--layouts"_s, given.home() + u"/mine"_s}));
        QCOMPARE(given.exitCode(), 0);
        verifyTaught(given.out());
    }

    void itIsActedOn()
    {
        Program act;
        QVERIFY(write(act.home() + u"/mine/checkout.toml"_s, m_taught));
        QVERIFY(act.run({u"act"_s, m_server.urlText(), u"limiter"_s, u"clear"_s,
                         u"shop:berlin:checkout:42"_s, u"--yes"_s, u"--layouts"_s,
                         act.home() + u"/mine"_s}));
        QVERIFY2(act.exitCode() == 0, act.err().constData());
        QCOMPARE(m_server.run({"EXISTS", "shop:berlin:checkout:42"}).integer, 0);
        QCOMPARE(m_server.run({"EXISTS", "shop:berlin:orders"}).integer, 1);
    }

    void layoutsAreListed()
    {
        Program list;
        QVERIFY(write(defaultFile(list), m_taught));
        QVERIFY(list.run({u"layouts"_s}));
        QCOMPARE(list.exitCode(), 0);
        const QByteArray out = list.out();
        QVERIFY2(out.startsWith("LAYOUT "), out.constData());
        QVERIFY(out.contains("\nlimits-fixed-window "));
        QVERIFY(out.contains("built in"));
        const qsizetype own = out.indexOf("\nshop-checkout ");
        QVERIFY2(own > 0, out.constData());
        QVERIFY(out.indexOf(defaultFile(list).toUtf8(), own) > 0);
        Program json;
        QVERIFY(json.run({u"layouts"_s, u"--format"_s, u"json"_s}));
        const QJsonArray all = QJsonDocument::fromJson(json.out()).array();
        QVERIFY(all.size() > 50);
        for (const QJsonValue& layout : all)
            QVERIFY(!layout[u"id"].toString().isEmpty() && !layout[u"kind"].toString().isEmpty());
    }

    void filesAreChecked()
    {
        Program check;
        const QString right = check.home() + u"/right.toml"_s;
        const QString wrong = check.home() + u"/wrong.toml"_s;
        QVERIFY(write(right, m_taught));
        QVERIFY(write(wrong, QByteArray(m_taught).replace("\"counter\"", "\"count\"")));
        QVERIFY(check.run({u"layouts"_s, u"--check"_s, right}));
        QCOMPARE(check.exitCode(), 0);
        QVERIFY2(check.out().contains("the layout shop-checkout"), check.out().constData());
        Program both;
        QVERIFY(both.run({u"layouts"_s, u"--check"_s, right, wrong}));
        QCOMPARE(both.exitCode(), 1);
        QVERIFY2(both.err().contains("wrong.toml:5: unknown role \"count\"; did you mean "
                                     "\"counter\"?"),
                 both.err().constData());
        Program missing;
        QVERIFY(missing.run({u"layouts"_s, u"--check"_s, u"/nonexistent.toml"_s}));
        QCOMPARE(missing.exitCode(), 2);
    }

    void aFileIsTriedOnAServer()
    {
        m_server.lines({"SET shop:berlin:checkout:43 seven EX 41",
                        "HSET shop:berlin:checkout:44 n 7", "RPUSH shop:berlin:todo a"});
        Program attempt;
        const QString file = attempt.home() + u"/checkout.toml"_s;
        QVERIFY(write(file, m_taught));
        QVERIFY(attempt.run({u"layouts"_s, u"--try"_s, file, m_server.urlText()}));
        QVERIFY2(attempt.exitCode() == 0, attempt.err().constData());
        const QByteArray out = attempt.out();
        for (const char* line :
             {"  shop:berlin:checkout:42  ", "counter=shop:berlin:checkout:42",
              "1 primitive of the layout shop-checkout; ",
              "it is a hash; as counter it would be a "
              "string\n  shop:berlin:checkout:44\n",
              "its content is not what the family fixed-window has\n  shop:berlin:checkout:43\n"})
            QVERIFY2(out.contains(line), out.constData());
        QVERIFY2(!out.contains("todo"), out.constData());
        Program none;
        const QString other = none.home() + u"/other.toml"_s;
        QVERIFY(write(other, QByteArray(m_taught).replace("checkout:", "basket:")));
        QVERIFY(none.run({u"layouts"_s, u"--try"_s, other, m_server.urlText()}));
        QCOMPARE(none.exitCode(), 1);
    }

    void aWrongFileIsRefusedByEveryCommand_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("snapshot") << QStringList{u"snapshot"_s, m_server.urlText()};
        QTest::newRow("check") << QStringList{u"check"_s, m_server.urlText()};
        QTest::newRow("layouts") << QStringList{u"layouts"_s};
        QTest::newRow("act") << QStringList{u"act"_s, m_server.urlText(), u"limiter"_s, u"clear"_s,
                                            u"x"_s,   u"--yes"_s};
    }
    void aWrongFileIsRefusedByEveryCommand()
    {
        QFETCH(QStringList, words);
        Program program;
        QVERIFY(write(defaultFile(program), "id = 5\n"));
        QVERIFY(program.run(words));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("shop-checkout.toml:1: "), program.err().constData());
        Program folder;
        QVERIFY(folder.run(words + QStringList{u"--layouts"_s, u"/nonexistent"_s}));
        QCOMPARE(folder.exitCode(), 2);
        QVERIFY2(folder.err().contains("/nonexistent is not a folder"), folder.err().constData());
    }
};

LK_TEST(TestLayouts);
#include "tst_layouts.moc"
