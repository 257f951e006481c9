// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

namespace lk {

/// How much of a server scans may take, from the first command on.
enum class ScanPace : quint8 {
    Polite, ///< about a tenth of its time: others hardly notice
    Normal, ///< about a third, less while it answers others a lot
    Fast,   ///< as much as it gives, in short slices
};

/// What each node may be burdened with.
struct ScanBounds
{
    qint64 commandsPerSecond = 0; ///< 0: no bound
    /// For how long it may be busy with one slice, in microseconds, so that others wait no longer
    /// behind it. Then slices are as short as that takes, and one is under way at a time. 0: it
    /// does not matter.
    double longestUs = 0;
    double pauseShare = 0;   ///< pause after a slice, in times of what the server took for it
    double leastPauseMs = 0; ///< after each slice
    double namePauseMs = 0;  ///< after a slice, for each of its names

    bool operator==(const ScanBounds&) const = default;
};

/// busy: the node answers others a lot.
ScanBounds boundsOf(ScanPace pace, bool busy);
/// For one that has no pace, beside others that the node answers a lot.
ScanBounds boundsBesideOthers();

} // namespace lk

Q_DECLARE_METATYPE(lk::ScanPace)
