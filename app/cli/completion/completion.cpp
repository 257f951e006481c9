// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion/completion.h"

#include "app/cli/act/actcommands.h"
#include "app/cli/commands.h"

#include <QCoreApplication>
#include <QFile>

#include <map>

namespace lk {

namespace {

struct CompletionText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Completion)
};

const QString commandLine = QStringLiteral("lockkeeper");
const QString screenshots = QStringLiteral("screenshots"); // the only command of the console

// A place on the command line, such as the one after "act * lock".
struct Place
{
    QString about; // the command that ends here
    std::vector<CommandOption> options;
    QStringList words;        // one of which may follow
    QStringList placeholders; // what else may, as in a usage: "FILE"
};

// By the words before each, where * is any word. The longest that fits counts.
struct LongerFirst
{
    bool operator()(const QStringList& a, const QStringList& b) const
    {
        return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
};
using Places = std::map<QStringList, Place, LongerFirst>;

// True for a word that is typed as it is; placeholders are in capitals.
bool isLiteral(const QString& word)
{
    return word.front().isLower() || word.front().isDigit();
}

// The first sentence, without a full stop; up to one of these marks.
QString beginning(QString text, const QString& marks)
{
    text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    for (const QChar mark : marks)
        text = text.section(QString(mark) + QLatin1Char(' '), 0, 0);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

QString aboutOption(const CommandOption& option)
{
    return beginning(option.help, QStringLiteral("."));
}

// What an option takes: "text|json", "FILE"; empty if nothing.
QString valueOf(const CommandOption& option)
{
    return option.proposals.isEmpty() ? option.value : option.proposals.join(QLatin1Char('|'));
}

// A new place has the options of the one before it.
Place& placeAt(Places& places, const QStringList& words)
{
    const auto known = places.find(words);
    if (known != places.end())
        return known->second;
    Place place;
    if (!words.isEmpty())
        place.options = placeAt(places, words.first(words.size() - 1)).options;
    return places.emplace(words, std::move(place)).first->second;
}

// Follows "lockkeeper act URL lock release NAME --owner TEXT [--permits N]"
// from place to place.
void addUsage(Places& places, const CommandSpec& spec, const QString& usage)
{
    QStringList rest = usage.split(QLatin1Char(' '));
    QString command = rest.takeFirst();
    QStringList words;
    const auto arrive = [&] {
        Place& place = placeAt(places, words);
        if (command != spec.command || !place.about.isEmpty())
            return;
        place.about = beginning(spec.summary, QStringLiteral(".:;"));
        place.options = spec.options;
        std::erase_if(place.options, [](const CommandOption& o) { return o.help.isEmpty(); });
    };
    arrive();
    while (!rest.isEmpty()) {
        QString word = rest.takeFirst();
        if (word.startsWith(QLatin1String("--"))) {
            const CommandOption* option = spec.option(word.mid(2));
            if (option && !option->value.isEmpty())
                rest.removeFirst();
            continue;
        }
        if (word == QLatin1String("[URL]"))
            word = QStringLiteral("URL");
        if (!word.front().isLetter()) // only options follow
            return;
        const bool isRepeated = word.endsWith(QLatin1String("..."));
        word.remove(QLatin1String("..."));
        Place& place = placeAt(places, words);
        QStringList& next = isLiteral(word) ? place.words : place.placeholders;
        if (!next.contains(word))
            next << word;
        if (isRepeated)
            return;
        words << (isLiteral(word) ? word : QStringLiteral("*"));
        if (isLiteral(word)) {
            command += QLatin1Char(' ') + word;
            arrive();
        }
    }
}

Places allPlaces()
{
    Places places;
    const QString helping = QStringLiteral("help");
    for (const std::vector<CommandSpec>& specs : {commandSpecs(), actSpecs()}) {
        for (const CommandSpec& spec : specs) {
            for (const QString& usage : spec.usage)
                addUsage(places, spec, usage);
        }
    }
    QStringList& commands = placeAt(places, {}).words;
    places[{helping}] = {CompletionText::tr("Print the options of a command"), {}, {}, {}};
    for (const QString& command : commandNames()) {
        if (!commands.contains(command))
            commands << command;
        if (command != helping)
            places[{helping}].words << command;
    }
    return places;
}

// What a word does that may follow; empty if it makes no command alone.
QString aboutWord(const Places& places, const QStringList& before, const QString& word)
{
    const auto there = places.find(before + QStringList{word});
    return there == places.end() ? QString() : there->second.about;
}

QString escaped(QString text, const char* characters)
{
    for (const char* c = characters; *c; ++c)
        text.replace(QLatin1Char(*c), QLatin1Char('\\') + QString(QLatin1Char(*c)));
    return text;
}

// In single quotes, as bash and zsh know no escape between them.
QString quoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1String("'"), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

QString fishQuoted(const QString& text)
{
    return QLatin1Char('\'') + escaped(text, "\\'") + QLatin1Char('\'');
}

// The pattern of a case in bash and zsh.
QString casePattern(const QStringList& words)
{
    return QStringLiteral("    ") +
           (words + QStringList{QStringLiteral("*)\n")}).join(QLatin1String("\\ "));
}

// The choices of a value, with blanks between them; empty: it is free.
QString choicesOf(QString value)
{
    return !value.isEmpty() && isLiteral(value) ? value.replace(QLatin1Char('|'), QLatin1Char(' '))
                                                : QString();
}

QString bashPlace(const Places& places, const QStringList& words)
{
    const Place& place = places.at(words);
    QStringList options;
    for (const CommandOption& option : place.options) {
        const QString value = valueOf(option);
        options << QStringLiteral("--") + option.name +
                       (value.isEmpty() ? value : QLatin1Char('=') + value);
    }
    return casePattern(words) +
           QStringLiteral("        options=%1\n        next=%2 ;;\n")
               .arg(quoted(options.join(QLatin1Char(' '))),
                    quoted((place.words + place.placeholders).join(QLatin1Char(' '))));
}

// The function that completes a placeholder; empty: none.
QString zshFunction(const QString& placeholder)
{
    if (placeholder == QLatin1String("FILE"))
        return QStringLiteral("_files");
    if (placeholder == QLatin1String("DIR") || placeholder == QLatin1String("FOLDER"))
        return QStringLiteral("_files -/");
    return placeholder == QLatin1String("URL") ? QStringLiteral("_urls") : QString();
}

QString zshOption(const CommandOption& option)
{
    const QString about = QStringLiteral("[%1]").arg(escaped(aboutOption(option), "\\[]:"));
    if (option.name == QLatin1String("help"))
        return QStringLiteral("'(- *)'{-h,--help}") + quoted(about);
    const QString value = valueOf(option);
    QString text = QStringLiteral("--") + option.name + about;
    if (!value.isEmpty()) {
        const QString choices = choicesOf(value);
        text += QStringLiteral(":%1:").arg(option.name) +
                (choices.isEmpty() ? zshFunction(value)
                                   : QStringLiteral("(%1)").arg(escaped(choices, ":")));
    }
    return quoted(text);
}

QString zshPlace(const Places& places, const QStringList& words)
{
    const Place& place = places.at(words);
    const QString separator = QStringLiteral("\n            ");
    QString options;
    for (const CommandOption& option : place.options)
        options += separator + zshOption(option);
    QString candidates;
    for (const QString& word : place.words) {
        const QString about = aboutWord(places, words, word);
        candidates += separator + quoted(about.isEmpty() ? word : word + QLatin1Char(':') + about);
    }
    QStringList actions;
    if (!place.words.isEmpty())
        actions << QStringLiteral("_describe word candidates");
    for (const QString& placeholder : place.placeholders)
        actions << zshFunction(placeholder);
    actions.removeAll(QString());
    QString rest = QStringLiteral("*:%1:").arg(place.placeholders.value(0, QStringLiteral("word")));
    if (!actions.isEmpty())
        rest += QStringLiteral("{%1}").arg(actions.join(QStringLiteral("; ")));
    return casePattern(words) +
           QStringLiteral("        options=(%1)\n        candidates=(%2)\n        rest=%3 ;;\n")
               .arg(options, candidates, quoted(rest));
}

// What fish completes for a value; files and folders are known by their
// placeholders.
QString fishValue(const QString& value)
{
    if (value == QLatin1String("FILE"))
        return QStringLiteral(" -F");
    if (value == QLatin1String("DIR") || value == QLatin1String("FOLDER"))
        return QStringLiteral(" -a '(__fish_complete_directories)'");
    const QString choices = choicesOf(value);
    return choices.isEmpty() ? QString() : QStringLiteral(" -a ") + fishQuoted(choices);
}

QString fishPlace(const Places& /*places*/, const QStringList& words)
{
    return QStringLiteral("        case '%1*'\n            echo '%2'\n")
        .arg((words + QStringList{QString()}).join(QLatin1Char(' ')), words.join(QLatin1Char(' ')));
}

// All that one of the programs takes at a place.
QString fishCompletions(const Places& places, const QStringList& words, const QString& program)
{
    const QString here = QStringLiteral("complete -c %1 -n '__lockkeeper_at \"%2\"'")
                             .arg(program, words.join(QLatin1Char(' ')));
    QString lines;
    const auto add = [&](const QString& what, const QString& about) {
        lines += here + what;
        lines += about.isEmpty() ? QStringLiteral("\n")
                                 : QStringLiteral(" -d %1\n").arg(fishQuoted(about));
    };
    for (const CommandOption& option : places.at(words).options) {
        const QString value = valueOf(option);
        const bool isHelp = option.name == QLatin1String("help");
        QString what = isHelp ? QStringLiteral(" -s h") : QString();
        what += QStringLiteral(" -l ") + option.name;
        if (!value.isEmpty()) // -x: no files but those that it asks for
            what +=
                (value == QLatin1String("FILE") ? QStringLiteral(" -r") : QStringLiteral(" -x")) +
                fishValue(value);
        add(what, aboutOption(option));
    }
    for (const QString& word : places.at(words).words) {
        if (!words.isEmpty() || program == commandLine || word == screenshots)
            add(QStringLiteral(" -a ") + word, aboutWord(places, words, word));
    }
    for (const QString& placeholder : places.at(words).placeholders) {
        if (const QString value = fishValue(placeholder); !value.isEmpty())
            add(value, {});
    }
    return lines;
}

} // namespace

Result<QByteArray> completionScript(const QString& shell)
{
    QFile file(QStringLiteral(":/completions/lockkeeper.") + shell);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::BadArgument,
                       CompletionText::tr("completion needs a shell: bash, zsh or fish"));
    const bool fish = shell == QLatin1String("fish");
    const auto placeText = fish ? fishPlace : shell == QLatin1String("zsh") ? zshPlace : bashPlace;
    const Places places = allPlaces();
    QStringList valued;
    QString cases;
    QString completions;
    for (const auto& [words, place] : places) {
        for (const CommandOption& option : place.options) {
            if (!option.value.isEmpty())
                valued << QStringLiteral("--") + option.name;
        }
        cases += placeText(places, words);
        completions += fishCompletions(places, words, commandLine);
        if (words.value(0, screenshots) == screenshots)
            completions += fishCompletions(places, words, QStringLiteral("lockkeeper-console"));
    }
    valued.sort();
    valued.removeDuplicates();
    return file.readAll()
        .replace("@VALUED@",
                 valued.join(fish ? QStringLiteral(" ") : QStringLiteral(" | ")).toUtf8())
        .replace("@PLACES@\n", cases.toUtf8())
        .replace("@COMPLETIONS@\n", completions.toUtf8());
}

} // namespace lk
