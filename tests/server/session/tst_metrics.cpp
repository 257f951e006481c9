// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/metrics/metricsendpoint.h"
#include "backend/report/metrics/sessionmetrics.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "tests/server/livesession.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTemporaryDir>

#include <algorithm>

#include <sys/socket.h>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

// The metrics that Prometheus reads over HTTP from a session with a real server.
class TestMetrics : public QObject
{
    Q_OBJECT

private:
    static constexpr int patience = 30'000;

    // The whole answer, while the endpoint answers in this same thread.
    static QByteArray ask(quint16 port, const QByteArray& request)
    {
        QTcpSocket socket;
        socket.connectToHost(u"127.0.0.1"_s, port);
        QByteArray all;
        QObject::connect(&socket, &QTcpSocket::readyRead, &socket,
                         [&] { all += socket.readAll(); });
        QObject::connect(&socket, &QTcpSocket::connected, &socket, [&] { socket.write(request); });
        (void)QTest::qWaitFor(
            [&] { return socket.state() == QAbstractSocket::UnconnectedState && !all.isEmpty(); },
            patience);
        return all;
    }
    static QByteArray get(quint16 port, const QByteArray& path, const QByteArray& accept = "*/*")
    {
        return ask(port, "GET " + path + " HTTP/1.1\r\nHost: h\r\nAccept: " + accept + "\r\n\r\n");
    }
    // As Prometheus asks.
    static QByteArray scrape(quint16 port)
    {
        return get(port, "/metrics",
                   "application/openmetrics-text;version=1.0.0;q=0.5,"
                   "text/plain;version=0.0.4;q=0.2,*/*;q=0.1");
    }
    // The exit code of promtool with this on its standard input, and what it says.
    std::pair<int, QByteArray> lint(const QByteArray& text)
    {
        QProcess process;
        process.start(u"promtool"_s, {u"check"_s, u"metrics"_s});
        process.write(text);
        process.closeWriteChannel();
        if (!process.waitForFinished(patience))
            return {-1, process.errorString().toUtf8()};
        return {process.exitCode(),
                process.readAllStandardError() + process.readAllStandardOutput()};
    }

    RedisServer m_server;
    QTemporaryDir m_folder;

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.line("FLUSHALL"); }

    void tellsWhatTheSessionKnows();
    void plainTextUnlessAskedForTheOther_data();
    void plainTextUnlessAskedForTheOther();
    void promtoolAcceptsWhatCurlGets();
    void promtoolAcceptsIt();
    void whatIsCalledTheSameIsToldApart();
    void tokensStayMasked();
    void healthSaysWhoIsLost();
    void healthSaysWhichSlotsNobodyServes();
    void aRecordingThatCannotBeWrittenIsTold();
    void theDashboardShowsWhatIsServed();
    void wrongRequests_data();
    void wrongRequests();
    void onlyWhoHasThePasswordIsAnswered();
    void slowAndManyAreTurnedAway();
    void whoHasClosedItsSideIsAnswered();
    void whoTakesNothingIsLetGo();
    void whatCannotBeListenedOnIsTold();
    void addresses_data();
    void addresses();
};

