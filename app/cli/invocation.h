// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"
#include "backend/redis/url.h"

#include <QStringList>

namespace lk {

/// What the command line asks for.
struct Invocation
{
    enum class Mode : quint8 { Console, Snapshot, Check, Screenshots, Act, Help, Version };
    enum class Format : quint8 { Text, Json, Prometheus };
    enum class Theme : quint8 { System, Light, Dark };

    Mode mode = Mode::Console;
    QString helpTopic;              ///< Help: of which command; empty: of all
    bool demo = false;              ///< on a private server with live traffic
    std::optional<ServerUrl> url;
    QString configFile;
    QString environment;            ///< a label for the window: "production"
    Format format = Format::Text;
    Finding::Severity failOn = Finding::Severity::Warning; ///< Check: from there on it exits with 1
    bool allowPartial = false;      ///< Check: what could not be read does not make it fail
    int timeoutMs = 60'000;         ///< Snapshot, Check: without progress
    QString directory;              ///< Screenshots: where the pictures go
    Theme theme = Theme::System;
    QStringList actWords;           ///< Act: all that follows, for parseAct()
    Codes codes = Codes::Masked;    ///< Snapshot, Check: whether tokens' codes are told in full
    bool printSnapshot = false;     ///< Screenshots: the text snapshot on stdout besides
};

/// arguments: without the program's name. The password of a URL may come in the environment
/// variable LOCKKEEPER_PASSWORD instead, where other users cannot read it.
/// Errors: BadArgument or BadUrl, each one sentence.
Result<Invocation> parseArguments(const QStringList& arguments, const QString& passwordVariable);

QString versionText(); ///< "lockkeeper 0.1.0"

} // namespace lk
