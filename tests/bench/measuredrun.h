// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <vector>

namespace lk::bench {

/// The cost of a program from its start to its end.
struct MeasuredRun
{
    double wallMs = 0;
    double cpuMs = 0;  ///< user and system together
    double peakMb = 0; ///< resident; at least what this program has itself
    int exitCode = -1;
};

/// Runs a program to its end; its output goes to that file, or nowhere.
MeasuredRun runMeasured(const QStringList& command, const QString& outputFile = {});

/// User and system time of a running process so far (ms; in steps of 10).
double cpuOfProcess(qint64 pid);

/// The times of several runs of the same thing.
struct Timings
{
    QString name;
    std::vector<double> wallMs;
    std::vector<double> cpuMs;
    std::vector<double> serverMs; ///< the server's CPU time meanwhile

    void add(const MeasuredRun& run, double serverCpuMs)
    {
        wallMs.push_back(run.wallMs);
        cpuMs.push_back(run.cpuMs);
        serverMs.push_back(serverCpuMs);
    }
};

/// The median of ours / theirs, each pair from the same round: what disturbs a round disturbs
/// both.
double pairedRatio(const std::vector<double>& ours, const std::vector<double>& theirs);

} // namespace lk::bench
