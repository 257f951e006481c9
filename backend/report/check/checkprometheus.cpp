// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/check/checkreport.h"
#include "backend/report/metrics/metricsdocument.h"

#include <QIODevice>

namespace lk {

namespace {

using Labels = MetricsDocument::Labels;

QByteArray seconds(qint64 ms)
{
    return QByteArray::number(double(ms) / 1000, 'f', 3);
}

std::map<std::pair<QByteArray, QByteArray>, qint64> countsOf(const CheckReport& report)
{
    std::map<std::pair<QByteArray, QByteArray>, qint64> counts; // by code and severity
    // A finding that was checked for and not found is 0. One that a single check cannot find is
    // absent.
    for (const KnownFinding& known : knownFindings()) {
        const bool isChecked = !known.ofRedlock || report.hasCheckedGroups();
        if (!known.needsHistory && isChecked)
            counts[{known.code, severityId(known.severity)}] = 0;
    }
    for (const Finding* finding : report.findings())
        ++counts[{finding->code, severityId(finding->severity)}];
    return counts;
}

} // namespace

void writeCheckPrometheus(const std::vector<CheckedDeployment>& checked, QIODevice& out)
{
    MetricsDocument metrics(MetricsFormat::PlainText);
    const auto add = [&](const CheckedDeployment& of, Labels labels, const auto& value) {
        if (checked.size() > 1)
            labels.insert(labels.begin(), {"endpoint", of.endpoint.toUtf8()});
        metrics.add(labels, value);
    };
    // Each metric is written once, with the samples of all deployments below it.
    const auto each = [&](const char* name, const char* help, const auto& write) {
        metrics.gauge(name, help);
        for (const CheckedDeployment& of : checked) {
            if (of.report)
                write(of, *of.report);
        }
    };
    const auto gauge = [&](const char* name, const char* help, const auto& value) {
        each(name, help, [&](const CheckedDeployment& of, const CheckReport& report) {
            add(of, {}, value(report));
        });
    };
    const auto count = [&](const char* name, const char* help, qint64 ScanCounts::*member) {
        gauge(name, help, [member](const CheckReport& report) {
            return double(report.snapshot().scan.*member);
        });
    };
    each("lockkeeper_findings", "Hazards seen in the data that are not silenced.",
         [&](const CheckedDeployment& of, const CheckReport& report) {
             for (const auto& [place, number] : countsOf(report))
                 add(of, {{"code", place.first}, {"severity", place.second}}, double(number));
         });
    gauge("lockkeeper_findings_silenced", "Hazards that the operator has silenced.",
          [](const CheckReport& report) { return double(report.silencedCount()); });
    each("lockkeeper_check_info", "The server that was checked.",
         [&](const CheckedDeployment& of, const CheckReport& report) {
             const ServerFacts& server = report.snapshot().server;
             // By the address that was given, as the other samples have it.
             Labels labels{{"mode", serverModeName(server.mode).toUtf8()},
                           {"role", nodeRoleName(server.role).toUtf8()},
                           {"version", server.version.toUtf8()}};
             if (checked.size() == 1)
                 labels.insert(labels.begin(), {"endpoint", server.endpoint.toUtf8()});
             add(of, labels, 1.0);
         });
    gauge("lockkeeper_check_timestamp_seconds", "Time of the check by the server's clock.",
          [](const CheckReport& report) { return seconds(report.snapshot().server.timeMs); });
    gauge("lockkeeper_check_duration_seconds", "Duration of the check.",
          [](const CheckReport& report) { return seconds(report.snapshot().scan.elapsedMs); });
    count("lockkeeper_check_commands", "Commands that the check sent.", &ScanCounts::commands);
    count("lockkeeper_scanned_keys", "Keys whose names were seen.", &ScanCounts::scanned);
    count("lockkeeper_claimed_keys", "Keys that belong to a detected primitive.",
          &ScanCounts::matched);
    count("lockkeeper_unclaimed_keys", "Keys that were not recognized.",
          &ScanCounts::notRecognized);
    metrics.gauge("lockkeeper_check_complete", "1 if all there is was read, else 0.");
    for (const CheckedDeployment& of : checked)
        add(of, {}, of.report && of.report->snapshot().scan.whole() ? 1.0 : 0.0);
    count("lockkeeper_skipped_keys", "Keys that could not be read.", &ScanCounts::skipped);
    out.write(metrics.finish());
}

} // namespace lk
