// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/nodelink.h"

#include "backend/redis/topology/router.h"

namespace lk {

NodeLink::NodeLink(Router& router, const ServerUrl& url, const Connection::Options& options)
    : Link(&router)
    , m_router(router)
    , m_endpoint(url.endpoint().section(QLatin1Char('/'), 0, -2))
    , m_connection(url, options, this)
{
    connect(&m_connection, &Connection::statusChanged, this,
            [this](const ConnectionStatus& status) {
                using Phase = ConnectionStatus::Phase;
                m_tried = m_tried || status.phase == Phase::Ready || status.phase == Phase::Lost;
                emit statusChanged(status);
            });
}

void NodeLink::leave()
{
    m_left = true;
    m_connection.close();
}

void NodeLink::send(const std::vector<Command>& commands, QObject* context, BatchHandler handler)
{
    m_router.sendFrom(*this, commands, context, std::move(handler));
}

Link& NodeLink::nodeOf(const QByteArray& key)
{
    return m_router.nodeOf(key);
}

void NodeLink::sendActing(const std::vector<Command>& commands, QObject* context,
                          BatchHandler handler)
{
    m_router.sendActingFrom(*this, commands, context, std::move(handler));
}

} // namespace lk
