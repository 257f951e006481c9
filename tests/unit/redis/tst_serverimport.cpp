// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/servers/serverimport.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

using namespace lk;

namespace {

// As RedisInsight 2 writes them: its export has the certificates themselves in it.
const QByteArray insight = R"([
 {"host":"10.0.0.1","port":6380,"db":2,"name":"orders-eu","username":"ann","password":"S3CRET 1",
  "connectionType":"STANDALONE","tls":true,"tlsServername":"orders.example",
  "caCert":{"name":"ours","certificate":"-----BEGIN CERTIFICATE-----\nS3CRET-PEM"},
  "clientCert":{"name":"me","certificate":"-----BEGIN CERTIFICATE-----","key":"S3CRET-KEY-PEM\n"}},
 {"host":"10.0.0.2","port":7001,"name":"shop","connectionType":"CLUSTER","nodes":[]},
 {"host":"10.0.0.3","port":26379,"name":"mail","connectionType":"SENTINEL","username":"s",
  "password":"S3CRET 2","sentinelMaster":{"name":"mymaster","username":"m","password":"S3CRET 3"}},
 {"host":"10.0.0.2","port":"7001","name":"again","connectionType":"CLUSTER"},
 {"host":"","port":6379,"name":"nowhere"},
 {"host":"10.0.0.9","port":"70000","name":"no port"}
])";

// As Another Redis Desktop Manager writes them, in Base64 all of it.
const QByteArray another = R"([
 {"host":"192.0.2.1","port":"6379","auth":"S3CRET 4","username":"","name":"local","separator":":",
  "cluster":false,"key":"x","order":0},
 {"host":"192.0.2.2","port":6379,"auth":"","name":"tls",
  "sslOptions":{"key":"/k.pem","cert":"/c.pem","ca":"/ca.pem","servername":"r.example"}},
 {"host":"192.0.2.3","port":26379,"auth":"S3CRET 5","name":"watch",
  "sentinelOptions":{"masterName":"mymaster","nodePassword":"S3CRET 6"}},
 {"host":"redis.internal","port":6379,"name":"jump","sshOptions":{"host":"bastion","port":2222,
  "username":"ops","password":"S3CRET 7","privatekey":"/home/x/id","passphrase":"S3CRET 8"}}
])";

QStringList urls(const ServerImport& import)
{
    QStringList all;
    for (const ImportedServer& server : import.servers)
        all << server.url.withoutPassword();
    return all;
}

} // namespace

class TestServerImport : public QObject
{
    Q_OBJECT

private slots:
    void takesUrlsOneALine()
    {
        const auto import = importServers("# ours\nredis://ann:S3CRET@h:7000/2\n\n"
                                          "  redis-cli -u rediss://i\r\nredis://ann@h:7000/2\n"
                                          "http://j\n");
        QVERIFY(import);
        QCOMPARE(import->servers.size(), size_t(2)); // one is there twice
        QCOMPARE(import->servers[0].url.password, QStringLiteral("S3CRET"));
        QCOMPARE(import->servers[1].url.scheme, ServerUrl::Scheme::Tls);
        QCOMPARE(import->notes, QStringList{QStringLiteral("Line 6 is not a server URL")});
    }

    void takesRedisInsightsExport()
    {
        const auto import = importServers(insight);
        QVERIFY2(import, import ? "" : qPrintable(errorText(import.error())));
        QCOMPARE(import->servers.size(), size_t(3));
        const ServerUrl& tls = import->servers[0].url;
        QCOMPARE(import->servers[0].name, QStringLiteral("orders-eu"));
        QCOMPARE(tls.endpoint(), QStringLiteral("10.0.0.1:6380/2"));
        QCOMPARE(tls.scheme, ServerUrl::Scheme::Tls);
        QCOMPARE(tls.user, QStringLiteral("ann"));
        QCOMPARE(tls.password, QStringLiteral("S3CRET 1"));
        QCOMPARE(tls.serverName, QStringLiteral("orders.example"));
        QCOMPARE(tls.caFile, QString());
        QCOMPARE(import->servers[1].url.deployment, ServerUrl::Deployment::Cluster);
        const ServerUrl& sentinel = import->servers[2].url;
        QCOMPARE(sentinel.deployment, ServerUrl::Deployment::Sentinel);
        QCOMPARE(sentinel.masterName, QStringLiteral("mymaster"));
        QCOMPARE(sentinel.sentinelUser, QStringLiteral("s"));
        QCOMPARE(sentinel.sentinelPassword, QStringLiteral("S3CRET 2"));
        QCOMPARE(sentinel.user, QStringLiteral("m"));
        QCOMPARE(sentinel.password, QStringLiteral("S3CRET 3"));
        QCOMPARE(import->notes.size(), 3); // certificates, no host, no port
        for (const QString& note : import->notes)
            QVERIFY2(!note.contains(QLatin1String("S3CRET")), qPrintable(note));
    }

