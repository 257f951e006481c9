// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/url.h"

#include <QTest>

using namespace lk;

Q_DECLARE_METATYPE(lk::ServerUrl)

namespace {

ServerUrl tcp(const QString& host, quint16 port = 6379, int database = 0)
{
    ServerUrl url;
    url.host = host;
    url.port = port;
    url.database = database;
    return url;
}

ServerUrl tls(const QString& host)
{
    ServerUrl url = tcp(host);
    url.scheme = ServerUrl::Scheme::Tls;
    return url;
}

ServerUrl unixSocket(const QString& path, int database = 0)
{
    ServerUrl url = tcp({}, 0, database);
    url.scheme = ServerUrl::Scheme::Unix;
    url.path = path;
    return url;
}

ServerUrl with(ServerUrl url, const QString& user, const QString& password)
{
    url.user = user;
    url.password = password;
    return url;
}

} // namespace

class TestServerUrl : public QObject
{
    Q_OBJECT

private slots:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void neverRepeatsThePassword_data();
    void neverRepeatsThePassword();
    void endpoint_data();
    void endpoint();
    void survivesBeingRemembered_data();
    void survivesBeingRemembered();
};

void TestServerUrl::accepts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<ServerUrl>("expected");
    const auto row = [](const char* text, const ServerUrl& url) {
        QTest::newRow(qPrintable(QString::fromUtf8(text).simplified()))
            << QString::fromUtf8(text) << url;
    };
    const QString h = QStringLiteral("host");
    row("redis://host", tcp(h));
    row("redis://host/", tcp(h));
    row("redis://host:7000", tcp(h, 7000));
    row("redis://host:7000/3", tcp(h, 7000, 3));
    row("redis://host?db=4", tcp(h, 6379, 4));
    row("redis://host/?db=4", tcp(h, 6379, 4));
    row("  redis://host \n", tcp(h));
    row("REDIS://host", tcp(h));
    row("host", tcp(h));
    row("host:7000/2", tcp(h, 7000, 2));
    row("10.0.0.1:7000", tcp(QStringLiteral("10.0.0.1"), 7000));
    row("redis://[::1]", tcp(QStringLiteral("::1")));
    row("redis://[fe80::1]:7000/1", tcp(QStringLiteral("fe80::1"), 7000, 1));
    row("[::1]:7000", tcp(QStringLiteral("::1"), 7000));
    row("redis://m\u00fcnchen.example", tcp(QString::fromUtf8("m\u00fcnchen.example")));
    row("redis://u:p@host", with(tcp(h), QStringLiteral("u"), QStringLiteral("p")));
    row("redis://:p@host", with(tcp(h), {}, QStringLiteral("p")));
    row("redis://u@host", with(tcp(h), QStringLiteral("u"), {}));
    row("redis://u:@host", with(tcp(h), QStringLiteral("u"), {}));
    row("redis://u:a:b@host", with(tcp(h), QStringLiteral("u"), QStringLiteral("a:b")));
    row("redis://u%40x:p%2F%25%3A%C3%A9@host",
        with(tcp(h), QStringLiteral("u@x"), QString::fromUtf8("p/%:\u00e9")));
    row("u:p@host:6379", with(tcp(h), QStringLiteral("u"), QStringLiteral("p")));
    row("rediss://host", tls(h));
    ServerUrl ca = tls(h);
    ca.caFile = QStringLiteral("/etc/my ca@home.pem");
    ca.database = 2;
    row("rediss://host/2?ca=/etc/my%20ca@home.pem", ca);
    ServerUrl own = tls(h);
    own.certFile = QStringLiteral("/a.pem");
    own.keyFile = QStringLiteral("/b&c.key");
    own.serverName = QStringLiteral("redis.example");
    row("rediss://host?cert=/a.pem&key=/b%26c.key&sni=redis.example", own);
    ServerUrl oneFile = tls(h);
    oneFile.certFile = QStringLiteral("/both.pem");
    row("rediss://host?cert=/both.pem", oneFile);
    ServerUrl named = tcp(h);
    named.clientName = QStringLiteral("console-1");
    row("redis://host?name=console-1", named);
    row("unix:///run/redis.sock", unixSocket(QStringLiteral("/run/redis.sock")));
    row("redis+unix:///run/redis.sock?db=5", unixSocket(QStringLiteral("/run/redis.sock"), 5));
    row("/run/redis.sock", unixSocket(QStringLiteral("/run/redis.sock")));
    row("/run/redis.sock?db=1", unixSocket(QStringLiteral("/run/redis.sock"), 1));
    row("unix:///tmp/a@b%20c.sock", unixSocket(QStringLiteral("/tmp/a@b c.sock")));
    row("unix://u:p@/run/redis.sock", with(unixSocket(QStringLiteral("/run/redis.sock")),
                                           QStringLiteral("u"), QStringLiteral("p")));
}

void TestServerUrl::accepts()
{
    QFETCH(QString, text);
    QFETCH(ServerUrl, expected);
    const Result<ServerUrl> url = parseServerUrl(text);
    QVERIFY2(url, qPrintable(url ? QString() : url.error().detail));
    QVERIFY(*url == expected);
}

