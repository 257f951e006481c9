// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/clustercoverage.h"

#include <QObject>

namespace lk {

/// Tracks how much of the deployment answers: the masters of a cluster that is followed, or the
/// cluster that a single node belongs to. Sends CLUSTER now and then, and stops if it is denied.
/// Lives in the I/O thread.
class CoverageWatch final : public QObject
{
    Q_OBJECT

public:
    explicit CoverageWatch(Router& router, QObject* parent = nullptr);

    /// Call it each time INFO is read.
    void onInfo(const ServerInfo& info);
    /// Asks again: after a reconnect, or at the user's request.
    void reset();

    const ClusterCoverage& coverage() const { return m_coverage; }

signals:
    void changed();

private:
    void followed();

    Router& m_router;
    ClusterCoverage m_coverage;
    int m_infos = 0;
    bool m_ruledOut = false; ///< no cluster, or CLUSTER is denied to this user
};

} // namespace lk
