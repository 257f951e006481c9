// SPDX-License-Identifier: GPL-3.0-or-later
// bench_growth LOCKKEEPER RESULTS.json [ROUNDS [MOST]]
// Cold text snapshots of 10,000, 100,000 and a million keys of each sort (of limiters and locks
// three million, too, where MOST says so), beside redis-cli --bigkeys and bench_limit, in turns:
// how they grow. For the limiters also the cost of a second of watching once all are known, and of
// a second look at their board.
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/measuredrun.h"
#include "tests/bench/warmwatch.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr double mostOfLimit = 1.25;
constexpr double mostMbAMillion = 400;
constexpr double mostWarmGrowth = 1.5; // what cannot grow with the total: 1 and the spread
constexpr double leastMs = 5;          // of CPU a second: below, the spread is all there is
constexpr int fewest = 100'000;
constexpr int aMillion = 1'000'000;
constexpr size_t sortsBeyond = 2; // of more than a million keys: all would take hours

struct Contestant
{
    QString name;
    QStringList command;
    Timings times = {};
    double peakMb = 0;
};

struct Sort
{
    const char* name;
    std::function<bool(test::RedisServer&, int)> fill;
};

std::vector<Sort> sorts()
{
    const auto of = [](KeySort sort) {
        return
            [sort](test::RedisServer& server, int count) { return fillSort(server, sort, count); };
    };
    return {{"limiters", fillLimiters},
            {"locks", of(KeySort::Lock)},
            {"token buckets", of(KeySort::TokenBucket)},
            {"cached strings", of(KeySort::CachedString)},
            {"plain hashes", of(KeySort::PlainHash)}};
}

double serverCpuMs(test::RedisServer& server)
{
    return (infoNumber(server, "cpu", "used_cpu_user") +
            infoNumber(server, "cpu", "used_cpu_sys")) *
           1e3;
}

std::vector<Contestant> contestants(const test::RedisServer& server, const QString& program)
{
    const QString cli = QStringLiteral("redis-cli");
    const QString limit = QCoreApplication::applicationDirPath() + QStringLiteral("/bench_limit");
    const QString port = QString::number(server.port());
    return {
        {QStringLiteral("snapshot, unix"), {program, QStringLiteral("snapshot"), server.urlText()}},
        {QStringLiteral("its commands alone, unix"),
         {limit, QStringLiteral("unix"), server.socketPath()}},
        {QStringLiteral("--bigkeys, unix"),
         {cli, QStringLiteral("-s"), server.socketPath(), QStringLiteral("--bigkeys")}},
        {QStringLiteral("snapshot, TCP"),
         {program, QStringLiteral("snapshot"), QStringLiteral("redis://127.0.0.1:") + port}},
        {QStringLiteral("its commands alone, TCP"),
         {limit, QStringLiteral("tcp"), QStringLiteral("127.0.0.1"), port}},
        {QStringLiteral("--bigkeys, TCP"),
         {cli, QStringLiteral("-p"), port, QStringLiteral("--bigkeys")}}};
}

void print(Report& report, const QString& what, const std::vector<Contestant>& all, int count)
{
    for (const Contestant& one : all)
        report.row(what + QStringLiteral(": ") + one.name, QStringLiteral("ms, MB"),
                   {{QStringLiteral("min"), percentile(one.times.wallMs, 0)},
                    {QStringLiteral("median"), median(one.times.wallMs)},
                    {QStringLiteral("cpu"), median(one.times.cpuMs)},
                    {QStringLiteral("server"), median(one.times.serverMs)},
                    {QStringLiteral("peak"), one.peakMb}},
                   {{QStringLiteral("keys"), count},
                    {QStringLiteral("wall_ms"), toArray(one.times.wallMs)},
                    {QStringLiteral("cpu_ms"), toArray(one.times.cpuMs)}});
    for (const size_t ours : {size_t(0), size_t(3)}) {
        if (count >= fewest) // of fewer the start of the program is half
            report.atMost(what + QStringLiteral(", of its commands alone"),
                          pairedRatio(all[ours].times.wallMs, all[ours + 1].times.wallMs),
                          mostOfLimit, QStringLiteral("of its time, by pairs"));
        report.atMost(what + QStringLiteral(", of --bigkeys"),
                      pairedRatio(all[ours].times.wallMs, all[ours + 2].times.wallMs), 1.0,
                      QStringLiteral("of its time, by pairs"));
    }
    if (count >= aMillion)
        report.atMost(what + QStringLiteral(", memory"), all[0].peakMb,
                      mostMbAMillion * count / 1e6, QStringLiteral("MB"));
}

