// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkreport.h"

#include <QIODevice>

namespace lk {

namespace {

// A label's value: of all characters these three have to be escaped.
QByteArray label(QByteArray value)
{
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    return '"' + value + '"';
}

void writeHead(QIODevice& out, const QByteArray& name, const QByteArray& help)
{
    out.write("# HELP " + name + ' ' + help + "\n# TYPE " + name + " gauge\n");
}

void writeGauge(QIODevice& out, const QByteArray& name, const QByteArray& help, qint64 value)
{
    writeHead(out, name, help);
    out.write(name + ' ' + QByteArray::number(value) + '\n');
}

} // namespace

void writeCheckPrometheus(const CheckReport& report, QIODevice& out)
{
    using Place = std::pair<QByteArray, QByteArray>; // code and severity
    std::map<Place, qint64> counts;
    // What was looked for and not found is 0; what one check cannot find is not there at all.
    for (const KnownFinding& known : knownFindings()) {
        if (!known.needsHistory)
            counts[{known.code, severityId(known.severity)}] = 0;
    }
    for (const Finding* finding : report.findings())
        ++counts[{finding->code, severityId(finding->severity)}];
    writeHead(out, "lockkeeper_findings", "Hazards seen in the data that are not silenced.");
    for (const auto& [place, count] : counts)
        out.write("lockkeeper_findings{code=" + label(place.first) +
                  ",severity=" + label(place.second) + "} " + QByteArray::number(count) + '\n');
    writeGauge(out, "lockkeeper_findings_silenced", "Hazards that the operator has silenced.",
               report.silencedCount());
    const Snapshot& snapshot = report.snapshot();
    writeHead(out, "lockkeeper_check_info", "The server that was checked.");
    out.write("lockkeeper_check_info{endpoint=" + label(snapshot.server.endpoint.toUtf8()) +
              ",mode=" + label(snapshot.server.mode.toUtf8()) +
              ",role=" + label(snapshot.server.role.toUtf8()) +
              ",version=" + label(snapshot.server.version.toUtf8()) + "} 1\n");
    writeHead(out, "lockkeeper_check_timestamp_seconds",
              "Time of the check by the server's clock.");
    out.write("lockkeeper_check_timestamp_seconds " +
              QByteArray::number(double(snapshot.server.timeMs) / 1000, 'f', 3) + '\n');
    writeHead(out, "lockkeeper_check_duration_seconds", "Duration of the check.");
    out.write("lockkeeper_check_duration_seconds " +
              QByteArray::number(double(snapshot.scan.elapsedMs) / 1000, 'f', 3) + '\n');
    writeGauge(out, "lockkeeper_check_commands", "Commands that the check sent.",
               snapshot.scan.commands);
    writeGauge(out, "lockkeeper_scanned_keys", "Keys whose names were seen.",
               snapshot.scan.scanned);
    writeGauge(out, "lockkeeper_claimed_keys", "Keys that belong to a detected primitive.",
               snapshot.scan.matched);
    writeGauge(out, "lockkeeper_unclaimed_keys", "Keys that were not recognized.",
               snapshot.scan.notRecognized);
    writeGauge(out, "lockkeeper_check_complete", "1 if all there is was read, else 0.",
               snapshot.scan.whole() ? 1 : 0);
    writeGauge(out, "lockkeeper_skipped_keys", "Keys that could not be read.",
               snapshot.scan.skipped);
}

} // namespace lk
