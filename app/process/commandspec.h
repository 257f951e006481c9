// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QHash>
#include <QStringList>

#include <vector>

namespace lk {

/// One option of a command; without its dashes.
struct CommandOption
{
    CommandOption(QString name, QString value, QString help)
        : name(std::move(name))
        , value(std::move(value))
        , help(std::move(help))
    {}
    CommandOption(const char* name, const char* value, QString help,
                  std::initializer_list<const char*> choices = {})
        : CommandOption(QLatin1String(name), QLatin1String(value), std::move(help))
    {
        for (const char* choice : choices)
            proposals << QLatin1String(choice);
    }

    QString name;
    QString value; ///< the name of its value in the help: "FILE"; empty if it takes none
    QString help;  ///< translated; starts with a verb and names the default. Empty: not in the help
    QStringList proposals; ///< values for completions where the value's name lists none
};

/// A command: its options and the other parts of its help. Texts are translated.
struct CommandSpec
{
    QString command; ///< "lockkeeper check"
    QString summary = {};
    QStringList usage = {}; ///< one form each: "lockkeeper check URL [OPTION...]"
    std::vector<CommandOption> options = {};
    QStringList examples = {};
    QString notes = {}; ///< lines at the end

    const CommandOption* option(const QString& name) const;
    /// -h and --help, which every command has.
    void addHelpOption();
};

/// The parsed arguments of a command.
struct CommandLine
{
    QString command;   ///< the last word of CommandSpec::command
    QStringList words; ///< arguments that are neither options nor their values
    QHash<QString, QString> values;

    bool isSet(const QString& option) const { return values.contains(option); }
    QString value(const QString& option) const { return values.value(option); }
};

/// Whether the first word ends the options, as it does before the command's name is known.
enum class WordsEndOptions : quint8 { No, Yes };

/// arguments: those after the command. Prints nothing and does not exit. If --help is among them,
/// ignores other errors. Errors: BadArgument, one sentence about the first error, which repeats no
/// password.
Result<CommandLine> parseCommand(const CommandSpec& spec, const QStringList& arguments,
                                 WordsEndOptions words = WordsEndOptions::No);

/// The error for an unexpected word.
Error unexpectedArgument(const QString& word);

/// The options that have a help text, one or more lines each.
QString optionsText(const CommandSpec& spec);

/// The full output of --help. Ends with a line feed.
QString helpText(const CommandSpec& spec);

} // namespace lk
