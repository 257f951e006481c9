// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record/recordcommand.h"

#include "app/cli/record/recordrun.h"
#include "app/cli/snapshot/snapshotcommand.h"

#include <QCoreApplication>

namespace lk {

int runRecord(const Invocation& invocation, const QString& passwordVariable)
{
    const Result<Config> config = loadConfigOf(invocation);
    if (!config)
        return reportError(config.error());
    if (!invocation.testNotify.isEmpty())
        return runTestNotification(config->alerts, invocation.testNotify);
    RecordRun run(invocation, *config, passwordVariable);
    QObject::connect(&run, &RecordRun::ended, qApp, &QCoreApplication::exit, Qt::QueuedConnection);
    if (const Result<void> started = run.start(); !started)
        return reportError(started.error());
    return QCoreApplication::exec();
}

} // namespace lk
