// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/report/snapshot/statesequence.h"

namespace lk {

/// An estimated count in the whole keyspace, from a part of it. SCAN returns keys in the order of
/// their hashes, so that the first of them are as good as a random sample.
struct Estimate
{
    Kind kind = Kind::Limiter;
    QByteArray layout; ///< its id
    QByteArray prefix; ///< the names' prefix, see prefixOf(); empty in a layout's estimate
    qint64 seen = 0;
    // In the whole keyspace, with 95 % confidence.
    qint64 low = 0;
    qint64 likely = 0;
    qint64 high = 0;
};

/// A sample's estimates for all keys: see Estimate for the bounds.
struct Estimates
{
    std::vector<Estimate> layouts;  ///< the largest first
    std::vector<Estimate> prefixes; ///< per layout, the largest first; bounded
};

/// True if the scan was ended on purpose before it had seen all keys.
bool isSample(const Snapshot& snapshot);

/// Returns the estimates of a sample. A primitive of several keys is seen as often as it has keys,
/// so that each of its keys counts as a fraction.
Estimates estimatesOf(const ScanCounts& scan, const StateSequence& states);

/// Sets Wilson's interval for count hits among the sampled of total, for sampling without
/// replacement. The interval is never below the hits, nor above total less the sampled keys that
/// were no hits.
void setBounds(Estimate& estimate, double count, qint64 sampled, qint64 total);

} // namespace lk
