// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/endcount.h"
#include "backend/core/snapshot.h"
#include "backend/findings/livefindings.h"
#include "backend/session/board/rowset.h"

#include <QSet>

#include <array>

namespace lk {

/// How many primitives a RowSet has, and the worst that is among them.
struct SetCount
{
    RowSet set;
    qint64 count = 0;
    Health worst = Health::Idle;

    bool operator==(const SetCount&) const = default;
};

/// How many primitives of a kind are in which state.
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
    /// Those that are to be read first; all where nothing needs attention.
    RowSet worstSet() const
    {
        return !bySet.empty() && bySet.front().worst >= Health::Warning ? bySet.front().set
                                                                        : RowSet();
    }
};

/// One line of what needs attention or leads a list.
struct SummaryItem
{
    Handle handle = noHandle;
    StatePtr state;              ///< null: it is of a finding that no primitive has
    QString reason;              ///< one sentence; may be empty
    double perSecond = 0;        ///< of the busiest: requests that it counts
    LiveFindingPtr finding = {}; ///< without a state: of the server, or of what several hold
    bool isLabelShared = false;  ///< another queue has its label
};

/// How many tokens ended since the session began, by what was seen; index: TokenState::End. Those
/// that were gone when they were first read are not among them.
using TokenEnds = std::array<qint64, size_t(TokenState::End::Removed) + 1>;

/// The whole session at a glance, about once a second: what the overview, the navigation bar and
/// the charts over all primitives show.
struct Summary
{
    qint64 atMs = 0;      ///< server time
    bool scanned = false; ///< all keys were read once; before, there are more than are known
    std::array<KindSummary, allKinds.size()> kinds;
    std::vector<SummaryItem> attention; ///< worst first; bounded
    qint64 attentionTotal = 0;
    std::vector<SummaryItem> fullest;  ///< limiters with a known limit, fullest first; bounded
    std::vector<SummaryItem> busiest;  ///< limiters by requests a second; bounded
    qint64 unknownLimits = 0;          ///< limiters in use whose limit is not known
    std::vector<SummaryItem> deepest;  ///< queues by what waits; bounded
    QSet<QByteArray> sharedLabels;     ///< those that several queues have
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

/// By what a board's rows are put together under header rows.
enum class BoardGrouping : quint8 { None, Layout, Prefix, Owner };

/// What a board wants to see, and in which order.
struct BoardQuery
{
    Kind kind = Kind::Limiter;
    QString filter;  ///< NameFilter over name, keys, layout and owner, and TtlFilter; empty: all
    RowSet set;      ///< only those
    int column = -1; ///< index in columns(kind); -1: worst first
    bool descending = false;
    quint64 serial = 0; ///< comes back with the rows
    BoardGrouping grouping = BoardGrouping::None;
    QSet<QByteArray> collapsed; ///< digests of the groups of which only the header row is wanted

    bool operator==(const BoardQuery&) const = default;
};

/// A header row and what is under it.
struct BoardGroup
{
    Handle header; ///< its row's; no primitive has it
    int row = 0;   ///< where it is among the rows
    QString title;
    QByteArray digest; ///< of what the group is of: tells groups apart, and nothing of the server
    bool isOfNone = false;   ///< of rows that have no prefix, or no owner
    bool isVerbatim = false; ///< the title is what a key or an owner is called
    bool collapsed = false;
    qint64 count = 0; ///< of rows under it, also where they are not shown
    Health worst = Health::Idle;
    StateId worstState = StateId::Absent; ///< of the first that is so bad
    QString worstWord;                    ///< what that is called

    bool operator==(const BoardGroup&) const = default;
};

/// The answer to a BoardQuery: which rows a board shows, in which order.
struct BoardRows
{
    BoardQuery query;
    std::shared_ptr<const std::vector<Handle>> rows;       ///< with the groups' header rows
    std::shared_ptr<const std::vector<BoardGroup>> groups; ///< in the order of their rows
    std::shared_ptr<const std::vector<Handle>> all; ///< also those of collapsed groups; no headers
    qint64 total = 0;                               ///< of the kind, before the filter
    qint64 fitting = 0; ///< of these what fits the text, whatever its set
    std::vector<SetCount>
        sets; ///< of what fits the text; those that the kind has and nothing fits are 0
    /// Labels that several primitives of the board's kind have, filtered out or not.
    QSet<QByteArray> sharedLabels = {};
};

} // namespace lk

Q_DECLARE_METATYPE(lk::SummaryPtr)
Q_DECLARE_METATYPE(lk::BoardRows)
