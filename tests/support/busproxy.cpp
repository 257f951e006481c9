// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/busproxy.h"

#include <QTcpServer>
#include <QTcpSocket>

#include <vector>

namespace lk::test {

namespace {

constexpr int firstSource = 21; // 127.0.0.21 is node 0
const QString sourcePrefix = QStringLiteral("127.0.0.");

int nodeOf(const QTcpSocket& client)
{
    return client.peerAddress().toString().section(QLatin1Char('.'), -1).toInt() - firstSource;
}

} // namespace

class BusProxy::Worker final : public QObject
{
public:
    quint16 add(int node, quint16 busPort)
    {
        auto* server = new QTcpServer(this);
        connect(server, &QTcpServer::newConnection, this, [this, server, node, busPort] {
            while (QTcpSocket* client = server->nextPendingConnection())
                accept(client, node, busPort);
        });
        server->listen(QHostAddress::LocalHost);
        return server->serverPort();
    }
    void part(const std::set<int>& side)
    {
        m_side = side;
        for (const Pair& pair : std::vector(m_pairs))
            pump(pair);
    }

private:
    struct Pair
    {
        QTcpSocket* client;
        QTcpSocket* server; ///< a child of client
        int from;
        int to;
    };

    void accept(QTcpSocket* client, int to, quint16 busPort)
    {
        client->setParent(this);
        auto* server = new QTcpSocket(client);
        const Pair pair{client, server, nodeOf(*client), to};
        m_pairs.push_back(pair);
        for (QTcpSocket* each : {client, server}) {
            connect(each, &QTcpSocket::readyRead, this, [this, pair] { pump(pair); });
            connect(each, &QTcpSocket::disconnected, this, [this, pair] { end(pair); });
        }
        connect(server, &QTcpSocket::connected, this, [this, pair] { pump(pair); });
        server->connectToHost(QHostAddress::LocalHost, busPort);
    }
    // Data that was held back arrives late, as on a real network.
    void pump(const Pair& pair)
    {
        if (m_side.count(pair.from) != m_side.count(pair.to) ||
            pair.server->state() != QAbstractSocket::ConnectedState)
            return;
        pair.server->write(pair.client->readAll());
        pair.client->write(pair.server->readAll());
    }
    void end(const Pair& pair)
    {
        const auto before = m_pairs.size();
        std::erase_if(m_pairs, [&pair](const Pair& p) { return p.client == pair.client; });
        if (m_pairs.size() == before)
            return;
        pair.client->close();
        pair.server->close();
        pair.client->deleteLater();
    }

    std::vector<Pair> m_pairs;
    std::set<int> m_side;
};

BusProxy::BusProxy()
    : m_worker(std::make_unique<Worker>())
{
    m_worker->moveToThread(&m_thread);
    m_thread.start();
}

BusProxy::~BusProxy()
{
    // Its sockets end in the thread in which they live.
    QMetaObject::invokeMethod(
        m_worker.get(), [this] { m_worker.reset(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

QString BusProxy::sourceOf(int node)
{
    return sourcePrefix + QString::number(firstSource + node);
}

quint16 BusProxy::add(int node, quint16 busPort)
{
    quint16 port = 0;
    QMetaObject::invokeMethod(
        m_worker.get(), [&] { port = m_worker->add(node, busPort); }, Qt::BlockingQueuedConnection);
    return port;
}

void BusProxy::part(const std::set<int>& side)
{
    QMetaObject::invokeMethod(
        m_worker.get(), [&] { m_worker->part(side); }, Qt::BlockingQueuedConnection);
}

void BusProxy::heal()
{
    part({});
}

} // namespace lk::test
