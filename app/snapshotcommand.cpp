// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/snapshotcommand.h"

#include "backend/monitor/snapshotreport.h"
#include "backend/monitor/snapshottaker.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>

namespace lk {

int reportError(const Error& error)
{
    const QString advice = errorAdvice(error);
    QString line = QStringLiteral("lockkeeper: ") + errorText(error);
    if (!advice.isEmpty())
        line += QStringLiteral(". ") + advice;
    line.replace(QLatin1Char('\n'), QLatin1Char(' '));
    std::fprintf(stderr, "%s\n", line.toUtf8().constData());
    return ExitNoWay;
}

int runSnapshot(const Invocation& invocation)
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
                         QFile out;
                         bool ok = out.open(stdout, QIODevice::WriteOnly);
                         if (invocation.format == Invocation::Format::Json)
                             writeJson(*snapshot, out);
                         else
                             writeText(*snapshot, out);
                         ok = ok && out.flush();
                         QCoreApplication::exit(ok ? ExitDone : ExitNoWay);
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, qApp, [](const Error& error) {
        QCoreApplication::exit(reportError(error));
    });
    QMetaObject::invokeMethod(&taker, &SnapshotTaker::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
