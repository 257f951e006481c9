// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/metrics/metricsendpoint.h"

#include "backend/report/metrics/sessionmetrics.h"

namespace lk {

MetricsEndpoint::MetricsEndpoint(QObject* parent, HttpEndpoint::Limits limits)
    : QObject(parent)
    , m_http(limits)
{
    m_http.add("/metrics", [this](const QByteArray& accept) {
        const MetricsFormat format = metricsFormatFor(accept);
        return HttpEndpoint::Answer{200, contentTypeOf(format), sessionMetrics(m_sessions, format)};
    });
    m_http.add("/healthz", [this](const QByteArray&) {
        const HealthAnswer health = sessionHealth(m_sessions);
        return HttpEndpoint::Answer{health.healthy ? 200 : 503, "text/plain; charset=utf-8",
                                    health.text};
    });
}

} // namespace lk
