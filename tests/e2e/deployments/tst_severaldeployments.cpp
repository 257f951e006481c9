// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/e2e/prometheustext.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// `lockkeeper snapshot` and `check` with several addresses at once.
class TestSeveralDeployments : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (test::RedisServer* server : {&m_found, &m_clean, &m_info})
            QVERIFY2(server->start(), server->output());
        m_found.lines({"SET lock:orphan owner", "HINCRBY user_token:8a1c0d77b used_by 1"});
        m_clean.line("SET lock:a ef1f63c NX PX 600000");
        m_info.line("SETEX code:c17bd6 60 payload");
    }

    // The output for one of several deployments equals the output for it alone.
    void jsonOfOneIsWhatItIsAlone_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("snapshot") << u"snapshot"_s;
        QTest::newRow("check") << u"check"_s;
    }
    void jsonOfOneIsWhatItIsAlone()
    {
        QFETCH(QString, command);
        Program alone;
        QVERIFY(alone.run({command, m_found.urlText(), u"--reveal"_s, u"--format"_s, u"json"_s}));
        const QJsonObject one = QJsonDocument::fromJson(alone.out()).object();
        QVERIFY(!one.contains("deployments"_L1));
        Program program;
        QVERIFY(program.run(
            {command, m_clean.urlText(), m_found.urlText(), u"--reveal"_s, u"--format=json"_s}));
        QJsonParseError error;
        const QJsonObject root = QJsonDocument::fromJson(program.out(), &error).object();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(root.keys(), (QStringList{u"deployments"_s, u"schema"_s}));
        QCOMPARE(root["schema"_L1].toInt(), 2);
        const QJsonArray all = root["deployments"_L1].toArray();
        QCOMPARE(all.size(), 2);
        QCOMPARE(all[0]["server"_L1]["endpoint"_L1].toString(), m_clean.url().endpoint());
        QCOMPARE(all[1]["server"_L1]["endpoint"_L1].toString(), m_found.url().endpoint());
        QCOMPARE(all[1].toObject().keys(), one.keys());
        QCOMPARE(all[1]["findings"_L1], one["findings"_L1]);
        QCOMPARE(all[1]["locks"_L1], one["locks"_L1]);
    }

    void textHasAHeadingForEach()
    {
        Program program;
        QVERIFY(program.run({u"snapshot"_s, m_found.urlText(), m_clean.urlText()}));
        QCOMPARE(program.exitCode(), 0);
        const QByteArray out = program.out();
        const qsizetype first = out.indexOf("=== " + m_found.url().endpoint().toUtf8() + '\n');
        const qsizetype second = out.indexOf("\n\n=== " + m_clean.url().endpoint().toUtf8() + '\n');
        QCOMPARE(first, 0);
        QVERIFY2(second > 0, out.constData());
        const qsizetype orphan = out.indexOf("lock:orphan");
        QVERIFY(first < orphan && orphan < second);
        QVERIFY(out.indexOf("lock:a") > second);
    }

    void theWorstExitCodeCounts_data()
    {
        QTest::addColumn<QStringList>("urls");
        QTest::addColumn<int>("code");
        const QString found = m_found.urlText();
        const QString clean = m_clean.urlText();
        const QString info = m_info.urlText();
        QTest::newRow("nothing") << QStringList{clean, info} << 0;
        QTest::newRow("some, then nothing") << QStringList{found, clean} << 1;
        QTest::newRow("nothing, then some") << QStringList{info, clean, found} << 1;
        QTest::newRow("nothing there, then some") << QStringList{m_nowhere, found} << 2;
        QTest::newRow("some, then nothing there") << QStringList{found, m_nowhere} << 2;
    }
    void theWorstExitCodeCounts()
    {
        QFETCH(QStringList, urls);
        QFETCH(int, code);
        for (const char* format : {"text", "json", "prometheus"}) {
            Program program;
            QVERIFY(
                program.run(QStringList{u"check"_s, u"--format"_s, QLatin1String(format)} + urls));
            QCOMPARE(program.exitCode(), code);
            QVERIFY(!program.out().isEmpty()); // of the others there is all
            QCOMPARE(program.err().count('\n'), code == 2 ? 1 : 0);
        }
    }

    // Each other is reported as ever, and which one failed is told in every format.
    void oneThatFailsHidesNoOther()
    {
        const QStringList urls{m_nowhere, m_found.urlText()};
        Program text;
        QVERIFY(text.run(QStringList{u"check"_s} + urls));
        QVERIFY2(text.out().contains("/nowhere/S.sock/0\n\nNot read: "), text.out().constData());
        QVERIFY(text.out().contains("lock-without-ttl"));
        QVERIFY2(text.err().startsWith("lockkeeper: /nowhere/S.sock/0: "), text.err().constData());
        Program json;
        QVERIFY(json.run(QStringList{u"snapshot"_s, u"--format=json"_s} + urls));
        QCOMPARE(json.exitCode(), 2);
        const QJsonArray all =
            QJsonDocument::fromJson(json.out()).object()["deployments"_L1].toArray();
        QCOMPARE(all.size(), 2);
        QCOMPARE(all[0]["server"_L1]["endpoint"_L1].toString(), u"/nowhere/S.sock/0"_s);
        QVERIFY(!all[0]["error"_L1].toString().isEmpty());
        QVERIFY(!all[0].toObject().contains("locks"_L1));
        QVERIFY(!all[1].toObject().contains("error"_L1));
        QCOMPARE(all[1]["locks"_L1].toArray().size(), 1);
    }

    void prometheusTellsThemApart()
    {
        Program program;
        QVERIFY(program.run({u"check"_s, u"--format=prometheus"_s, m_found.urlText(),
                             m_clean.urlText(), m_nowhere}));
        QMap<QByteArray, double> samples;
        const QByteArray problem = test::problemIn(program.out(), samples);
        QVERIFY2(problem.isEmpty(), problem.constData());
        const auto of = [&](const char* metric, const QString& endpoint, const char* more = "") {
            return samples.value(
                QByteArray(metric) + "{endpoint=\"" + endpoint.toUtf8() + '"' + more + '}', -1);
        };
        const QString found = m_found.url().endpoint();
        const QString clean = m_clean.url().endpoint();
        const char* const ghosts = ",code=\"ghost-token\",severity=\"error\"";
        QCOMPARE(of("lockkeeper_findings", found, ghosts), 1.0);
        QCOMPARE(of("lockkeeper_findings", clean, ghosts), 0.0);
        QCOMPARE(of("lockkeeper_scanned_keys", found), 2.0);
        QCOMPARE(of("lockkeeper_scanned_keys", clean), 1.0);
        QCOMPARE(of("lockkeeper_check_complete", clean), 1.0);
        QCOMPARE(of("lockkeeper_check_complete", u"/nowhere/S.sock/0"_s), 0.0);
        QCOMPARE(of("lockkeeper_scanned_keys", u"/nowhere/S.sock/0"_s), -1.0);
    }

    // Neither waits for the other: both are asked while neither has answered.
    void theyRunSideBySide()
    {
        QTcpServer first;
        QTcpServer second;
        QVERIFY(first.listen(QHostAddress::LocalHost));
        QVERIFY(second.listen(QHostAddress::LocalHost));
        const auto url = [](const QTcpServer& server) {
            return u"redis://127.0.0.1:%1"_s.arg(server.serverPort());
        };
        Program program;
        QVERIFY(program.start({u"snapshot"_s, url(first), url(second)}));
        QTRY_VERIFY_WITH_TIMEOUT(first.hasPendingConnections() && second.hasPendingConnections(),
                                 20'000);
        QCOMPARE(program.process.state(), QProcess::Running);
    }

    void noSecretIsTold()
    {
        Program program;
        QVERIFY(program.run(
            {u"check"_s, u"redis://me:S3CRET@127.0.0.1:1"_s, u"unix:///nowhere/S.sock"_s}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY(!program.out().contains("S3CRET"));
        QVERIFY(!program.err().contains("S3CRET"));
    }

    void theSameTwiceIsRefused()
    {
        Program program;
        QVERIFY(program.run({u"check"_s, m_clean.urlText(), m_found.urlText(), m_clean.urlText()}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("is given twice"), program.err().constData());
        QCOMPARE(program.out(), QByteArray());
    }

private:
    const QString m_nowhere = u"unix:///nowhere/S.sock"_s;
    test::RedisServer m_found;
    test::RedisServer m_clean;
    test::RedisServer m_info;
};

LK_TEST(TestSeveralDeployments);
#include "tst_severaldeployments.moc"
