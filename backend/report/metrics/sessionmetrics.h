// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/report/metrics/metricsdocument.h"

namespace lk {

class Session;

/// The limit of named queues and limiters of a deployment: the deepest and the fullest. It applies
/// to alert rules and nodes, too. So one deployment never makes more than some hundred series.
inline constexpr size_t mostNamedSeries = 50;

/// Returns the sessions' current data, each under its own name. Call it in the sessions' thread.
/// Sends nothing to a server.
QByteArray sessionMetrics(const std::vector<const Session*>& sessions, MetricsFormat format);

/// True if all sessions are connected. text is "ok", or a line for each that is not.
struct HealthAnswer
{
    bool healthy = true;
    QByteArray text;
};
HealthAnswer sessionHealth(const std::vector<const Session*>& sessions);

} // namespace lk
