// SPDX-License-Identifier: GPL-3.0-or-later
// bench_lag RESULTS.json [PRIMITIVES] [SECONDS]
// How long the session of a window takes to notice what changes off screen: 1,000 changes a second,
// which its budget can follow, and 50,000, which no budget that is allowed could.
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"

#include "backend/session/endthread.h"
#include "backend/session/session.h"
#include "backend/session/sessionstates.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTemporaryFile>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <sys/prctl.h>
#include <thread>

using namespace lk;
using namespace lk::bench;

namespace {

using Moment = std::atomic<qint64>;         // local milliseconds; 0: read since it was changed last
static_assert(Moment::is_always_lock_free); // two processes share them

Moment* mapMoments(QFile& file, int count)
{
    return reinterpret_cast<Moment*>(file.map(0, qint64(count) * qint64(sizeof(Moment))));
}

// In a process of its own, as the services are. Notes of each limiter since when what it holds has
// not been read.
int writeForever(const QStringList& arguments)
{
    test::RespClient client(arguments[2]);
    QFile file(arguments[3]);
    const int count = arguments[4].toInt();
    const int perSecond = arguments[5].toInt();
    if (!file.open(QIODevice::ReadWrite))
        return 1;
    Moment* unread = mapMoments(file, count);
    const int perSlice = std::max(10, perSecond / 100);
    const auto slice = std::chrono::microseconds(1'000'000LL * perSlice / perSecond);
    auto next = std::chrono::steady_clock::now();
    std::mt19937 random(1);
    for (;;) {
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        const QByteArray now = QByteArray::number(nowMs);
        std::vector<Command> batch;
        std::vector<int> places;
        for (int i = 0; i < perSlice; ++i) {
            places.push_back(int(random() % unsigned(count)));
            batch.push_back({"ZADD", limiterName(places.back()), now, now});
        }
        client.runAll(batch);
        for (const int place : places) {
            qint64 read = 0;
            unread[place].compare_exchange_strong(read, nowMs);
        }
        next += slice;
        std::this_thread::sleep_until(next);
    }
}

void runLoop(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

struct Lags
{
    std::vector<double> ms; ///< the delay of each change that was read
    qint64 changed = 0;     ///< limiters whose change had not been read at the end

    void take(const Delta& delta, Moment* unread, int count)
    {
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        for (const StateChange& change : delta.changes) {
            if (!change.state)
                continue;
            const int place = change.state->primitive->id.name.mid(8).toInt(); // "rl:user:"
            if (place >= count)
                continue;
            const qint64 since = unread[place].exchange(0);
            if (since > 0)
                ms.push_back(double(nowMs - since));
        }
    }
};

bool measure(Report& report, test::RedisServer& server, Session& session, int count, int seconds,
             int perSecond)
{
    QTemporaryFile file;
    if (!file.open() || !file.resize(qint64(count) * qint64(sizeof(Moment))))
        return false;
    Moment* unread = mapMoments(file, count);
    QProcess writer;
    writer.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    writer.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("--writer"), server.socketPath(), file.fileName(),
                  QString::number(count), QString::number(perSecond)});
    if (!writer.waitForStarted() || !unread)
        return false;
    Lags lags;
    QObject context;
    QObject::connect(&session.states(), &SessionStates::changed, &context,
                     [&](const DeltaPtr& delta) { lags.take(*delta, unread, count); });
    runLoop(5000); // until it has settled
    lags.ms.clear();
    runLoop(seconds * 1000);
    const double reads = double(lags.ms.size()) / seconds;
    const qint64 backlog = session.report().backlog;
    const double commands = session.report().cost.commandsPerSecond;
    writer.kill();
    writer.waitForFinished();
    const double p99 = percentile(lags.ms, 0.99);
    report.row(QStringLiteral("%1 changes a second off screen").arg(perSecond),
               QStringLiteral("ms"),
               {{QStringLiteral("p50"), percentile(lags.ms, 0.5)},
                {QStringLiteral("p70"), percentile(lags.ms, 0.7)},
                {QStringLiteral("p99"), p99},
                {QStringLiteral("worst"), percentile(lags.ms, 1)},
                {QStringLiteral("read/s"), reads},
                {QStringLiteral("commands/s"), commands},
                {QStringLiteral("waiting"), double(backlog)}});
    if (perSecond == 1000)
        report.atMost(QStringLiteral("lag of a change, p99"), p99, 3000, QStringLiteral("ms"));
    QElapsedTimer clock;
    clock.start();
    while (session.report().isBehind() && clock.elapsed() < 300'000)
        runLoop(100);
    report.note(
        QStringLiteral("all was read %1 s after the last change").arg(clock.elapsed() / 1000));
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.value(1) == QLatin1String("--writer"))
        return writeForever(arguments);
    if (arguments.size() < 2)
        return 2;
    const int count = arguments.value(2, QStringLiteral("100000")).toInt();
    const int seconds = arguments.value(3, QStringLiteral("30")).toInt();
    test::RedisServer server;
    if (!server.start() || !fillLimiters(server, count))
        return 1;
    std::printf("Changes off screen of %d limiters\n", count);
    Report report(arguments[1], QStringLiteral("lag"));
    QThread io;
    QThread worker;
    io.start();
    worker.start();
    const SystemClock clock;
    bool ok = false;
    {
        Session::Setup setup;
        setup.url = server.url();
        setup.ioThread = &io;
        setup.workerThread = &worker;
        setup.clock = &clock;
        setup.limits.scanCommandsPerSecond = 0;
        Session session(std::move(setup));
        session.start();
        QElapsedTimer patience;
        patience.start();
        const auto found = [&] {
            const MonitorReport& r = session.report();
            return r.scan.complete && r.primitives >= count && !r.isBehind();
        };
        while (!found() && patience.elapsed() < 400'000)
            runLoop(100);
        ok = found() && measure(report, server, session, count, seconds, 1000) &&
             measure(report, server, session, count, seconds, 50'000);
    }
    endThread(io);
    endThread(worker);
    return report.save(redisVersion(server)) && ok ? 0 : 1;
}
