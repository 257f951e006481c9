// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/clustercoverage.h"
#include "backend/redis/link.h"

#include <QObject>

namespace lk {

/// Knows how much of its deployment the connected node is. Asks CLUSTER at times, and not again a
/// user who may not. Lives in the I/O thread.
class CoverageWatch final : public QObject
{
    Q_OBJECT

public:
    explicit CoverageWatch(Link& connection, QObject* parent = nullptr);

    /// As often as INFO is read.
    void onInfo(const ServerInfo& info);
    /// Asks anew: another connection, or a person asked for it.
    void reset();

    const ClusterCoverage& coverage() const { return m_coverage; }

signals:
    void changed();

private:
    Link& m_connection;
    ClusterCoverage m_coverage;
    int m_infos = 0;
    bool m_settled = false; ///< no cluster, or this user may not ask
};

} // namespace lk
