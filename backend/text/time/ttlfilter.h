// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// When what a state tells of ends by itself: the lease of a held lock, a live token, else the main
/// key. Both empty: it ends no more, or is not there.
struct Ending
{
    std::optional<qint64> atMs; ///< server time
    bool never = false;         ///< it is there without TTL
};
Ending endingOf(const State& state);

/// The terms of a filter that say when something ends: "ttl<1m", "ttl>=10s" (also > and <=), and
/// "ttl=none" for what never does. All of them hold at a time.
class TtlFilter
{
public:
    TtlFilter() = default;
    /// Takes these terms out of what was typed; what is left is trimmed.
    static TtlFilter takenFrom(QString& typed);

    /// The terms for what ends from fromMs on and before toMs, counted from now. Without toMs: all
    /// that is later.
    static QString terms(qint64 fromMs, std::optional<qint64> toMs);
    /// The term for what never ends.
    static QString never();

    bool isEmpty() const { return !m_fromMs && !m_beforeMs && !m_never; }
    bool fits(const State& state, qint64 serverNowMs) const; ///< true where there are no terms

private:
    std::optional<qint64> m_fromMs; ///< from now on
    std::optional<qint64> m_beforeMs;
    bool m_never = false;
};

} // namespace lk