void TestMetrics::tellsWhatTheSessionKnows()
{
    m_server.lines(
        {"RPUSH bull:x 1", "SET lock:a me PX 600000", "SET lock:orphan me", "RPUSH jobs j1 j2 j3"});
    const Config config = parseConfig("[[queue]]\nkey = \"jobs\"\nlayout = \"reliable-list\"\n"
                                      "processing = \"jobs:processing\"\n",
                                      u"t"_s)
                              .value();
    LiveSession live(m_server.url(), config);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live->board().summary() && live->findings().latest(),
                             patience);
    QTRY_VERIFY_WITH_TIMEOUT(live->findings().latest()->byCode.contains("lock-without-ttl"),
                             patience);
    MetricsEndpoint endpoint;
    endpoint.setSessions({&*live});
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    const QByteArray answer = scrape(endpoint.port());
    QVERIFY2(answer.startsWith("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text"),
             answer.left(200).constData());
    QVERIFY(answer.endsWith("# EOF\n"));
    const QByteArray deployment = "{deployment=\"" + live->name().toUtf8() + "\"";
    for (const QByteArray& line :
         {"lockkeeper_up" + deployment + "} 1",
          "lockkeeper_queue_jobs" + deployment +
              ",queue=\"jobs\",layout=\"reliable-list\",role=\"ready\"} 3",
          "lockkeeper_findings" + deployment + ",code=\"lock-without-ttl\"} 1",
          "lockkeeper_findings" + deployment + ",code=\"queue-stuck\"} 0",
          "lockkeeper_scan_complete" + deployment + "} 1"})
        QVERIFY2(answer.contains('\n' + line + '\n'), (line + '\n' + answer).constData());
    QVERIFY(answer.contains("lockkeeper_primitives" + deployment + ",kind=\"lock\",health="));
    QVERIFY(answer.contains("lockkeeper_process_cpu_seconds_total "));
    const QByteArray head = ask(endpoint.port(), "HEAD /metrics HTTP/1.1\r\nHost: h\r\n\r\n");
    QVERIFY(head.startsWith("HTTP/1.1 200 OK"));
    QVERIFY(head.endsWith("\r\n\r\n"));
}

void TestMetrics::plainTextUnlessAskedForTheOther_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<bool>("openMetrics");
    QTest::newRow("no Accept") << QByteArray() << false;
    QTest::newRow("curl") << QByteArray("Accept: */*\r\n") << false;
    QTest::newRow("a browser") << QByteArray("Accept: text/html,application/xml;q=0.9\r\n")
                               << false;
    QTest::newRow("plain text") << QByteArray("Accept: text/plain;version=0.0.4\r\n") << false;
    QTest::newRow("OpenMetrics") << QByteArray("Accept: application/openmetrics-text\r\n") << true;
    QTest::newRow("Prometheus") << QByteArray(
                                       "ACCEPT: application/OpenMetrics-Text;version=1.0.0;q=0.5,"
                                       "text/plain;version=0.0.4;q=0.2,*/*;q=0.1\r\n")
                                << true;
}

void TestMetrics::plainTextUnlessAskedForTheOther()
{
    QFETCH(QByteArray, header);
    QFETCH(bool, openMetrics);
    MetricsEndpoint endpoint;
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    const QByteArray answer =
        ask(endpoint.port(), "GET /metrics HTTP/1.1\r\nHost: h\r\n" + header + "\r\n");
    const QByteArray type =
        openMetrics ? "application/openmetrics-text; version=1.0.0" : "text/plain; version=0.0.4";
    QVERIFY2(answer.startsWith("HTTP/1.1 200 OK\r\nContent-Type: " + type),
             answer.left(200).constData());
    QCOMPARE(answer.endsWith("# EOF\n"), openMetrics);
    QVERIFY(answer.contains(openMetrics ? "# TYPE lockkeeper_process_cpu_seconds counter\n"
                                        : "# TYPE lockkeeper_process_cpu_seconds_total counter\n"));
}

// "curl .../metrics | promtool check metrics", as operators try a new exporter.
void TestMetrics::promtoolAcceptsWhatCurlGets()
{
    if (QStandardPaths::findExecutable(u"promtool"_s).isEmpty())
        QSKIP("promtool is not installed (Debian: prometheus)");
    m_server.lines({"SET lock:orphan me", "SET api:1 5 PX 60000"});
    LiveSession live(m_server.url());
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live->board().summary() && live->findings().latest(),
                             patience);
    MetricsEndpoint endpoint;
    endpoint.setSessions({&*live});
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    for (const QByteArray& header : {QByteArray(), QByteArray("Accept: */*\r\n")}) {
        const QByteArray answer =
            ask(endpoint.port(), "GET /metrics HTTP/1.1\r\nHost: h\r\n" + header + "\r\n");
        const QByteArray body = answer.mid(answer.indexOf("\r\n\r\n") + 4);
        QVERIFY(body.contains("\nlockkeeper_process_cpu_seconds_total "));
        const auto [code, said] = lint(body);
        QVERIFY2(code == 0 && said.isEmpty(), (said + body).constData());
    }
}

