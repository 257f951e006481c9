// SPDX-License-Identifier: GPL-3.0-or-later
// bench_memory LOCKKEEPER RESULTS.json [MOST]
// Measures the memory of a text snapshot and of the window with 100,000 and a million limiters of
// five marks, and with as many locks: resident megabytes, and bytes for each of them beyond the
// memory of a program without any.
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/measuredrun.h"

#include "backend/session/session.h"
#include "backend/session/sessionpolling.h"
#include "widgets/main/mainwindow.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr double mostSnapshotMb = 400; // of a million
constexpr double mostWindowMb = 600;
constexpr int quietMs = 5000; // what is arranged once a second has been, too
constexpr int patienceMs = 600'000;

double memoryMb(const QByteArray& field)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf(field + ':') + field.size() + 1;
    return text.mid(at, text.indexOf('k', at) - at).trimmed().toDouble() / 1024;
}

void runLoop(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

// Prints "before after peak" in MB on stdout. Call in a process of its own, so that no other data
// adds to its memory.
int watch(QApplication& app, const QString& url, int board, qint64 primitives)
{
    Theme theme(app);
    theme.choose(ThemeChoice::Light);
    QThread io;
    QThread worker;
    io.start();
    worker.start();
    const SystemClock clock;
    Session::Setup setup;
    setup.url = *parseServerUrl(url);
    setup.ioThread = &io;
    setup.workerThread = &worker;
    setup.clock = &clock;
    bool done = false;
    {
        MainWindow window;
        Session session(std::move(setup));
        window.setSession(&session);
        window.show();
        window.showBoard(board);
        session.polling().setScanPace(ScanPace::Fast);
        runLoop(500);
        const double before = memoryMb("VmRSS");
        session.start();
        QElapsedTimer waited;
        waited.start();
        while (!done && waited.elapsed() < patienceMs) {
            runLoop(200);
            const MonitorReport& report = session.report();
            done = report.scan.complete && report.primitives >= primitives;
        }
        runLoop(quietMs);
        std::printf("%f %f %f\n", before, memoryMb("VmRSS"), memoryMb("VmHWM"));
        window.setSession(nullptr);
    }
    for (QThread* thread : {&io, &worker}) {
        thread->quit();
        thread->wait();
    }
    return done ? 0 : 1;
}

struct Sort
{
    const char* name;
    int board; ///< where they are shown
    std::function<bool(test::RedisServer&, int)> fill;
};

bool measure(Report& report, const QString& program, const Sort& sort, int count, double emptyMb)
{
    test::RedisServer server;
    if (!server.start() || !sort.fill(server, count))
        return false;
    const QString what = QStringLiteral("%1 %2").arg(count).arg(QLatin1String(sort.name));
    const auto each = [count](double mb) { return mb * 1024 * 1024 / count; };

    const MeasuredRun run = runMeasured({program, QStringLiteral("snapshot"), server.urlText()});
    report.row(what + QStringLiteral(": snapshot"), QStringLiteral("MB, bytes"),
               {{QStringLiteral("empty"), emptyMb},
                {QStringLiteral("peak"), run.peakMb},
                {QStringLiteral("each"), each(run.peakMb - emptyMb)}});

    QProcess window;
    window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    window.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("--window"), server.urlText(), QString::number(sort.board),
                  QString::number(count)});
    window.waitForFinished(-1);
    const QByteArrayList figures = window.readAllStandardOutput().trimmed().split(' ');
    if (run.exitCode != 0 || window.exitCode() != 0 || figures.size() != 3)
        return false;
    const double before = figures[0].toDouble();
    const double after = figures[1].toDouble();
    report.row(what + QStringLiteral(": window"), QStringLiteral("MB, bytes"),
               {{QStringLiteral("empty"), before},
                {QStringLiteral("with them"), after},
                {QStringLiteral("peak"), figures[2].toDouble()},
                {QStringLiteral("each"), each(after - before)}});
    if (count >= 1'000'000) {
        report.atMost(what + QStringLiteral(": snapshot"), run.peakMb, mostSnapshotMb * count / 1e6,
                      QStringLiteral("MB"));
        report.atMost(what + QStringLiteral(": window"), after, mostWindowMb * count / 1e6,
                      QStringLiteral("MB"));
    }
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--window") && arguments.size() == 5)
        return watch(app, arguments[2], arguments[3].toInt(), arguments[4].toLongLong());
    if (arguments.size() < 3)
        return 2;
    const int most = arguments.value(3, QStringLiteral("1000000")).toInt();
    std::printf("Memory up to %d primitives\n", most);
    Report report(arguments[2], QStringLiteral("memory"));
    const std::vector<Sort> sorts{{"limiters", 1, fillLimiters},
                                  {"locks", 2, [](test::RedisServer& server, int count) {
                                       return fillSort(server, KeySort::Lock, count);
                                   }}};
    test::RedisServer server;
    if (!server.start())
        return 1;
    const QStringList empty{arguments[1], QStringLiteral("snapshot"), server.urlText()};
    const double emptyMb = runMeasured(empty).peakMb;
    bool ok = true;
    for (const int count : {100'000, 1'000'000}) {
        for (const Sort& sort : sorts)
            ok = (count > most || measure(report, arguments[1], sort, count, emptyMb)) && ok;
    }
    return report.save(redisVersion(server)) && ok ? 0 : 1;
}
