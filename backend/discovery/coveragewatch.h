// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/clustercoverage.h"

#include <QObject>

namespace lk {

/// Knows how much of the deployment answers: of a cluster that is followed, which masters; of a
/// node that is looked at alone, what it is a part of. Asks CLUSTER at times, and not again a user
/// who may not. Lives in the I/O thread.
class CoverageWatch final : public QObject
{
    Q_OBJECT

public:
    explicit CoverageWatch(Router& router, QObject* parent = nullptr);

    /// As often as INFO is read.
    void onInfo(const ServerInfo& info);
    /// Asks anew: another connection, or a person asked for it.
    void reset();

    const ClusterCoverage& coverage() const { return m_coverage; }

signals:
    void changed();

private:
    void followed();

    Router& m_router;
    ClusterCoverage m_coverage;
    int m_infos = 0;
    bool m_ruledOut = false; ///< no cluster, or this user may not ask
};

} // namespace lk