// promtool is in the Debian package prometheus. Each of its warnings is an error.
void TestMetrics::promtoolAcceptsIt()
{
    const QString promtool = QStandardPaths::findExecutable(u"promtool"_s);
    if (promtool.isEmpty())
        QSKIP("promtool is not installed (Debian: prometheus)");
    m_server.lines({"SET lock:orphan me", "SET api:1 5 PX 60000", "RPUSH jobs j1"});
    const Config config =
        parseConfig("[[queue]]\nkey = \"jobs\"\nlayout = \"reliable-list\"\n"
                    "processing = \"jobs:processing\"\n[[limiter]]\nkey = \"api:*\"\n"
                    "layout = \"fixed-window\"\nlimit = 5\nwindow = \"1m\"\n",
                    u"t"_s)
            .value();
    LiveSession live(m_server.url(), config);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live->board().summary() && live->findings().latest(),
                             patience);
    for (const MetricsFormat format : {MetricsFormat::PlainText, MetricsFormat::OpenMetrics}) {
        QByteArray text = sessionMetrics({&*live}, format);
        QVERIFY(text.contains("lockkeeper_limiter_used_ratio{"));
        if (format == MetricsFormat::OpenMetrics) {
            // Its reader of this format wants to know when; it makes blocks of them.
            QByteArray timed;
            for (const QByteArray& line : text.split('\n')) {
                if (!line.isEmpty())
                    timed += line + (line.startsWith('#') ? "" : " 1700000000") + '\n';
            }
            text = timed;
        }
        QProcess process;
        const QString file = m_folder.filePath(u"metrics"_s);
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
        out.close();
        if (format == MetricsFormat::PlainText) {
            process.setStandardInputFile(file);
            process.start(promtool, {u"check"_s, u"metrics"_s});
        } else {
            process.start(promtool, {u"tsdb"_s, u"create-blocks-from"_s, u"openmetrics"_s, file,
                                     m_folder.filePath(u"blocks"_s)});
        }
        QVERIFY(process.waitForFinished(patience));
        const QByteArray said = process.readAllStandardError() + process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0, (said + text).constData());
    }
}

// A scraper refuses everything if one series stands there twice.
void TestMetrics::whatIsCalledTheSameIsToldApart()
{
    for (const QByteArray prefix : {"bull:email:", "shop:email:"}) {
        m_server.run(
            {"HSET", prefix + "meta", "version", "bullmq:5.34.0", "opts.maxLenEvents", "10000"});
        m_server.run({"XADD", prefix + "events", "*", "event", "added", "jobId", "1"});
        m_server.run({"HSET", prefix + "1", "name", "send", "data", "{}", "opts",
                      "{\"attempts\":3}", "timestamp", "1700000000000"});
        m_server.run({"RPUSH", prefix + "wait", "1"});
        m_server.run({"SET", prefix + "id", "1"});
    }
    LiveSession live(m_server.url());
    const auto series = [&] {
        QByteArrayList all;
        for (const QByteArray& line :
             sessionMetrics({&*live}, MetricsFormat::OpenMetrics).split('\n')) {
            if (!line.isEmpty() && !line.startsWith('#'))
                all << line.left(line.lastIndexOf(' '));
        }
        return all;
    };
    const auto count = [](const QByteArrayList& all, const char* name) {
        return std::count_if(all.begin(), all.end(),
                             [&](const QByteArray& line) { return line.startsWith(name); });
    };
    QTRY_COMPARE_WITH_TIMEOUT(count(series(), "lockkeeper_queue_stuck_jobs{"), 2, patience);
    const QByteArrayList all = series();
    QCOMPARE(QSet<QByteArray>(all.begin(), all.end()).size(), all.size());
}

