// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jobs.h"
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// `lockkeeper jobs`: the jobs of a queue, by their states.
class TestJobs : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    QByteArray m_error;

    // Standard output; the exit code has to be as expected.
    QByteArray jobs(const QStringList& words, int code = 0)
    {
        Program program;
        const bool ended = program.run(QStringList{u"jobs"_s, m_server.urlText()} + words);
        m_error = program.err();
        return ended && program.exitCode() == code
                   ? program.out()
                   : "exit code " + QByteArray::number(program.exitCode()) + ": " + m_error;
    }
    QJsonObject json(const QStringList& words)
    {
        const QByteArray text = jobs(words + QStringList{u"--format"_s, u"json"_s});
        const QJsonObject object = QJsonDocument::fromJson(text).object();
        if (object.isEmpty())
            qWarning("%s", text.constData());
        return object;
    }
    static QStringList digests(const QJsonObject& object)
    {
        QStringList all;
        for (const QJsonValue& job : object[u"jobs"_s].toArray())
            all << job[u"digest"_s].toString();
        return all;
    }
    static QString digest(const QByteArray& payload)
    {
        return u"%1"_s.arg(fingerprintOf(payload), 16, 16, QLatin1Char('0'));
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        const QByteArray due = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + 3'600'000);
        m_server.lines({"RPUSH mail w3 w2 SECRET-w1", "RPUSH mail:processing p2 p1",
                        "RPUSH mail:dead d3-timeout d2 d1-timeout",
                        "ZADD mail:delayed " + due + " later"});
    }

    void everyStateIsPrinted()
    {
        const QByteArray text = jobs({u"mail"_s});
        QVERIFY2(text.startsWith("Queue mail, "), text.constData());
        QVERIFY2(text.contains("waiting 3, in-progress 2, delayed 1, dead-lettered 3\n"),
                 text.constData());
        for (const char* heading : {"waiting: 3 jobs\n", "in-progress: 2 jobs\n",
                                    "delayed: 1 job\n", "dead-lettered: 3 jobs\n"})
            QVERIFY2(text.contains(heading), text.constData());
        // The next job comes first; payloads are secrets.
        QVERIFY(text.indexOf(digest("SECRET-w1").toLatin1()) <
                text.indexOf(digest("w3").toLatin1()));
        QVERIFY2(!text.contains("SECRET"), text.constData());
        QVERIFY2(text.contains("Due in") && text.contains("59 m "), text.constData());
    }

    void oneStateByNameOrRole()
    {
        for (const QString& state : {u"dead-lettered"_s, u"dead"_s}) {
            const QJsonObject object = json({u"mail"_s, u"--state"_s, state});
            QCOMPARE(digests(object),
                     (QStringList{digest("d1-timeout"), digest("d2"), digest("d3-timeout")}));
            QCOMPARE(object[u"jobs"_s][0][u"role"_s].toString(), u"dead"_s);
        }
        QVERIFY(jobs({u"mail"_s, u"--state"_s, u"sleeping"_s}, 1).isEmpty());
        QVERIFY2(m_error.contains("mail has no state sleeping; it has: waiting, in-progress"),
                 m_error.constData());
    }

    void theJsonIsAsTheManualSays()
    {
        const QJsonObject object = json({u"mail"_s, u"--limit"_s, u"2"_s});
        QCOMPARE(object[u"schema"_s].toInt(), 1);
        QVERIFY(object[u"time_ms"_s].toDouble() > 1.7e12);
        const QJsonObject queue = object[u"queue"_s].toObject();
        QCOMPARE(queue[u"name"_s].toString(), u"mail"_s);
        QCOMPARE(queue[u"layout"_s].toString(), u"reliable-list"_s);
        QCOMPARE(queue[u"states"_s][3][u"count"_s].toInt(), 3);
        const QJsonObject read = object[u"read"_s][0].toObject();
        QCOMPARE(read[u"state"_s].toString(), u"waiting"_s);
        QCOMPARE(read[u"jobs"_s].toInt(), 2);
        QCOMPARE(read[u"count"_s].toInt(), 3);
        QCOMPARE(read[u"complete"_s].toBool(true), false);
        QVERIFY(read[u"problem"_s].isNull());
        QCOMPARE(object[u"jobs"_s].toArray().size(), 7);
        const QJsonObject job = object[u"jobs"_s][0].toObject();
        for (const char* field : {"id", "name", "worker", "enqueued_at_ms", "started_at_ms",
                                  "finished_at_ms", "due_at_ms", "attempts", "max_attempts",
                                  "error", "progress", "lease_alive", "payload"})
            QVERIFY2(job.contains(QLatin1String(field)) && job[QLatin1String(field)].isNull(),
                     field);
        QCOMPARE(job[u"payload_bytes"_s].toInt(), 9);
        QCOMPARE(job[u"key"_s].toString(), u"mail"_s);
        QVERIFY(object[u"jobs"_s][4][u"due_at_ms"_s].isDouble());
    }

    void payloadsAreRevealedOnDemand()
    {
        m_server.run({"RPUSH", "mail", QByteArray(70'000, 'x')});
        const QJsonObject object = json({u"mail"_s, u"--state"_s, u"waiting"_s, u"--reveal"_s});
        QCOMPARE(object[u"jobs"_s][1][u"payload"_s].toString(), u"SECRET-w1"_s);
        QCOMPARE(object[u"jobs"_s][1][u"payload_cut"_s].toBool(true), false);
        QCOMPARE(object[u"jobs"_s][0][u"payload"_s].toString().size(), 65'536);
        QCOMPARE(object[u"jobs"_s][0][u"payload_cut"_s].toBool(), true);
        // Found ones are read again at their place.
        const QJsonObject found = json({u"mail"_s, u"--grep"_s, u"d3"_s, u"--reveal"_s});
        QCOMPARE(found[u"jobs"_s].toArray().size(), 1);
        QCOMPARE(found[u"jobs"_s][0][u"payload"_s].toString(), u"d3-timeout"_s);
        QVERIFY(jobs({u"mail"_s, u"--reveal"_s}).contains("\n      SECRET-w1\n"));
    }

    void grepTellsHowFarItGot()
    {
        const QByteArray text = jobs({u"mail"_s, u"--grep"_s, u"timeout"_s});
        QVERIFY2(text.contains("dead-lettered: 2 found, all 3 jobs searched"), text.constData());
        QVERIFY2(text.contains("waiting: 0 found, all 3 jobs searched"), text.constData());
        Command fill{"RPUSH", "mail:dead"};
        for (int i = 0; i < 30'000; ++i)
            fill << "x" + QByteArray::number(i);
        for (int i = 0; i < 4; ++i)
            m_server.run(fill);
        const QJsonObject object =
            json({u"mail"_s, u"--state"_s, u"dead"_s, u"--grep"_s, u"timeout"_s});
        const QJsonObject read = object[u"read"_s][0].toObject();
        QCOMPARE(read[u"scanned"_s].toInt(), 100'000);
        QCOMPARE(read[u"count"_s].toInt(), 120'003);
        QCOMPARE(read[u"complete"_s].toBool(true), false);
        // The first ones are found, however long the list is.
        const QJsonObject first = json(
            {u"mail"_s, u"--state"_s, u"dead"_s, u"--grep"_s, u"x2999"_s, u"--limit"_s, u"1"_s});
        QCOMPARE(digests(first), QStringList{digest("x29999")});
        QVERIFY(first[u"read"_s][0][u"scanned"_s].toInt() <= 1000);
    }

    void aKeyOfAnotherType()
    {
        m_server.lines({"DEL mail:processing", "SET mail:processing x"});
        QTemporaryDir folder; // what is detected has only keys of the right types
        const QString path = folder.filePath(u"c.toml"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[[queue]]\nkey = \"mail\"\nlayout = \"reliable-list\"\n");
        file.close();
        QVERIFY(jobs({u"mail"_s, u"--config"_s, path}, 2).isEmpty());
        QVERIFY2(m_error.contains("unexpected type: mail:processing is not a list"),
                 m_error.constData());
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* line, int code, const char* said) {
            QTest::newRow(line) << QString::fromLatin1(line).split(u' ', Qt::SkipEmptyParts) << code
                                << QByteArray(said);
        };
        row("", 2, "jobs needs an address and a queue");
        row("mail other", 2, "Unexpected argument other");
        row("mail --limit 0", 2, "--limit takes a number from 1 to 1000");
        row("mail --limit many", 2, "--limit takes a number from 1 to 1000");
        row("mail --format prometheus", 2, "--format prometheus is only for check");
        row("mail --reveals", 2, "reveals");
        row("nothing", 1, "nothing not found");
    }
    void wrongUse()
    {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QByteArray, said);
        QVERIFY(jobs(words, code).isEmpty());
        QVERIFY2(m_error.contains(said), m_error.constData());
        QCOMPARE(m_error.count('\n'), 1);
    }
};

LK_TEST(TestJobs);
#include "tst_jobs.moc"
