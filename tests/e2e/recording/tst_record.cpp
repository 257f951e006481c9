// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder as a service: it ends in order, goes on with another configuration, and what it saw
// is told afterwards.
#include "backend/history/recordqueries.h"
#include "backend/history/store/recordfile.h"
#include "backend/session/deploymentkey.h"
#include "tests/e2e/program.h"
#include "tests/e2e/recorder.h"
#include "tests/support/guiseserver.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSqlQuery>
#include <QTest>
#include <QVariant>

#include <algorithm>
#include <array>
#include <csignal>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

class TestRecord : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void whatItSawIsToldAfterwards();
    void theTimesAreTheServers_data();
    void theTimesAreTheServers();
    void aSignalEndsItInOrder();
    void aDemotedMasterIsNamed();
    void hangupReadsTheConfigurationAgain();
    void whatNobodyRecordsIsNotFound();
    void ofTwoWaysToOneDeploymentOneIsRecorded();
    void theSizeIsAsTheConfigurationHasIt();

private:
    QString file() const { return m_folder->filePath(u"history.db"_s); }
    QStringList arguments() const { return {m_server.urlText(), u"--store"_s, file()}; }
    QByteArray deployment() const { return recordedDeployment(m_server.url(), nullptr).key; }
    bool isHeldBy(const QByteArray& owner) const
    {
        return isRecordedAsHeld(owner, deployment(), file());
    }
    QByteArray printed(const QStringList& arguments, int code = 0)
    {
        Program program;
        const bool ran = program.run(arguments);
        return ran && program.exitCode() == code ? program.out() : "failed: " + program.err();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    RedisServer m_server;
};

void TestRecord::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
}

void TestRecord::init()
{
    m_server.flush();
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestRecord::whatItSawIsToldAfterwards()
{
    m_server.line("SET lock:invoice alice-1 PX 600000");
    Recorder recorder(arguments());
    QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
    QTRY_VERIFY_WITH_TIMEOUT(isHeldBy("alice-1"), patienceMs);
    const QString between = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs);
    m_server.line("DEL lock:invoice");
    m_server.line("SET lock:invoice bob-22 PX 600000");
    QTRY_VERIFY_WITH_TIMEOUT(isHeldBy("bob-22"), patienceMs);
    recorder.signal(SIGTERM);
    QCOMPARE(recorder.end(), 0);
    const QStringList store{u"--store"_s, file()};
    const QByteArray text = printed(QStringList{u"history"_s, u"lock:invoice"_s} + store);
    QVERIFY2(text.contains("held by alice-1") && text.contains("held by bob-22"), text.constData());
    QVERIFY2(text.indexOf("alice-1") < text.indexOf("bob-22"), text.constData());
    QVERIFY2(text.contains("detected for the first time"), text.constData());
    QVERIFY2(text.contains(" 10 m") || text.contains(" 9 m "), text.constData()); // of a TTL
    const QJsonObject json =
        QJsonDocument::fromJson(
            printed(QStringList{u"history"_s, u"lock:invoice"_s, u"--format"_s, u"json"_s} + store))
            .object();
    QCOMPARE(json[u"holds"].toArray().size(), 2);
    QCOMPARE(json[u"kind"].toString(), u"lock"_s);
    const QByteArray csv =
        printed(QStringList{u"history"_s, u"lock:invoice"_s, u"--format"_s, u"csv"_s} + store);
    QVERIFY2(csv.startsWith("from_utc,"), csv.constData());
    // As it was before.
    const QJsonObject then =
        QJsonDocument::fromJson(printed(QStringList{u"snapshot"_s, m_server.urlText(), u"--at"_s,
                                                    between, u"--format"_s, u"json"_s} +
                                        store))
            .object();
    QCOMPARE(then[u"schema"].toInt(), 2);
    QCOMPARE(then[u"locks"][0][u"owner"].toString(), u"alice-1"_s);
    QCOMPARE(qint64(then[u"server"][u"time_ms"].toDouble()),
             QDateTime::fromString(between, Qt::ISODateWithMs).toMSecsSinceEpoch());
    const QByteArray asText =
        printed(QStringList{u"snapshot"_s, m_server.urlText(), u"--at"_s, between} + store);
    QVERIFY2(asText.startsWith("From the recording, as of ") && asText.contains("alice-1"),
             asText.constData());
    // A moment that was not recorded is reported as such.
    const QJsonObject later =
        QJsonDocument::fromJson(
            printed(QStringList{
                        u"snapshot"_s, m_server.urlText(), u"--at"_s,
                        QDateTime::currentDateTimeUtc().addSecs(3600).toString(Qt::ISODateWithMs),
                        u"--format"_s, u"json"_s} +
                    store))
            .object();
    QCOMPARE(later[u"scan"][u"complete"].toBool(true), false);
    QVERIFY(!later[u"scan"][u"missing"].toArray().isEmpty());
}

