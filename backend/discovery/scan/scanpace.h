// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

namespace lk {

/// How much of a server scans may take, from the first command on.
enum class ScanPace : quint8 {
    Polite, ///< a busy server: about a tenth of its time
    Normal, ///< about a third
    Fast,   ///< as much as it gives, short pauses apart
};

/// What a pace comes to.
struct ScanPaceLimits
{
    qint64 commandsPerSecond; ///< of all nodes together
    double pauseShare;        ///< pause after a slice, in times of what the server took for it
};

constexpr ScanPaceLimits limitsOf(ScanPace pace)
{
    switch (pace) {
    case ScanPace::Polite:
        return {1000, 8};
    case ScanPace::Fast:
        return {50'000, 0.5};
    case ScanPace::Normal:
        break;
    }
    return {5000, 2};
}

} // namespace lk

Q_DECLARE_METATYPE(lk::ScanPace)
