// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/actcommand.h"
#include "app/cli/checkcommand.h"
#include "app/console/console.h"
#include "app/process/endsignals.h"
#include "app/cli/helptext.h"
#include "app/process/hiddenarguments.h"
#include "app/process/language.h"
#include "app/process/output.h"
#include "app/console/screenshots.h"
#include "app/cli/snapshotcommand.h"
#include "app/process/surroundings.h"

#include <QApplication>

namespace {

QStringList argumentsOf(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    return arguments;
}

int print(const QString& text)
{
    lk::Output out;
    out.print(text);
    return out.end(lk::ExitDone);
}

int runConsole(int& argc, char** argv, const lk::Invocation& invocation)
{
    using namespace lk;
    const bool pictures = invocation.mode == Invocation::Mode::Screenshots;
    if (pictures)
        qputenv("QT_QPA_PLATFORM", "offscreen"); // needs no display, and none is opened
    std::optional<DisplayCheck> check(std::in_place);
    QApplication app(argc, argv);
    check.reset();
    installTranslators(app);
    if (pictures && (!invocation.demo || !invocation.configFile.isEmpty())) {
        if (const Result<Config> config = loadConfigOrDefault(invocation.configFile); !config)
            return reportError(config.error());
    }
    Console console(app);
    std::optional<Screenshots> screenshots;
    int code = ExitDone;
    if (invocation.demo && !pictures) { // the window says it too; who started it reads it here
        QObject::connect(&console, &Console::failed, &app,
                         [&code](const Error& error) { code = reportError(error); });
    }
    if (pictures) {
        screenshots.emplace(console, invocation);
        screenshots->start();
    }
    console.window().show();
    console.start(invocation);
    // The demo's server and its folder go with the console, whoever ends it.
    EndSignals signalled;
    QObject::connect(&signalled, &EndSignals::received, &app,
                     [](int number) { QCoreApplication::exit(ExitSignal + number); });
    const int ended = app.exec();
    return ended == ExitDone ? code : ended;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace lk;
    prepareStandardStreams();
    ignoreRelativeFolders();
    keepMemoryPrivate();
    const QString password = takeFromEnvironment("LOCKKEEPER_PASSWORD");
    const QStringList arguments = argumentsOf(argc, argv);
    hideSecrets(argc, argv);
    const Result<Invocation> invocation = parseArguments(arguments, password);
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    if (!invocation)
        return reportError(invocation.error());
    switch (invocation->mode) {
    case Invocation::Mode::Help:
        return print(helpText(invocation->helpTopic));
    case Invocation::Mode::Version:
        return print(versionText() + QLatin1Char('\n'));
    case Invocation::Mode::Snapshot: {
        QCoreApplication app(argc, argv);
        installTranslators(app);
        return runSnapshot(*invocation);
    }
    case Invocation::Mode::Check: {
        QCoreApplication app(argc, argv);
        installTranslators(app);
        return runCheck(*invocation);
    }
    case Invocation::Mode::Act: {
        QCoreApplication app(argc, argv);
        installTranslators(app);
        return runAct(invocation->actWords, password);
    }
    case Invocation::Mode::Screenshots:
    case Invocation::Mode::Console:
        break;
    }
    return runConsole(argc, argv, *invocation);
}
