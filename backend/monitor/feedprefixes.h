// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <vector>

namespace lk {

/// Few prefixes that between them cover the most keys: what the change feed is limited to.
struct FeedPrefixes
{
    std::vector<QByteArray> prefixes; ///< sorted; none starts with another (the server refuses that)
    qsizetype covered = 0;            ///< keys that start with one of them
};

/// Cuts names at their separators, as deep as maxPrefixes allows. Where even the first segments
/// are too many, the most populous win and the rest is left to the sweep.
FeedPrefixes feedPrefixes(const QList<QByteArray>& keys, int maxPrefixes = 32);

} // namespace lk
