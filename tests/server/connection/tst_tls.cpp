// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "backend/text/errortext.h"
#include "tests/support/faultserver.h"
#include "tests/support/freeport.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QDir>
#include <QProcess>

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;

/// A server over TLS, with authorities made for the occasion.
class TestTls : public QObject
{
    Q_OBJECT

private:
    QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    bool openssl(const QString& arguments);
    bool makeAuthority(const QString& name);
    bool startServer(const QString& authClients = QStringLiteral("no"));
    bool sign(const QString& name, const QString& authority, const QString& keyOptions,
              const QString& extra = {});
    ServerUrl url(const QString& host, const QString& caFile) const;

    QTemporaryDir m_folder;
    quint16 m_port = 0;
    std::unique_ptr<RedisServer> m_server;

private slots:
    void initTestCase();
    void connects_data();
    void connects();
    void refuses_data();
    void refuses();
    void plainServer();
    void plainServerThatSaysNothing();
    void plainTextToATlsPort();
    void ownCertificate_data();
    void ownCertificate();
    void refusedWithoutAnOwnCertificate_data();
    void refusedWithoutAnOwnCertificate();
    void anotherServersName();
};

bool TestTls::openssl(const QString& arguments)
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(QStringLiteral("openssl"), arguments.split(QLatin1Char(' ')));
    return process.waitForFinished() && process.exitCode() == 0;
}

bool TestTls::makeAuthority(const QString& name)
{
    return openssl(QStringLiteral("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
                                  "-keyout %1.key -out %1.pem -days 2 -subj /CN=%1")
                       .arg(name));
}

// One certificate for localhost and 127.0.0.1, signed by "good".
void TestTls::initTestCase()
{
    QVERIFY(makeAuthority(QStringLiteral("good")));
    QVERIFY(makeAuthority(QStringLiteral("other")));
    QFile names(file("names"));
    QVERIFY(names.open(QIODevice::WriteOnly));
    names.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    names.close();
    QVERIFY(openssl(QStringLiteral("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "
                                   "server.key -out server.csr -subj /CN=localhost")));
    QVERIFY(openssl(QStringLiteral("x509 -req -in server.csr -CA good.pem -CAkey good.key "
                                   "-CAcreateserial -out server.pem -days 2 -extfile names")));
    QFile notOne(file("empty.pem"));
    QVERIFY(notOne.open(QIODevice::WriteOnly));
    QVERIFY(startServer());
}

// A certificate name.pem with its key name.key.
bool TestTls::sign(const QString& name, const QString& authority, const QString& keyOptions,
                   const QString& extra)
{
    return openssl(QStringLiteral("req -newkey %2 -nodes -keyout %1.key -out %1.csr -subj /CN=%1")
                       .arg(name, keyOptions)) &&
           openssl(QStringLiteral("x509 -req -in %1.csr -CA %2.pem -CAkey %2.key -CAcreateserial "
                                  "-out %1.pem -days 2%3")
                       .arg(name, authority, extra));
}

bool TestTls::startServer(const QString& authClients)
{
    m_port = freePort();
    m_server = std::make_unique<RedisServer>(QStringList{
        QStringLiteral("--tls-port"), QString::number(m_port), QStringLiteral("--tls-cert-file"),
        file("server.pem"), QStringLiteral("--tls-key-file"), file("server.key"),
        QStringLiteral("--tls-ca-cert-file"), file("good.pem"),
        QStringLiteral("--tls-auth-clients"), authClients});
    return m_server->start();
}

ServerUrl TestTls::url(const QString& host, const QString& caFile) const
{
    ServerUrl url;
    url.scheme = ServerUrl::Scheme::Tls;
    url.host = host;
    url.port = m_port;
    url.caFile = caFile;
    return url;
}

void TestTls::connects_data()
{
    QTest::addColumn<QString>("host");
    QTest::newRow("by name") << QStringLiteral("localhost");
    QTest::newRow("by address") << QStringLiteral("127.0.0.1");
}

