// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"

#include <optional>
#include <vector>

namespace lk {

/// Keeps the primitives with the greatest values, updated change by change. Keeps a few more than
/// wanted. All primitives have to be offered again only if too many of the kept ones are gone.
class Leading
{
public:
    explicit Leading(size_t wanted);

    /// The value changes from before to now; 0: it has none and never leads.
    void change(Handle handle, double before, double now);

    /// Returns true if too few are left and others may lead now. Call startOver() then, and
    /// change() for each primitive, with 0 before.
    bool isShort() const { return m_ceiling && m_kept.size() < m_wanted; }
    void startOver();

    std::vector<Handle> leaders() const; ///< the greatest first

private:
    struct Candidate
    {
        double value = 0;
        Handle handle;

        /// Between equal values the lower handle leads, so that places do not change without a
        /// reason.
        bool leads(const Candidate& other) const
        {
            return value != other.value ? value > other.value : handle < other.handle;
        }
    };

    size_t m_wanted;
    std::vector<Candidate> m_kept;      ///< the greatest first
    std::optional<Candidate> m_ceiling; ///< the greatest one that was not kept, if any
};

} // namespace lk
