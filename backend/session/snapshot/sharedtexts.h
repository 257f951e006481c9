// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QSet>

namespace lk {

/// Has findings share the texts that they have in common, which weigh more than the rest of them.
/// Used by one thread.
class SharedTexts
{
public:
    void share(Finding& finding)
    {
        for (QString* text : {&finding.message, &finding.why, &finding.advice})
            *text = shared(*text, m_texts);
        for (QByteArray* word : {&finding.code, &finding.action})
            *word = shared(*word, m_words);
    }

private:
    template<typename Text> static Text shared(const Text& text, QSet<Text>& all)
    {
        constexpr qsizetype most = 1000; // messages with numbers of their own are of no use here
        const auto it = all.constFind(text);
        if (it != all.cend())
            return *it;
        return all.size() < most ? *all.insert(text) : text;
    }

    QSet<QString> m_texts;
    QSet<QByteArray> m_words;
};

} // namespace lk