void TestTls::connects()
{
    QFETCH(QString, host);
    Connection connection(url(host, file("good.pem")), freeToWrite());
    QVERIFY(openAndWait(connection));
    const QByteArray large(3'000'000, 'x');
    const BatchResult result =
        runAndWait(connection, {{"SET", "k", large}, {"GET", "k"}, {"DEL", "k"}});
    QVERIFY(result);
    QCOMPARE(result->at(1).text, large);
    const BatchResult many = runAndWait(connection, std::vector<Command>(50'000, {"PING"}));
    QVERIFY(many);
    QCOMPARE(many->size(), 50'000U);
}

void TestTls::refuses_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("ca");
    const QString local = QStringLiteral("localhost");
    QTest::newRow("another authority") << local << file("other.pem");
    QTest::newRow("the system's authorities") << local << QString();
    // The loopback network answers at every address; the certificate names only one.
    QTest::newRow("another name") << QStringLiteral("127.0.0.2") << file("good.pem");
    QTest::newRow("no such file") << local << file("absent.pem");
    QTest::newRow("not a certificate") << local << file("empty.pem");
}

void TestTls::refuses()
{
    QFETCH(QString, host);
    QFETCH(QString, ca);
    // redis-server binds 127.0.0.1 only, so another address needs a way of its own.
    QCOMPARE(m_server->run({"CONFIG", "SET", "bind", "127.0.0.1 127.0.0.2"}), Reply::status("OK"));
    Connection connection(url(host, ca));
    QSignalSpy statuses(&connection, &Connection::statusChanged);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, ErrorCode::TlsFailed);
    QVERIFY(!connection.status().error.detail.isEmpty());
    QCOMPARE(connection.status().nextTryInMs, 0);
    // Nothing was said to it: the password would have gone with the login.
    for (const QList<QVariant>& status : statuses)
        QVERIFY(status[0].value<ConnectionStatus>().phase != Phase::Authenticating);
}

void TestTls::plainServer()
{
    FaultServer plain;
    plain.setGreeting({"-ERR unknown command\r\n", false, true});
    ServerUrl address = url(QStringLiteral("127.0.0.1"), file("good.pem"));
    address.port = plain.url().port;
    Connection connection(address);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, ErrorCode::NoTlsThere);
    QVERIFY(errorAdvice(connection.status().error).contains(QStringLiteral("redis://")));
}

// A real one takes the greeting of TLS for half a command, and waits for the rest.
void TestTls::plainServerThatSaysNothing()
{
    RedisServer plain;
    plain.addTcp();
    QVERIFY(plain.start());
    ServerUrl address = url(QStringLiteral("127.0.0.1"), file("good.pem"));
    address.port = plain.port();
    Connection::Options options;
    options.connectTimeoutMs = 500;
    Connection connection(address, options);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    QCOMPARE(connection.status().error.code, ErrorCode::NoTlsThere);
}

void TestTls::plainTextToATlsPort()
{
    ServerUrl address;
    address.port = m_port;
    Connection connection(address);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    const Error error = connection.status().error;
    QVERIFY2(error.code == ErrorCode::ServerClosed || error.code == ErrorCode::TlsWanted,
             qPrintable(errorText(error)));
    QVERIFY2(errorAdvice(error).contains(QStringLiteral("rediss://")),
             qPrintable(errorText(error)));
}

void TestTls::ownCertificate_data()
{
    QTest::addColumn<QString>("keyOptions");
    QTest::addColumn<bool>("oneFile");
    QTest::newRow("EC") << QStringLiteral("ec -pkeyopt ec_paramgen_curve:P-256") << false;
    QTest::newRow("RSA") << QStringLiteral("rsa:2048") << false;
    QTest::newRow("with its key in one file") << QStringLiteral("rsa:2048") << true;
}

