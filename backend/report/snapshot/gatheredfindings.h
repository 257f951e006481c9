// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/crossstatefindings.h"
#include "backend/report/snapshot/statesequence.h"

#include <QSet>

#include <memory>

namespace lk {

/// What the rules find in a snapshot, while its states come one after the other. What states show
/// by themselves is kept up to a bound; beyond it none of that is kept, and judge() tells it again.
/// Used by one thread.
class GatheredFindings
{
public:
    explicit GatheredFindings(CheckSettings check)
        : m_check(std::move(check))
    {}

    /// Of states alone; without it all are kept.
    void setMost(size_t findings) { m_most = findings; }
    /// Before the first state.
    void begin(const ServerFacts& server);
    void take(const State& state);
    /// All that are kept: of the states, of the server, between the states. Ends it.
    std::vector<Finding> end(const ServerFacts& server, const ScanCounts& scan);
    /// Of a state what it shows by itself; empty: end() has told it. Outlives this.
    StateSequence::Judge judge() const;

private:
    template<typename Text> static Text shared(const Text& text, QSet<Text>& all);

    const CheckSettings m_check;
    size_t m_most = ~size_t(0);
    bool m_tooMany = false;
    std::vector<Finding> m_kept;
    std::unique_ptr<CrossStateFindings> m_across; ///< null before begin()
    QSet<QString> m_texts; ///< these two: each once, since they weigh more than the rest of one
    QSet<QByteArray> m_words;
};

} // namespace lk
