// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QThread>

#include <memory>
#include <set>

namespace lk::test {

/// Stands in front of the bus ports of a cluster's nodes and can part them: the nodes of one side
/// hear nothing more of those of the other, while all their clients reach all of them. In a thread
/// of its own; called from one other.
///
/// Which node has connected is told by its address: each connects from one of its own.
class BusProxy final
{
public:
    BusProxy();
    ~BusProxy();
    BusProxy(const BusProxy&) = delete;
    BusProxy& operator=(const BusProxy&) = delete;

    /// What the node of that number has to connect from: its bind-source-addr.
    static QString sourceOf(int node);
    /// The port that the others are told in place of its own: cluster-announce-bus-port.
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
