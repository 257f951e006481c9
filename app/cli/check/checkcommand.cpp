// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/check/checkcommand.h"

#include "app/cli/connectioncommand.h"
#include "app/cli/snapshot/snapshotcommand.h"
#include "backend/redis/redlock/redlock.h"
#include "backend/report/check/checkreport.h"
#include "backend/session/redlock/redlockreader.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct CheckCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::CheckCommand)
};

using Format = Invocation::Format;

// A cron job has to distinguish "nothing is wrong" from "nothing was seen".
int reportPartial(const QString& first, const QString& where)
{
    return reportError(
        {ErrorCode::NotPossible,
         CheckCommandText::tr("Not everything could be read. %1 Use --allow-partial to accept "
                              "that")
             .arg(first)},
        where);
}

int codeOf(const CheckReport& report, const Invocation& invocation)
{
    const Snapshot& snapshot = report.snapshot();
    const ScanCounts& scan = snapshot.scan;
    if (!scan.whole() && !invocation.allowPartial)
        return reportPartial(scan.missing.empty() ? QString()
                                                  : missingText(scan.missing.front(), scan),
                             invocation.urls.size() > 1 ? snapshot.server.endpoint : QString());
    if (report.groups() && !report.groups()->whole() && !invocation.allowPartial)
        return reportPartial(report.groups()->missing().front() + QLatin1Char('.'), {});
    const bool found = report.worst() && *report.worst() >= invocation.failOn;
    return found ? ExitFound : ExitDone;
}

/// Makes the report of each snapshot; the first has the groups' findings.
class Reports final
{
public:
    Reports(const std::vector<TakenSnapshot>& taken, const CheckedGroups& groups)
        : m_groups(groups)
    {
        const auto first = std::find_if(taken.begin(), taken.end(),
                                        [](const TakenSnapshot& one) { return one.snapshot; });
        m_first = first == taken.end() ? nullptr : first->snapshot.get();
    }
    CheckReport of(const TakenSnapshot& one) const
    {
        return CheckReport(*one.snapshot, one.snapshot.get() == m_first ? &m_groups : nullptr);
    }

private:
    const CheckedGroups& m_groups;
    const Snapshot* m_first;
};

// One text for all: a metric may be there once.
int printPrometheus(const std::vector<TakenSnapshot>& taken, const Reports& reports,
                    const Invocation& invocation, QIODevice& out)
{
    int code = reportFailed(taken);
    if (taken.size() == 1 && code != ExitDone)
        return code; // and what was written the last time stays
    std::vector<CheckReport> all;
    all.reserve(taken.size());
    std::vector<CheckedDeployment> checked;
    for (const TakenSnapshot& one : taken) {
        if (one.snapshot)
            all.push_back(reports.of(one));
        checked.push_back({one.url.endpoint(), one.snapshot ? &all.back() : nullptr});
    }
    writeCheckPrometheus(checked, out);
    for (const CheckReport& report : all)
        code = std::max(code, codeOf(report, invocation));
    return code;
}

CheckedGroups checkedGroups(const RedlockCheck& check, const CheckSettings& settings)
{
    CheckedGroups groups{check.reports(), check.findings()};
    for (Finding& finding : groups.findings)
        finding.silenced = settings.isSilenced(finding);
    return groups;
}

} // namespace

int runCheck(const Invocation& invocation, const QString& passwordVariable)
{
    if (invocation.connectionOnly)
        return runConnectionCheck(invocation);
    const Result<Config> config = loadConfigOf(invocation);
    if (!config)
        return reportError(config.error());
    const SystemClock clock;
    RedlockCheck check(withPassword(config->redlocks, passwordVariable), invocation.timeoutMs,
                       clock);
    const auto print = [&](const std::vector<TakenSnapshot>& taken, QIODevice& to) {
        const CheckedGroups groups = checkedGroups(check, config->check);
        const Reports reports(taken, groups);
        if (invocation.format == Format::Prometheus)
            return printPrometheus(taken, reports, invocation, to);
        return printEach(taken, invocation.format, to, [&](const TakenSnapshot& one, auto& out) {
            const CheckReport report = reports.of(one);
            if (invocation.format == Format::Json)
                writeCheckJson(report, out, invocation.codes);
            else
                writeCheckText(report, *one.states, out, invocation.codes);
            return codeOf(report, invocation);
        });
    };
    return printSnapshots(invocation, *config, Ages::Kept, PackedStates::Order::Whole, print,
                          &check);
}

} // namespace lk
