// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: without widgets, so that it runs in a container and in cron.
#include "app/cli/aclcommand.h"
#include "app/cli/act/actcommand.h"
#include "app/cli/check/checkcommand.h"
#include "app/cli/commands.h"
#include "app/cli/completion/completion.h"
#include "app/cli/consolestart.h"
#include "app/cli/history/historycommand.h"
#include "app/cli/jobs/jobscommand.h"
#include "app/cli/layouts/layoutscommand.h"
#include "app/cli/record/recordcommand.h"
#include "app/cli/redlock/redlockcommand.h"
#include "app/cli/snapshot/snapshotcommand.h"
#include "app/process/exitcodes.h"
#include "app/process/language.h"
#include "app/process/output.h"
#include "app/process/programstart.h"

#include <QCoreApplication>

namespace {

int print(const QString& text)
{
    lk::Output out;
    out.print(text);
    return out.end(lk::ExitDone);
}

int printCompletion(const QString& shell)
{
    const lk::Result<QByteArray> script = lk::completionScript(shell);
    if (!script)
        return lk::reportError(script.error());
    lk::Output out;
    out.write(*script);
    return out.end(lk::ExitDone);
}

} // namespace

int main(int argc, char** argv)
{
    using namespace lk;
    const ProgramStart start = beginProgram(argc, argv);
    QCoreApplication app(argc, argv);
    installTranslators(app);
    const Result<Invocation> invocation = parseArguments(start.arguments, start.password);
    if (!invocation)
        return reportError(invocation.error());
    switch (invocation->mode) {
    case Invocation::Mode::Help:
        return print(commandHelp(invocation->helpTopic));
    case Invocation::Mode::Version:
        return print(QStringLiteral("lockkeeper " LOCKKEEPER_VERSION "\n"));
    case Invocation::Mode::Snapshot:
        return runSnapshot(*invocation);
    case Invocation::Mode::Check:
        return runCheck(*invocation, start.password);
    case Invocation::Mode::Jobs:
        return runJobs(*invocation);
    case Invocation::Mode::Act:
        return runAct(invocation->words, start);
    case Invocation::Mode::Layouts:
        return runLayouts(*invocation);
    case Invocation::Mode::Acl:
        return runAcl(*invocation);
    case Invocation::Mode::Record:
        return runRecord(*invocation, start.password);
    case Invocation::Mode::History:
        return runHistory(*invocation);
    case Invocation::Mode::Redlock:
        return runRedlock(*invocation, start);
    case Invocation::Mode::Completion:
        return printCompletion(invocation->words.value(0));
    case Invocation::Mode::Console:
        break;
    }
    return startConsole(argc, argv, {invocation->words, start.password, start.undoKey});
}
