// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/servers/democluster.h"

#include "backend/redis/connection.h"

#include <QHostAddress>
#include <QRandomGenerator>
#include <QTcpServer>

#include <algorithm>

namespace lk {

namespace {

constexpr int nodes = 3;
constexpr int slotTotal = 16384;
constexpr int busOffset = 10'000; // the offset of the cluster bus port
constexpr int lowestPort = 20'000;
constexpr int highestPort = 50'000;
constexpr int mostTries = 1000;
constexpr int pollMs = 50;
constexpr int joinTimeoutMs = 30'000;

bool isFree(quint16 port)
{
    QTcpServer probe;
    return probe.listen(QHostAddress::LocalHost, port);
}

// Another program may take the port first; then the server reports an error.
quint16 freePort(const std::vector<quint16>& taken)
{
    for (int i = 0; i < mostTries; ++i) {
        const auto port = quint16(QRandomGenerator::global()->bounded(lowestPort, highestPort));
        if (std::find(taken.begin(), taken.end(), port) == taken.end() && isFree(port) &&
            isFree(quint16(port + busOffset)))
            return port;
    }
    return 0;
}

QString randomPassword()
{
    QString digits;
    for (int i = 0; i < 4; ++i)
        digits += QString::number(QRandomGenerator::system()->generate64(), 16)
                      .rightJustified(16, QLatin1Char('0'));
    return digits;
}

Command ownSlots(int node)
{
    Command command{"CLUSTER", "ADDSLOTS"};
    for (int slot = node * slotTotal / nodes; slot < (node + 1) * slotTotal / nodes; ++slot)
        command << QByteArray::number(slot);
    return command;
}

bool isWhole(const Reply& info)
{
    return info.text.contains("cluster_state:ok") &&
           info.text.contains("cluster_slots_ok:" + QByteArray::number(slotTotal)) &&
           info.text.contains("cluster_size:" + QByteArray::number(nodes));
}

} // namespace

DemoCluster::DemoCluster(QObject* parent)
    : QObject(parent)
    , m_password(randomPassword())
    , m_poll(this)
{
    m_poll.setInterval(pollMs);
    connect(&m_poll, &QTimer::timeout, this, &DemoCluster::askWhetherWhole);
}

DemoCluster::~DemoCluster()
{
    m_links.clear();
}

void DemoCluster::start()
{
    std::vector<quint16> ports;
    for (int i = 0; i < nodes; ++i) {
        DemoServer::Options options;
        options.port = freePort(ports);
        options.password = m_password;
        options.clustered = true;
        ports.push_back(options.port);
        m_servers.push_back(std::make_unique<DemoServer>(options));
        connect(m_servers.back().get(), &DemoServer::ready, this, &DemoCluster::onServerReady);
        connect(m_servers.back().get(), &DemoServer::failed, this, &DemoCluster::fail);
    }
    for (const auto& server : m_servers)
        server->start();
}

void DemoCluster::onServerReady()
{
    const bool all = std::all_of(m_servers.begin(), m_servers.end(),
                                 [](const auto& server) { return server->isReady(); });
    if (!all || m_failed || !m_links.empty())
        return;
    Connection::Options options;
    options.access = Connection::Access::Free;
    for (const auto& server : m_servers) {
        m_links.push_back(std::make_unique<Connection>(server->url(), options));
        connect(m_links.back().get(), &Connection::statusChanged, this, &DemoCluster::onLinkReady);
    }
    for (const auto& link : m_links)
        link->open();
}

void DemoCluster::onLinkReady()
{
    const bool all = std::all_of(m_links.begin(), m_links.end(),
                                 [](const auto& link) { return link->isReady(); });
    if (all && !m_sinceJoined.isValid())
        join();
}

// A node accepts an epoch only as long as it knows no other node.
void DemoCluster::join()
{
    m_sinceJoined.start();
    for (int i = 0; i < nodes; ++i)
        m_links[size_t(i)]->send(
            {{"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(i + 1)}, ownSlots(i)}, this,
            [this](const BatchResult& result) {
                if (isDone(result) && ++m_prepared == nodes)
                    meet();
            });
    m_poll.start();
}

void DemoCluster::meet()
{
    std::vector<Command> commands;
    for (int other = 1; other < nodes; ++other)
        commands.push_back(
            {"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(m_servers[size_t(other)]->port())});
    m_links[0]->send(commands, this, [this](const BatchResult& result) { isDone(result); });
}

bool DemoCluster::isDone(const BatchResult& result)
{
    if (!result) {
        fail(result.error());
        return false;
    }
    for (const Reply& reply : *result) {
        if (reply.isError()) {
            fail(errorFromReply(reply.text));
            return false;
        }
    }
    return true;
}

void DemoCluster::askWhetherWhole()
{
    if (m_sinceJoined.elapsed() > joinTimeoutMs)
        return fail({ErrorCode::Timeout, tr("the demo's nodes were joining a cluster")});
    m_whole = 0;
    for (const auto& link : m_links) {
        link->send({{"CLUSTER", "INFO"}}, this, [this](const BatchResult& result) {
            if (!result || !isWhole(result->front()) || m_ready || m_failed || ++m_whole < nodes)
                return;
            m_ready = true;
            m_poll.stop();
            for (auto& each : m_links)
                each.release()->deleteLater(); // one of them is the sender
            m_links.clear();
            emit ready();
        });
    }
}

ServerUrl DemoCluster::url() const
{
    ServerUrl url;
    url.deployment = ServerUrl::Deployment::Cluster;
    url.port = m_servers.front()->port();
    for (size_t i = 1; i < m_servers.size(); ++i)
        url.others.push_back({url.host, m_servers[i]->port()});
    url.password = m_password;
    return url;
}

QString DemoCluster::folder() const
{
    return m_ready ? m_servers.front()->folder() : QString();
}

std::vector<qint64> DemoCluster::processIds() const
{
    std::vector<qint64> ids;
    for (const auto& server : m_servers)
        ids.push_back(server->processId());
    return ids;
}

void DemoCluster::fail(const Error& error)
{
    if (std::exchange(m_failed, true))
        return;
    m_ready = false;
    m_poll.stop();
    emit failed(error);
}

} // namespace lk
