// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/endcounts.h"
#include "backend/session/board/leading.h"

namespace lk {

/// What a Summary says besides the totals by kind, kept up change by change: what it costs follows
/// what changed, not how many primitives there are.
class RunningSummary
{
public:
    /// The primitive's state was before and is now. Null: it has none.
    void change(Handle handle, const State* before, const State* now);

    /// So many leaders are gone that others may lead now: call startOver(), then lead() for each
    /// there is.
    bool isShort() const;
    void startOver();
    void lead(Handle handle, const State& state);

    /// What Summary has of these, in its order.
    struct Leaders
    {
        std::vector<Handle> attention;
        std::vector<Handle> fullest;
        std::vector<Handle> busiest;
        std::vector<Handle> deepest;
    };
    Leaders leaders() const;

    /// Fills in what is counted of locks and tokens.
    void countIn(Summary& summary) const;

private:
    void count(const State& state, int by);
    void lead(Handle handle, const State* before, const State* now);

    Leading m_attention{40};
    Leading m_fullest{8};
    Leading m_busiest{8};
    Leading m_deepest{8};
    EndCounts m_leases;
    EndCounts m_tokens;
    std::array<qint64, size_t(TokenState::Phase::Gone) + 1> m_tokenPhases{}; ///< index: Phase
};

} // namespace lk
