// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <span>

namespace lk {

/// Primitives are kept together, so many neighbours in a block.
inline constexpr quint32 primitivesPerBucket = 128;
inline constexpr int bucketOf(qint64 primitive)
{
    return int(primitive / primitivesPerBucket);
}
/// Of blocks that hold all that changed in a second, whoever's it is.
inline constexpr int everyBucket = -1;

/// One primitive's state at a moment, encoded. primitive: its number in the file.
struct StateFrame
{
    qint64 primitive = 0;
    qint64 tMs = 0;
    QByteArray state; ///< encodeState(); empty: it was gone
};

/// One metric's number at a moment or over a stretch.
struct SampleFrame
{
    qint64 primitive = 0;
    qint64 metric = 0; ///< its number in the file
    RecordedPoint point;
};

/// By primitive and time; samples by primitive, metric and time: as blocks want them.
void sortFrames(std::vector<StateFrame>& frames);
void sortFrames(std::vector<SampleFrame>& frames);

/// Where the mean of a stretch lies between its smallest and its largest number, in so many steps.
inline constexpr int fineMeans = 255;
inline constexpr int coarseMeans = 15; ///< of stretches that are many and short

/// Compressed, a long one in parts. The frames must be sorted.
QByteArray encodeBlock(std::span<const StateFrame> frames, qint64 fromMs);
QByteArray encodeBlock(std::span<const SampleFrame> frames, qint64 fromMs, int means = fineMeans);

/// Adds what the block holds; of one primitive alone if that is not 0. False: it is broken where
/// that would be, and nothing was added.
bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                 qint64 primitive = 0);
bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
                 qint64 primitive = 0, qint64 metric = 0);

} // namespace lk
