// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/config.h"
#include "backend/demo/democluster.h"
#include "backend/demo/demonames.h"
#include "backend/demo/demotraffic.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <csignal>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

bool runs(qint64 pid)
{
    return pid > 0 && ::kill(pid_t(pid), 0) == 0;
}

bool startAndWait(DemoCluster& cluster)
{
    QSignalSpy failed(&cluster, &DemoCluster::failed);
    cluster.start();
    const bool told =
        QTest::qWaitFor([&] { return cluster.isReady() || !failed.isEmpty(); }, 60'000);
    if (!failed.isEmpty())
        qWarning("%s", qPrintable(errorText(failed.front().front().value<Error>())));
    return told && cluster.isReady();
}

} // namespace

/// The demo on a cluster of its own.
class TestDemoCluster : public QObject
{
    Q_OBJECT

private slots:
    void namesThatBelongTogetherHaveATag();
    void theConfigurationNamesTheSameKeys();
    void trafficOnEveryMaster();
    void needsItsPassword();
    void leavesNothingBehind();
    void saysSoWhenANodeDies();
};

void TestDemoCluster::namesThatBelongTogetherHaveATag()
{
    QCOMPARE(clusteredName("checkout:rate"), QByteArray("{checkout}:rate"));
    QCOMPARE(clusteredName("mail:jobs"), QByteArray("{mail:jobs}"));
    QCOMPARE(clusteredName("mail:jobs:processing"), QByteArray("{mail:jobs}:processing"));
    QCOMPARE(clusteredName("mail:jobsite"), QByteArray("mail:jobsite"));
    QCOMPARE(clusteredName("lock:a"), QByteArray("lock:a"));
}

void TestDemoCluster::theConfigurationNamesTheSameKeys()
{
    const Result<Config> alone = parseConfig(demoToml(false), u"demo.toml"_s);
    const Result<Config> clustered = parseConfig(demoToml(true), u"demo.toml"_s);
    QVERIFY(alone);
    QVERIFY2(clustered, qPrintable(clustered ? QString() : clustered.error().detail));
    QCOMPARE(clustered->declarations.size(), alone->declarations.size());
    for (size_t i = 0; i < alone->declarations.size(); ++i)
        QCOMPARE(clustered->declarations[i]->pattern,
                 clusteredName(alone->declarations[i]->pattern));
}

void TestDemoCluster::trafficOnEveryMaster()
{
    DemoCluster cluster;
    QVERIFY(startAndWait(cluster));
    QThread thread;
    DemoTraffic traffic(cluster.url());
    QSignalSpy problems(&traffic, &DemoTraffic::problem);
    traffic.moveToThread(&thread);
    connect(&thread, &QThread::started, &traffic, &DemoTraffic::start);
    thread.start();
    const Config config = *parseConfig(demoToml(true), u"demo.toml"_s);
    const auto seen = [&] {
        const TakenSnapshot taken = takeSnapshot(cluster.url(), config);
        if (!taken.snapshot || taken.snapshot->server.nodes.size() != 3)
            return false;
        for (const NodeFacts& node : taken.snapshot->server.nodes) {
            if (node.keysScanned == 0)
                return false;
        }
        return !taken.named("limiters", "{checkout}:rate").isEmpty() &&
               !taken.named("queues", "{mail:jobs}").isEmpty() &&
               !taken.named("queues", "email").isEmpty() &&
               !taken.named("locks", "lock:migration:2019").isEmpty();
    };
    const bool all = QTest::qWaitFor(seen, 60'000);
    thread.quit();
    thread.wait();
    QVERIFY(all);
    for (const QList<QVariant>& told : problems)
        qWarning("%s", qPrintable(errorText(told.front().value<Error>())));
    QCOMPARE(problems.size(), 0); // nothing of it lies in two slots
}

void TestDemoCluster::needsItsPassword()
{
    DemoCluster cluster;
    QVERIFY(startAndWait(cluster));
    ServerUrl url = cluster.url();
    QVERIFY(url.password.size() >= 32);
    url.password.clear();
    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.error.code, ErrorCode::NoAuth);
}

void TestDemoCluster::leavesNothingBehind()
{
    QString folder;
    std::vector<qint64> pids;
    {
        DemoCluster cluster;
        QVERIFY(startAndWait(cluster));
        folder = cluster.folder();
        pids = cluster.processIds();
        QVERIFY(QDir(folder).exists());
        QCOMPARE(pids.size(), size_t(3));
    }
    QVERIFY(!QDir(folder).exists());
    for (const qint64 pid : pids)
        QVERIFY(!runs(pid));
}

void TestDemoCluster::saysSoWhenANodeDies()
{
    DemoCluster cluster;
    QVERIFY(startAndWait(cluster));
    QSignalSpy failed(&cluster, &DemoCluster::failed);
    ::kill(pid_t(cluster.processIds()[1]), SIGKILL);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30'000);
}

QTEST_GUILESS_MAIN(TestDemoCluster)
#include "tst_democluster.moc"
