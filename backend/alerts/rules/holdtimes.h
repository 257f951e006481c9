// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <array>
#include <vector>

namespace lk {

/// The recorded hold times of a lock, the oldest first.
struct PastHolds
{
    PrimitiveId lock;
    std::vector<qint64> heldMs;
};

/// How long a lock is usually held: the longest of its last eight holds, once four complete ones
/// were seen. A value.
class HoldTimes
{
public:
    /// Adds the next state of that lock.
    void add(const State& state);
    /// Adds earlier hold times before those that were added here; the oldest first.
    void prepend(const std::vector<qint64>& heldMs);
    std::vector<qint64> last() const; ///< the oldest first
    /// Notes that the lock is not held any more, and that the end is not known.
    void interrupt() { m_sinceMs = 0; }
    qint64 usualMs() const;                          ///< 0 if not known
    qint64 heldSinceMs() const { return m_sinceMs; } ///< 0 if not held

private:
    void count(qint64 heldMs);

    static constexpr quint32 leastCount = 4;

    std::array<qint32, 8> m_lastMs{}; ///< capped at 24 days
    quint32 m_count = 0;
    qint64 m_sinceMs = 0;
};

} // namespace lk
