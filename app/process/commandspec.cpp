// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/commandspec.h"

#include "app/process/hiddenarguments.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct CommandSpecText
{
    Q_DECLARE_TR_FUNCTIONS(lk::CommandSpec)
};

constexpr qsizetype helpColumn = 25; // where the help of an option begins
constexpr qsizetype lineLength = 79;

// Describes the parser's error. QCommandLineParser itself returns only a sentence of its own.
Error problemOf(const QCommandLineParser& parser, const CommandSpec& spec,
                const QStringList& arguments)
{
    const QStringList unknown = parser.unknownOptionNames();
    if (!unknown.isEmpty()) {
        const QString dashes = QString(unknown.front().size() > 1 ? 2 : 1, QLatin1Char('-'));
        return {ErrorCode::BadArgument,
                CommandSpecText::tr("Unknown option %1; %2 --help lists all")
                    .arg(shownArgument(dashes + unknown.front()), spec.command)};
    }
    for (const QString& argument : arguments) {
        const QString name = argument.section(QLatin1Char('='), 0, 0).mid(2);
        const CommandOption* option = spec.option(name);
        if (option && option->value.isEmpty() && argument.contains(QLatin1Char('=')))
            return {ErrorCode::BadArgument, CommandSpecText::tr("--%1 takes no value").arg(name)};
    }
    return {ErrorCode::BadArgument, // only the last one can be without
            CommandSpecText::tr("%1 needs a value")
                .arg(shownArgument(arguments.value(arguments.size() - 1)))};
}

QString wrapped(const QString& text)
{
    QString result;
    qsizetype column = helpColumn;
    for (const QString& word : text.split(QLatin1Char(' '))) {
        if (column > helpColumn && column + word.size() + 1 > lineLength) {
            result += QLatin1Char('\n') + QString(helpColumn, QLatin1Char(' '));
            column = helpColumn;
        } else if (column > helpColumn) {
            result += QLatin1Char(' ');
            ++column;
        }
        result += word;
        column += word.size();
    }
    return result;
}

QString optionText(const CommandOption& option)
{
    QString text = QStringLiteral("  --") + option.name;
    if (option.name == QLatin1String("help"))
        text += QStringLiteral(", -h");
    else if (!option.value.isEmpty())
        text += QLatin1Char(' ') + option.value;
    if (text.size() + 2 > helpColumn)
        text += QLatin1Char('\n') + QString(helpColumn, QLatin1Char(' '));
    return text.leftJustified(text.contains(QLatin1Char('\n')) ? 0 : helpColumn) +
           wrapped(option.help) + QLatin1Char('\n');
}

} // namespace

const CommandOption* CommandSpec::option(const QString& name) const
{
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const CommandOption& o) { return o.name == name; });
    return found == options.end() ? nullptr : &*found;
}

void CommandSpec::addHelpOption()
{
    options.push_back({"help", "", CommandSpecText::tr("Print this help.")});
}

Result<CommandLine> parseCommand(const CommandSpec& spec, const QStringList& arguments,
                                 WordsEndOptions words)
{
    QCommandLineParser parser;
    if (words == WordsEndOptions::Yes)
        parser.setOptionsAfterPositionalArgumentsMode(
            QCommandLineParser::ParseAsPositionalArguments);
    for (const CommandOption& option : spec.options) {
        QStringList names{option.name};
        if (option.name == QLatin1String("help"))
            names << QStringLiteral("h");
        parser.addOption(QCommandLineOption(names, {}, option.value));
    }
    const bool valid = parser.parse(QStringList{spec.command} + arguments);
    CommandLine line{spec.command.section(QLatin1Char(' '), -1), {}, {}};
    line.words = parser.positionalArguments();
    for (const CommandOption& option : spec.options) {
        if (parser.isSet(option.name))
            line.values.insert(option.name,
                               option.value.isEmpty() ? QString() : parser.value(option.name));
    }
    if (!valid && !line.isSet(QStringLiteral("help")))
        return tl::unexpected(problemOf(parser, spec, arguments));
    return line;
}

Error unexpectedArgument(const QString& word)
{
    return {ErrorCode::BadArgument,
            CommandSpecText::tr("Unexpected argument %1").arg(shownArgument(word))};
}

QString optionsText(const CommandSpec& spec)
{
    QString text;
    for (const CommandOption& option : spec.options) {
        if (!option.help.isEmpty())
            text += optionText(option);
    }
    return text;
}

QString helpText(const CommandSpec& spec)
{
    QString text =
        spec.summary + QStringLiteral("\n\n") + CommandSpecText::tr("Usage:") + QLatin1Char('\n');
    for (const QString& form : spec.usage)
        text += QStringLiteral("  ") + form + QLatin1Char('\n');
    text +=
        QLatin1Char('\n') + CommandSpecText::tr("Options:") + QLatin1Char('\n') + optionsText(spec);
    if (!spec.examples.isEmpty())
        text += QLatin1Char('\n') + CommandSpecText::tr("Example:") + QLatin1Char('\n');
    for (const QString& example : spec.examples)
        text += QStringLiteral("  ") + example + QLatin1Char('\n');
    return text + QLatin1Char('\n') + spec.notes;
}

} // namespace lk
