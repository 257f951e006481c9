// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/server/slotload.h"
#include "backend/redis/topology/router.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

/// Finds the hottest slots of a cluster by CLUSTER SLOT-STATS. Asks each master whose version is
/// known to support it; a master that refuses is not asked again. Ranks by CPU time if the server
/// counts it (cluster-slot-stats-enabled), else by keys. Lives in the I/O thread.
class SlotPoll final : public QObject
{
    Q_OBJECT

public:
    SlotPoll(Router& router, const Clock& clock, QObject* parent = nullptr);

    /// Call when the user's permissions may have changed.
    void forgetDenied() { m_refused.clear(); }
    void ask();
    /// Returns the loads that the connected masters last reported.
    SlotLoads loads() const;

    /// Returns the slots of one reply. Ignores malformed entries.
    static std::vector<SlotLoad> fromReply(const Reply& stats);

private:
    enum class Order : quint8 { Cpu, Keys };
    /// The last answer of one master.
    struct Answer
    {
        std::vector<SlotLoad> entries;
        qint64 atMs = 0; ///< local
        Order order = Order::Cpu;
        int roundsByKeys = 0; ///< since CPU time was last requested
    };

    void request(NodeLink& node, Order order);
    void take(const QString& endpoint, Order order, const Reply& stats);

    Router& m_router;
    const Clock& m_clock;
    QHash<QString, Answer> m_answers; ///< by endpoint
    QSet<QString> m_refused;          ///< endpoints
};

} // namespace lk
