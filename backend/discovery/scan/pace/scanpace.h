// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

namespace lk {

/// How much of a server's time scans may take, from the first command on.
enum class ScanPace : quint8 {
    Polite, ///< about a tenth of its time: other clients hardly notice
    Normal, ///< about a third, less while other clients load it heavily
    Fast,   ///< as much as possible, in short slices
};

/// The load limits for each node.
struct ScanBounds
{
    qint64 commandsPerSecond = 0; ///< 0: no bound
    /// The longest time that one slice may occupy the server, in microseconds, so that other
    /// clients wait no longer. If set, slices are short enough for it and only one is in flight. 0:
    /// no limit.
    double longestUs = 0;
    double pauseShare = 0;   ///< pause after a slice, as a multiple of the server's time for it
    double leastPauseMs = 0; ///< least pause after each slice
    double namePauseMs = 0;  ///< pause after a slice, for each of its names

    bool operator==(const ScanBounds&) const = default;
};

/// busy: other clients load the node heavily.
ScanBounds boundsOf(ScanPace pace, bool busy);
/// For a scan without a pace, on a node that other clients load heavily.
ScanBounds boundsBesideOthers();

} // namespace lk

Q_DECLARE_METATYPE(lk::ScanPace)
