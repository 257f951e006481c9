// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/consolespecs.h"

#include "app/process/sharedoptions.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConsoleInvocation)
};

CommandOption environmentOption()
{
    return {"environment", "LABEL",
            Text::tr("Show this label on the window; \"production\" stands out. Default: none")};
}

} // namespace

CommandSpec windowSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper-console")};
    spec.summary =
        Text::tr("Open the console: a window on the rate limiters, locks, queues and tokens "
                 "stored in Redis.\nWithout URL it asks for a server.");
    spec.usage = {spec.command + QStringLiteral(" [URL] [OPTION...]"),
                  spec.command + QStringLiteral(" --demo [OPTION...]"),
                  spec.command + QStringLiteral(" screenshots URL FOLDER [OPTION...]")};
    spec.options = {
        {"demo", "", Text::tr("Start a private server with live traffic and open that.")},
        {"cluster", "", Text::tr("With --demo: start a cluster of three masters instead.")},
        configOption(),
        layoutsOption(),
        {"store", "FILE",
         Text::tr("Show and continue this recording; if it is not writable, only show "
                  "it. Default: ~/.local/state/lockkeeper/history.db")},
        environmentOption(),
        {"team-file", "FILE",
         Text::tr("List the servers of this file in the connection dialog. Default: "
                  "~/.config/lockkeeper/team.toml, if it exists")},
        {"theme", "system|light|dark", Text::tr("Use this theme. Default: the last one used")},
        {"version", "", Text::tr("Print the version.")}};
    spec.addHelpOption();
    spec.examples = {spec.command +
                     QStringLiteral(" --environment production redis://127.0.0.1:6379/0")};
    spec.notes = aboutUrl() + Text::tr("Exit codes: 0 closed, 2 wrong use or no display.\n");
    return spec;
}

CommandSpec screenshotsSpec()
{
    CommandSpec spec{QStringLiteral("lockkeeper-console screenshots")};
    spec.summary = Text::tr("Save every board as a PNG file. Only reads; needs no display.");
    spec.usage = {spec.command + QStringLiteral(" URL FOLDER [OPTION...]"),
                  spec.command + QStringLiteral(" --demo FOLDER [OPTION...]")};
    spec.options = {{"demo", "", Text::tr("Use a private server with live traffic.")},
                    {"cluster", "", Text::tr("With --demo: use a cluster of three masters.")},
                    configOption(),
                    layoutsOption(),
                    environmentOption(),
                    {"theme", "light|dark", Text::tr("Use only this theme. Default: both")},
                    {"print-snapshot", "", Text::tr("Print the text snapshot as well.")}};
    spec.addHelpOption();
    spec.examples = {spec.command +
                     QStringLiteral(" --theme dark redis://127.0.0.1:6379/0 boards")};
    spec.notes =
        aboutUrl() + Text::tr("Exit codes: 0 saved, 2 wrong use, no connection, or they cannot be "
                              "written.\n");
    return spec;
}

} // namespace lk
