// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobs/jobscommand.h"

#include "app/cli/jobs/jobsreading.h"
#include "app/cli/snapshot/snapshotcommand.h"
#include "app/process/output.h"

#include <QCoreApplication>

namespace lk {

int runJobs(const Invocation& invocation)
{
    const Result<Config> config = loadConfigOf(invocation);
    if (!config)
        return reportError(config.error());
    const SystemClock clock;
    JobsReading reading(invocation, *config, clock);
    QObject::connect(&reading, &JobsReading::finished, qApp, [&](const JobsReport& report) {
        Output out;
        if (invocation.format == Invocation::Format::Json)
            writeJobsJson(report, out);
        else
            writeJobsReport(report, out);
        QCoreApplication::exit(out.end(ExitDone));
    });
    QObject::connect(&reading, &JobsReading::failed, qApp, [](const Error& error) {
        const int failure = reportError(error);
        const int code = error.code == ErrorCode::NotFound ? int(ExitFound) : failure;
        QCoreApplication::exit(code);
    });
    QMetaObject::invokeMethod(&reading, &JobsReading::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
