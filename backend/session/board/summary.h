// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/endcount.h"
#include "backend/core/snapshot.h"
#include "backend/findings/livefindings.h"
#include "backend/session/board/rowset.h"

#include <QSet>

#include <array>

namespace lk {

/// The number of primitives in a RowSet, and the worst health among them.
struct SetCount
{
    RowSet set;
    qint64 count = 0;
    Health worst = Health::Idle;

    bool operator==(const SetCount&) const = default;
};

/// The number of primitives of a kind, by state.
struct KindSummary
{
    qint64 total = 0;
    std::array<qint64, 4> byHealth{}; ///< index: Health
    std::vector<SetCount> bySet;      ///< the worst first, then the most

    Health worst() const
    {
        for (int h = 3; h > 0; --h) {
            if (byHealth[size_t(h)] > 0)
                return Health(h);
        }
        return Health::Idle;
    }
    /// Returns the set to read first; all rows if nothing needs attention.
    RowSet worstSet() const
    {
        return !bySet.empty() && bySet.front().worst >= Health::Warning ? bySet.front().set
                                                                        : RowSet();
    }
};

/// One line of the attention list or of a leaders list.
struct SummaryItem
{
    Handle handle = noHandle;
    StatePtr state;              ///< null: a finding that belongs to no primitive
    QString reason;              ///< one sentence; may be empty
    double perSecond = 0;        ///< in the busiest list: requests that it counts
    LiveFindingPtr finding = {}; ///< without a state: of the server or several primitives
    bool isLabelShared = false;  ///< another queue has its label
};

/// The number of tokens that ended since the session began; index: TokenState::End. Tokens that
/// were gone when they were first read do not count.
using TokenEnds = std::array<qint64, size_t(TokenState::End::Removed) + 1>;

/// The whole session at a glance, about once a second: what the overview, the navigation bar and
/// the charts over all primitives show.
struct Summary
{
    qint64 atMs = 0;      ///< server time
    bool scanned = false; ///< all keys were read once; until then more exist than are known
    std::array<KindSummary, allKinds.size()> kinds;
    std::vector<SummaryItem> attention; ///< worst first; bounded
    qint64 attentionTotal = 0;
    std::vector<SummaryItem> fullest;  ///< limiters with a known limit, fullest first; bounded
    std::vector<SummaryItem> busiest;  ///< limiters by requests a second; bounded
    qint64 unknownLimits = 0;          ///< limiters in use whose limit is not known
    std::vector<SummaryItem> deepest;  ///< queues by waiting items; bounded
    QSet<QByteArray> sharedLabels;     ///< labels that several queues have
    std::vector<EndCount> leasesByEnd; ///< held locks; ascending
    qint64 noTtlLocks = 0;
    std::vector<EndCount> tokensByEnd; ///< live tokens; ascending
    qint64 tokensWithoutEnd = 0;
    qint64 tokensLive = 0;
    qint64 tokensUsed = 0;
    qint64 tokensNeverIssued = 0;
    TokenEnds tokenEnds{};

    const KindSummary& of(Kind kind) const { return kinds[size_t(kind)]; }
};

using SummaryPtr = std::shared_ptr<const Summary>;

/// The property by which a board groups its rows under header rows.
enum class BoardGrouping : quint8 { None, Layout, Prefix, Owner };

/// The rows that a board requests, and their order.
struct BoardQuery
{
    Kind kind = Kind::Limiter;
    QString filter;  ///< NameFilter over name, keys, layout and owner, and TtlFilter; empty: all
    RowSet set;      ///< only rows in this set
    int column = -1; ///< index in columns(kind); -1: worst first
    bool descending = false;
    quint64 serial = 0; ///< returned with the rows
    BoardGrouping grouping = BoardGrouping::None;
    QSet<QByteArray> collapsed; ///< digests of the groups that show only their header row

    bool operator==(const BoardQuery&) const = default;
};

/// A header row and the rows under it.
struct BoardGroup
{
    Handle header; ///< the header row's handle; no primitive has it
    int row = 0;   ///< its index among the rows
    QString title;
    QByteArray digest;       ///< identifies the group, revealing nothing of the server
    bool isOfNone = false;   ///< the group of rows without prefix or owner
    bool isVerbatim = false; ///< the title is the name of a key or an owner
    bool collapsed = false;
    qint64 count = 0; ///< rows under it, including hidden ones
    Health worst = Health::Idle;
    StateId worstState = StateId::Absent; ///< the state of the first row with that health
    QString worstWord;                    ///< the name of that state

    bool operator==(const BoardGroup&) const = default;
};

/// The answer to a BoardQuery: which rows a board shows, in which order.
struct BoardRows
{
    BoardQuery query;
    std::shared_ptr<const std::vector<Handle>> rows;       ///< including the groups' header rows
    std::shared_ptr<const std::vector<BoardGroup>> groups; ///< in the order of their rows
    std::shared_ptr<const std::vector<Handle>> all; ///< with collapsed groups, without headers
    qint64 total = 0;                               ///< all of the kind, before the filter
    qint64 fitting = 0;                             ///< those that fit the text, in any set
    std::vector<SetCount>
        sets; ///< counts of those that fit the text; sets of the kind without a match have 0
    /// Labels that several primitives of the board's kind have, filtered out or not.
    QSet<QByteArray> sharedLabels = {};
};

} // namespace lk

Q_DECLARE_METATYPE(lk::SummaryPtr)
Q_DECLARE_METATYPE(lk::BoardRows)
