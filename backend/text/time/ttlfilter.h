// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// When a primitive ends by itself: the lease of a held lock, a live token, else the main key. If
/// atMs is empty and never is false, it has ended or does not exist.
struct Ending
{
    std::optional<qint64> atMs; ///< server time
    bool never = false;         ///< it exists without a TTL
};
Ending endingOf(const State& state);

/// The filter terms for the end of a primitive: "ttl<1m", "ttl>=10s" (also > and <=), and
/// "ttl=none" for one that never ends. All terms must match.
class TtlFilter
{
public:
    TtlFilter() = default;
    /// Removes these terms from the typed text and trims the rest.
    static TtlFilter takenFrom(QString& typed);

    /// The terms for an end from fromMs on and before toMs, relative to now. Without toMs there is
    /// no upper bound.
    static QString terms(qint64 fromMs, std::optional<qint64> toMs);
    /// The term for primitives that never end.
    static QString never();

    bool isEmpty() const { return !m_fromMs && !m_beforeMs && !m_never; }
    bool fits(const State& state, qint64 serverNowMs) const; ///< true if there are no terms

private:
    std::optional<qint64> m_fromMs; ///< relative to now
    std::optional<qint64> m_beforeMs;
    bool m_never = false;
};

} // namespace lk
