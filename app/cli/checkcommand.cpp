// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkcommand.h"

#include "app/cli/checkreport.h"
#include "app/cli/snapshotcommand.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::CheckCommand)
};

void write(const CheckReport& report, const Invocation& invocation, QIODevice& out)
{
    switch (invocation.format) {
    case Invocation::Format::Json:
        writeCheckJson(report, out, invocation.codes);
        break;
    case Invocation::Format::Prometheus:
        writeCheckPrometheus(report, out);
        break;
    case Invocation::Format::Text:
        writeCheckText(report, out, invocation.codes);
        break;
    }
}

// A cron job has to tell "nothing is wrong" from "nothing was seen".
int reportPartial(const ScanCounts& scan)
{
    const QString first =
        scan.missing.empty() ? QString() : missingText(scan.missing.front(), scan);
    return reportError({ErrorCode::NotPossible,
                        Text::tr("Not everything could be read. %1 Use --allow-partial to accept "
                                 "that")
                            .arg(first)});
}

} // namespace

int runCheck(const Invocation& invocation)
{
    return printSnapshot(
        invocation, Ages::Kept, Jobs::InProgress, [&](const Snapshot& snapshot, QIODevice& out) {
            const CheckReport report(snapshot);
            write(report, invocation, out);
            if (!snapshot.scan.whole() && !invocation.allowPartial)
                return reportPartial(snapshot.scan);
            const bool found = report.worst() && *report.worst() >= invocation.failOn;
            return int(found ? ExitFound : ExitDone);
        });
}

} // namespace lk
