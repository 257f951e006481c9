// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/report/metrics/metricsdocument.h"

namespace lk {

class Session;

/// So many queues and limiters of a deployment are named, the deepest and the fullest; the same of
/// alert rules and nodes. So one deployment never makes more than some hundred series.
inline constexpr size_t mostNamedSeries = 50;

/// What these sessions know at this moment, each under its own name. In the sessions' thread; reads
/// what they have and asks no server.
QByteArray sessionMetrics(const std::vector<const Session*>& sessions, MetricsFormat format);

/// Whether all of them are connected: "ok", or a line for each that is not.
struct HealthAnswer
{
    bool healthy = true;
    QByteArray text;
};
HealthAnswer sessionHealth(const std::vector<const Session*>& sessions);

} // namespace lk
