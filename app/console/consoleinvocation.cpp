// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/consoleinvocation.h"

#include "app/process/consolespecs.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConsoleInvocation)
};

using Mode = ConsoleInvocation::Mode;
using Theme = ConsoleInvocation::Theme;

const QString screenshots = QStringLiteral("screenshots");

tl::unexpected<Error> refused(const QString& detail)
{
    return failure(ErrorCode::BadArgument, detail);
}

Result<Theme> themeOf(const CommandLine& line)
{
    const QString word = line.value(QStringLiteral("theme"));
    if (word == QLatin1String("light"))
        return Theme::Light;
    if (word == QLatin1String("dark"))
        return Theme::Dark;
    if (line.isSet(QStringLiteral("theme")) && word != QLatin1String("system"))
        return refused(Text::tr("--theme takes system, light or dark"));
    return Theme::System;
}

// The words: of screenshots an address and a folder, else an address; --demo replaces the address.
Result<void> readWords(QStringList words, ConsoleInvocation& invocation)
{
    const bool pictures = invocation.mode == Mode::Screenshots;
    const bool folderOnly = pictures && invocation.demo && words.size() == 1 &&
                            !words.front().contains(QLatin1String("://"));
    if (!words.isEmpty() && !folderOnly) {
        const Result<ServerUrl> url = parseServerUrl(words.takeFirst());
        if (!url)
            return tl::unexpected(url.error());
        invocation.url = *url;
    }
    if (pictures && !words.isEmpty())
        invocation.folder = words.takeFirst();
    if (!words.isEmpty())
        return tl::unexpected(unexpectedArgument(words.front()));
    if (invocation.demo && invocation.url)
        return refused(Text::tr("--demo brings its own server; leave the address out"));
    if (invocation.demo && !invocation.storeFile.isEmpty())
        return refused(Text::tr("--demo has a recording of its own; leave --store out"));
    if (invocation.cluster && !invocation.demo)
        return refused(
            Text::tr("--cluster needs --demo; your own cluster is detected automatically"));
    if (pictures && (invocation.folder.isEmpty() || (!invocation.url && !invocation.demo)))
        return refused(Text::tr("screenshots needs an address and a folder, as in: "
                                "lockkeeper-console screenshots redis://127.0.0.1:6379 shots"));
    return {};
}

} // namespace

Result<ConsoleInvocation> parseConsoleArguments(const QStringList& arguments,
                                                const QString& passwordVariable)
{
    // Options may come before the command. All are known here, to distinguish it from their values.
    CommandSpec all = windowSpec();
    for (const CommandOption& option : screenshotsSpec().options) {
        if (!all.option(option.name))
            all.options.push_back(option);
    }
    const Result<CommandLine> before = parseCommand(all, arguments, WordsEndOptions::Yes);
    if (!before)
        return tl::unexpected(before.error());
    const bool pictures = before->words.value(0) == screenshots;
    QStringList rest = arguments;
    if (pictures)
        rest.removeAt(arguments.size() - before->words.size());
    const CommandSpec spec = pictures ? screenshotsSpec() : windowSpec();
    const Result<CommandLine> line = parseCommand(spec, rest);
    if (!line)
        return tl::unexpected(line.error());
    ConsoleInvocation invocation{pictures ? Mode::Screenshots : Mode::Window};
    if (line->isSet(QStringLiteral("help"))) {
        invocation.mode = Mode::Help;
        invocation.help = helpText(spec);
        return invocation;
    }
    if (line->isSet(QStringLiteral("version"))) {
        invocation.mode = Mode::Version;
        return invocation;
    }
    const Result<ConsoleInvocation::Theme> theme = themeOf(*line);
    if (!theme)
        return tl::unexpected(theme.error());
    invocation.theme = *theme;
    invocation.demo = line->isSet(QStringLiteral("demo"));
    invocation.cluster = line->isSet(QStringLiteral("cluster"));
    invocation.configFile = line->value(QStringLiteral("config"));
    invocation.layoutsFolder = line->value(QStringLiteral("layouts"));
    invocation.storeFile = line->value(QStringLiteral("store"));
    invocation.teamFile = line->value(QStringLiteral("team-file"));
    invocation.environment = line->value(QStringLiteral("environment"));
    invocation.printSnapshot = line->isSet(QStringLiteral("print-snapshot"));
    if (const Result<void> done = readWords(line->words, invocation); !done)
        return tl::unexpected(done.error());
    if (invocation.url && invocation.url->password.isEmpty())
        invocation.url->password = passwordVariable;
    return invocation;
}

} // namespace lk