void TestServerUrl::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const QString& text, const char* says) {
        QTest::newRow(qPrintable(text.simplified().left(40))) << text << QString::fromLatin1(says);
    };
    row({}, "empty");
    row(QStringLiteral("   "), "empty");
    row(QStringLiteral("http://host"), "redis://");
    row(QStringLiteral("://host"), "redis://");
    row(QStringLiteral("redis://"), "host is missing");
    row(QStringLiteral("redis:///1"), "host is missing");
    row(QStringLiteral("redis://:6379"), "host is missing");
    row(QStringLiteral("redis://u:p@"), "host is missing");
    row(QStringLiteral("redis://ho st"), "character");
    row(QStringLiteral("redis://ho\tst"), "control");
    row(QStringLiteral("redis://host\r\nFLUSHALL"), "control");
    row(QStringLiteral("redis://host:"), "port");
    row(QStringLiteral("redis://host:0"), "port");
    row(QStringLiteral("redis://host:65536"), "port");
    row(QStringLiteral("redis://host:-1"), "port");
    row(QStringLiteral("redis://host:+1"), "port");
    row(QStringLiteral("redis://host:12x"), "port");
    row(QStringLiteral("redis://host/x"), "database");
    row(QStringLiteral("redis://host/-1"), "database");
    row(QStringLiteral("redis://host/1/2"), "database");
    row(QStringLiteral("redis://host/99999999999"), "database");
    row(QStringLiteral("redis://host?db="), "database");
    row(QStringLiteral("redis://host/1?db=2"), "twice");
    row(QStringLiteral("redis://host?db=1&db=2"), "twice");
    row(QStringLiteral("redis://::1"), "brackets");
    row(QStringLiteral("redis://[::1"), "IPv6");
    row(QStringLiteral("redis://[nonsense]"), "IPv6");
    row(QStringLiteral("redis://[127.0.0.1]"), "IPv6");
    row(QStringLiteral("redis://[::1]x"), "IPv6");
    row(QStringLiteral("redis://[::1]:"), "port");
    row(QStringLiteral("redis://host?timeout=5"), "unknown option");
    row(QStringLiteral("redis://host?ca=/x.pem"), "rediss");
    row(QStringLiteral("rediss://host?ca="), "value");
    row(QStringLiteral("redis://host?cert=/x.pem"), "rediss");
    row(QStringLiteral("unix:///a.sock?sni=x"), "rediss");
    row(QStringLiteral("rediss://host?key=/x.key"), "needs cert");
    row(QStringLiteral("redis://host?name=two words"), "visible ASCII");
    row(QStringLiteral("redis://host?name=%0a"), "control");
    row(QStringLiteral("redis://host#frag"), "%23");
    row(QStringLiteral("unix://"), "missing");
    row(QStringLiteral("unix:///"), "missing");
    row(QStringLiteral("unix://run/redis.sock"), "slash");
    row(QStringLiteral("unix:///run/%zz"), "%25");
    row(QStringLiteral("unix:///run/%00.sock"), "control");
    row(QLatin1Char('/') + QString(107, QLatin1Char('x')), "107 bytes");
    row(QLatin1Char('/') + QString(54, QChar(0xE9)), "107 bytes");
    row(QStringLiteral("unix:///a.sock?ca=/x.pem"), "rediss");
}

void TestServerUrl::refuses()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const Result<ServerUrl> url = parseServerUrl(text);
    QVERIFY(!url);
    QCOMPARE(url.error().code, ErrorCode::BadUrl);
    QVERIFY2(url.error().detail.contains(says), qPrintable(url.error().detail));
}

void TestServerUrl::neverRepeatsThePassword_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"redis://u:hunter@two@host", "redis://u:hunter/two@host", "redis://u:hunter?two@host",
          "redis://u:hunter%two@host", "redis://:/hunter@two@host:6379/0", "redis://u:hunter#two@h",
          "redis://u:hunter[two@:host", "redis://u:%ffhunter@two", "u:hunter?db=x@two",
          "unix://u:hunter/two@/run/redis.sock", "redis://u:hunter:two", "redis://u:p&hunter?two@h",
          "hunter://u:two@host"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestServerUrl::neverRepeatsThePassword()
{
    QFETCH(QString, text);
    const Result<ServerUrl> url = parseServerUrl(text);
    QVERIFY(!url);
    QVERIFY2(!url.error().detail.contains(QStringLiteral("hunter")),
             qPrintable(url.error().detail));
    QVERIFY2(!url.error().detail.contains(QStringLiteral("two")), qPrintable(url.error().detail));
}

void TestServerUrl::endpoint_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("endpoint");
    QTest::newRow("tcp") << QStringLiteral("redis://u:p@host/3") << QStringLiteral("host:6379/3");
    QTest::newRow("IPv6") << QStringLiteral("redis://[::1]:7/2") << QStringLiteral("[::1]:7/2");
    QTest::newRow("unix") << QStringLiteral("unix://:p@/run/r.sock")
                          << QStringLiteral("/run/r.sock/0");
}

void TestServerUrl::endpoint()
{
    QFETCH(QString, text);
    QFETCH(QString, endpoint);
    QCOMPARE(parseServerUrl(text)->endpoint(), endpoint);
}

void TestServerUrl::survivesBeingRemembered_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"redis://host:7000/2", "redis://u%40%2F:pw@[::1]:7/1", "rediss://h?ca=/a%20b/c%26d.pem",
          "rediss://h?cert=/a%26b.pem&key=/c.key&sni=d.example",
          "unix:///run/a%25b%3Fc.sock?db=3&name=me", "unix://u:pw@/run/r.sock", "redis://:pw@h"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestServerUrl::survivesBeingRemembered()
{
    QFETCH(QString, text);
    ServerUrl url = *parseServerUrl(text);
    const QString remembered = url.withoutPassword();
    QVERIFY(!remembered.contains(QStringLiteral("pw")));
    const Result<ServerUrl> again = parseServerUrl(remembered);
    QVERIFY2(again, qPrintable(remembered));
    url.password.clear();
    QVERIFY(*again == url);
}

QTEST_APPLESS_MAIN(TestServerUrl)
#include "tst_serverurl.moc"