void TestRecord::theTimesAreTheServers_data()
{
    QTest::addColumn<qint64>("aheadMs");
    QTest::newRow("ahead") << qint64(7 * 60'000);
    QTest::newRow("behind") << qint64(-7 * 60'000);
}

// Whatever the clock of the machine says on which it is recorded and asked.
void TestRecord::theTimesAreTheServers()
{
    QFETCH(qint64, aheadMs);
    const auto serverMs = [&] { return QDateTime::currentMSecsSinceEpoch() + aheadMs; };
    RespClient behind(m_server.socketPath());
    GuiseServer::Guise guise;
    guise.knows = [&](const Command& command) -> QByteArray {
        const QByteArray name = command.args()[0].toUpper();
        if (name == "TIME") {
            const QByteArray seconds = QByteArray::number(serverMs() / 1000);
            const QByteArray micros = QByteArray::number(serverMs() % 1000 * 1000);
            return "*2\r\n$" + QByteArray::number(seconds.size()) + "\r\n" + seconds + "\r\n$" +
                   QByteArray::number(micros.size()) + "\r\n" + micros + "\r\n";
        }
        if (name != "INFO")
            return {};
        QByteArray info;
        for (const QByteArray& line : behind.run(command).text.split('\n')) {
            info += line.startsWith("server_time_usec:")
                        ? "server_time_usec:" + QByteArray::number(serverMs() * 1000) + "\r\n"
                        : line.trimmed() + "\r\n";
        }
        return '$' + QByteArray::number(info.size()) + "\r\n" + info + "\r\n";
    };
    GuiseServer server(m_server, guise);
    const QString url = u"redis://"_s + server.url().endpoint();
    m_server.line("SET lock:invoice alice-1 PX 600000");
    const QByteArray key = recordedDeployment(server.url(), nullptr).key;
    const auto isHeldBy = [&](const QByteArray& owner) {
        RecordQueries queries(file());
        const auto holds = queries.open() ? queries.openHolds(key) : std::vector<RecordedHold>();
        return std::ranges::any_of(holds, [&](const auto& hold) { return hold.owner == owner; });
    };
    const QStringList store{u"--store"_s, file()};
    const QStringList history{u"history"_s, u"lock:invoice"_s, u"--from"_s, u"-5m"_s};
    const qint64 slackMs = patienceMs;
    const qint64 beganMs = serverMs();
    const auto isNear = [&](qint64 ms) { return ms >= beganMs - 1000 && ms <= beganMs + slackMs; };
    const auto told = [&](const QByteArray& owner) {
        const QByteArray text = printed(history + store);
        for (const QByteArray& line : text.split('\n')) {
            if (!line.contains("held by " + owner))
                continue;
            const QDateTime from =
                QDateTime::fromString(QString::fromUtf8(line.left(19)), u"yyyy-MM-dd HH:mm:ss"_s);
            if (isNear(from.toMSecsSinceEpoch()))
                return true;
        }
        qWarning().noquote() << text;
        return false;
    };
    {
        Recorder recorder({url, u"--store"_s, file()});
        QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
        QTRY_VERIFY_WITH_TIMEOUT(isHeldBy("alice-1"), patienceMs);
        QVERIFY(told("alice-1")); // while it is recorded
        m_server.line("SET lock:invoice bob-22 PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(isHeldBy("bob-22"), patienceMs);
        recorder.signal(SIGTERM);
        QCOMPARE(recorder.end(), 0);
    }
    QVERIFY(told("alice-1") && told("bob-22"));
    const QJsonObject json =
        QJsonDocument::fromJson(printed(history + QStringList{u"--format"_s, u"json"_s} + store))
            .object();
    const QJsonArray holds = json[u"holds"].toArray();
    QCOMPARE(holds.size(), 2);
    QVERIFY(isNear(qint64(holds[1][u"from_ms"].toDouble())));
    const QString taken = QDateTime::fromMSecsSinceEpoch(qint64(holds[1][u"from_ms"].toDouble()))
                              .toUTC()
                              .toString(Qt::ISODateWithMs);
    const QByteArray csv = printed(history + QStringList{u"--format"_s, u"csv"_s} + store);
    QVERIFY2(csv.contains('\n' + taken.toUtf8() + ','), csv.constData());
    const QJsonObject then =
        QJsonDocument::fromJson(
            printed(QStringList{u"snapshot"_s, url, u"--at"_s, taken, u"--format"_s, u"json"_s} +
                    store))
            .object();
    QCOMPARE(then[u"locks"][0][u"owner"].toString(), u"bob-22"_s);
}

void TestRecord::aSignalEndsItInOrder()
{
    m_server.line("SET lock:a alice-1 PX 600000");
    for (const int number : {SIGTERM, SIGINT}) {
        Recorder recorder(arguments());
        QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
        recorder.signal(number);
        QCOMPARE(recorder.end(), 0);
    }
    RecordQueries queries(file());
    QVERIFY(queries.open());
    const auto gaps = queries.gaps(deployment(), queries.span(deployment()).firstMs,
                                   QDateTime::currentMSecsSinceEpoch() + 60'000);
    QVERIFY(!gaps.empty());
    for (const RecordedGap& gap : gaps)
        QCOMPARE(gap.reason, GapReason::Stopped);
}

void TestRecord::aDemotedMasterIsNamed()
{
    RedisServer next({u"--repl-diskless-sync-delay"_s, u"0"_s});
    next.addTcp();
    QVERIFY(next.start());
    RedisServer server;
    QVERIFY(server.start());
    Recorder recorder({server.urlText(), u"--store"_s, file()});
    QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
    server.run({"REPLICAOF", "127.0.0.1", QByteArray::number(next.port())});
    const QByteArray said =
        "is now a replica; its master is 127.0.0.1:" + QByteArray::number(next.port());
    QVERIFY2(recorder.waitFor(said), recorder.told().constData());
    recorder.signal(SIGTERM);
    QCOMPARE(recorder.end(), 0);
}

void TestRecord::hangupReadsTheConfigurationAgain()
{
    const QString config = m_folder->filePath(u"lockkeeper.toml"_s);
    const auto write = [&](const char* text) {
        QFile out(config);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    };
    write("");
    Recorder recorder(arguments() + QStringList{u"--config"_s, config});
    QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
    write("[[limiter]]\nkey = \"api:rate\"\nlayout = \"rolling-window\"\nlimit = 5\n"
          "window = \"1s\"\n");
    recorder.signal(SIGHUP);
    QVERIFY2(recorder.waitFor("Configuration applied"), recorder.told().constData());
    write("[[limiter]]\nnonsense = 1\n");
    recorder.signal(SIGHUP);
    QVERIFY2(recorder.waitFor("Configuration not applied"), recorder.told().constData());
    recorder.signal(SIGTERM);
    QCOMPARE(recorder.end(), 0);
}

// A cluster by one of its nodes, and by another.
void TestRecord::ofTwoWaysToOneDeploymentOneIsRecorded()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    cluster.node(2).run({"SET", cluster.nameOn(2, "lock:"), "alice-1", "PX", "600000"});
    const auto url = [&](int node) {
        return u"redis-cluster://127.0.0.1:%1"_s.arg(cluster.node(node).port());
    };
    Recorder recorder(QStringList{url(0), url(1), u"--store"_s, file()});
    QVERIFY2(recorder.waitFor("Another program records "), recorder.told().constData());
    const auto held = [&] {
        RecordQueries queries(file());
        if (!queries.open() || queries.deployments().empty())
            return size_t(0);
        return queries.openHolds(queries.deployments().front().deployment.key).size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(held(), size_t(1), patienceMs);
    recorder.signal(SIGTERM);
    QCOMPARE(recorder.end(), 0);
    RecordQueries queries(file());
    QVERIFY(queries.open());
    QCOMPARE(queries.deployments().size(), 1U);
    QCOMPARE(recorder.told().count("Recording "), 1);
}

void TestRecord::theSizeIsAsTheConfigurationHasIt()
{
    const QString config = m_folder->filePath(u"lockkeeper.toml"_s);
    const auto write = [&](const char* text) {
        QFile out(config);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    };
    // A recording of before that has become too large.
    {
        RecordFile large(file());
        QVERIFY(large.open(RecordFile::Access::Write));
        QSqlQuery fill(large.db());
        QVERIFY(
            fill.exec(u"INSERT INTO deployment (key, title) VALUES ('redis:old:1/0', 'old')"_s));
        QVERIFY(fill.exec(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i "
                          "< 3000) INSERT INTO block (deployment, stream, tier, bucket, from_ms, "
                          "to_ms, data) SELECT 1, 0, 3, 0, t + i * 1000, t + i * 1000, "
                          "randomblob(8000) FROM n, (SELECT (strftime('%s', 'now') - 86400) * "
                          "1000 AS t)"_s));
    }
    const auto size = [&] { return QFileInfo(file()).size(); };
    QVERIFY(size() > 20'000'000);
    write("[recording]\nsize = \x22"
          "1GB\x22\nevery_hour = \x22"
          "3650d\x22\n");
    Recorder recorder(arguments() + QStringList{u"--config"_s, config});
    QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
    write("[recording]\nsize = \x22"
          "16MB\x22\nevery_hour = \x22"
          "3650d\x22\n");
    recorder.signal(SIGHUP);
    QVERIFY2(recorder.waitFor("Configuration applied"), recorder.told().constData());
    QTRY_VERIFY_WITH_TIMEOUT(size() < 16 * 1024 * 1024, 150'000); // piece by piece
    recorder.signal(SIGTERM);
    QCOMPARE(recorder.end(), 0);
}

void TestRecord::whatNobodyRecordsIsNotFound()
{
    QVERIFY(printed({u"history"_s, u"lock:a"_s, u"--store"_s, file()}, 2).isEmpty());
    {
        Recorder recorder(arguments());
        QVERIFY2(recorder.waitFor("Recording "), recorder.told().constData());
        recorder.signal(SIGTERM);
        QCOMPARE(recorder.end(), 0);
    }
    QVERIFY(printed({u"history"_s, u"lock:a"_s, u"--store"_s, file()}, 1).isEmpty());
    Program other;
    QVERIFY(other.run({u"history"_s, u"lock:a"_s, u"--deployment"_s,
                       u"redis://ann:my-S3CRET@nobody:1"_s, u"--store"_s, file()}));
    QVERIFY2(other.err().contains("is not recorded"), other.err().constData());
    QVERIFY2(!other.err().contains("S3CRET"), other.err().constData());
    QVERIFY(
        printed({u"snapshot"_s, u"redis://nobody:1"_s, u"--at"_s, u"-1h"_s, u"--store"_s, file()},
                2)
            .isEmpty());
    QVERIFY(printed({u"snapshot"_s, m_server.urlText(), u"--at"_s, u"soon"_s}, 2).isEmpty());
    QVERIFY(printed({u"record"_s}, 2).isEmpty());
    QVERIFY(
        printed({u"record"_s, u"redis://127.0.0.1:1"_s, u"--store"_s, file(), u"--for"_s, u"2s"_s},
                2)
            .isEmpty());
}

LK_TEST(TestRecord);
#include "tst_record.moc"
