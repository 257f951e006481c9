// SPDX-License-Identifier: GPL-3.0-or-later
// bench_gentle LOCKKEEPER RESULTS.json [ROUNDS]
// Measures how a snapshot, the window's scan at each pace, and redis-cli --bigkeys slow down
// another client: the 99th percentile of 20,000 GETs a second. Each round runs all of them one
// after the other, and compares each with the same client alone just before.
#include "backend/discovery/scan/backgroundscan.h"
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/steadyclient.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTimer>

#include <cstdio>
#include <functional>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr int limiters = 100'000;
constexpr int aloneMs = 1000;
constexpr int besideMs = 4000; // at most: a gentle one would take minutes
constexpr int startMs = 100;   // of a program: until it asks the server

struct Contestant
{
    QString name;
    double atMost = 0; ///< times its 99th percentile alone; 0: only for comparison
    /// Calls what it is given when it has begun to ask the server: until then it takes the
    /// processor, which the client may be sharing, but nothing of the server.
    std::function<void(const std::function<void()>& begun)> run;
    std::vector<double> p99Us = {};
    std::vector<double> times = {}; ///< as multiples of the 99th percentile just before
    std::vector<double> ms = {};    ///< the duration of each run
};

void waitMs(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

// To its end, or for as long as is measured.
void runProgram(const QStringList& command, const std::function<void()>& begun)
{
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(command.first(), command.mid(1));
    process.waitForFinished(startMs);
    begun();
    if (!process.waitForFinished(besideMs)) {
        process.kill();
        process.waitForFinished();
    }
}

void runScan(const ServerUrl& url, ScanPace pace, const std::function<void()>& begun)
{
    const SystemClock clock;
    Discovery discovery{Config()};
    BackgroundScan scan(url, discovery, clock);
    scan.setPace(pace);
    QEventLoop loop;
    QObject::connect(&scan, &BackgroundScan::passFinished, &loop, &QEventLoop::quit);
    QTimer::singleShot(besideMs, &loop, &QEventLoop::quit);
    begun();
    scan.open();
    loop.exec();
    scan.close();
}

void runRound(SteadyClient& client, Contestant& contestant)
{
    client.begin();
    waitMs(aloneMs);
    const double alone = percentile(client.end(), 0.99);
    QElapsedTimer clock;
    contestant.run([&] {
        clock.start();
        client.begin();
    });
    const double beside = percentile(client.end(), 0.99);
    contestant.ms.push_back(double(clock.elapsed()));
    contestant.p99Us.push_back(beside);
    contestant.times.push_back(alone > 0 ? beside / alone : 0);
}

std::vector<Contestant> contestants(const test::RedisServer& server, const QString& program)
{
    const auto snapshot = [&](const char* pace) {
        QStringList command{program, QStringLiteral("snapshot"), server.urlText()};
        if (pace)
            command << QStringLiteral("--pace") << QLatin1String(pace);
        return [command](const auto& begun) { runProgram(command, begun); };
    };
    const auto scan = [url = server.url()](ScanPace pace) {
        return [url, pace](const auto& begun) { runScan(url, pace, begun); };
    };
    const QStringList bigkeys{QStringLiteral("redis-cli"), QStringLiteral("-s"),
                              server.socketPath(), QStringLiteral("--bigkeys")};
    const auto nobody = [](const auto& begun) {
        begun();
        waitMs(besideMs);
    };
    return {{QStringLiteral("nobody"), 0, nobody}, // how far two measurements differ by themselves
            {QStringLiteral("snapshot, as it comes"), 1.2, snapshot(nullptr)},
            {QStringLiteral("snapshot --pace polite"), 1.2, snapshot("polite")},
            {QStringLiteral("snapshot --pace normal"), 1.2, snapshot("normal")},
            {QStringLiteral("snapshot --pace fast"), 2, snapshot("fast")},
            {QStringLiteral("window's scan, polite"), 1.2, scan(ScanPace::Polite)},
            {QStringLiteral("window's scan, normal"), 1.2, scan(ScanPace::Normal)},
            {QStringLiteral("window's scan, fast"), 2, scan(ScanPace::Fast)},
            {QStringLiteral("redis-cli --bigkeys"), 0,
             [bigkeys](const auto& begun) { runProgram(bigkeys, begun); }}};
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 3)
        return 2;
    const int rounds = std::max(1, arguments.value(3, QStringLiteral("7")).toInt());
    test::RedisServer server;
    if (!server.start() || !fillLimiters(server, limiters)) {
        std::fprintf(stderr, "No server, or it could not be filled: %s\n", server.output());
        return 1;
    }
    SteadyClient client(server.socketPath().toLocal8Bit(), limiterName(0) + ":plain");
    if (!client.isConnected())
        return 1;
    std::printf("A client of %d GETs a second beside a server's readers, %d keys, %d rounds\n",
                SteadyClient::perSecond, limiters, rounds);
    Report report(arguments[2], QStringLiteral("gentle"));
    std::vector<Contestant> all = contestants(server, arguments[1]);
    waitMs(aloneMs);
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& contestant : all)
            runRound(client, contestant);
    }
    for (const Contestant& one : all)
        report.row(one.name, QStringLiteral("us, times, ms"),
                   {{QStringLiteral("p99"), median(one.p99Us)},
                    {QStringLiteral("of alone"), median(one.times)},
                    {QStringLiteral("ran"), median(one.ms)}},
                   {{QStringLiteral("p99_us"), toArray(one.p99Us)},
                    {QStringLiteral("of_alone"), toArray(one.times)}});
    for (const Contestant& one : all) {
        if (one.atMost > 0)
            report.atMost(one.name, median(one.times), one.atMost,
                          QStringLiteral("of the client's p99 alone, by pairs"));
    }
    return report.save(redisVersion(server)) ? 0 : 1;
}
