// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <span>
#include <vector>

namespace lk {

/// A hold that has ended, or a count of several short ones, as stored in blocks.
struct HoldFrame
{
    /// The bits of flags, as in the table of holds. Omitted occurs only in blocks.
    enum Flag : quint8 {
        Open = 1,
        NoTtl = 2,
        FromKnown = 4,
        EndKnown = 8,
        TakenOver = 16,
        Shared = 32,
        Omitted = 64, ///< several short holds; owner had the first
    };

    qint64 primitive = 0; ///< its number in the file
    QByteArray owner;
    qint64 fromMs = 0;
    qint64 toMs = 0;
    std::optional<qint64> leaseEndMs;
    quint8 flags = 0;
    qint64 count = 0; ///< renewals; if Omitted, the number of holds
};

/// Sorts by primitive and time, as a block requires.
void sortFrames(std::vector<HoldFrame>& frames);

/// Returns a block of about ten bytes per frame. The frames must be sorted.
QByteArray encodeHolds(std::span<const HoldFrame> frames, qint64 fromMs);
/// Like decodeBlock().
bool decodeHolds(const QByteArray& block, qint64 fromMs, std::vector<HoldFrame>& frames,
                 qint64 primitive = 0);

} // namespace lk