    void takesAnotherRedisDesktopManagersExport()
    {
        const auto import = importServers(another.toBase64());
        QVERIFY2(import, import ? "" : qPrintable(errorText(import.error())));
        QCOMPARE(import->servers.size(), size_t(4));
        QCOMPARE(import->servers[0].url.password, QStringLiteral("S3CRET 4"));
        const ServerUrl& tls = import->servers[1].url;
        QCOMPARE(tls.scheme, ServerUrl::Scheme::Tls);
        QCOMPARE(tls.caFile, QStringLiteral("/ca.pem"));
        QCOMPARE(tls.certFile, QStringLiteral("/c.pem"));
        QCOMPARE(tls.keyFile, QStringLiteral("/k.pem"));
        QCOMPARE(tls.serverName, QStringLiteral("r.example"));
        QCOMPARE(import->servers[2].url.sentinelPassword, QStringLiteral("S3CRET 5"));
        QCOMPARE(import->servers[2].url.password, QStringLiteral("S3CRET 6"));
        QVERIFY(import->servers[3].url.sshJump.startsWith(QStringLiteral("ops@bastion:2222")));
        QCOMPARE(import->notes.size(), 1);
        QVERIFY(!import->notes.front().contains(QLatin1String("S3CRET")));
        // The same as plain JSON, and with a byte order mark.
        QCOMPARE(urls(*importServers("\xef\xbb\xbf" + another)), urls(*import));
    }

    // Whatever a file holds, what is taken is an address that is written and read as it is.
    void hostileTextIsNoAddress_data()
    {
        QTest::addColumn<QByteArray>("content");
        const auto row = [](const char* title, const QByteArray& content) {
            QTest::newRow(title) << content;
        };
        row("nothing", "");
        row("a picture", QByteArray::fromHex("89504e470d0a1a0a0000000d49484452"));
        row("an empty list", "[]");
        row("no objects", "[1, null, \"redis://h\", [[]]]");
        row("host with a path", R"([{"host":"h/../x?ca=/etc/shadow","port":1}])");
        row("host with a login", R"([{"host":"me:S3CRET@h","port":1}])");
        row("host with an option", R"([{"host":"h?ssh=-oProxyCommand=x","port":1}])");
        row("host with a line", "[{\"host\":\"h\\nredis://i\",\"port\":1}]");
        row("a host that is a list", R"([{"host":["h"],"port":1}])");
        row("half a port", R"([{"host":"h","port":6379.5}])");
        row("no port", R"([{"host":"h","port":0}])");
        row("a negative database", R"([{"host":"h","port":1,"db":-1}])");
        row("an option as jump host",
            R"([{"host":"h","port":1,"sshOptions":{"host":"-oProxyCommand=touch /tmp/x"}}])");
        row("deeply nested", QByteArray(20'000, '['));
        row("Base64 of nothing", QByteArray("{}").toBase64());
        row("too many lines", QByteArray("redis://h\n").repeated(1001));
        row("too large", QByteArray(5 * 1024 * 1024, ' ') + "redis://h");
    }
    void hostileTextIsNoAddress()
    {
        QFETCH(QByteArray, content);
        const auto import = importServers(content);
        QVERIFY(!import);
        QVERIFY(!errorText(import.error()).contains(QLatin1String("S3CRET")));
    }

    // Cut off or changed anywhere: it is refused or read, and never a crash.
    void damagedFiles()
    {
        QRandomGenerator random(7);
        for (const QByteArray& whole : {insight, another.toBase64()}) {
            for (int i = 0; i < 2000; ++i) {
                QByteArray damaged = whole.left(random.bounded(int(whole.size())) + 1);
                damaged[random.bounded(int(damaged.size()))] = char(random.bounded(256));
                const auto import = importServers(damaged);
                for (size_t j = 0; import && j < import->servers.size(); ++j) {
                    const QString text = import->servers[j].url.withoutPassword();
                    const Result<ServerUrl> again = parseServerUrl(text);
                    QVERIFY2(again && again->withoutPassword() == text, qPrintable(text));
                }
            }
        }
    }
};

LK_TEST(TestServerImport);
#include "tst_serverimport.moc"
