// SPDX-License-Identifier: GPL-3.0-or-later
// bench_snapshot LOCKKEEPER RESULTS.json [ROUNDS]
// A cold snapshot of 100,000 limiters beside redis-cli --bigkeys, bench_limit and one scrape of the
// Prometheus exporter, on the same private server, one after the other in each round.
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/measuredrun.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr int limiters = 100'000;
constexpr double mostOfLimit = 1.25;
constexpr int scrapes = 2; // each takes many times as long as a snapshot

struct Contestant
{
    QStringList command;
    Timings times;
};

double serverCpu(test::RedisServer& server)
{
    return (infoNumber(server, "cpu", "used_cpu_user") +
            infoNumber(server, "cpu", "used_cpu_sys")) *
           1e3;
}

bool runOnce(test::RedisServer& server, Contestant& contestant)
{
    const double before = serverCpu(server);
    const MeasuredRun run = runMeasured(contestant.command);
    contestant.times.add(run, serverCpu(server) - before);
    return run.exitCode == 0;
}

void printTimes(Report& report, const Timings& t)
{
    report.row(t.name, QStringLiteral("ms"),
               {{QStringLiteral("min"), percentile(t.wallMs, 0)},
                {QStringLiteral("median"), median(t.wallMs)},
                {QStringLiteral("cpu"), median(t.cpuMs)},
                {QStringLiteral("server"), median(t.serverMs)}},
               {{QStringLiteral("wall_ms"), toArray(t.wallMs)},
                {QStringLiteral("cpu_ms"), toArray(t.cpuMs)},
                {QStringLiteral("server_cpu_ms"), toArray(t.serverMs)}});
}

// The exporter as people run it, without the metrics that are not about keys.
class Exporter final
{
public:
    bool start(const QString& address)
    {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost);
        m_port = probe.serverPort();
        probe.close();
        m_process.setStandardOutputFile(QProcess::nullDevice());
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_process.start(QStringLiteral("prometheus-redis-exporter"),
                        {QStringLiteral("-redis.addr"), address, QStringLiteral("-check-keys"),
                         QStringLiteral("rl:*"), QStringLiteral("-web.listen-address"),
                         QStringLiteral("127.0.0.1:%1").arg(m_port)});
        if (!m_process.waitForStarted())
            return false;
        for (int i = 0; i < 100; ++i) {
            QTcpSocket socket;
            socket.connectToHost(QStringLiteral("127.0.0.1"), m_port);
            if (socket.waitForConnected(100))
                return true;
            QThread::msleep(50);
        }
        return false;
    }
    ~Exporter()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    MeasuredRun scrape(const QString& file)
    {
        const double before = cpuOfProcess(m_process.processId());
        MeasuredRun run = runMeasured({QStringLiteral("curl"), QStringLiteral("-sf"),
                                       QStringLiteral("http://127.0.0.1:%1/metrics").arg(m_port)},
                                      file);
        run.cpuMs = cpuOfProcess(m_process.processId()) - before;
        return run;
    }

private:
    QProcess m_process;
    quint16 m_port = 0;
};

qint64 linesWith(const QString& path, const QByteArray& start)
{
    QFile file(path);
    qint64 count = 0;
    if (file.open(QIODevice::ReadOnly)) {
        while (!file.atEnd())
            count += file.readLine().startsWith(start);
    }
    return count;
}

void benchExporter(test::RedisServer& server, Report& report, const Timings& ours)
{
    if (QStandardPaths::findExecutable(QStringLiteral("prometheus-redis-exporter")).isEmpty()) {
        report.note(QStringLiteral("prometheus-redis-exporter is not installed: not compared"));
        return;
    }
    Exporter exporter;
    if (!exporter.start(server.urlText()))
        return report.note(QStringLiteral("prometheus-redis-exporter did not start"));
    Timings times{QStringLiteral("exporter, one scrape (unix)"), {}, {}, {}};
    const QString file = server.folder() + QStringLiteral("/metrics");
    for (int i = 0; i < scrapes; ++i) {
        const double before = serverCpu(server);
        const MeasuredRun run = exporter.scrape(file);
        if (run.exitCode != 0)
            return report.note(QStringLiteral("the scrape failed"));
        times.add(run, serverCpu(server) - before);
    }
    printTimes(report, times);
    report.note(
        QStringLiteral("the scrape names %1 limiters").arg(linesWith(file, "redis_key_size{")));
    report.atMost(QStringLiteral("text snapshot / scrape"),
                  median(ours.wallMs) / median(times.wallMs), 0.25, QStringLiteral("of its time"));
}

