// SPDX-License-Identifier: GPL-3.0-or-later
// bench_window RESULTS.json [SECONDS [LIMITERS]]
// The real window on a server with 100,000 primitives of which 5 % change each second (of more, as
// many as of 100,000): how soon the first rows are there, how long an event waits in the window's
// loop in every phase, memory, and what the console costs the server.
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/loopprobe.h"

#include "backend/session/session.h"
#include "backend/session/sessionpolling.h"
#include "widgets/boards/boardpage.h"
#include "widgets/main/mainwindow.h"
#include "widgets/theme/theme.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QProcess>
#include <QScrollBar>
#include <QTableView>
#include <QThread>
#include <QTimer>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <thread>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr int usualLimiters = 100'000;
constexpr int others = 200; // locks, tokens and queues: so many of each
constexpr int changesPerSecond = usualLimiters / 20;
constexpr int limiterBoard = 1;
constexpr int fewWaiting = 200; // primitives: some are always about to be read in their turn

// In a process of its own, so that neither its time nor its memory is taken for the window's.
int writeForever(const QString& socketPath, int limiters)
{
    test::RespClient client(socketPath);
    constexpr int perSlice = 100;
    constexpr auto slice = std::chrono::milliseconds(1000 * perSlice / changesPerSecond);
    auto next = std::chrono::steady_clock::now();
    quint64 place = 0;
    for (;;) {
        const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
        std::vector<Command> batch;
        for (int i = 0; i < perSlice; ++i) {
            place = (place + 61'803) % quint64(limiters); // prime to it: each comes once a round
            const QByteArray key = limiterName(int(place));
            batch.push_back({"ZADD", key, now, now});
            batch.push_back({"ZREMRANGEBYRANK", key, "0", "-6"});
        }
        client.runAll(batch);
        next += slice;
        std::this_thread::sleep_until(next);
    }
}

// Commands that the server got from anybody but the writer and this bench.
double consoleCommands(test::RedisServer& server)
{
    double total = 0;
    const QList<QByteArray> lines = server.run({"INFO", "commandstats"}).text.split('\n');
    for (const QByteArray& line : lines) {
        if (!line.startsWith("cmdstat_") || line.startsWith("cmdstat_zadd") ||
            line.startsWith("cmdstat_zremrangebyrank") || line.startsWith("cmdstat_info"))
            continue;
        const qsizetype at = line.indexOf("calls=") + 6;
        total += line.mid(at, line.indexOf(',', at) - at).toDouble();
    }
    return total;
}

double memoryMb(const QByteArray& field)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf(field + ':') + field.size() + 1;
    return text.mid(at, text.indexOf('k', at) - at).trimmed().toDouble() / 1024;
}

// Not QTest's, which sleeps beside the event loop.
void runLoop(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

bool runLoopUntil(const std::function<bool()>& done, int patienceMs)
{
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < patienceMs)
        runLoop(100);
    return done();
}

struct Bench
{
    int limiters = usualLimiters;
    double lastRate = 0; ///< commands a second in the last phase
    TimedApplication& app;
    test::RedisServer& server;
    Report& report;
    LoopProbe& probe;
    LoopProbe& idleProbe; ///< in a thread that does nothing: what the machine itself delays
    MainWindow& window;
    Session& session;

    BoardPage& board() { return *qobject_cast<BoardPage*>(window.boards()[size_t(limiterBoard)]); }

    std::vector<double> takeIdle()
    {
        std::vector<double> delays;
        QMetaObject::invokeMethod(
            &idleProbe, [&] { delays = idleProbe.take(); }, Qt::BlockingQueuedConnection);
        return delays;
    }

    void forget()
    {
        // Drops the events that waited for the event loop to begin, or for the server's last
        // answer.
        QCoreApplication::sendPostedEvents(&probe);
        probe.take();
        takeIdle();
        app.takeSlowest();
        app.takeWorstCpuMs();
    }

