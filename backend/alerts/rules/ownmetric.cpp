// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/ownmetric.h"

#include <QCoreApplication>

#include <array>

namespace lk {

namespace {

struct OwnMetricText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Alert)
};

constexpr std::array names{
    OwnMetricName{OwnMetric::Held, Kind::Lock, "held", true},
    OwnMetricName{OwnMetric::HeldRatio, Kind::Lock, "held_ratio"},
    OwnMetricName{OwnMetric::Stuck, Kind::Queue, "stuck"},
    OwnMetricName{OwnMetric::UsedRatio, Kind::Limiter, "used_ratio"},
    OwnMetricName{OwnMetric::LostNodes, std::nullopt, "lost_nodes"},
    OwnMetricName{OwnMetric::CommandsPerSecond, std::nullopt, "commands_per_second"},
    OwnMetricName{OwnMetric::UsedMemory, std::nullopt, "used_memory"},
};

} // namespace

std::span<const OwnMetricName> ownMetrics()
{
    return names;
}

std::optional<OwnMetric> ownMetricOf(std::optional<Kind> kind, const QByteArray& id)
{
    for (const OwnMetricName& name : names) {
        if (name.kind == kind && id == name.id)
            return name.metric;
    }
    return std::nullopt;
}

QString title(OwnMetric metric)
{
    switch (metric) {
    case OwnMetric::Held:
        return OwnMetricText::tr("Held for");
    case OwnMetric::HeldRatio:
        return OwnMetricText::tr("Held for, as a multiple of usual");
    case OwnMetric::Stuck:
        return OwnMetricText::tr("Stuck");
    case OwnMetric::UsedRatio:
        return OwnMetricText::tr("Used, as a share of the limit");
    case OwnMetric::LostNodes:
        return OwnMetricText::tr("Nodes that do not answer");
    case OwnMetric::CommandsPerSecond:
        return OwnMetricText::tr("Commands per second");
    case OwnMetric::UsedMemory:
        break;
    }
    return OwnMetricText::tr("Memory used, bytes");
}

} // namespace lk
