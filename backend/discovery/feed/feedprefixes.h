// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <vector>

namespace lk {

/// Few prefixes that between them cover the most keys: what the change feed is limited to.
struct FeedPrefixes
{
    std::vector<QByteArray>
        prefixes;          ///< sorted; none starts with another (the server refuses that)
    qsizetype covered = 0; ///< keys that start with one of them
};

/// How far a prefix reaches where there are few keys.
enum class FeedReach : quint8 {
    Siblings, ///< up to the last separator: a new key beside a known one is told of at once
    Named,    ///< the known names themselves: cheaper where the siblings are busy
};

/// Cuts names at their separators, as deep as maxPrefixes allows. Where even the first segments
/// are too many, the most populous win and the rest is left to the scan.
FeedPrefixes feedPrefixes(const QList<QByteArray>& keys, FeedReach reach, int maxPrefixes = 32);

} // namespace lk
