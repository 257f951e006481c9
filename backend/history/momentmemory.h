// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <unordered_map>

namespace lk {

/// What moments of one deployment have in common that are asked for one after the other, as while
/// the past plays: most primitives are as they were a quarter of a second before, and are not
/// decoded again. As large as the last of them.
struct MomentMemory
{
    /// A state of the moment before, and the bytes that tell whether it is still the same.
    struct Remembered
    {
        RecordedState state;
        QByteArray encoded; ///< what it was decoded from
    };
    QByteArray deployment;
    std::unordered_map<qint64, Remembered> primitives; ///< by their numbers in the file
};

} // namespace lk
