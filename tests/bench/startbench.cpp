// SPDX-License-Identifier: GPL-3.0-or-later
// bench_start LOCKKEEPER RESULTS.json [ROUNDS]
// From starting the program to its first painted window, on Qt's offscreen platform and on Xvfb.
// The moment is when Qt says (logging category qt.widgets.painting) that it flushes the window.
#include "tests/bench/benchdata.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/measuredrun.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

using namespace lk;
using namespace lk::bench;

namespace {

void endWithUs(QProcess& process)
{
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

// Milliseconds until the window was painted; below 0: it never was.
double firstPaint(const QString& program, const QString& url, QProcessEnvironment environment)
{
    const QTemporaryDir home;
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
    environment.insert(QStringLiteral("QT_LOGGING_RULES"),
                       QStringLiteral("qt.widgets.painting=true"));
    environment.insert(QStringLiteral("QT_FORCE_STDERR_LOGGING"), QStringLiteral("1"));
    QProcess process;
    endWithUs(process);
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    QElapsedTimer clock;
    clock.start();
    process.start(program, {url});
    double painted = -1;
    QByteArray said;
    while (painted < 0 && process.waitForReadyRead(10'000)) {
        said += process.readAll();
        if (said.contains("Flushing"))
            painted = double(clock.nsecsElapsed()) / 1e6;
    }
    process.kill();
    process.waitForFinished();
    if (painted < 0)
        std::fprintf(stderr, "No window was painted: %s\n", said.constData());
    return painted;
}

// An X server of our own, on a display that it chooses.
class XServer final
{
public:
    QString start()
    {
        endWithUs(m_process);
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.start(QStringLiteral("Xvfb"),
                        {QStringLiteral("-displayfd"), QStringLiteral("1"),
                         QStringLiteral("-screen"), QStringLiteral("0"),
                         QStringLiteral("1600x1000x24"), QStringLiteral("-nolisten"),
                         QStringLiteral("tcp")});
        QByteArray number;
        while (!number.contains('\n') && m_process.waitForReadyRead(10'000))
            number += m_process.readAll();
        return number.trimmed().isEmpty()
                   ? QString()
                   : QLatin1Char(':') + QString::fromLatin1(number.trimmed());
    }
    ~XServer()
    {
        m_process.terminate();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

bool measureStart(Report& report, const QString& name, const QString& program, const QString& url,
                  const QProcessEnvironment& environment, int rounds)
{
    std::vector<double> times;
    firstPaint(program, url, environment); // the files are in memory from here on
    for (int i = 0; i < rounds; ++i) {
        const double ms = firstPaint(program, url, environment);
        if (ms < 0)
            return false;
        times.push_back(ms);
    }
    report.row(name, QStringLiteral("ms"),
               {{QStringLiteral("min"), percentile(times, 0)},
                {QStringLiteral("median"), median(times)},
                {QStringLiteral("max"), percentile(times, 1)}},
               {{QStringLiteral("wall_ms"), toArray(times)}});
    report.atMost(QStringLiteral("start to first paint, ") + name, median(times), 500,
                  QStringLiteral("ms"));
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
    test::RedisServer server;
    if (!server.start() || !fillOthers(server, 20))
        return 1;
    std::printf("Start of the window, %d rounds\n", rounds);
    Report report(arguments[2], QStringLiteral("start"));
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    bool ok = measureStart(report, QStringLiteral("offscreen"), arguments[1], server.urlText(),
                           environment, rounds);
    XServer x;
    const QString display = x.start();
    if (display.isEmpty()) {
        report.note(QStringLiteral("Xvfb did not start: not measured"));
    } else {
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
        environment.insert(QStringLiteral("DISPLAY"), display);
        ok = measureStart(report, QStringLiteral("Xvfb"), arguments[1], server.urlText(),
                          environment, rounds) &&
             ok;
    }
    return report.save(redisVersion(server)) && ok ? 0 : 1;
}
