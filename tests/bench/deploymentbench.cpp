// SPDX-License-Identifier: GPL-3.0-or-later
// bench_deployments LOCKKEEPER RESULTS.json [ROUNDS]
// Compares several servers with one: a snapshot of 100,000 limiters on three masters of a cluster
// and on one server, in turns. Also measures how long a Sentinel group and a cluster cannot be read
// after another master has been agreed on.
#include "backend/redis/topology/keyslot.h"
#include "backend/redis/topology/router.h"
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/measuredrun.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redissentinel.h"
#include "tests/support/waiting.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>

using namespace lk;
using namespace lk::bench;
using test::RedisCluster;

namespace {

constexpr int limiters = 100'000;
constexpr int mostFailovers = 5;
constexpr int patienceMs = 60'000;
constexpr size_t batch = 1000;

bool fillCluster(RedisCluster& cluster, int count)
{
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    std::array<std::vector<Command>, RedisCluster::size> waiting;
    for (int number = 0; number < count; ++number) {
        const int node = RedisCluster::nodeOfSlot(keySlot(limiterName(number)));
        waiting[size_t(node)].push_back(limiterMarks(number, nowMs));
    }
    for (int node = 0; node < RedisCluster::size; ++node) {
        std::vector<Command>& all = waiting[size_t(node)];
        for (size_t at = 0; at < all.size(); at += batch) {
            const auto end = std::min(all.size(), at + batch);
            const auto replies = cluster.node(node).runAll(
                {all.begin() + qsizetype(at), all.begin() + qsizetype(end)});
            if (std::any_of(replies.begin(), replies.end(),
                            [](const Reply& reply) { return reply.isError(); }))
                return false;
        }
    }
    return true;
}

bool measureSnapshots(const QString& program, int rounds, Report& report, QString& version)
{
    RedisCluster cluster;
    test::RedisServer server;
    server.addTcp();
    if (!cluster.start() || !server.start() || !fillCluster(cluster, limiters) ||
        !fillLimiters(server, limiters))
        return false;
    version = redisVersion(server);
    const auto text = [](const test::RedisServer& of) {
        return QStringLiteral("redis://127.0.0.1:%1").arg(of.port());
    };
    Timings three{QStringLiteral("three masters"), {}, {}, {}};
    Timings one{QStringLiteral("one server"), {}, {}, {}};
    for (int round = 0; round < rounds; ++round) {
        // The first run has colder caches, so the order alternates.
        for (const bool ofCluster : {round % 2 == 0, round % 2 != 0}) {
            const QString url = ofCluster ? text(cluster.node(0)) : text(server);
            const MeasuredRun run = runMeasured({program, QStringLiteral("snapshot"), url});
            if (run.exitCode != 0)
                return false;
            (ofCluster ? three : one).add(run, 0);
        }
    }
    for (const Timings* each : {&three, &one})
        report.row(each->name, QStringLiteral("ms"),
                   {{QStringLiteral("wall"), median(each->wallMs)},
                    {QStringLiteral("CPU"), median(each->cpuMs)}},
                   {{QStringLiteral("wall_ms"), toArray(each->wallMs)},
                    {QStringLiteral("cpu_ms"), toArray(each->cpuMs)}});
    report.row(QStringLiteral("three to one, by pairs"), QStringLiteral("times"),
               {{QStringLiteral("wall"), pairedRatio(three.wallMs, one.wallMs)},
                {QStringLiteral("CPU"), pairedRatio(three.cpuMs, one.cpuMs)}});
    return true;
}

// When it was ready again after it had been lost, by a clock.
class Watched final : public QObject
{
public:
    Watched(Router& router, const QElapsedTimer& clock)
    {
        connect(&router, &Router::statusChanged, this, [this, &clock](const auto& status) {
            if (status.phase == ConnectionStatus::Phase::Ready)
                m_readyMs = clock.elapsed();
        });
    }
    qint64 readyMs() const { return m_readyMs; }

private:
    qint64 m_readyMs = 0;
};

void tell(Report& report, const QString& name, const std::vector<double>& tookMs)
{
    report.row(name, QStringLiteral("ms"),
               {{QStringLiteral("median"), median(tookMs)},
                {QStringLiteral("most"), percentile(tookMs, 1)}},
               {{QStringLiteral("took_ms"), toArray(tookMs)}});
}

// From when the first Sentinel names the new master.
bool measureSentinel(int rounds, Report& report)
{
    test::RedisSentinel group;
    group.setQuick();
    if (!group.start())
        return false;
    Router router(group.url());
    router.open();
    if (!test::waitUntil([&] { return router.isReady(); }, patienceMs))
        return false;
    QElapsedTimer clock;
    clock.start();
    const Watched watched(router, clock);
    std::vector<double> tookMs;
    for (int round = 0; round < rounds; ++round) {
        const int before = group.masterIndex();
        const quint64 generation = router.status().generation;
        const QByteArray known = QByteArray::number(group.addressOf(before).port);
        const bool begun = test::waitUntil(
            [&] {
                return group.sentinel(0).run({"SENTINEL", "FAILOVER", "mymaster"}).text == "OK";
            },
            patienceMs);
        const auto named = [&] {
            const Reply address =
                group.sentinel(0).run({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"});
            return address.items.size() == 2 && address.items[1].text != known;
        };
        if (!begun || !test::waitUntil(named, patienceMs))
            return false;
        const qint64 agreedMs = clock.elapsed();
        const bool back = test::waitUntil(
            [&] { return router.isReady() && router.status().generation > generation; },
            patienceMs);
        if (!back || !group.waitForOtherMaster(before))
            return false;
        tookMs.push_back(double(std::max<qint64>(0, watched.readyMs() - agreedMs)));
    }
    tell(report, QStringLiteral("Sentinel: named to ready"), tookMs);
    report.atMost(QStringLiteral("Sentinel failover"), median(tookMs), 1000,
                  QStringLiteral("ms from the first Sentinel that names the new master"));
    return true;
}

// From the replica that says it is a master until all masters are followed and answer.
bool measureTakeover(int rounds, Report& report)
{
    std::vector<double> tookMs;
    for (int round = 0; round < rounds; ++round) {
        RedisCluster cluster;
        if (!cluster.start() || !cluster.addReplicas())
            return false;
        Router router(cluster.node(0).tcpUrl());
        router.open();
        if (!test::waitUntil([&] { return router.isReady() && router.nodes().size() == 3; },
                             patienceMs))
            return false;
        cluster.node(1).stop();
        if (!RedisCluster::waitForMaster(cluster.replica(1), patienceMs))
            return false;
        QElapsedTimer clock;
        clock.start();
        const auto followed = [&] {
            return router.isReady() && router.nodes().size() == 3 &&
                   std::all_of(router.nodes().begin(), router.nodes().end(),
                               [](const NodeLink* node) { return node->isReady(); });
        };
        if (!test::waitUntil(followed, patienceMs))
            return false;
        tookMs.push_back(double(clock.elapsed()));
    }
    tell(report, QStringLiteral("cluster: taken over to followed"), tookMs);
    report.atMost(QStringLiteral("cluster takeover"), median(tookMs), 1000,
                  QStringLiteral("ms from the replica that has become a master"));
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 3)
        return 2;
    const int rounds = std::max(1, arguments.value(3, QStringLiteral("7")).toInt());
    const int failovers = std::min(rounds, mostFailovers);
    std::printf("Several servers beside one, %d limiters, %d rounds\n", limiters, rounds);
    Report report(arguments[2], QStringLiteral("deployments"));
    QString version;
    bool all = measureSnapshots(arguments[1], rounds, report, version);
    all = measureSentinel(failovers, report) && all;
    all = measureTakeover(failovers, report) && all;
    if (!all)
        std::fprintf(stderr, "Not measured to the end\n");
    return report.save(version) && all ? 0 : 1;
}
