// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <span>
#include <vector>

namespace lk {

/// A hold that has ended, or several short ones that were counted, as blocks keep them.
struct HoldFrame
{
    /// Of flags, as in the table of holds; Omitted in blocks alone.
    enum Flag : quint8 {
        Open = 1,
        NoTtl = 2,
        FromKnown = 4,
        EndKnown = 8,
        TakenOver = 16,
        Shared = 32,
        Omitted = 64, ///< several; owner had the first
    };

    qint64 primitive = 0; ///< its number in the file
    QByteArray owner;
    qint64 fromMs = 0;
    qint64 toMs = 0;
    std::optional<qint64> leaseEndMs;
    quint8 flags = 0;
    qint64 count = 0; ///< renewals; of Omitted how many there were
};

/// By primitive and time, as a block wants them.
void sortFrames(std::vector<HoldFrame>& frames);

/// Some ten bytes each. The frames must be sorted.
QByteArray encodeHolds(std::span<const HoldFrame> frames, qint64 fromMs);
/// As decodeBlock().
bool decodeHolds(const QByteArray& block, qint64 fromMs, std::vector<HoldFrame>& frames,
                 qint64 primitive = 0);

} // namespace lk
