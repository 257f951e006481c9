// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/checkcommand.h"

#include "app/checkreport.h"
#include "app/snapshotcommand.h"

namespace lk {

namespace {

void write(const CheckReport& report, Invocation::Format format, QIODevice& out)
{
    switch (format) {
    case Invocation::Format::Json:
        writeCheckJson(report, out);
        break;
    case Invocation::Format::Prometheus:
        writeCheckPrometheus(report, out);
        break;
    case Invocation::Format::Text:
        writeCheckText(report, out);
        break;
    }
}

} // namespace

int runCheck(const Invocation& invocation)
{
    return runLook(invocation, Ages::Kept, [&](const Snapshot& snapshot, QIODevice& out) {
        const CheckReport report(snapshot);
        write(report, invocation.format, out);
        const bool found = report.worst() && *report.worst() >= invocation.failOn;
        return int(found ? ExitFound : ExitDone);
    });
}

} // namespace lk
