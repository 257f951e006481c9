// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/url.h"

#include <optional>

namespace lk {

/// A parsed command line of the console.
struct ConsoleInvocation
{
    enum class Mode : quint8 { Window, Screenshots, Help, Version };
    enum class Theme : quint8 { System, Light, Dark };

    Mode mode = Mode::Window;
    std::optional<ServerUrl> url = {};
    bool demo = false;    ///< on a private server with live traffic
    bool cluster = false; ///< with demo: on a small cluster
    QString configFile = {};
    QString layoutsFolder = {};
    QString storeFile = {};   ///< the recording; empty: the default one
    QString teamFile = {};    ///< servers that a team shares; empty: the default one, if it exists
    QString environment = {}; ///< a label for the window: "production"
    QString undoKey = {};     ///< as fetchUndoKey() takes it
    Theme theme = Theme::System;
    QString folder = {};        ///< Screenshots: where the pictures go
    bool printSnapshot = false; ///< Screenshots: the text snapshot on stdout besides
    QString help = {};          ///< Help: what to print
};

/// Like parseArguments() of app/cli: takes the arguments without the program's name, and uses the
/// variable's password for a URL that has none. Errors: BadArgument or BadUrl, each one sentence.
Result<ConsoleInvocation> parseConsoleArguments(const QStringList& arguments,
                                                const QString& passwordVariable);

} // namespace lk