    // Runs the event loop for a while, or until that is done, doing something each 100 ms; prints
    // what it measured.
    std::vector<double> phase(const QString& name, qint64 ms, const std::function<void(int)>& act,
                              const std::function<bool()>& done = {})
    {
        const double commands = consoleCommands(server); // takes time, which is not the window's
        forget();
        QElapsedTimer clock;
        clock.start();
        for (int step = 0; clock.elapsed() < ms && !(done && done()); ++step) {
            // As an event, as a person's doing comes: what it costs is measured with the others.
            QMetaObject::invokeMethod(
                &window, [&act, step] { act(step); }, Qt::QueuedConnection);
            runLoop(100);
        }
        std::vector<double> delays = probe.take();
        const std::vector<double> idle = takeIdle();
        const double seconds = double(clock.elapsed()) / 1000;
        const double rate = (consoleCommands(server) - commands) / seconds;
        QJsonArray slow;
        for (const SlowEvent& e : app.takeSlowest())
            slow.append(
                QStringLiteral("%1 ms cpu, %2 ms: %3").arg(e.cpuMs).arg(e.wallMs).arg(e.what));
        report.row(name, QStringLiteral("ms"),
                   {{QStringLiteral("p50"), percentile(delays, 0.5)},
                    {QStringLiteral("p99"), percentile(delays, 0.99)},
                    {QStringLiteral("p99.9"), percentile(delays, 0.999)},
                    {QStringLiteral("worst"), percentile(delays, 1)},
                    {QStringLiteral("event cpu"), app.takeWorstCpuMs()},
                    {QStringLiteral("idle p99.9"), percentile(idle, 0.999)},
                    {QStringLiteral("idle worst"), percentile(idle, 1)},
                    {QStringLiteral("commands/s"), rate}},
                   {{QStringLiteral("slow_events"), slow}});
        if (qEnvironmentVariableIsSet("BENCH_SLOW")) {
            for (const QJsonValue& line : slow)
                std::printf("      %s\n", qPrintable(line.toString()));
        }
        lastRate = rate;
        return delays;
    }
};

// While the scan goes on; all delays of that time.
bool discover(Bench& bench, std::vector<double>& delays)
{
    QElapsedTimer clock;
    clock.start();
    const auto rows = [&] { return bench.board().table()->model()->rowCount(); };
    double firstRowsMs = 0;
    const auto note = [&](int) {
        if (firstRowsMs == 0 && rows() > 0)
            firstRowsMs = double(clock.elapsed());
    };
    delays = bench.phase(QStringLiteral("while discovering"), 1000, note);
    bench.session.polling().setScanPace(ScanPace::Fast); // at its usual pace it would take minutes
    const auto isDone = [&] {
        const MonitorReport& r = bench.session.report();
        return r.scan.complete && r.primitives >= bench.limiters + 3 * others;
    };
    const qint64 patienceMs = 180'000LL * std::max(1, bench.limiters / usualLimiters);
    const std::vector<double> fast =
        bench.phase(QStringLiteral("while discovering, fast"), patienceMs, note, isDone);
    delays.insert(delays.end(), fast.begin(), fast.end());
    bench.report.row(QStringLiteral("discovery"), QStringLiteral("ms"),
                     {{QStringLiteral("took"), double(clock.elapsed())},
                      {QStringLiteral("first rows"), firstRowsMs},
                      {QStringLiteral("primitives"), double(bench.session.report().primitives)},
                      {QStringLiteral("rss MB"), memoryMb("VmRSS")}});
    if (firstRowsMs > 0)
        bench.report.atMost(QStringLiteral("first rows, while the scan goes on"), firstRowsMs, 1000,
                            QStringLiteral("ms"));
    return isDone();
}

// Scrolls all the time, and filters or sorts now and then, as a person in a hurry would.
void use(Bench& bench, int step)
{
    QTableView* table = bench.board().table();
    QScrollBar* bar = table->verticalScrollBar();
    bar->setValue((bar->value() + 37) % std::max(1, bar->maximum()));
    if (step % 10 == 3)
        bench.board().findChild<QLineEdit*>()->setText(QString::number(step % 97));
    else if (step % 10 == 8)
        bench.board().findChild<QLineEdit*>()->clear();
    if (step % 15 == 5) {
        const int columns = table->horizontalHeader()->count();
        table->horizontalHeader()->setSortIndicator(step / 15 % columns, Qt::DescendingOrder);
    }
    if (step % 7 == 6)
        table->selectRow(table->rowAt(table->viewport()->height() / 2));
}

