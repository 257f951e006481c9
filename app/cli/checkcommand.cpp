// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkcommand.h"

#include "app/cli/checkreport.h"
#include "app/cli/connectioncommand.h"
#include "app/cli/snapshotcommand.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::CheckCommand)
};

using Format = Invocation::Format;

// A cron job has to tell "nothing is wrong" from "nothing was seen".
int reportPartial(const Snapshot& snapshot, const QString& where)
{
    const ScanCounts& scan = snapshot.scan;
    const QString first =
        scan.missing.empty() ? QString() : missingText(scan.missing.front(), scan);
    return reportError({ErrorCode::NotPossible,
                        Text::tr("Not everything could be read. %1 Use --allow-partial to accept "
                                 "that")
                            .arg(first)},
                       where);
}

int codeOf(const CheckReport& report, const Invocation& invocation)
{
    const Snapshot& snapshot = report.snapshot();
    if (!snapshot.scan.whole() && !invocation.allowPartial)
        return reportPartial(snapshot,
                             invocation.urls.size() > 1 ? snapshot.server.endpoint : QString());
    const bool found = report.worst() && *report.worst() >= invocation.failOn;
    return found ? ExitFound : ExitDone;
}

// One text for all: a metric may be there once.
int printPrometheus(const std::vector<TakenSnapshot>& taken, const Invocation& invocation,
                    QIODevice& out)
{
    int code = reportFailed(taken);
    if (taken.size() == 1 && code != ExitDone)
        return code; // and what was written the last time stays
    std::vector<CheckReport> reports;
    reports.reserve(taken.size());
    std::vector<CheckedDeployment> checked;
    for (const TakenSnapshot& one : taken) {
        if (one.snapshot)
            reports.emplace_back(*one.snapshot);
        checked.push_back({one.url.endpoint(), one.snapshot ? &reports.back() : nullptr});
    }
    writeCheckPrometheus(checked, out);
    for (const CheckReport& report : reports)
        code = std::max(code, codeOf(report, invocation));
    return code;
}

} // namespace

int runCheck(const Invocation& invocation)
{
    if (invocation.connectionOnly)
        return runConnectionCheck(invocation);
    const auto print = [&](const std::vector<TakenSnapshot>& taken, QIODevice& to) {
        if (invocation.format == Format::Prometheus)
            return printPrometheus(taken, invocation, to);
        return printEach(taken, invocation.format, to, [&](const TakenSnapshot& one, auto& out) {
            const CheckReport report(*one.snapshot);
            if (invocation.format == Format::Json)
                writeCheckJson(report, out, invocation.codes);
            else
                writeCheckText(report, out, invocation.codes);
            return codeOf(report, invocation);
        });
    };
    return printSnapshots(invocation, Ages::Kept, Jobs::InProgress, print);
}

} // namespace lk
