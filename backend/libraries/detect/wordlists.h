// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/namewords.h"

#include <QByteArray>

#include <vector>

namespace lk {

/// The words of resources/words/<name>.txt: lower case, one a line, no more than 255; # begins a
/// comment.
class WordFile
{
public:
    explicit WordFile(const char* name);

    const WordList& list() const { return m_list; }

private:
    QByteArray m_text;
    std::vector<std::string_view> m_words; ///< in m_text, by length
    WordList m_list;
};

/// The words of that file, read once, for hasWord(): wordsIn<"locks">(). Thread-safe.
template<WordText Name> const WordList& wordsIn()
{
    static const WordFile file(Name.text);
    return file.list();
}

} // namespace lk
