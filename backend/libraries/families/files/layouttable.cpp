// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/layouttable.h"

#include "backend/core/names/foreigntext.h"
#include "backend/text/proposal.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct LayoutTableText
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutFile)
};

} // namespace

void LayoutProblem::refuse(const toml::source_region& at, const QString& what)
{
    if (!m_first)
        m_first = Error{ErrorCode::BadConfig, QStringLiteral("%1:%2: %3")
                                                  .arg(foreignText(m_fileName))
                                                  .arg(at.begin.line)
                                                  .arg(foreignText(what))};
}

LayoutTable::LayoutTable(const toml::table& table, const QStringList& known, LayoutProblem& problem)
    : m_table(table)
    , m_problem(problem)
{
    // Checked before missing keys: a misspelt key is the likelier mistake.
    for (const auto& [name, node] : table) {
        const std::string_view key(name);
        if (!known.contains(QString::fromUtf8(key.data(), qsizetype(key.size()))))
            m_problem.refuse(name.source(), LayoutTableText::tr("unknown key %1; %2")
                                                .arg(quotedWord(key), proposal(key, known)));
    }
}

toml::source_region LayoutTable::at(const char* key) const
{
    const toml::node* node = m_table.get(key);
    return node ? node->source() : m_table.source();
}

std::optional<QByteArray> LayoutTable::textOf(const char* key, const toml::node& node)
{
    const toml::value<std::string>* text = node.as_string();
    if (!text) {
        m_problem.refuse(node.source(),
                         LayoutTableText::tr("%1 must be a string in quotes").arg(quotedWord(key)));
        return std::nullopt;
    }
    return QByteArray::fromStdString(text->get());
}

QByteArray LayoutTable::text(const char* key)
{
    const toml::node* node = m_table.get(key);
    return node ? textOf(key, *node).value_or(QByteArray()) : QByteArray();
}

QByteArray LayoutTable::neededText(const char* key)
{
    const QByteArray value = text(key);
    if (value.isEmpty())
        refuse(key, has(key) ? LayoutTableText::tr("%1 is empty").arg(quotedWord(key))
                             : LayoutTableText::tr("%1 is missing").arg(quotedWord(key)));
    return value;
}

QByteArray LayoutTable::word(const char* key, const QStringList& words)
{
    const QByteArray given = text(key);
    return !has(key) || isOneOf(key, given, words) ? given : QByteArray();
}

QByteArrayList LayoutTable::words(const char* key, const QStringList& known)
{
    const QByteArrayList given = texts(key);
    const bool right = std::all_of(given.begin(), given.end(), [&](const QByteArray& word) {
        return isOneOf(key, word, known);
    });
    return right ? given : QByteArrayList();
}

bool LayoutTable::isOneOf(const char* key, const QByteArray& given, const QStringList& words)
{
    if (words.contains(QString::fromUtf8(given)))
        return true;
    const std::string_view word(given.constData(), size_t(given.size()));
    refuse(key, LayoutTableText::tr("unknown %1 %2; %3")
                    .arg(QString::fromLatin1(key), quotedWord(word), proposal(word, words)));
    return false;
}

QByteArrayList LayoutTable::texts(const char* key)
{
    QByteArrayList all;
    const toml::node* node = m_table.get(key);
    const toml::array* array = node ? node->as_array() : nullptr;
    if (array) {
        for (const toml::node& item : *array) {
            if (const auto text = textOf(key, item))
                all << *text;
        }
    } else if (node) {
        if (const auto text = textOf(key, *node))
            all << *text;
    }
    return all;
}

std::optional<bool> LayoutTable::flag(const char* key)
{
    const toml::node* node = m_table.get(key);
    if (!node)
        return std::nullopt;
    const toml::value<bool>* value = node->as_boolean();
    if (!value)
        refuse(key, LayoutTableText::tr("%1 must be true or false").arg(quotedWord(key)));
    return value ? std::optional(value->get()) : std::nullopt;
}

std::optional<qint64> LayoutTable::count(const char* key)
{
    const toml::node* node = m_table.get(key);
    if (!node)
        return std::nullopt;
    const toml::value<int64_t>* value = node->as_integer();
    if (value && value->get() > 0)
        return value->get();
    refuse(key, LayoutTableText::tr("%1 must be a whole number above zero, such as 5")
                    .arg(quotedWord(key)));
    return std::nullopt;
}

std::optional<double> LayoutTable::share(const char* key)
{
    const toml::node* node = m_table.get(key);
    if (!node || node->is_string())
        return std::nullopt;
    const std::optional<double> value = node->value<double>();
    if (!value || *value <= 0 || *value > 1)
        refuse(key,
               LayoutTableText::tr("%1 must be a word, or a number between 0 and 1, such as 0.97")
                   .arg(quotedWord(key)));
    return value;
}

std::optional<qint64> LayoutTable::durationMs(const char* key)
{
    if (!has(key))
        return std::nullopt;
    const Result<qint64> ms = parseDuration(QString::fromUtf8(text(key)));
    if (ms)
        return *ms;
    refuse(key, QString::fromLatin1(key) + QStringLiteral(": ") + ms.error().detail);
    return std::nullopt;
}

std::optional<NamePattern> LayoutTable::patternOf(const char* key, const QByteArray& text)
{
    auto parsed = NamePattern::parse(text);
    if (parsed)
        return std::move(*parsed);
    refuse(key, QStringLiteral("%1: %2").arg(
                    quotedWord(std::string_view(text.constData(), size_t(text.size()))),
                    parsed.error()));
    return std::nullopt;
}

std::optional<NamePattern> LayoutTable::pattern(const char* key)
{
    return has(key) ? patternOf(key, text(key)) : std::nullopt;
}

std::vector<NamePattern> LayoutTable::patterns(const char* key)
{
    std::vector<NamePattern> all;
    for (const QByteArray& text : texts(key)) {
        if (auto pattern = patternOf(key, text))
            all.push_back(std::move(*pattern));
    }
    return all;
}

const toml::table* LayoutTable::table(const char* key)
{
    const toml::node* node = m_table.get(key);
    if (node && !node->as_table())
        refuse(key, LayoutTableText::tr("%1 must be a table: [%2]")
                        .arg(quotedWord(key), QString::fromLatin1(key)));
    return node ? node->as_table() : nullptr;
}

} // namespace lk
