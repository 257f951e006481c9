// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QMetaType>

#include <array>

namespace lk {

/// Whether a limiter admits the next request, or the next request of one client if it counts
/// clients separately.
struct Allowance
{
    std::optional<qint64> used;
    std::optional<qint64> limit;
    std::optional<qint64> freeInMs; ///< until the next request passes; 0: now
    /// Whether the next request passes now. Unknown if the deciding value is not stored: the limit,
    /// or which of the stored requests still count.
    enum class Verdict : quint8 { Passes, Refuses, Unknown };
    Verdict verdict = Verdict::Unknown;

    bool refuses() const { return verdict == Verdict::Refuses; }
};
Allowance allowanceOf(const LimiterState& limiter);
Allowance allowanceOf(const Consumer& consumer);

/// One primitive that a search found, and where the text matched.
struct SearchHit
{
    enum class By : quint8 { Name, Key, Client, Owner, Worker, Job };
    Handle handle;
    StatePtr state;
    By by = By::Name;
    QByteArray found;   ///< the matching text as stored, at most 128 bytes; masked for tokens
    bool whole = false; ///< matches a whole part between separators: "42" of "user:42"
    std::optional<Allowance> allowance; ///< for limiters only
    /// The search text is the identity that the limiter counts, not a part of its name that others
    /// share: "42" of "user:42", not "user".
    bool identity = false;
};

/// The result of a search over all primitives.
struct SearchResults
{
    static constexpr size_t mostOfAKind = 100;

    QString text; ///< the search text
    qint64 searched = 0;
    std::vector<SearchHit> hits; ///< by kind; within a kind the best match first; bounded
    std::array<qint64, allKinds.size()> totals{}; ///< by kind; hits may hold fewer
    qint64 limiters = 0;                          ///< limiters that count the searched identity
    qint64 refusing = 0;                          ///< those that refuse
    qint64 unknown = 0;                           ///< those with Allowance::Verdict::Unknown
    qint64 limitless = 0;                         ///< those whose limit is not known
};
using SearchResultsPtr = std::shared_ptr<const SearchResults>;

} // namespace lk

Q_DECLARE_METATYPE(lk::SearchResultsPtr)
