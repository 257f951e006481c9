// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/measuredrun.h"

#include "tests/bench/benchreport.h"

#include <QByteArrayList>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lk::bench {

namespace {

double msOf(const timeval& t)
{
    return double(t.tv_sec) * 1e3 + double(t.tv_usec) / 1e3;
}

} // namespace

MeasuredRun runMeasured(const QStringList& command, const QString& outputFile)
{
    QByteArrayList bytes;
    for (const QString& part : command)
        bytes << part.toLocal8Bit();
    std::vector<char*> argv;
    for (QByteArray& part : bytes)
        argv.push_back(part.data());
    argv.push_back(nullptr);
    const QByteArray output =
        outputFile.isEmpty() ? QByteArrayLiteral("/dev/null") : QFile::encodeName(outputFile);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.constData(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);

    MeasuredRun run;
    QElapsedTimer clock;
    clock.start();
    pid_t pid = -1;
    int status = 0;
    rusage usage{};
    if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0 &&
        wait4(pid, &status, 0, &usage) == pid) {
        run.wallMs = double(clock.nsecsElapsed()) / 1e6;
        run.cpuMs = msOf(usage.ru_utime) + msOf(usage.ru_stime);
        run.peakMb = double(usage.ru_maxrss) / 1024;
        run.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return run;
}

double cpuOfProcess(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    // The name in parentheses may hold anything; user and system ticks are the 12th and 13th after.
    const QByteArrayList fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    const double ticks = fields.value(11).toDouble() + fields.value(12).toDouble();
    return ticks * 1e3 / double(sysconf(_SC_CLK_TCK));
}

double pairedRatio(const std::vector<double>& ours, const std::vector<double>& theirs)
{
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
        ratios.push_back(ours[i] / theirs[i]);
    return median(ratios);
}

} // namespace lk::bench
