// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <vector>

namespace lk {

/// A few prefixes that together cover the most keys. They limit the change feed.
struct FeedPrefixes
{
    std::vector<QByteArray>
        prefixes;          ///< sorted; no prefix starts with another (the server refuses that)
    qsizetype covered = 0; ///< keys that start with one of them
};

/// How much a prefix covers if there are few keys.
enum class FeedReach : quint8 {
    Siblings, ///< up to the last separator: a new key beside a known one is reported at once
    Named,    ///< the known names themselves: cheaper where the siblings are busy
};

/// Cuts names at their separators, as deep as maxPrefixes allows. If even the first segments are
/// too many, takes the most populous and leaves the rest to the scan.
FeedPrefixes feedPrefixes(const QList<QByteArray>& keys, FeedReach reach, int maxPrefixes = 32);

} // namespace lk
