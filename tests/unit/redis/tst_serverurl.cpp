// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/url.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cstring>

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

ServerUrl sentinels(std::vector<ServerUrl::Address> addresses, const QString& masterName)
{
    ServerUrl url = tcp(addresses.front().host, addresses.front().port);
    url.deployment = ServerUrl::Deployment::Sentinel;
    url.others.assign(addresses.begin() + 1, addresses.end());
    url.masterName = masterName;
    return url;
}

ServerUrl cluster(std::vector<ServerUrl::Address> addresses)
{
    ServerUrl url = sentinels(std::move(addresses), {});
    url.deployment = ServerUrl::Deployment::Cluster;
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
    void knowsTheOtherServersOfItsDeployment();
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
        QTest::addRow("%s, %zu bytes", qPrintable(QString::fromUtf8(text).simplified()),
                      std::strlen(text))
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
    ServerUrl behind = tcp(h, 7, 2);
    behind.sshJump = QStringLiteral("ops@bastion:2222");
    row("redis://host:7/2?ssh=ops@bastion:2222", behind);
    row("redis://host:7/2?ssh=ops%40bastion%3A2222", behind);
    row("ssh://ops@bastion:2222/host:7/2", behind);
    row("SSH://ops@bastion:2222/redis://host:7/2", behind);
    ServerUrl ofJump;
    ofJump.sshJump = QStringLiteral("bastion");
    row("ssh://bastion", ofJump);
    row("ssh://bastion/", ofJump);
    ServerUrl secureBehind = with(tls(h), QStringLiteral("u"), QStringLiteral("p@"));
    secureBehind.sshJump = QStringLiteral("[::1]:22");
    row("ssh://[::1]:22/rediss://u:p%40@host", secureBehind);
    row("unix:///run/redis.sock", unixSocket(QStringLiteral("/run/redis.sock")));
    row("redis+unix:///run/redis.sock?db=5", unixSocket(QStringLiteral("/run/redis.sock"), 5));
    row("/run/redis.sock", unixSocket(QStringLiteral("/run/redis.sock")));
    row("/run/redis.sock?db=1", unixSocket(QStringLiteral("/run/redis.sock"), 1));
    row("unix:///tmp/a@b%20c.sock", unixSocket(QStringLiteral("/tmp/a@b c.sock")));
    ServerUrl alone = tcp(h);
    alone.deployment = ServerUrl::Deployment::Node;
    row("redis://host?cluster=no", alone);
    row("redis-cluster://host", cluster({{h, 6379}}));
    row("redis-cluster://host:7,[::1]:8/0", cluster({{h, 7}, {QStringLiteral("::1"), 8}}));
    ServerUrl numbered = cluster({{h, 6379}});
    numbered.database = 3;
    row("redis-cluster://host/3", numbered);
    row("redis-cluster://host?db=3", numbered);
    ServerUrl secure = cluster({{h, 6379}, {QStringLiteral("b"), 6379}});
    secure.scheme = ServerUrl::Scheme::Tls;
    secure.caFile = QStringLiteral("/ca.pem");
    row("rediss-cluster://host,b?ca=/ca.pem", secure);
    const QString m = QStringLiteral("my-master.1:a");
    row("redis-sentinel://host/my-master.1:a", sentinels({{h, 26379}}, m));
    ServerUrl group = sentinels({{h, 7}, {QStringLiteral("b"), 26379}}, m);
    group.database = 3;
    group.sentinelUser = QStringLiteral("s&t");
    group.sentinelPassword = QStringLiteral("p w");
    group.addressMap = {{{QStringLiteral("10.0.0.5"), 6379}, {QStringLiteral("127.0.0.1"), 7001}},
                        {{QStringLiteral("fd00::1"), 6379}, {QStringLiteral("gate"), 7002}}};
    row("redis-sentinel://u:p@host:7,b/my-master.1%3Aa/"
        "3?sentinel_user=s%26t&sentinel_password=p%20w"
        "&map=10.0.0.5:6379=127.0.0.1:7001,[fd00::1]:6379=gate:7002",
        with(group, QStringLiteral("u"), QStringLiteral("p")));
    group.scheme = ServerUrl::Scheme::Tls;
    group.sentinelUser.clear();
    group.sentinelPassword.clear();
    group.addressMap.clear();
    row("rediss-sentinel://host:7,b/my-master.1:a?db=3", group);
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
        QTest::addRow("%s, %lld characters, %s", qPrintable(text.simplified().left(40)),
                      qlonglong(text.size()), says)
            << text << QString::fromLatin1(says);
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
    row(QStringLiteral("redis://host?ssh="), "value");
    row(QStringLiteral("redis://host?ssh=-oProxyCommand"), "invalid character");
    row(QStringLiteral("redis://host?ssh=-o@jump"), "user name");
    row(QStringLiteral("redis://host?ssh=@jump"), "user name");
    row(QStringLiteral("redis://host?ssh=a b"), "invalid character");
    row(QStringLiteral("redis://host?ssh=jump:0"), "port");
    row(QStringLiteral("redis://host?ssh=u:pw@jump"), "takes no password");
    row(QStringLiteral("redis://host?ssh=a&ssh=b"), "twice");
    row(QStringLiteral("unix:///a.sock?ssh=jump"), "unix");
    row(QStringLiteral("ssh://jump/redis://host?ssh=jump"), "twice");
    row(QStringLiteral("ssh://a/ssh://b/host"), "twice");
    row(QStringLiteral("ssh://jump//run/redis.sock"), "unix socket");
    row(QStringLiteral("ssh:///host"), "host is missing");
    row(QStringLiteral("ssh://jump/http://host"), "redis://");
    row(QStringLiteral("unix://"), "missing");
    row(QStringLiteral("unix:///"), "missing");
    row(QStringLiteral("unix://run/redis.sock"), "slash");
    row(QStringLiteral("unix:///run/%zz"), "%25");
    row(QStringLiteral("unix:///run/%00.sock"), "control");
    row(QLatin1Char('/') + QString(107, QLatin1Char('x')), "107 bytes");
    row(QLatin1Char('/') + QString(54, QChar(0xE9)), "107 bytes");
    row(QStringLiteral("unix:///a.sock?ca=/x.pem"), "rediss");
    row(QStringLiteral("redis://a,b"), "several addresses");
    row(QStringLiteral("a:1,b:2"), "several addresses");
    row(QStringLiteral("redis-sentinel://a"), "master's name is missing");
    row(QStringLiteral("redis-sentinel://a/"), "master's name is missing");
    row(QStringLiteral("redis-sentinel://a//1"), "master's name is missing");
    row(QStringLiteral("redis-sentinel://a/my%20master"), "without spaces");
    row(QStringLiteral("redis-sentinel://a/my%2fmaster"), "slashes");
    row(QStringLiteral("redis-sentinel://a/m/x"), "database");
    row(QStringLiteral("redis-sentinel://a/m/1?db=1"), "twice");
    row(QStringLiteral("redis-sentinel://a,/m"), "host is missing");
    row(QStringLiteral("redis-sentinel://a,b:0/m"), "port");
    row(QStringLiteral("redis-sentinel:///m"), "host is missing");
    row(QStringLiteral("redis-sentinel://a/m?ca=/x.pem"), "TLS");
    row(QStringLiteral("redis-sentinel://a/m?sentinel_password="), "value");
    row(QStringLiteral("redis://a?sentinel_user=x"), "redis-sentinel");
    row(QStringLiteral("redis-cluster://a?sentinel_password=x"), "redis-sentinel");
    row(QStringLiteral("redis-cluster://a?cluster=no"), "redis://");
    row(QStringLiteral("redis://a?cluster=yes"), "must be no");
    row(QStringLiteral("redis://a?map=b:1"), "map=10.0.0.5");
    row(QStringLiteral("redis://a?map=b=c"), "map=10.0.0.5");
    row(QStringLiteral("redis://a?map=b:1=c:2=d:3"), "map=10.0.0.5");
    row(QStringLiteral("redis://a?map=b:1=c:2,"), "map=10.0.0.5");
    row(QStringLiteral("redis://a?map=b:1=c:2,b:1=d:2"), "b:1 twice");
}

