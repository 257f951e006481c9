// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/guiseserver.h"
#include "tests/support/rediscluster.h"

namespace lk::test {

/// A real cluster of fake servers: its nodes pass for another version. In the test's own thread.
class GuiseCluster final
{
public:
    /// Returns the replies that a node sends by itself; see GuiseServer.
    using Responder = std::function<QByteArray(int node, const Command& command)>;

    /// Returns false if the cluster does not start. guise: applies to all nodes; its knows is
    /// replaced if knows is set.
    bool start(GuiseServer::Guise guise, const Responder& knows = {})
    {
        if (!m_cluster.start())
            return false;
        for (int i = 0; i < RedisCluster::size; ++i) {
            if (knows)
                guise.knows = [knows, i](const Command& command) { return knows(i, command); };
            m_guises[size_t(i)] = std::make_unique<GuiseServer>(m_cluster.node(i), guise);
        }
        return true;
    }

    RedisCluster& cluster() { return m_cluster; }
    GuiseServer& node(int i) { return *m_guises[size_t(i)]; }
    /// The URL of the first node. It leads to the fake server of each node.
    ServerUrl url() const
    {
        const QString local = QStringLiteral("127.0.0.1");
        ServerUrl url = m_guises[0]->url();
        for (int i = 0; i < RedisCluster::size; ++i)
            url.addressMap.push_back(
                {{local, m_cluster.node(i).port()}, {local, m_guises[size_t(i)]->url().port}});
        return url;
    }
    QString endpoint(int i) const
    {
        return QStringLiteral("127.0.0.1:%1").arg(m_cluster.node(i).port());
    }
    /// The number of such commands that all nodes received.
    int count(const QByteArray& words) const
    {
        int sum = 0;
        for (const auto& guise : m_guises)
            sum += guise->count(words);
        return sum;
    }

private:
    RedisCluster m_cluster;
    std::array<std::unique_ptr<GuiseServer>, RedisCluster::size> m_guises;
};

/// An entry of CLUSTER SLOT-STATS as Redis 8.2 sends it.
inline QByteArray slotStatsEntry(int slot, std::initializer_list<std::pair<const char*, qint64>> of)
{
    QByteArray bytes = "*2\r\n:" + QByteArray::number(slot) + "\r\n*" +
                       QByteArray::number(qsizetype(of.size() * 2)) + "\r\n";
    for (const auto& [metric, number] : of) {
        bytes += '$' + QByteArray::number(qstrlen(metric)) + "\r\n" + metric + "\r\n";
        bytes += ':' + QByteArray::number(number) + "\r\n";
    }
    return bytes;
}

/// Whether it is that question, by that metric.
inline bool asksForSlots(const Command& command, const char* metric)
{
    const std::vector<QByteArray>& args = command.args();
    return args.size() > 3 && args[0] == "CLUSTER" && args[1] == "SLOT-STATS" && args[3] == metric;
}

} // namespace lk::test