void TestMetrics::tokensStayMasked()
{
    m_server.line("SET reset:S3CRETS3CRETS3CRETS3CRETS3CRET 1 PX 600000");
    LiveSession live(m_server.url());
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live->board().summary(), patience);
    QVERIFY(!sessionMetrics({&*live}, MetricsFormat::OpenMetrics).contains("S3CRETS3"));
}

void TestMetrics::healthSaysWhoIsLost()
{
    RedisServer server;
    QVERIFY(server.start());
    LiveSession live(server.url());
    MetricsEndpoint endpoint;
    endpoint.setSessions({&*live});
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(live.isReady(), patience);
    QVERIFY(get(endpoint.port(), "/healthz").endsWith("\r\n\r\nok\n"));
    server.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!live.isReady(), patience);
    const QByteArray answer = get(endpoint.port(), "/healthz?x=1");
    QVERIFY2(answer.startsWith("HTTP/1.1 503 "), answer.constData());
    QVERIFY(answer.contains("not connected"));
    QVERIFY(get(endpoint.port(), "/metrics").contains("\nlockkeeper_up{"));
}

// The other nodes answer, but not for its keys.
void TestMetrics::healthSaysWhichSlotsNobodyServes()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    LiveSession live(cluster.node(0).tcpUrl());
    QTRY_VERIFY_WITH_TIMEOUT(live.isReady(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(sessionHealth({&*live}).text, QByteArray("ok\n"), patience);
    cluster.node(2).stop();
    QTRY_VERIFY_WITH_TIMEOUT(sessionHealth({&*live}).text.contains("10923-16383"), 2 * patience);
    QVERIFY(!sessionHealth({&*live}).healthy);
}

void TestMetrics::aRecordingThatCannotBeWrittenIsTold()
{
    LiveSession live(m_server.url());
    QVERIFY(
        !sessionMetrics({&*live}, MetricsFormat::OpenMetrics).contains("\nlockkeeper_recording{"));
    const QString blocked = m_folder.filePath(u"blocked"_s);
    QFile file(blocked); // where the folder would be
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    SystemClock clock;
    RecordWriter writer({blocked + u"/history.db"_s, {}, &clock});
    writer.start();
    {
        SessionRecorder recorder(*live, writer, {});
        const auto tells = [&](const QByteArray& metric, int value) {
            return sessionMetrics({&*live}, MetricsFormat::OpenMetrics)
                .contains("\n" + metric + "{deployment=\"" + live->name().toUtf8() + "\"} " +
                          QByteArray::number(value) + '\n');
        };
        QTRY_VERIFY_WITH_TIMEOUT(tells("lockkeeper_recording_problem", 1), patience);
        QVERIFY(tells("lockkeeper_recording", 0));
        const HealthAnswer ill = sessionHealth({&*live});
        QVERIFY(!ill.healthy);
        QVERIFY2(ill.text.contains(": not recorded: " + blocked.toUtf8()), ill.text.constData());
        QVERIFY(file.remove());
        QTRY_VERIFY_WITH_TIMEOUT(tells("lockkeeper_recording", 1), patience);
        QVERIFY(tells("lockkeeper_recording_problem", 0));
        QCOMPARE(sessionHealth({&*live}).text, QByteArray("ok\n"));
        QTRY_VERIFY_WITH_TIMEOUT(sessionMetrics({&*live}, MetricsFormat::OpenMetrics)
                                     .contains("\nlockkeeper_recording_cap_bytes 2147483648\n"),
                                 patience);
    }
    writer.stop();
}

void TestMetrics::theDashboardShowsWhatIsServed()
{
    QFile file(QStringLiteral(LOCKKEEPER_SOURCES "resources/package/grafana-dashboard.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QSet<QString> named;
    static const QRegularExpression metric(u"\\blockkeeper_[a-z_]+"_s);
    for (auto it = metric.globalMatch(QString::fromUtf8(file.readAll())); it.hasNext();)
        named << it.next().captured();
    QVERIFY(named.size() > 10);
    LiveSession live(m_server.url());
    SystemClock clock;
    RecordWriter writer({m_folder.filePath(u"history.db"_s), {}, &clock});
    writer.start();
    {
        SessionRecorder recorder(*live, writer, {});
        QTRY_VERIFY_WITH_TIMEOUT(!recorder.status().size.path.isEmpty(), patience);
        const QByteArray text = sessionMetrics({&*live}, MetricsFormat::PlainText);
        for (const QString& name : std::as_const(named))
            QVERIFY2(text.contains("# TYPE " + name.toLatin1() + ' '), qPrintable(name));
    }
    writer.stop();
}

void TestMetrics::wrongRequests_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QByteArray>("status");
    QTest::newRow("path") << QByteArray("GET /x HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("method") << QByteArray("POST /metrics HTTP/1.1\r\n\r\n") << QByteArray("405");
    QTest::newRow("no HTTP") << QByteArray("hello\r\n\r\n") << QByteArray("400");
    QTest::newRow("another protocol")
        << QByteArray("GET /metrics SPDY/9\r\n\r\n") << QByteArray("400");
    QTest::newRow("header too large")
        << "GET /metrics HTTP/1.1\r\nX: " + QByteArray(20'000, 'x') << QByteArray("431");
}

void TestMetrics::wrongRequests()
{
    QFETCH(QByteArray, request);
    QFETCH(QByteArray, status);
    MetricsEndpoint endpoint;
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    const QByteArray answer = ask(endpoint.port(), request);
    QVERIFY2(answer.startsWith("HTTP/1.1 " + status), answer.left(100).constData());
    // And it goes on.
    QVERIFY(get(endpoint.port(), "/healthz").startsWith("HTTP/1.1 200"));
}

void TestMetrics::onlyWhoHasThePasswordIsAnswered()
{
    MetricsEndpoint endpoint;
    endpoint.setPassword("s3cret:of colons");
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    const auto with = [&](const QByteArray& login) {
        return ask(endpoint.port(), "GET /healthz HTTP/1.1\r\nHost: h\r\nAuthorization: Basic " +
                                        login.toBase64() + "\r\n\r\n");
    };
    const QByteArray none = get(endpoint.port(), "/healthz");
    QVERIFY2(none.startsWith("HTTP/1.1 401") && none.contains("WWW-Authenticate: Basic"),
             none.constData());
    QVERIFY(with("prometheus:wrong").startsWith("HTTP/1.1 401"));
    QVERIFY(with("s3cret:of colons").startsWith("HTTP/1.1 401")); // a user of that name
    QVERIFY(with("prometheus:s3cret:of colons").startsWith("HTTP/1.1 200"));
}

void TestMetrics::slowAndManyAreTurnedAway()
{
    HttpEndpoint::Limits limits;
    limits.connections = 3;
    limits.requestMs = 500;
    MetricsEndpoint endpoint(nullptr, limits);
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    std::vector<std::unique_ptr<QTcpSocket>> silent;
    for (int i = 0; i < 3; ++i) {
        silent.push_back(std::make_unique<QTcpSocket>());
        silent.back()->connectToHost(u"127.0.0.1"_s, endpoint.port());
        QTRY_COMPARE_WITH_TIMEOUT(silent.back()->state(), QAbstractSocket::ConnectedState,
                                  patience);
        silent.back()->write("GET /met");
    }
    // They are let go in their time, and then there is room again.
    for (const auto& socket : silent)
        QTRY_COMPARE_WITH_TIMEOUT(socket->state(), QAbstractSocket::UnconnectedState, patience);
    QVERIFY(get(endpoint.port(), "/healthz").startsWith("HTTP/1.1 200"));
}

// As with "nc -N", or a script that has said all it has to say.
void TestMetrics::whoHasClosedItsSideIsAnswered()
{
    MetricsEndpoint endpoint;
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    QTcpSocket socket;
    socket.connectToHost(u"127.0.0.1"_s, endpoint.port());
    QVERIFY(socket.waitForConnected(patience));
    socket.write("GET /healthz HTTP/1.0\r\n\r\n");
    QVERIFY(socket.waitForBytesWritten(patience));
    ::shutdown(int(socket.socketDescriptor()), SHUT_WR);
    QByteArray answer;
    QTRY_VERIFY_WITH_TIMEOUT((answer += socket.readAll()).endsWith("\r\n\r\nok\n"), patience);
    QVERIFY(answer.startsWith("HTTP/1.1 200 OK\r\n"));
}

// A response that is larger than all buffers, and a client that does not read it.
void TestMetrics::whoTakesNothingIsLetGo()
{
    HttpEndpoint::Limits limits;
    limits.connections = 1;
    limits.requestMs = 500;
    HttpEndpoint endpoint(limits);
    endpoint.add("/large", [](const QByteArray&) {
        return HttpEndpoint::Answer{200, "text/plain", QByteArray(50'000'000, 'x')};
    });
    endpoint.add("/small", [](const QByteArray&) {
        return HttpEndpoint::Answer{200, "text/plain", "small\n"};
    });
    QVERIFY(endpoint.listen({u"127.0.0.1"_s, 0}).has_value());
    QTcpSocket lazy;
    lazy.setReadBufferSize(1000);
    lazy.connectToHost(u"127.0.0.1"_s, endpoint.port());
    QVERIFY(lazy.waitForConnected(patience));
    lazy.write("GET /large HTTP/1.1\r\n\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(lazy.bytesAvailable() > 0, patience);
    QVERIFY(get(endpoint.port(), "/small").startsWith("HTTP/1.1 503 "));
    QTRY_VERIFY_WITH_TIMEOUT(get(endpoint.port(), "/small").endsWith("small\n"), patience);
}

void TestMetrics::whatCannotBeListenedOnIsTold()
{
    MetricsEndpoint first;
    QVERIFY(first.listen({u"127.0.0.1"_s, 0}).has_value());
    MetricsEndpoint second;
    const Result<void> listening = second.listen({u"127.0.0.1"_s, first.port()});
    QVERIFY(!listening.has_value());
    QVERIFY2(
        listening.error().detail.startsWith(u"cannot listen on 127.0.0.1:%1: "_s.arg(first.port())),
        qPrintable(listening.error().detail));
}

void TestMetrics::addresses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port"); // -1: refused
    QTest::newRow("IPv4") << u"127.0.0.1:9877"_s << u"127.0.0.1"_s << 9877;
    QTest::newRow("IPv6") << u"[::1]:9877"_s << u"::1"_s << 9877;
    QTest::newRow("all") << u":9877"_s << QString() << 9877;
    QTest::newRow("localhost") << u"localhost:1"_s << u"127.0.0.1"_s << 1;
    QTest::newRow("no port") << u"127.0.0.1"_s << QString() << -1;
    QTest::newRow("name") << u"example.com:80"_s << QString() << -1;
    QTest::newRow("bare IPv6") << u"::1:9877"_s << QString() << -1;
    QTest::newRow("port too large") << u"127.0.0.1:70000"_s << QString() << -1;
    QTest::newRow("nothing") << QString() << QString() << -1;
}

void TestMetrics::addresses()
{
    QFETCH(QString, text);
    QFETCH(QString, host);
    QFETCH(int, port);
    const Result<ListenAddress> address = parseListenAddress(text);
    QCOMPARE(address.has_value(), port >= 0);
    if (!address) {
        QVERIFY(address.error().detail.contains(u"ADDRESS:PORT"_s));
        return;
    }
    QCOMPARE(address->host, host);
    QCOMPARE(int(address->port), port);
}

LK_TEST(TestMetrics);
#include "tst_metrics.moc"
