// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/warmwatch.h"

#include "backend/session/endthread.h"
#include "backend/session/session.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/measuredrun.h"
#include "tests/support/respclient.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QThread>
#include <QTimer>

#include <cstdio>

namespace lk::bench {

namespace {

constexpr int patienceMs = 900'000;
constexpr int quietMs = 15'000; // what follows a scan: sorting, sums, the last reads
constexpr int watchMs = 20'000;
constexpr int looks = 9;
constexpr size_t screen = 30; // rows

void runLoop(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

double infoSum(test::RespClient& client, const char* section, const QByteArrayList& names)
{
    double sum = 0;
    for (const QByteArray& line : client.run({"INFO", section}).text.split('\n')) {
        for (const QByteArray& name : names) {
            if (line.startsWith(name + ':'))
                sum += line.mid(name.size() + 1).trimmed().toDouble();
        }
    }
    return sum;
}

// Asks for the board in another order and waits for its rows.
double lookMs(Session& session, int column)
{
    QElapsedTimer clock;
    clock.start();
    QEventLoop loop;
    BoardQuery query;
    query.column = column;
    query.serial = quint64(column) + 100;
    double took = patienceMs;
    QObject context;
    QObject::connect(&session.board(), &SessionBoard::sorted, &context, [&](const BoardRows& rows) {
        if (rows.query.serial != query.serial)
            return;
        took = double(clock.nsecsElapsed()) / 1e6;
        loop.quit();
    });
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    session.board().setQuery(query);
    loop.exec();
    return took;
}

bool watch(Session& session, const QString& socketPath, qint64 primitives)
{
    session.start();
    QElapsedTimer waited;
    waited.start();
    const auto known = [&] {
        const MonitorReport& report = session.report();
        return report.scan.complete && report.primitives >= primitives && !report.isBehind();
    };
    while (!known() && waited.elapsed() < patienceMs)
        runLoop(200);
    std::vector<Handle> rows;
    for (const auto& [handle, state] : session.states().all()) {
        if (rows.size() < screen)
            rows.push_back(handle);
    }
    session.polling().setAttention(rows, noHandle);
    lookMs(session, -1);
    runLoop(quietMs);
    test::RespClient client(socketPath);
    const QByteArrayList cpu{"used_cpu_user", "used_cpu_sys"};
    const double commands = infoSum(client, "stats", {"total_commands_processed"});
    const double serverMs = infoSum(client, "cpu", cpu) * 1e3;
    const double ownMs = cpuOfProcess(QCoreApplication::applicationPid());
    runLoop(watchMs);
    const double seconds = watchMs / 1e3;
    std::printf("%f %f ",
                (infoSum(client, "stats", {"total_commands_processed"}) - commands) / seconds,
                (cpuOfProcess(QCoreApplication::applicationPid()) - ownMs) / seconds);
    std::printf("%f ", (infoSum(client, "cpu", cpu) * 1e3 - serverMs) / seconds);
    std::vector<double> took;
    for (int i = 0; i < looks; ++i)
        took.push_back(lookMs(session, i % 2 == 0 ? -1 : 0)); // the worst first, by name
    std::printf("%f\n", median(took));
    return known();
}

} // namespace

int watchWarm(const QString& socketPath, qint64 primitives)
{
    QThread io;
    QThread worker;
    io.start();
    worker.start();
    const SystemClock clock;
    bool ok = false;
    {
        Session::Setup setup;
        setup.url = *parseServerUrl(QStringLiteral("unix://") + socketPath);
        setup.ioThread = &io;
        setup.workerThread = &worker;
        setup.clock = &clock;
        setup.limits.scanCommandsPerSecond = 0;
        Session session(std::move(setup));
        ok = watch(session, socketPath, primitives);
    }
    endThread(io);
    endThread(worker);
    return ok ? 0 : 1;
}

} // namespace lk::bench
