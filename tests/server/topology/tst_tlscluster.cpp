// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"
#include "tests/server/askedlink.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/freeport.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"
#include "tests/support/tlsfront.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A cluster whose nodes speak TLS alone, to clients and to each other.
class TestTlsCluster : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aSnapshot_data();
    void aSnapshot();
    void anAuthorityThatIsNotTheirs();

private:
    static constexpr int size = RedisCluster::size;

    QString urlText(const QString& user) const
    {
        return u"rediss-cluster://"_s + user +
               u"127.0.0.1:%1?ca=%2"_s.arg(m_ports[0]).arg(m_certificates.caFile());
    }

    TlsFront m_certificates;
    std::array<std::unique_ptr<RedisServer>, size> m_nodes;
    std::array<quint16, size> m_ports{};
    QByteArrayList m_locks; ///< one on each
};

void TestTlsCluster::initTestCase()
{
    QVERIFY(m_certificates.makeCertificates());
    for (int i = 0; i < size; ++i) {
        m_ports[size_t(i)] = freePort();
        const quint16 bus = freePort();
        m_nodes[size_t(i)] = std::make_unique<RedisServer>(
            QStringList{u"--cluster-enabled"_s, u"yes"_s, u"--cluster-node-timeout"_s, u"2000"_s,
                        u"--cluster-port"_s, QString::number(bus), u"--tls-port"_s,
                        QString::number(m_ports[size_t(i)]), u"--tls-cluster"_s, u"yes"_s,
                        u"--tls-auth-clients"_s, u"no"_s, u"--tls-ca-cert-file"_s,
                        m_certificates.caFile(), u"--tls-cert-file"_s, m_certificates.certFile(),
                        u"--tls-key-file"_s, m_certificates.keyFile()});
        RedisServer& node = *m_nodes[size_t(i)];
        QVERIFY2(node.start(), node.output());
        node.run({"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(i + 1)});
        node.line("ACL SETUSER few reset on >pw +@all ~* -cluster +cluster|myid");
        for (int slot = 0; slot < clusterSlots; ++slot) {
            if (RedisCluster::nodeOfSlot(slot) == i)
                node.run({"CLUSTER", "ADDSLOTS", QByteArray::number(slot)});
        }
        m_nodes[0]->run({"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(m_ports[size_t(i)]),
                         QByteArray::number(bus)});
    }
    QVERIFY(waitUntil(
        [this] {
            return std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
                const QByteArray info = node->line("CLUSTER INFO").text;
                return info.contains("cluster_state:ok") && info.contains("cluster_size:3");
            });
        },
        30'000));
    for (int i = 0, n = 0; i < size; ++n) {
        const QByteArray name = "lock:" + QByteArray::number(n);
        if (RedisCluster::nodeOfSlot(keySlot(name)) != i)
            continue;
        QCOMPARE(m_nodes[size_t(i)]->run({"SET", name, "me", "PX", "600000"}).text, "OK");
        m_locks << name;
        ++i;
    }
    std::sort(m_locks.begin(), m_locks.end());
}

void TestTlsCluster::aSnapshot_data()
{
    QTest::addColumn<QByteArray>("allowed");
    QTest::newRow("told by CLUSTER NODES") << QByteArray("+cluster|nodes");
    QTest::newRow("by CLUSTER SHARDS") << QByteArray("+cluster|shards");
    QTest::newRow("by CLUSTER SLOTS") << QByteArray("+cluster|slots");
}

void TestTlsCluster::aSnapshot()
{
    QFETCH(QByteArray, allowed);
    for (const auto& node : m_nodes)
        node->line("ACL SETUSER few -cluster +cluster|myid " + allowed);
    const Result<ServerUrl> url = parseServerUrl(urlText(u"few:pw@"_s));
    QVERIFY(url);
    const TakenSnapshot taken = takeSnapshot(*url);
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY2(taken.scan()["complete"_L1].toBool(), taken.json.constData());
    QByteArrayList locks = taken.names("locks");
    std::sort(locks.begin(), locks.end());
    QCOMPARE(locks, m_locks);
    const QJsonArray nodes = taken.root["server"_L1]["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), size);
    for (const QJsonValue& node : nodes) {
        const QString port = node["endpoint"_L1].toString().section(u':', -1);
        QVERIFY2(std::find(m_ports.begin(), m_ports.end(), port.toInt()) != m_ports.end(),
                 qPrintable(port));
        QVERIFY(node["reachable"_L1].toBool());
    }
}

void TestTlsCluster::anAuthorityThatIsNotTheirs()
{
    TlsFront others;
    QVERIFY(others.makeCertificates());
    Result<ServerUrl> url = parseServerUrl(urlText({}));
    QVERIFY(url);
    url->caFile = others.caFile();
    const TakenSnapshot taken = takeSnapshot(*url);
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.error.code, ErrorCode::TlsFailed);
}

LK_TEST(TestTlsCluster);
#include "tst_tlscluster.moc"
