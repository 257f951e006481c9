// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultproxy.h"

#include <QLocalSocket>
#include <QTcpSocket>

namespace lk::test {

struct FaultProxy::Pair
{
    QTcpSocket* client; ///< a child of the listening server
    QLocalSocket server;
    QByteArray held; ///< on its way to the server
    bool muted = false;
};

namespace {

// Moves what there is; false once the allowance is used up.
bool move(QIODevice& from, QIODevice& to, qint64& left, qint64& moved)
{
    const QByteArray bytes = left < 0 ? from.readAll() : from.read(left);
    if (to.isOpen()) // it may have been closed meanwhile
        to.write(bytes);
    moved += bytes.size();
    if (left >= 0)
        left -= bytes.size();
    return left != 0;
}

} // namespace

FaultProxy::FaultProxy(QString serverSocketPath)
    : m_serverSocketPath(std::move(serverSocketPath))
{
    connect(&m_server, &QTcpServer::newConnection, this, &FaultProxy::accept);
    m_server.listen(QHostAddress::LocalHost);
}

FaultProxy::~FaultProxy()
{
    for (const auto& pair : m_pairs) {
        pair->client->disconnect(this);
        pair->server.disconnect(this);
    }
}

ServerUrl FaultProxy::url() const
{
    ServerUrl url;
    url.port = m_server.serverPort();
    return url;
}

void FaultProxy::accept()
{
    while (QTcpSocket* client = m_server.nextPendingConnection()) {
        ++m_connections;
        Pair& pair = *m_pairs.emplace_back(std::make_unique<Pair>());
        pair.client = client;
        pair.server.connectToServer(m_serverSocketPath);
        connect(client, &QTcpSocket::readyRead, this, &FaultProxy::pump);
        connect(&pair.server, &QLocalSocket::readyRead, this, &FaultProxy::pump);
        connect(client, &QTcpSocket::disconnected, this, [&pair] {
            if (pair.held.isEmpty())
                pair.server.close();
        });
        connect(&pair.server, &QLocalSocket::disconnected, client,
                [client] { client->disconnectFromHost(); });
        pump();
    }
}

void FaultProxy::pump()
{
    if (m_stalled)
        return;
    for (const auto& pair : m_pairs) {
        if (pair->client->state() != QAbstractSocket::ConnectedState)
            continue;
        if (pair->server.state() == QLocalSocket::UnconnectedState) { // no server listens there
            pair->client->disconnectFromHost();
            continue;
        }
        if (m_holding ||
            (!m_holdFrom.isEmpty() && pair->client->peek(1 << 20).contains(m_holdFrom))) {
            m_holding = true;
            pair->held += pair->client->readAll();
        }
        pair->muted = pair->muted ||
                      (!m_muteFrom.isEmpty() && pair->client->peek(1 << 20).contains(m_muteFrom));
        if (pair->muted)
            pair->server.readAll();
        const bool open = move(*pair->client, pair->server, m_toServerLeft, m_toServer) &&
                          move(pair->server, *pair->client, m_toClientLeft, m_toClient);
        if (!open)
            return cutNow();
    }
}

void FaultProxy::cutNow()
{
    for (const auto& pair : m_pairs) {
        pair->server.flush(); // what was let through does arrive
        pair->client->flush();
        pair->client->disconnectFromHost();
        pair->server.disconnectFromServer();
    }
}

void FaultProxy::dropHeld()
{
    for (const auto& pair : m_pairs)
        pair->held.clear();
}

void FaultProxy::heal()
{
    m_holdFrom.clear();
    m_holding = false;
    m_muteFrom.clear();
    for (const auto& pair : m_pairs) {
        if (pair->held.isEmpty())
            continue;
        pair->server.write(pair->held);
        pair->server.flush();
        m_toServer += pair->held.size();
        pair->held.clear();
    }
    m_toServerLeft = m_toClientLeft = -1;
    m_stalled = false;
    pump();
}

} // namespace lk::test
