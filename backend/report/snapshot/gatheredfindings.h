// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/crossstatefindings.h"
#include "backend/report/snapshot/statesequence.h"

#include <QSet>

#include <memory>

namespace lk {

/// Collects the findings of a snapshot while its states arrive one after the other. Keeps findings
/// of single states up to a limit; beyond it keeps none of them, and judge() makes them again. Used
/// by one thread.
class GatheredFindings
{
public:
    explicit GatheredFindings(CheckSettings check)
        : m_check(std::move(check))
    {}

    /// Limits the findings of single states. Without a limit all are kept.
    void setMost(size_t findings) { m_most = findings; }
    /// Call before the first state.
    void begin(const ServerFacts& server);
    void take(const State& state);
    /// Returns all kept findings: of single states, of the server, across states. Call it last.
    std::vector<Finding> end(const ServerFacts& server, const ScanCounts& scan);
    /// Returns a function that makes the findings of a single state. Empty if end() returns these.
    /// The function may outlive this object.
    StateSequence::Judge judge() const;

private:
    template<typename Text> static Text shared(const Text& text, QSet<Text>& all);

    const CheckSettings m_check;
    size_t m_most = ~size_t(0);
    bool m_tooMany = false;
    std::vector<Finding> m_kept;
    std::unique_ptr<CrossStateFindings> m_across; ///< null before begin()
    QSet<QString> m_texts; ///< shared, since texts use more memory than a finding
    QSet<QByteArray> m_words;
};

} // namespace lk
