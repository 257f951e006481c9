// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/report/snapshot/statesequence.h"

namespace lk {

/// How many there are of something in the whole keyspace, by a part of it. SCAN brings keys in the
/// order of their hashes, so that the first of them are as good as drawn by lot.
struct Estimate
{
    Kind kind = Kind::Limiter;
    QByteArray layout; ///< its id
    QByteArray prefix; ///< of the names, as prefixOf(); empty in the estimate of a layout
    qint64 seen = 0;
    // In the whole keyspace, with 95 % confidence.
    qint64 low = 0;
    qint64 likely = 0;
    qint64 high = 0;
};

/// What a sample says of all keys: see Estimate for its bounds.
struct Estimates
{
    std::vector<Estimate> layouts;  ///< the most first
    std::vector<Estimate> prefixes; ///< of each layout, the most first; bounded
};

/// The scan ended before it had seen all keys, because so much was enough.
bool isSample(const Snapshot& snapshot);

/// Of a sample. A primitive of several keys is seen as often as it has keys, and counts by its
/// share.
Estimates estimatesOf(const ScanCounts& scan, const StateSequence& states);

/// Wilson's interval for count hits among the sampled of total, for what is drawn without putting
/// back. Never below what was seen, nor above what was not seen to be otherwise.
void setBounds(Estimate& estimate, double count, qint64 sampled, qint64 total);

} // namespace lk
