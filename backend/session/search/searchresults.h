// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QMetaType>

#include <array>

namespace lk {

/// Whether a limiter lets one more pass; of one of its clients where it has clients of their own.
struct Allowance
{
    std::optional<qint64> used;
    std::optional<qint64> limit;
    std::optional<qint64> freeInMs; ///< until one more passes; 0: now
    /// Whether the next request passes at this moment. Unknown where what decides it is not stored:
    /// the limit, or which of the stored requests still count.
    enum class Verdict : quint8 { Passes, Refuses, Unknown };
    Verdict verdict = Verdict::Unknown;

    bool refuses() const { return verdict == Verdict::Refuses; }
};
Allowance allowanceOf(const LimiterState& limiter);
Allowance allowanceOf(const Consumer& consumer);

/// One primitive that a search found, and by what of it.
struct SearchHit
{
    enum class By : quint8 { Name, Key, Client, Owner, Worker, Job };
    Handle handle;
    StatePtr state;
    By by = By::Name;
    QByteArray found;   ///< what was found, as stored, at most 128 bytes; of tokens masked
    bool whole = false; ///< what was typed is a part of it between separators: "42" of "user:42"
    std::optional<Allowance> allowance; ///< of a limiter
    /// The typed text is the identity that the limiter counts, not a part of its name that others
    /// share: "42" of "user:42", not "user".
    bool identity = false;
};

/// What a search over all primitives found.
struct SearchResults
{
    static constexpr size_t mostOfAKind = 100;

    QString text; ///< what was typed
    qint64 searched = 0;
    std::vector<SearchHit> hits; ///< by kind; of each what fits best first; bounded
    std::array<qint64, allKinds.size()> totals{}; ///< by kind; hits may hold fewer
    qint64 limiters = 0;                          ///< that count who was typed
    qint64 refusing = 0;                          ///< of these
    qint64 unknown = 0;                           ///< of these: Allowance::Verdict::Unknown
    qint64 limitless = 0;                         ///< of these: the limit is not known
};
using SearchResultsPtr = std::shared_ptr<const SearchResults>;

} // namespace lk

Q_DECLARE_METATYPE(lk::SearchResultsPtr)
