// SPDX-License-Identifier: GPL-3.0-or-later
// The window.
#include "app/console/console.h"
#include "app/console/screenshots.h"
#include "app/process/exitcodes.h"
#include "app/process/language.h"
#include "app/process/output.h"
#include "app/process/processenvironment.h"
#include "app/process/programstart.h"
#include "backend/config/ownlayouts.h"
#include "backend/platform/endsignals.h"
#include "backend/text/errortext.h"

#include <QApplication>

namespace {

using namespace lk;
using Mode = ConsoleInvocation::Mode;

int print(const QString& text)
{
    Output out;
    out.print(text);
    return out.end(ExitDone);
}

// Where there is no display app/run wants the boards as pictures, not an error.
void drawInsteadOfShowing(ConsoleInvocation& invocation)
{
    const QString folder = qEnvironmentVariable("LOCKKEEPER_BOARDS");
    if (invocation.mode != Mode::Window || folder.isEmpty() || hasDisplay())
        return;
    invocation.mode = Mode::Screenshots;
    invocation.folder = folder;
    invocation.printSnapshot = true;
    invocation.demo = !invocation.url;
    tellLine(
        QCoreApplication::translate("main", "There is no display, so the boards are saved in %1")
            .arg(folder));
}

int run(int& argc, char** argv, const ConsoleInvocation& invocation)
{
    const bool pictures = invocation.mode == Mode::Screenshots;
    if (pictures)
        qputenv("QT_QPA_PLATFORM", "offscreen"); // needs no display, and none is opened
    std::optional<DisplayCheck> check(std::in_place);
    QApplication app(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("org.lockkeeper.Console"));
    check.reset();
    installTranslators(app);
    const Result<void> layouts = addOwnLayouts(invocation.layoutsFolder);
    if (pictures && !layouts)
        return reportError(layouts.error());
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
    if (!layouts)
        console.window().setNotice(errorText(layouts.error()));
    console.window().show();
    console.start(invocation);
    // The demo's server and its folder end with the console, also if a signal ends it.
    EndSignals signalled;
    QObject::connect(&signalled, &EndSignals::received, &app,
                     [](EndSignal signal) { QCoreApplication::exit(ExitSignal + int(signal)); });
    const int ended = app.exec();
    return ended == ExitDone ? code : ended;
}

// Before there is an application, which needs a display.
Result<ConsoleInvocation> parse(int argc, char** argv, const ProgramStart& start)
{
    QCoreApplication texts(argc, argv);
    installTranslators(texts);
    Result<ConsoleInvocation> invocation = parseConsoleArguments(start.arguments, start.password);
    if (invocation)
        invocation->undoKey = start.undoKey;
    return invocation;
}

} // namespace

int main(int argc, char** argv)
{
    const ProgramStart start = beginProgram(argc, argv);
    Result<ConsoleInvocation> invocation = parse(argc, argv, start);
    if (!invocation)
        return reportError(invocation.error());
    if (invocation->mode == Mode::Help)
        return print(invocation->help);
    if (invocation->mode == Mode::Version)
        return print(QStringLiteral("lockkeeper-console " LOCKKEEPER_VERSION "\n"));
    drawInsteadOfShowing(*invocation);
    return run(argc, argv, *invocation);
}