void TestServerUrl::knowsTheOtherServersOfItsDeployment()
{
    const ServerUrl url = *parseServerUrl(QStringLiteral(
        "rediss-sentinel://u:p@a:1,b:2/m/3?ca=/ca.pem&name=me&sentinel_user=s&sentinel_password=t"
        "&map=10.0.0.5:6379=127.0.0.1:7001"));
    const ServerUrl::Address announced{QStringLiteral("10.0.0.5"), 6379};
    const ServerUrl::Address unmapped{QStringLiteral("10.0.0.6"), 6379};
    QCOMPARE(url.mapped(announced).text(), QStringLiteral("127.0.0.1:7001"));
    QCOMPARE(url.mapped(unmapped).text(), QStringLiteral("10.0.0.6:6379"));
    QCOMPARE(int(url.addresses().size()), 2);

    const ServerUrl master = url.at(announced);
    QVERIFY(master == *parseServerUrl(QStringLiteral(
                          "rediss://u:p@127.0.0.1:7001/3?cluster=no&ca=/ca.pem&name=me"
                          "&map=10.0.0.5:6379=127.0.0.1:7001")));
    const ServerUrl sentinel = url.sentinelAt(unmapped);
    QVERIFY(sentinel == *parseServerUrl(QStringLiteral(
                            "rediss://s:t@10.0.0.6:6379?cluster=no&ca=/ca.pem&name=me"
                            "&map=10.0.0.5:6379=127.0.0.1:7001")));

    const ServerUrl socket = *parseServerUrl(QStringLiteral("unix://u:p@/run/r.sock"));
    QVERIFY(socket.at(unmapped) ==
            *parseServerUrl(QStringLiteral("redis://u:p@10.0.0.6:6379?cluster=no")));
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
          "unix://u:hunter/two@/run/redis.sock",
          "redis-sentinel://h/m?sentinel_password=hunter@two&x",
          "redis-sentinel://h/m?sentinel_password=hunter%two", "redis://u:hunter:two",
          "redis://u:p&hunter?two@h", "hunter://u:two@host", "ssh://u:hunter@two/host",
          "ssh://jump/redis://u:hunter@two@host", "redis://h?ssh=hunter:two@jump"})
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
    QTest::newRow("cluster") << QStringLiteral("redis-cluster://u:p@a:1,b:2")
                             << QStringLiteral("a:1/0");
    QTest::newRow("sentinel") << QStringLiteral(
                                     "redis-sentinel://u:p@[::1],b/my.master/2?sentinel_password=x")
                              << QStringLiteral("[::1]:26379/my.master/2");
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
          "rediss://h?cert=/a%26b.pem&key=/c.key&sni=d.example", "redis://h?cluster=no",
          "unix:///r.sock?cluster=no", "rediss-cluster://u:pw@h,b:2?ca=/c.pem",
          "redis-sentinel://u:pw@h,[::1]:7/m%3A%2B/2?sentinel_user=s%26&sentinel_password=pw"
          "&map=[fe80::1]:1=b:2,c:3=d:4",
          "unix:///run/a%25b%3Fc.sock?db=3&name=me", "unix://u:pw@/run/r.sock", "redis://:pw@h",
          "ssh://ops@[::1]:22/rediss://u:pw@h/2?ca=/c.pem"})
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
    url.sentinelPassword.clear();
    QVERIFY(*again == url);
}

LK_TEST(TestServerUrl);
#include "tst_serverurl.moc"
