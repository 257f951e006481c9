// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/report/metrics/httpendpoint.h"

namespace lk {

class Session;

/// Serves /metrics and /healthz of some sessions over HTTP. Lives in the sessions' thread.
class MetricsEndpoint final : public QObject
{
    Q_OBJECT

public:
    explicit MetricsEndpoint(QObject* parent = nullptr, HttpEndpoint::Limits limits = {});

    /// The sessions must outlive this object, or be removed before they end.
    void setSessions(std::vector<const Session*> sessions) { m_sessions = std::move(sessions); }
    /// Errors: see HttpEndpoint::listen().
    Result<void> listen(const ListenAddress& address) { return m_http.listen(address); }
    void setPassword(const QByteArray& password) { m_http.setPassword(password); }
    quint16 port() const { return m_http.port(); }

private:
    std::vector<const Session*> m_sessions;
    HttpEndpoint m_http;
};

} // namespace lk
