// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"

#include <optional>
#include <vector>

namespace lk {

/// The few with the greatest values among many, kept up change by change: a few more than wanted
/// are kept, and all have to be offered once more only when too many of these are gone.
class Leading
{
public:
    explicit Leading(size_t wanted);

    /// Its value was before and is now; 0: it has none. Such a one never leads.
    void change(Handle handle, double before, double now);

    /// Too few are left, and some that were not kept may lead now: call startOver(), then change()
    /// for each there is, with nothing before.
    bool isShort() const { return m_ceiling && m_kept.size() < m_wanted; }
    void startOver();

    std::vector<Handle> leaders() const; ///< the greatest first

private:
    struct Candidate
    {
        double value = 0;
        Handle handle;

        /// Of equal ones the one with the lower handle leads, so that none changes places by
        /// itself.
        bool leads(const Candidate& other) const
        {
            return value != other.value ? value > other.value : handle < other.handle;
        }
    };

    size_t m_wanted;
    std::vector<Candidate> m_kept;      ///< the greatest first
    std::optional<Candidate> m_ceiling; ///< the greatest that was not kept, if any was not
};

} // namespace lk
