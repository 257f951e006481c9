// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/checkcommand.h"

#include "app/checkreport.h"
#include "app/snapshotcommand.h"

#include "backend/monitor/snapshottaker.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

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
    Config config;
    if (!invocation.configFile.isEmpty()) {
        Result<Config> loaded = loadConfig(invocation.configFile);
        if (!loaded)
            return reportError(loaded.error());
        config = std::move(*loaded);
    }
    const SystemClock clock;
    SnapshotTaker taker(*invocation.url, config, clock);
    QObject::connect(&taker, &SnapshotTaker::finished, qApp,
                     [&](const std::shared_ptr<const Snapshot>& snapshot) {
                         const CheckReport report(*snapshot);
                         QFile out;
                         bool ok = out.open(stdout, QIODevice::WriteOnly);
                         if (ok)
                             write(report, invocation.format, out);
                         ok = ok && out.flush();
                         const bool found = report.worst() && *report.worst() >= invocation.failOn;
                         QCoreApplication::exit(!ok ? ExitNoWay : found ? ExitFound : ExitDone);
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, qApp, [](const Error& error) {
        QCoreApplication::exit(reportError(error));
    });
    QMetaObject::invokeMethod(&taker, &SnapshotTaker::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
