// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/redis/topology/clustermap.h"

class QIODevice;

namespace lk {

/// One printed job.
struct ReportedJob
{
    QueueJob job;
    qint64 number = 0; ///< as --index names it, in the key that holds it; 0: not known
    std::optional<QByteArray> payload; ///< where payloads were asked for; bounded
    bool payloadCut = false;
};

/// The jobs of one state that were read.
struct ReportedState
{
    JobState state;
    std::vector<ReportedJob> jobs;
    qint64 scanned = 0;    ///< jobs that were looked at
    bool complete = false; ///< that was all of them
    std::optional<Error> problem;
};

/// What `lockkeeper jobs` prints.
struct JobsReport
{
    StatePtr queue;
    QString grep;                       ///< empty: none
    std::vector<ReportedState> states;  ///< those that were asked for
    std::optional<ClusterMap> map = {}; ///< of a cluster
};

void writeJobsReport(const JobsReport& report, QIODevice& out);
/// The format is stable; lockkeeper(1) has it.
void writeJobsJson(const JobsReport& report, QIODevice& out);

} // namespace lk
