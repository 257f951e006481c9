// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <array>
#include <vector>

namespace lk {

/// For how long a lock was held, each time, the oldest first: as far as it was recorded.
struct PastHolds
{
    PrimitiveId lock;
    std::vector<qint64> heldMs;
};

/// How long a lock is usually held: the longest of its last eight holds, once four were seen to
/// their end. A value.
class HoldTimes
{
public:
    /// The next state of that lock.
    void add(const State& state);
    /// Those before the ones that were added here; the oldest first.
    void prepend(const std::vector<qint64>& heldMs);
    std::vector<qint64> last() const; ///< the oldest first
    /// Nobody holds it any more, and it is not known since when.
    void interrupt() { m_sinceMs = 0; }
    qint64 usualMs() const;                          ///< 0: not known
    qint64 heldSinceMs() const { return m_sinceMs; } ///< 0: nobody holds it

private:
    void count(qint64 heldMs);

    static constexpr quint32 leastCount = 4;

    std::array<qint32, 8> m_lastMs{}; ///< capped at 24 days
    quint32 m_count = 0;
    qint64 m_sinceMs = 0;
};

} // namespace lk
