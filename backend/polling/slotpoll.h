// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/server/slotload.h"
#include "backend/redis/topology/router.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

/// Which slots of a cluster are the hottest, by CLUSTER SLOT-STATS of each master whose version is
/// known to have it; whoever refuses is not asked again. By CPU time where that is counted
/// (cluster-slot-stats-enabled), else by keys. Lives in the I/O thread.
class SlotPoll final : public QObject
{
    Q_OBJECT

public:
    SlotPoll(Router& router, const Clock& clock, QObject* parent = nullptr);

    /// What the user may do may have changed meanwhile.
    void forgetDenied() { m_refused.clear(); }
    void ask();
    /// As last reported by those that hold the data.
    SlotLoads loads() const;

    /// The slots of one reply; what is no such entry is left out.
    static std::vector<SlotLoad> fromReply(const Reply& stats);

private:
    enum class Order : quint8 { Cpu, Keys };
    /// What one master said last.
    struct Answer
    {
        std::vector<SlotLoad> entries;
        qint64 atMs = 0; ///< local
        Order order = Order::Cpu;
        int roundsByKeys = 0; ///< since it was asked for CPU time
    };

    void request(NodeLink& node, Order order);
    void take(const QString& endpoint, Order order, const Reply& stats);

    Router& m_router;
    const Clock& m_clock;
    QHash<QString, Answer> m_answers; ///< by endpoint
    QSet<QString> m_refused;          ///< endpoints
};

} // namespace lk
