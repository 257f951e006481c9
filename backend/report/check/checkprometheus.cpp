// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/check/checkreport.h"

#include <QIODevice>

#include <functional>

namespace lk {

namespace {

// A label's value: of all characters these three have to be escaped.
QByteArray label(QByteArray value)
{
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    return '"' + value + '"';
}

QByteArray seconds(qint64 ms)
{
    return QByteArray::number(double(ms) / 1000, 'f', 3);
}

/// Writes each metric once, with the samples of all deployments below it.
class Metrics final
{
public:
    Metrics(const std::vector<CheckedDeployment>& checked, QIODevice& out)
        : m_checked(checked)
        , m_out(out)
    {}

    void head(const QByteArray& name, const QByteArray& help)
    {
        m_out.write("# HELP " + name + ' ' + help + "\n# TYPE " + name + " gauge\n");
    }
    void sample(const CheckedDeployment& of, const QByteArray& name, QByteArrayList labels,
                const QByteArray& value)
    {
        if (m_checked.size() > 1 && (labels.isEmpty() || !labels.front().startsWith("endpoint=")))
            labels.prepend("endpoint=" + label(of.endpoint.toUtf8()));
        m_out.write(name + (labels.isEmpty() ? QByteArray() : '{' + labels.join(',') + '}') + ' ' +
                    value + '\n');
    }
    void gauge(const QByteArray& name, const QByteArray& help,
               const std::function<QByteArray(const CheckReport&)>& value)
    {
        head(name, help);
        for (const CheckedDeployment& of : m_checked) {
            if (of.report)
                sample(of, name, {}, value(*of.report));
        }
    }
    void count(const QByteArray& name, const QByteArray& help,
               const std::function<qint64(const CheckReport&)>& value)
    {
        gauge(name, help,
              [&](const CheckReport& report) { return QByteArray::number(value(report)); });
    }

private:
    const std::vector<CheckedDeployment>& m_checked;
    QIODevice& m_out;
};

void writeFindings(const CheckedDeployment& of, Metrics& metrics)
{
    using Place = std::pair<QByteArray, QByteArray>; // code and severity
    std::map<Place, qint64> counts;
    // A finding that was checked for and not found is 0. One that a single check cannot find is
    // absent.
    for (const KnownFinding& known : knownFindings()) {
        const bool isChecked = !known.ofRedlock || of.report->hasCheckedGroups();
        if (!known.needsHistory && isChecked)
            counts[{known.code, severityId(known.severity)}] = 0;
    }
    for (const Finding* finding : of.report->findings())
        ++counts[{finding->code, severityId(finding->severity)}];
    for (const auto& [place, count] : counts)
        metrics.sample(of, "lockkeeper_findings",
                       {"code=" + label(place.first), "severity=" + label(place.second)},
                       QByteArray::number(count));
}

} // namespace

void writeCheckPrometheus(const std::vector<CheckedDeployment>& checked, QIODevice& out)
{
    Metrics metrics(checked, out);
    metrics.head("lockkeeper_findings", "Hazards seen in the data that are not silenced.");
    for (const CheckedDeployment& of : checked) {
        if (of.report)
            writeFindings(of, metrics);
    }
    metrics.count("lockkeeper_findings_silenced", "Hazards that the operator has silenced.",
                  [](const CheckReport& report) { return report.silencedCount(); });
    metrics.head("lockkeeper_check_info", "The server that was checked.");
    for (const CheckedDeployment& of : checked) {
        if (!of.report)
            continue;
        const ServerFacts& server = of.report->snapshot().server;
        // By the address that was given, as the other samples have it.
        const QString endpoint = checked.size() > 1 ? of.endpoint : server.endpoint;
        metrics.sample(of, "lockkeeper_check_info",
                       {"endpoint=" + label(endpoint.toUtf8()),
                        "mode=" + label(serverModeName(server.mode).toUtf8()),
                        "role=" + label(nodeRoleName(server.role).toUtf8()),
                        "version=" + label(server.version.toUtf8())},
                       "1");
    }
    const auto scan = [](const CheckReport& report) -> const ScanCounts& {
        return report.snapshot().scan;
    };
    metrics.gauge(
        "lockkeeper_check_timestamp_seconds", "Time of the check by the server's clock.",
        [](const CheckReport& report) { return seconds(report.snapshot().server.timeMs); });
    metrics.gauge("lockkeeper_check_duration_seconds", "Duration of the check.",
                  [&](const CheckReport& report) { return seconds(scan(report).elapsedMs); });
    metrics.count("lockkeeper_check_commands", "Commands that the check sent.",
                  [&](const CheckReport& report) { return scan(report).commands; });
    metrics.count("lockkeeper_scanned_keys", "Keys whose names were seen.",
                  [&](const CheckReport& report) { return scan(report).scanned; });
    metrics.count("lockkeeper_claimed_keys", "Keys that belong to a detected primitive.",
                  [&](const CheckReport& report) { return scan(report).matched; });
    metrics.count("lockkeeper_unclaimed_keys", "Keys that were not recognized.",
                  [&](const CheckReport& report) { return scan(report).notRecognized; });
    metrics.head("lockkeeper_check_complete", "1 if all there is was read, else 0.");
    for (const CheckedDeployment& of : checked)
        metrics.sample(of, "lockkeeper_check_complete", {},
                       of.report && scan(*of.report).whole() ? "1" : "0");
    metrics.count("lockkeeper_skipped_keys", "Keys that could not be read.",
                  [&](const CheckReport& report) { return scan(report).skipped; });
}

} // namespace lk
