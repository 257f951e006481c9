// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultserver.h"

#include <QTcpSocket>
#include <QTimer>

#include <algorithm>

namespace lk::test {

struct FaultServer::Client
{
    explicit Client(QTcpSocket* s)
        : socket(s)
    {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        drip.setInterval(0);
        QObject::connect(&drip, &QTimer::timeout, socket, [this] {
            if (dripping.isEmpty())
                return drip.stop();
            socket->write(dripping.left(1));
            socket->flush();
            dripping.remove(0, 1);
        });
    }

    QTcpSocket* socket; ///< a child of the server
    ReplyReader reader; ///< commands look like replies: arrays of bulks
    QTimer drip;
    QByteArray dripping;
};

FaultServer::FaultServer()
{
    connect(&m_server, &QTcpServer::newConnection, this, &FaultServer::accept);
    m_server.listen(QHostAddress::LocalHost);
}

FaultServer::~FaultServer()
{
    for (const auto& client : m_clients)
        client->socket->disconnect(this);
}

ServerUrl FaultServer::url() const
{
    ServerUrl url;
    url.port = m_server.serverPort();
    return url;
}

void FaultServer::accept()
{
    while (QTcpSocket* socket = m_server.nextPendingConnection()) {
        ++m_connections;
        Client& client = *m_clients.emplace_back(std::make_unique<Client>(socket));
        connect(socket, &QTcpSocket::readyRead, this, [this, &client] { read(client); });
        give(client, m_greeting);
    }
}

void FaultServer::read(Client& client)
{
    client.reader.feed(client.socket->readAll());
    Reply request;
    while (client.reader.next(request).value_or(false)) {
        Command command;
        for (const Reply& item : request.items)
            command << item.text;
        const QByteArray name = command.isEmpty() ? QByteArray() : command.args()[0].toUpper();
        m_received.push_back(command);
        if (const auto made = m_responders.find(name); made != m_responders.end()) {
            give(client, Answer{made->second(command)});
            continue;
        }
        const auto found = m_answers.find(name);
        if (found != m_answers.end())
            give(client, found->second);
        else if (m_responder)
            give(client, Answer{m_responder(command)});
        else
            give(client, Answer{name == "PING" ? QByteArray("+PONG\r\n") : QByteArray("+OK\r\n")});
    }
}

void FaultServer::give(Client& client, const Answer& answer)
{
    if (answer.byteByByte || !client.dripping.isEmpty()) {
        client.dripping += answer.bytes;
        client.drip.start();
    } else {
        client.socket->write(answer.bytes);
    }
    if (answer.close)
        client.socket->disconnectFromHost(); // after what was written has gone
}

void FaultServer::sendNow(const QByteArray& bytes)
{
    for (const auto& client : m_clients)
        client->socket->write(bytes);
}

void FaultServer::closeAll()
{
    for (const auto& client : m_clients)
        client->socket->abort();
}

int FaultServer::receivedCount(const QByteArray& name) const
{
    return int(std::count_if(m_received.begin(), m_received.end(), [&name](const Command& c) {
        return !c.isEmpty() && c.args()[0].toUpper() == name;
    }));
}

} // namespace lk::test
