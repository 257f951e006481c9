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
    qint64 number = 0;                 ///< for --index: its place in its key; 0 if not known
    std::optional<QByteArray> payload; ///< only if payloads were requested; bounded
    bool payloadCut = false;
};

/// The jobs that were read of one state.
struct ReportedState
{
    JobState state;
    std::vector<ReportedJob> jobs;
    qint64 scanned = 0;    ///< jobs that were read
    bool complete = false; ///< true if that was all of them
    std::optional<Error> problem;
};

/// The output of `lockkeeper jobs`.
struct JobsReport
{
    StatePtr queue;
    QString grep;                       ///< empty: none
    std::vector<ReportedState> states;  ///< the requested ones
    std::optional<ClusterMap> map = {}; ///< only of a cluster
};

void writeJobsReport(const JobsReport& report, QIODevice& out);
/// Writes JSON. The format is stable and documented in lockkeeper(1).
void writeJobsJson(const JobsReport& report, QIODevice& out);

} // namespace lk
