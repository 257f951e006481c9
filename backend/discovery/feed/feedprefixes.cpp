// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/feed/feedprefixes.h"

#include <QHash>

#include <algorithm>

namespace lk {

namespace {

constexpr int deepest = 4;         // segments; deeper prefixes gain little and cost server memory
constexpr qsizetype longest = 256; // bytes: the server compares every prefix with each written key

// The name up to and including its depth-th separator. If it has fewer: up to the last one, or the
// whole name.
QByteArray prefixAt(const QByteArray& name, int depth, FeedReach reach)
{
    int seen = 0;
    qsizetype last = 0; // length up to and including the last separator
    for (qsizetype i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool separator = c == ':' || c == '.' || c == '/' || c == '_' || c == '-' || c == '|';
        if (!separator)
            continue;
        last = i + 1;
        if (++seen == depth)
            break;
    }
    const bool whole = last == 0 || (seen < depth && reach == FeedReach::Named);
    return name.left(std::min(whole ? name.size() : last, longest));
}

using Populations = QHash<QByteArray, qsizetype>;

// Stops counting above enough: then the depth is not usable.
Populations populations(const QList<QByteArray>& keys, int depth, FeedReach reach, qsizetype enough)
{
    Populations result;
    for (const QByteArray& key : keys) {
        if (key.isEmpty())
            continue; // every key starts with the empty name
        ++result[prefixAt(key, depth, reach)];
        if (result.size() > enough)
            break;
    }
    return result;
}

} // namespace

FeedPrefixes feedPrefixes(const QList<QByteArray>& keys, FeedReach reach, int maxPrefixes)
{
    Populations chosen;
    for (int depth = deepest; depth >= 1; --depth) {
        chosen = populations(keys, depth, reach, depth > 1 ? maxPrefixes : keys.size());
        if (chosen.size() <= maxPrefixes)
            break;
    }
    std::vector<std::pair<qsizetype, QByteArray>> ranked;
    for (auto it = chosen.cbegin(); it != chosen.cend(); ++it)
        ranked.emplace_back(it.value(), it.key());
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (ranked.size() > size_t(maxPrefixes))
        ranked.resize(size_t(maxPrefixes));

    FeedPrefixes result;
    for (const auto& [count, prefix] : ranked) {
        result.covered += count;
        result.prefixes.push_back(prefix);
    }
    // In sorted order a prefix is directly before those that start with it.
    std::sort(result.prefixes.begin(), result.prefixes.end());
    std::vector<QByteArray> kept;
    for (const QByteArray& prefix : result.prefixes) {
        if (kept.empty() || !prefix.startsWith(kept.back()))
            kept.push_back(prefix);
    }
    result.prefixes = std::move(kept);
    return result;
}

} // namespace lk