bool checkCount(test::RedisServer& server, Report& report, const QString& program)
{
    const QString path = server.folder() + QStringLiteral("/snapshot.json");
    runMeasured({program, QStringLiteral("snapshot"), server.urlText(), QStringLiteral("--format"),
                 QStringLiteral("json")},
                path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const auto found = QJsonDocument::fromJson(file.readAll())[QLatin1String("limiters")];
    const qsizetype count = found.toArray().size();
    report.note(QStringLiteral("the snapshot has %1 limiters").arg(count));
    return count == limiters;
}

bool benchSmall(Report& report, const QString& program)
{
    test::RedisServer server;
    if (!server.start() || !fillOthers(server, 20))
        return false;
    Contestant small{{program, QStringLiteral("snapshot"), server.urlText()},
                     {QStringLiteral("text snapshot of 80 keys"), {}, {}, {}}};
    for (int i = 0; i < 15; ++i)
        runOnce(server, small);
    printTimes(report, small.times);
    report.atMost(QStringLiteral("snapshot of a small database"), median(small.times.wallMs), 100,
                  QStringLiteral("ms"));
    return true;
}

QString limitProgram()
{
    return QCoreApplication::applicationDirPath() + QStringLiteral("/bench_limit");
}

void compareToLimit(Report& report, const Timings& ours, const Timings& limit)
{
    report.atMost(QStringLiteral("%1 / the same commands alone").arg(ours.name),
                  pairedRatio(ours.wallMs, limit.wallMs), mostOfLimit,
                  QStringLiteral("of its time, by pairs"));
}

bool benchSort(Report& report, const QString& program, KeySort sort, const char* name, int rounds)
{
    test::RedisServer server;
    if (!server.start() || !fillSort(server, sort, limiters))
        return false;
    const QString what = QString::fromLatin1(name);
    Contestant ours{{program, QStringLiteral("snapshot"), server.urlText()},
                    {QStringLiteral("text snapshot, %1").arg(what), {}, {}, {}}};
    Contestant limit{{limitProgram(), QStringLiteral("unix"), server.socketPath()},
                     {QStringLiteral("its commands alone, %1").arg(what), {}, {}, {}}};
    bool ok = true;
    for (int round = 0; round < rounds; ++round)
        ok = runOnce(server, ours) && runOnce(server, limit) && ok;
    printTimes(report, ours.times);
    printTimes(report, limit.times);
    compareToLimit(report, ours.times, limit.times);
    return ok;
}

std::vector<Contestant> contestants(const test::RedisServer& server, const QString& program)
{
    const QString cli = QStringLiteral("redis-cli");
    const QString tcp = QStringLiteral("redis://127.0.0.1:%1").arg(server.port());
    const QString json = QStringLiteral("json");
    const auto snapshot = [&](const QString& url, const QString& format) {
        return QStringList{program, QStringLiteral("snapshot"), url, QStringLiteral("--format"),
                           format};
    };
    const auto named = [](const char* name) {
        return Timings{QString::fromLatin1(name), {}, {}, {}};
    };
    return {
        {{cli, QStringLiteral("-s"), server.socketPath(), QStringLiteral("--bigkeys")},
         named("redis-cli --bigkeys (unix)")},
        {snapshot(server.urlText(), QStringLiteral("text")), named("text snapshot (unix)")},
        {snapshot(server.urlText(), json), named("JSON snapshot (unix)")},
        {{cli, QStringLiteral("-p"), QString::number(server.port()), QStringLiteral("--bigkeys")},
         named("redis-cli --bigkeys (TCP)")},
        {snapshot(tcp, QStringLiteral("text")), named("text snapshot (TCP)")},
        {snapshot(tcp, json), named("JSON snapshot (TCP)")},
        {{limitProgram(), QStringLiteral("unix"), server.socketPath()},
         named("the same commands alone (unix)")},
        {{limitProgram(), QStringLiteral("tcp"), QStringLiteral("127.0.0.1"),
          QString::number(server.port())},
         named("the same commands alone (TCP)")}};
}

void compare(Report& report, const std::vector<Contestant>& all, size_t ours, size_t theirs)
{
    report.atMost(QStringLiteral("%1 / --bigkeys").arg(all[ours].times.name),
                  pairedRatio(all[ours].times.wallMs, all[theirs].times.wallMs), 1.0,
                  QStringLiteral("of its time, by pairs"));
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 3)
        return 2;
    const QString program = arguments[1];
    const int rounds = std::max(1, arguments.value(3, QStringLiteral("7")).toInt());
    test::RedisServer server;
    server.addTcp();
    if (!server.start() || !fillLimiters(server, limiters)) {
        std::fprintf(stderr, "No server, or it could not be filled: %s\n", server.output());
        return 1;
    }
    std::printf("Snapshot of %d limiters of 5 marks each, %d rounds\n", limiters, rounds);
    Report report(arguments[2], QStringLiteral("snapshot"));
    std::vector<Contestant> all = contestants(server, program);
    bool ok = true;
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& contestant : all)
            ok = runOnce(server, contestant) && ok;
    }
    for (const Contestant& contestant : all)
        printTimes(report, contestant.times);
    for (const size_t ours : {1, 2})
        compare(report, all, ours, 0);
    for (const size_t ours : {4, 5})
        compare(report, all, ours, 3);
    compareToLimit(report, all[1].times, all[6].times);
    compareToLimit(report, all[4].times, all[7].times);
    ok = checkCount(server, report, program) && ok;
    benchExporter(server, report, all[1].times);
    ok = benchSmall(report, program) && ok;
    ok = benchSort(report, program, KeySort::Lock, "locks", rounds) && ok;
    ok = benchSort(report, program, KeySort::TokenBucket, "token buckets", rounds) && ok;
    ok = benchSort(report, program, KeySort::CachedString, "cached strings", rounds) && ok;
    ok = benchSort(report, program, KeySort::PlainHash, "plain hashes", rounds) && ok;
    return report.save(redisVersion(server)) && ok ? 0 : 1;
}
