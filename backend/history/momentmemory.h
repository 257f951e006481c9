// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <unordered_map>

namespace lk {

/// Caches decoded states between successive moments of one deployment, as during playback. Most
/// primitives are as they were a quarter of a second before and are not decoded again. Contains the
/// states of the last moment only.
struct MomentMemory
{
    /// A state of the previous moment and its encoded bytes, which are compared to detect a change.
    struct Remembered
    {
        RecordedState state;
        QByteArray encoded; ///< the bytes from which it was decoded
    };
    QByteArray deployment;
    std::unordered_map<qint64, Remembered> primitives; ///< by their number in the file
};

} // namespace lk