bool grow(Report& report, const QString& program, const Sort& sort, int count, int rounds)
{
    test::RedisServer server;
    server.addTcp();
    if (!server.start() || !sort.fill(server, count))
        return false;
    std::vector<Contestant> all = contestants(server, program);
    bool ok = true;
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& one : all) {
            const double before = serverCpuMs(server);
            const MeasuredRun run = runMeasured(one.command);
            one.times.add(run, serverCpuMs(server) - before);
            one.peakMb = std::max(one.peakMb, run.peakMb);
            ok = run.exitCode == 0 && ok;
        }
    }
    print(report, QStringLiteral("%1 %2").arg(count).arg(QLatin1String(sort.name)), all, count);
    return ok;
}

/// The cost of a second of watching.
struct Warm
{
    double commands = 0;
    double cpuMs = 0;
    double serverMs = 0;
};

bool watch(Report& report, int count, std::vector<Warm>& grown)
{
    test::RedisServer server;
    if (!server.start() || !fillLimiters(server, count))
        return false;
    QProcess watching;
    watching.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    watching.start(QCoreApplication::applicationFilePath(),
                   {QStringLiteral("--watch"), server.socketPath(), QString::number(count)});
    watching.waitForFinished(-1);
    const QByteArrayList figures = watching.readAllStandardOutput().trimmed().split(' ');
    if (watching.exitCode() != 0 || figures.size() != 4)
        return false;
    const Warm warm{figures[0].toDouble(), figures[1].toDouble(), figures[2].toDouble()};
    const QString what = QStringLiteral("%1 limiters").arg(count);
    report.row(what + QStringLiteral(": a second of watching"), QStringLiteral("1/s, ms"),
               {{QStringLiteral("commands"), warm.commands},
                {QStringLiteral("cpu"), warm.cpuMs},
                {QStringLiteral("server"), warm.serverMs}});
    report.row(what + QStringLiteral(": a second look"), QStringLiteral("ms"),
               {{QStringLiteral("took"), figures[3].toDouble()}});
    grown.push_back(warm);
    const auto times = [](double now, double first) {
        return std::max(now, leastMs) / std::max(first, leastMs);
    };
    report.atMost(what + QStringLiteral(", watched: commands"),
                  warm.commands / std::max(1.0, grown.front().commands), mostWarmGrowth,
                  QStringLiteral("times those of the fewest"));
    report.atMost(what + QStringLiteral(", watched: CPU"), times(warm.cpuMs, grown.front().cpuMs),
                  mostWarmGrowth, QStringLiteral("times that of the fewest"));
    report.atMost(what + QStringLiteral(": a second look"), figures[3].toDouble(), 300,
                  QStringLiteral("ms"));
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.value(1) == QLatin1String("--watch") && arguments.size() == 4)
        return watchWarm(arguments[2], arguments[3].toLongLong());
    if (arguments.size() < 3)
        return 2;
    const int rounds = std::max(1, arguments.value(3, QStringLiteral("5")).toInt());
    const int most = arguments.value(4, QStringLiteral("1000000")).toInt();
    std::printf("Growth up to %d keys, %d rounds\n", most, rounds);
    Report report(arguments[2], QStringLiteral("growth"));
    bool ok = true;
    std::vector<Warm> grown;
    for (const int count : {10'000, 100'000, aMillion, 3 * aMillion})
        ok = (count > most || watch(report, count, grown)) && ok;
    for (const int count : {10'000, 100'000, aMillion, 3 * aMillion}) {
        std::vector<Sort> all = sorts();
        if (count > aMillion)
            all.resize(sortsBeyond);
        for (const Sort& sort : all)
            ok = (count > most || grow(report, arguments[1], sort, count, rounds)) && ok;
    }
    test::RedisServer server;
    return server.start() && report.save(redisVersion(server)) && ok ? 0 : 1;
}
