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

// A place on the command line, such as the one after "act * lock".
struct Place
{
    QString about; // the command that ends here
    std::vector<CommandOption> options;
    QStringList next; // words, or placeholders as in a usage: "FILE"
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

// The value of an option: "text|json", "FILE". Empty if it takes none.
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
        QStringList& next = placeAt(places, words).next;
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
    QStringList& commands = placeAt(places, {}).next;
    places[{helping}] = {CompletionText::tr("Print the options of a command"), {}, {}};
    for (const QString& command : commandNames()) {
        if (!commands.contains(command))
            commands << command;
        if (command != helping)
            places[{helping}].next << command;
    }
    return places;
}

// One line of the table that each shell reads; commas stand between alternatives.
QString row(const QStringList& place, QString next, QString values, const QString& about)
{
    const QChar bar = QLatin1Char('|');
    const QChar comma = QLatin1Char(',');
    return QStringList{place.join(QLatin1Char(' ')), next.replace(bar, comma),
                       values.replace(bar, comma), about}
               .join(bar) +
           QLatin1Char('\n');
}

QString tableOf(const Places& places)
{
    QString table;
    for (const auto& [words, place] : places) {
        for (const CommandOption& option : place.options)
            table += row(words, QStringLiteral("--") + option.name, valueOf(option),
                         beginning(option.help, QStringLiteral(".")));
        for (const QString& word : place.next) {
            const auto there = places.find(words + QStringList{word});
            table += row(words, word, {}, there == places.end() ? QString() : there->second.about);
        }
    }
    return table.chopped(1);
}

// In single quotes, as all three shells take them.
QString quoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1String("'"), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

} // namespace

Result<QByteArray> completionScript(const QString& shell)
{
    QFile file(QStringLiteral(":/completions/lockkeeper.") + shell);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::BadArgument,
                       CompletionText::tr("completion needs a shell: bash, zsh or fish"));
    const Places places = allPlaces();
    QStringList valued;
    for (const auto& [words, place] : places) {
        for (const CommandOption& option : place.options) {
            if (!option.value.isEmpty())
                valued << QStringLiteral("--") + option.name;
        }
    }
    valued.removeDuplicates();
    return file.readAll()
        .replace("@VALUED@", valued.join(QLatin1Char(' ')).toUtf8())
        .replace("@TABLE@", quoted(tableOf(places)).toUtf8());
}

} // namespace lk
