// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/recipe.h"

#include <QFile>

namespace lk {

namespace {

// Reads the one line that is not a comment.
std::vector<QByteArray> wordsOf(const QByteArray& source)
{
    std::vector<QByteArray> words;
    for (const QByteArray& line : source.split('\n')) {
        if (line.startsWith("--"))
            continue;
        for (const QByteArray& word : line.simplified().split(' ')) {
            if (!word.isEmpty())
                words.push_back(word);
        }
    }
    return words;
}

// Replaces "KEYS[2]" by the second key. Empty if it was not given: a caller's mistake, to which the
// server replies with an error.
QByteArray filled(const QByteArray& word, const QByteArray& list,
                  const std::vector<QByteArray>& values)
{
    const int number = word.mid(list.size(), word.size() - list.size() - 1).toInt();
    return number >= 1 && size_t(number) <= values.size() ? values[size_t(number) - 1]
                                                          : QByteArray();
}

} // namespace

Result<Recipe> Recipe::fromResource(const QByteArray& name)
{
    const QString path = QStringLiteral(":/lua/recipes/") + QLatin1String(name);
    Recipe recipe;
    QFile plain(path + QStringLiteral(".command"));
    if (plain.open(QIODevice::ReadOnly)) {
        recipe.m_words = wordsOf(plain.readAll());
        return recipe;
    }
    Result<Script> script = Script::fromResource(path + QStringLiteral(".lua"));
    if (!script)
        return tl::unexpected<Error>(script.error());
    recipe.m_script = std::move(*script);
    return recipe;
}

Command Recipe::command(const std::vector<QByteArray>& keys,
                        const std::vector<QByteArray>& args) const
{
    static const QByteArray keyList = QByteArrayLiteral("KEYS[");
    static const QByteArray argList = QByteArrayLiteral("ARGV[");
    if (m_script)
        return m_script->eval(keys, args);
    std::vector<QByteArray> words = m_words;
    for (QByteArray& word : words) {
        if (word.startsWith(keyList))
            word = filled(word, keyList, keys);
        else if (word.startsWith(argList))
            word = filled(word, argList, args);
    }
    return Command(std::move(words));
}

} // namespace lk