void measure(Bench& bench, std::vector<double> delays, QProcess& writer, int seconds)
{
    bench.board().selectFirst();
    const std::vector<double> calm =
        bench.phase(QStringLiteral("watching, %1 change a second").arg(changesPerSecond),
                    seconds * 500, [](int) {});
    delays.insert(delays.end(), calm.begin(), calm.end());
    const double watching = bench.lastRate;
    const std::vector<double> busy =
        bench.phase(QStringLiteral("filtering, sorting, scrolling"), seconds * 500,
                    [&](int step) { use(bench, step); });
    const double busyRate = bench.lastRate;
    delays.insert(delays.end(), busy.begin(), busy.end());
    const double peak = memoryMb("VmHWM");
    bench.report.row(QStringLiteral("memory"), QStringLiteral("MB"),
                     {{QStringLiteral("peak"), peak},
                      {QStringLiteral("end"), memoryMb("VmRSS")},
                      {QStringLiteral("anonymous"), memoryMb("RssAnon")}});

    writer.kill();
    writer.waitForFinished();

    Report& report = bench.report;
    report.atMost(QStringLiteral("delay of an event, p99.9"), percentile(delays, 0.999), 16,
                  QStringLiteral("ms"));
    report.atMost(QStringLiteral("delay of an event, worst"), percentile(delays, 1), 50,
                  QStringLiteral("ms"));
    const double mostMb = bench.limiters <= usualLimiters ? 250 : 600.0 * bench.limiters / 1e6;
    report.atMost(QStringLiteral("resident memory"), peak, mostMb, QStringLiteral("MB"));
    report.atMost(QStringLiteral("load while all this changes"), std::max(watching, busyRate), 2000,
                  QStringLiteral("commands/s"));
}

// Waits until all changes have been read. With a million that takes a quarter of an hour;
// growthbench measures the cost of watching them.
void rest(Bench& bench)
{
    bench.window.hide();
    QElapsedTimer clock;
    clock.start();
    const bool all =
        runLoopUntil([&] { return bench.session.report().backlog < fewWaiting; }, 300'000);
    bench.report.note(QStringLiteral("what had changed was %1read %2 s after the last change")
                          .arg(all ? QString() : QStringLiteral("not all "))
                          .arg(clock.elapsed() / 1000));
    bench.phase(QStringLiteral("hidden, nothing changes"), 10'000, [](int) {});
    bench.report.atMost(QStringLiteral("load while nothing does"), bench.lastRate, 100,
                        QStringLiteral("commands/s"));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 4 && qstrcmp(argv[1], "--writer") == 0)
        return writeForever(QString::fromLocal8Bit(argv[2]), QByteArray(argv[3]).toInt());
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    if (arguments.size() < 2)
        return 2;
    const int seconds = std::max(2, arguments.value(2, QStringLiteral("30")).toInt());
    const int limiters = std::max(1000, arguments.value(3, QString::number(usualLimiters)).toInt());
    test::RedisServer server;
    if (!server.start() || !fillLimiters(server, limiters) || !fillOthers(server, others))
        return 1;
    const QString version = redisVersion(server);
    std::printf("Window with %d limiters, %d of them changing each second\n", limiters,
                changesPerSecond);
    Report report(arguments[1], limiters == usualLimiters
                                    ? QStringLiteral("window")
                                    : QStringLiteral("window of %1").arg(limiters));

    Theme theme(app);
    theme.choose(ThemeChoice::Light);
    QThread io;
    QThread worker;
    QThread idle;
    LoopProbe idleProbe;
    idleProbe.moveToThread(&idle);
    for (QThread* thread : {&io, &worker, &idle})
        thread->start();
    const SystemClock clock;
    Session::Setup setup;
    setup.url = server.url();
    setup.ioThread = &io;
    setup.workerThread = &worker;
    setup.clock = &clock;
    LoopProbe probe;
    QProcess writer;
    writer.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    bool ok = false;
    {
        MainWindow window;
        Session session(std::move(setup));
        window.setSession(&session);
        window.show();
        window.showBoard(limiterBoard);
        session.start();
        writer.start(app.applicationFilePath(),
                     {QStringLiteral("--writer"), server.socketPath(), QString::number(limiters)});
        Bench bench{limiters, 0, app, server, report, probe, idleProbe, window, session};
        std::vector<double> delays;
        ok = writer.waitForStarted() && discover(bench, delays);
        if (ok)
            measure(bench, std::move(delays), writer, seconds);
        else
            report.note(QStringLiteral("the primitives were not all found in time"));
        if (ok && limiters <= usualLimiters)
            rest(bench);
        window.setSession(nullptr);
    }
    writer.kill();
    writer.waitForFinished();
    for (QThread* thread : {&io, &worker, &idle}) {
        thread->quit();
        thread->wait();
    }
    return report.save(version) && ok ? 0 : 1;
}
