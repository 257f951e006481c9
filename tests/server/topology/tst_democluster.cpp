// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/config.h"
#include "backend/demo/clients/demonames.h"
#include "backend/demo/demotraffic.h"
#include "backend/demo/servers/democluster.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QTextStream>
#include <QThread>

#include <csignal>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr auto serveOption = "--serve";

/// A zombie that was not reaped counts as ended.
bool runs(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray stat = file.readAll();
    return stat.mid(stat.lastIndexOf(')') + 2, 1) != "Z";
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
    void goesWithUsWhenWeAreKilled();
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
    QByteArray last;
    const auto seen = [&] {
        const TakenSnapshot taken = takeSnapshot(cluster.url(), config);
        last = "limiters " + taken.names("limiters").join(' ') + "\nqueues " +
               taken.names("queues").join(' ') + "\nlocks " + taken.names("locks").join(' ');
        if (!taken.snapshot || taken.snapshot->server.nodes.size() != 3)
            return false;
        for (const NodeFacts& node : taken.snapshot->server.nodes) {
            if (node.keysScanned == 0)
                return false;
        }
        return !taken.named("limiters", "{checkout}").isEmpty() &&
               !taken.named("queues", "{mail:jobs}").isEmpty() &&
               !taken.named("queues", "email").isEmpty() &&
               !taken.named("locks", "lock:migration:2019").isEmpty();
    };
    const bool all = QTest::qWaitFor(seen, 60'000);
    thread.quit();
    thread.wait();
    QVERIFY2(all, last.constData());
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

void TestDemoCluster::goesWithUsWhenWeAreKilled()
{
    QProcess other;
    other.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("tst_democluster"), QString::fromLatin1(serveOption)});
    QTRY_VERIFY_WITH_TIMEOUT(other.canReadLine(), 60'000);
    const QByteArrayList pids = other.readLine().trimmed().split(' ');
    QCOMPARE(pids.size(), 3);
    for (const QByteArray& pid : pids)
        QVERIFY(runs(pid.toLongLong()));
    other.kill();
    QVERIFY(other.waitForFinished());
    for (const QByteArray& pid : pids)
        QTRY_VERIFY_WITH_TIMEOUT(!runs(pid.toLongLong()), 20'000);
}

/// With --serve: a process that has a demo cluster and says which, to be killed by the test above.
static int runOrServe(int argc, char* argv[])
{
    if (argc != 2 || QLatin1String(argv[1]) != QLatin1String(serveOption))
        return test::runTest<QCoreApplication, TestDemoCluster>(argc, argv);
    QCoreApplication app(argc, argv);
    DemoCluster cluster;
    QObject::connect(&cluster, &DemoCluster::ready, &app, [&cluster] {
        QStringList pids;
        for (const qint64 pid : cluster.processIds())
            pids << QString::number(pid);
        QTextStream(stdout) << pids.join(QLatin1Char(' ')) << Qt::endl;
    });
    cluster.start();
    return app.exec();
}

LK_TEST_RUN(runOrServe);
#include "tst_democluster.moc"
