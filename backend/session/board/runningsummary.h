// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/endcounts.h"
#include "backend/session/board/leading.h"

#include <QHash>

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

    /// Forgets the rates of limiters that have not counted for a while. Call it before leaders().
    void age(qint64 nowMs);

    /// Requests a second that a limiter counts: by its use and window, or, where the window is not
    /// known, as its use was seen to rise.
    double ratePerSecond(Handle handle, const State& state) const;

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
    /// How the use of a limiter rises whose window is not known.
    struct Rise
    {
        qint64 fromMs = 0;    ///< when the present measurement began
        qint64 from = 0;      ///< the use at that time
        qint64 lastMs = 0;    ///< when it rose last
        double perSecond = 0; ///< by the last measurement; 0: none has ended
    };

    void count(const State& state, int by);
    void lead(Handle handle, const State* before, const State* now);
    double riseOf(Handle handle) const;
    void measure(Handle handle, const State* before, const State* now);

    Leading m_attention{40};
    Leading m_fullest{8};
    Leading m_busiest{8};
    Leading m_deepest{8};
    QHash<Handle, Rise> m_rises; ///< of those that were seen to rise; bounded
    EndCounts m_leases;
    EndCounts m_tokens;
    std::array<qint64, size_t(TokenState::Phase::Gone) + 1> m_tokenPhases{}; ///< index: Phase
};

} // namespace lk
