// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclofnodes.h"

#include <algorithm>

namespace lk {

namespace {

Connection::Options nodeOptions(int timeoutMs)
{
    Connection::Options nodeOptions;
    nodeOptions.reconnect = false;
    nodeOptions.connectTimeoutMs = timeoutMs;
    nodeOptions.batchTimeoutMs = timeoutMs;
    return nodeOptions;
}

} // namespace

AclOfNodes::AclOfNodes(ServerUrl url, AclPurpose purpose, int timeoutMs, QObject* parent)
    : QObject(parent)
    , m_url(std::move(url))
    , m_purpose(purpose)
    , m_timeoutMs(timeoutMs)
    , m_router(m_url, nodeOptions(timeoutMs))
{
    connect(&m_router, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        using Phase = ConnectionStatus::Phase;
        if (status.phase == Phase::Ready || status.phase == Phase::Lost)
            takeMap();
    });
}

void AclOfNodes::start()
{
    m_router.open();
}

// If the other nodes are unknown, or none answers, the named node reports why.
void AclOfNodes::takeMap()
{
    if (std::exchange(m_begun, true))
        return;
    if (m_router.map()) {
        for (NodeLink* node : m_router.nodes()) {
            if (node != &m_router.home())
                m_left.emplace_back(node->endpoint(), node->url());
        }
        std::reverse(m_left.begin(), m_left.end());
    }
    m_left.emplace_back(m_url.endpoint(), m_url);
    m_router.close();
    QMetaObject::invokeMethod(this, &AclOfNodes::askNext, Qt::QueuedConnection);
}

void AclOfNodes::askNext()
{
    if (m_left.empty()) {
        emit finished();
        return;
    }
    const auto [endpoint, url] = m_left.back();
    m_left.pop_back();
    m_check = std::make_unique<AclCheck>(url, m_purpose, m_timeoutMs);
    const auto take = [this, endpoint = endpoint](Result<AclReport> report) {
        m_nodes.push_back({endpoint, std::move(report)});
        QMetaObject::invokeMethod(this, &AclOfNodes::askNext, Qt::QueuedConnection);
    };
    connect(m_check.get(), &AclCheck::finished, this,
            [take](const AclReport& report) { take(report); });
    connect(m_check.get(), &AclCheck::failed, this,
            [take](const Error& error) { take(tl::unexpected<Error>(error)); });
    m_check->start();
}

} // namespace lk
