// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record/recordcommand.h"

#include "app/cli/record/recordrun.h"
#include "app/process/exitcodes.h"
#include "backend/config/ownlayouts.h"

#include <QCoreApplication>

namespace lk {

int runRecord(const Invocation& invocation, const QString& passwordVariable)
{
    if (const Result<void> added = addOwnLayouts(invocation.layoutsFolder); !added)
        return reportError(added.error());
    const Result<Config> config = loadConfigOrDefault(invocation.configFile);
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
