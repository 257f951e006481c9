// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/findings/settings.h"

#include <memory>

namespace lk {

class CrossStateJudge;

/// Finds the hazards that show only across the states of a snapshot: one finding for each affected
/// group of tokens or keys. Takes one state after the other and keeps no reference to it. Used by
/// one thread.
class CrossStateFindings
{
public:
    CrossStateFindings(ServerFacts server, CheckThresholds thresholds);
    ~CrossStateFindings();

    /// Takes each state once, in any order.
    void take(const State& state);
    /// Returns the findings after all states were taken. server: the facts known by then.
    std::vector<Finding> end(const ServerFacts& server, const ScanCounts& scan);

private:
    ServerFacts m_server;
    const CheckThresholds m_thresholds;
    std::vector<std::unique_ptr<CrossStateJudge>> m_judges; ///< in the order of the rules
};

} // namespace lk
