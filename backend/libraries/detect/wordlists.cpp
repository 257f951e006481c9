// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/wordlists.h"

#include <QFile>

namespace lk {

namespace {

QByteArray textOf(const char* name)
{
    QFile file(QStringLiteral(":/words/%1.txt").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly))
        qCritical("There is no list of words %s", name);
    return file.readAll();
}

std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        if (end > 0 && text.front() != '#')
            words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::ranges::sort(words, {}, &std::string_view::size);
    return words;
}

} // namespace

WordFile::WordFile(const char* name)
    : m_text(textOf(name))
    , m_words(wordsOf({m_text.constData(), size_t(m_text.size())}))
    , m_list(m_words)
{}

} // namespace lk
