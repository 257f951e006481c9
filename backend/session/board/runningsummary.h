// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/endcounts.h"
#include "backend/session/board/leading.h"

#include <QHash>

namespace lk {

/// Keeps the parts of a Summary other than the totals by kind, change by change. The cost depends
/// on the changes, not on the number of primitives.
class RunningSummary
{
public:
    /// The primitive's state changes from before to now. Null: it has none.
    void change(Handle handle, const State* before, const State* now);

    /// Returns true if so many leaders are gone that others may lead now. Call startOver() then,
    /// and lead() for each primitive.
    bool isShort() const;
    void startOver();
    void lead(Handle handle, const State& state);

    /// Forgets the rates of limiters that have not counted for a while. Call it before leaders().
    void age(qint64 nowMs);

    /// Returns a limiter's requests per second: from its use and window, or if the window is not
    /// known, from the observed rise of its use.
    double ratePerSecond(Handle handle, const State& state) const;

    /// The leaders, in the order of Summary.
    struct Leaders
    {
        std::vector<Handle> attention;
        std::vector<Handle> fullest;
        std::vector<Handle> busiest;
        std::vector<Handle> deepest;
    };
    Leaders leaders() const;

    /// Fills in the counts of locks and tokens.
    void countIn(Summary& summary) const;

private:
    /// The observed rise in use of a limiter whose window is not known.
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
    QHash<Handle, Rise> m_rises; ///< limiters whose use was seen to rise; bounded
    EndCounts m_leases;
    EndCounts m_tokens;
    std::array<qint64, size_t(TokenState::Phase::Gone) + 1> m_tokenPhases{}; ///< index: Phase
};

} // namespace lk
