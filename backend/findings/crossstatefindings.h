// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/findings/settings.h"

#include <memory>

namespace lk {

class CrossStateJudge;

/// The hazards that show only between the states of a snapshot: one finding for each group of
/// tokens or keys that it concerns. It is shown one state after the other, which need not outlive
/// that. Used by one thread.
class CrossStateFindings
{
public:
    CrossStateFindings(ServerFacts server, CheckThresholds thresholds);
    ~CrossStateFindings();

    /// Each state once, in any order.
    void take(const State& state);
    /// Once all were shown. server: as it is known by then.
    std::vector<Finding> end(const ServerFacts& server, const ScanCounts& scan);

private:
    ServerFacts m_server;
    const CheckThresholds m_thresholds;
    std::vector<std::unique_ptr<CrossStateJudge>> m_judges; ///< in the order of the rules
};

} // namespace lk
