// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QThread>

#include <memory>
#include <set>

namespace lk::test {

/// Stands in front of the bus ports of a cluster's nodes and can partition them: the nodes of one
/// side receive nothing from the other side, while all clients reach all nodes. In a thread
/// of its own; called from one other.
///
/// It recognizes a node by its address: each node connects from an address of its own.
class BusProxy final
{
public:
    BusProxy();
    ~BusProxy();
    BusProxy(const BusProxy&) = delete;
    BusProxy& operator=(const BusProxy&) = delete;

    /// The address from which that node has to connect: its bind-source-addr.
    static QString sourceOf(int node);
    /// Returns the port that the node announces in place of its own: cluster-announce-bus-port.
    quint16 add(int node, quint16 busPort);
    /// From now on nothing goes between these nodes and all others; no connection is closed.
    void part(const std::set<int>& side);
    void heal();

private:
    class Worker;
    QThread m_thread;
    std::unique_ptr<Worker> m_worker;
};

} // namespace lk::test
