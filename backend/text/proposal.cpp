// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/proposal.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace lk {

namespace {

struct ConfigText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

// The edit distance of two words.
qsizetype distance(const QString& a, const QString& b)
{
    std::vector<qsizetype> row(size_t(b.size()) + 1);
    for (size_t j = 0; j < row.size(); ++j)
        row[j] = qsizetype(j);
    for (qsizetype i = 0; i < a.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (qsizetype j = 0; j < b.size(); ++j) {
            const qsizetype replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[size_t(j) + 1];
            row[size_t(j) + 1] = std::min({replaced, diagonal + 1, row[size_t(j)] + 1});
        }
    }
    return row.back();
}

} // namespace

QString quotedWord(std::string_view word)
{
    return QLatin1Char('"') + QString::fromUtf8(word.data(), qsizetype(word.size())) +
           QLatin1Char('"');
}

QString proposal(std::string_view given, const QStringList& right)
{
    const QString word = QString::fromUtf8(given.data(), qsizetype(given.size())).left(64);
    const auto nearest = std::min_element(right.begin(), right.end(), [&](auto& a, auto& b) {
        return distance(word, a) < distance(word, b);
    });
    // A long list is cut to the nearest words; the manual lists them all.
    constexpr qsizetype mostNamed = 24;
    QStringList named = right;
    if (named.size() > mostNamed) {
        std::stable_sort(named.begin(), named.end(), [&](const QString& a, const QString& b) {
            return distance(word, a) < distance(word, b);
        });
        named = named.mid(0, mostNamed);
    }
    const QString all = named.join(QStringLiteral(", ")) +
                        (named.size() < right.size() ? QStringLiteral(", …") : QString());
    if (nearest != right.end() &&
        distance(word, *nearest) <= std::max<qsizetype>(2, word.size() / 3))
        return ConfigText::tr("did you mean \"%1\"? Known: %2").arg(*nearest, all);
    return ConfigText::tr("known: %1").arg(all);
}

} // namespace lk
