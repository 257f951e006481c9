// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/replyreader.h"
#include "backend/redis/url.h"

#include <QObject>
#include <QTcpServer>

#include <functional>
#include <map>
#include <memory>

namespace lk::test {

/// A server that sends the answers it is given, on 127.0.0.1, in the test's own thread. By default
/// it logs a client in as Redis does: +PONG to PING, +OK to everything else.
class FaultServer final : public QObject
{
    Q_OBJECT

public:
    struct Answer
    {
        QByteArray bytes;
        bool byteByByte = false; ///< one write for each byte, from the event loop
        bool close = false;      ///< after the bytes
    };

    FaultServer();
    ~FaultServer() override;

    ServerUrl url() const;

    /// Sets the answer to a command (upper-case name). An empty answer sends nothing: a stall.
    void answer(const QByteArray& name, Answer answer) { m_answers[name] = std::move(answer); }
    void answer(const QByteArray& name, const QByteArray& bytes) { answer(name, Answer{bytes}); }
    /// The same, made for each command.
    using Responder = std::function<QByteArray(const Command&)>;
    void answerBy(const QByteArray& name, Responder responder)
    {
        m_responders[name] = std::move(responder);
    }
    /// Answers every command that has no answer of its own.
    void answerAllBy(Responder responder) { m_responder = std::move(responder); }
    /// Sent to each client as it connects, before anything was asked.
    void setGreeting(Answer greeting) { m_greeting = std::move(greeting); }
    /// Sent to all clients now.
    void sendNow(const QByteArray& bytes);
    void closeAll();
    void stopListening() { m_server.close(); }

    int connections() const { return m_connections; }
    const std::vector<Command>& received() const { return m_received; } ///< by all clients
    int receivedCount(const QByteArray& name) const;

private:
    struct Client;
    void accept();
    void read(Client& client);
    void give(Client& client, const Answer& answer);

    QTcpServer m_server;
    std::vector<std::unique_ptr<Client>> m_clients;
    std::map<QByteArray, Answer> m_answers;
    std::map<QByteArray, Responder> m_responders;
    Responder m_responder;
    Answer m_greeting;
    std::vector<Command> m_received;
    int m_connections = 0;
};

} // namespace lk::test
