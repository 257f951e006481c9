// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <span>

namespace lk {

/// This many neighbouring primitives share a bucket and its blocks.
inline constexpr quint32 primitivesPerBucket = 128;
inline constexpr int bucketOf(qint64 primitive)
{
    return int(primitive / primitivesPerBucket);
}
/// The bucket number of blocks that contain all changes of a second, of any primitive.
inline constexpr int everyBucket = -1;

/// The encoded state of one primitive at a moment. primitive: its number in the file.
struct StateFrame
{
    qint64 primitive = 0;
    qint64 tMs = 0;
    QByteArray state; ///< by encodeState(); empty if it was gone
};

/// The number of one metric at a moment or over a span.
struct SampleFrame
{
    qint64 primitive = 0;
    qint64 metric = 0; ///< its number in the file
    RecordedPoint point;
};

/// Sorts states by primitive and time, and samples by primitive, metric and time, as blocks
/// require.
void sortFrames(std::vector<StateFrame>& frames);
void sortFrames(std::vector<SampleFrame>& frames);

/// The number of steps between a span's smallest and largest number in which its mean is stored.
inline constexpr int fineMeans = 255;
inline constexpr int coarseMeans = 15; ///< for many short spans

/// Returns a compressed block; a long one consists of several parts. The frames must be sorted.
QByteArray encodeBlock(std::span<const StateFrame> frames, qint64 fromMs);
QByteArray encodeBlock(std::span<const SampleFrame> frames, qint64 fromMs, int means = fineMeans);

/// Appends the frames of the block, or only those of one primitive if that is not 0. Returns false
/// and appends nothing if the block is broken there.
bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                 qint64 primitive = 0);
bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
                 qint64 primitive = 0, qint64 metric = 0);

} // namespace lk
