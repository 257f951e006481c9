// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <array>

namespace lk {

/// How long a lock is usually held: the longest of its last eight holds, once four were seen to
/// their end. A value.
class HoldTimes
{
public:
    /// The next state of that lock.
    void add(const State& state);
    qint64 usualMs() const;                          ///< 0: not known
    qint64 heldSinceMs() const { return m_sinceMs; } ///< 0: nobody holds it

private:
    static constexpr quint32 leastCount = 4;

    std::array<qint32, 8> m_lastMs{}; ///< capped at 24 days
    quint32 m_count = 0;
    qint64 m_sinceMs = 0;
};

} // namespace lk
