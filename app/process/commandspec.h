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
    QString name;
    QString value; ///< what its help calls its value: "FILE"; empty: it takes none
    QString help;  ///< translated; starts with a verb and names the default. Empty: not in the help
};

/// A command: the options that it takes, and what its help says besides. Texts are translated.
struct CommandSpec
{
    QString command; ///< "lockkeeper check"
    QString summary = {};
    QStringList usage = {}; ///< one form each: "lockkeeper check URL [OPTION...]"
    std::vector<CommandOption> options = {};
    QStringList examples = {};
    QString notes = {}; ///< lines below all that

    const CommandOption* option(const QString& name) const;
    /// -h and --help, which every command has.
    void addHelpOption();
};

/// What was given.
struct CommandLine
{
    QStringList words; ///< what is no option and no option's value
    QHash<QString, QString> values;

    bool isSet(const QString& option) const { return values.contains(option); }
    QString value(const QString& option) const { return values.value(option); }
};

/// Whether a word ends the options, as where the command's name is still to be found.
enum class WordsEndOptions : quint8 { No, Yes };

/// arguments: what follows the command. Prints nothing and ends nothing. Where --help is among
/// them, nothing else is wrong. Errors: BadArgument, one sentence about the first thing that is
/// wrong, which repeats no password.
Result<CommandLine> parseCommand(const CommandSpec& spec, const QStringList& arguments,
                                 WordsEndOptions words = WordsEndOptions::No);

/// For a word that nothing was expected of.
Error unexpectedArgument(const QString& word);

/// The options that have a help, a line or more each.
QString optionsText(const CommandSpec& spec);

/// All that --help prints. Ends with a line feed.
QString helpText(const CommandSpec& spec);

} // namespace lk