// tls-auth-clients yes is the server's default.
void TestTls::ownCertificate()
{
    QFETCH(QString, keyOptions);
    QFETCH(bool, oneFile);
    QVERIFY(startServer(QStringLiteral("yes")));
    QVERIFY(sign(QStringLiteral("client"), QStringLiteral("good"), keyOptions));
    QString text = QStringLiteral("rediss://localhost:%1?ca=%2&cert=%3")
                       .arg(m_port)
                       .arg(file("good.pem"), file("client.pem"));
    if (oneFile) {
        QFile both(file("client.pem"));
        QFile key(file("client.key"));
        QVERIFY(both.open(QIODevice::Append) && key.open(QIODevice::ReadOnly));
        both.write(key.readAll());
    } else {
        text += QStringLiteral("&key=") + file("client.key");
    }
    Connection connection(*parseServerUrl(text));
    QVERIFY2(openAndWait(connection), qPrintable(errorText(connection.status().error)));
    QCOMPARE(runAndWait(connection, {{"GET", "k"}})->front(), Reply::nil());
}

void TestTls::refusedWithoutAnOwnCertificate_data()
{
    QTest::addColumn<QString>("cert");
    QTest::addColumn<QString>("key");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("says");
    const auto f = [this](const char* name) { return file(name); };
    QTest::newRow("none") << QString() << QString() << ErrorCode::CertificateWanted
                          << QStringLiteral("certificate");
    QTest::newRow("of another authority")
        << f("other.pem") << f("other.key") << ErrorCode::CertificateWanted
        << QStringLiteral("certificate");
    QTest::newRow("no such file") << f("absent.pem") << f("server.key") << ErrorCode::FileError
                                  << QStringLiteral("absent.pem: No such file");
    QTest::newRow("no such key") << f("server.pem") << f("absent.key") << ErrorCode::FileError
                                 << QStringLiteral("absent.key: No such file");
    QTest::newRow("not a certificate") << f("empty.pem") << f("server.key") << ErrorCode::FileError
                                       << QStringLiteral("no PEM certificate");
    QTest::newRow("not a key") << f("server.pem") << f("empty.pem") << ErrorCode::FileError
                               << QStringLiteral("no PEM private key");
}

void TestTls::refusedWithoutAnOwnCertificate()
{
    QFETCH(QString, cert);
    QFETCH(QString, key);
    QFETCH(ErrorCode, code);
    QFETCH(QString, says);
    QVERIFY(startServer(QStringLiteral("yes")));
    ServerUrl address = url(QStringLiteral("localhost"), file("good.pem"));
    address.certFile = cert;
    address.keyFile = key;
    Connection connection(address);
    connection.open();
    QVERIFY(waitForPhase(connection, Phase::Lost));
    const Error error = connection.status().error;
    QVERIFY2(error.code == code, qPrintable(errorText(error)));
    QVERIFY2(errorText(error).contains(says), qPrintable(errorText(error)));
    QCOMPARE(connection.status().nextTryInMs, 0);
}

// By an address that the certificate is not for, as through a tunnel.
void TestTls::anotherServersName()
{
    QVERIFY(startServer());
    QCOMPARE(m_server->run({"CONFIG", "SET", "bind", "127.0.0.1 127.0.0.2"}), Reply::status("OK"));
    ServerUrl address = url(QStringLiteral("127.0.0.2"), file("good.pem"));
    address.serverName = QStringLiteral("localhost");
    Connection connection(address);
    QVERIFY2(openAndWait(connection), qPrintable(errorText(connection.status().error)));
    address.serverName = QStringLiteral("elsewhere.example");
    Connection other(address);
    other.open();
    QVERIFY(waitForPhase(other, Phase::Lost));
    QCOMPARE(other.status().error.code, ErrorCode::TlsFailed);
}

LK_TEST(TestTls);
#include "tst_tls.moc"
