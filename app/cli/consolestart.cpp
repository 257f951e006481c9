// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/consolestart.h"

#include "app/process/exitcodes.h"

#include <QCoreApplication>
#include <QStandardPaths>

#include <cstring>

namespace lk {

namespace {

struct ConsoleStartText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConsoleStart)
};

const QString console = QStringLiteral("lockkeeper-console");

} // namespace

int startConsole(int argc, char** argv, const ProgramStart& start)
{
    QString program =
        QStandardPaths::findExecutable(console, {QCoreApplication::applicationDirPath()});
    if (program.isEmpty())
        program = QStandardPaths::findExecutable(console);
    if (program.isEmpty())
        return reportError(
            {ErrorCode::NotInstalled,
             ConsoleStartText::tr("The console is not installed; install the package %1. "
                                  "snapshot, check and act work without it")
                 .arg(console)});
    const int failed = becomeProgram(program, argc, argv, start);
    return reportError(
        {ErrorCode::FileError, ConsoleStartText::tr("%1 cannot be started: %2")
                                   .arg(program, QString::fromLocal8Bit(strerror(failed)))});
}

} // namespace lk
