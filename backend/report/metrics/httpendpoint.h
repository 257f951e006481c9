// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QHash>
#include <QObject>

#include <functional>

class QTcpServer;
class QTcpSocket;

namespace lk {

/// ADDRESS:PORT as on a command line: "127.0.0.1:9877", "[::1]:9877", ":9877" for all addresses.
/// Errors: BadArgument.
struct ListenAddress
{
    QString host; ///< an address, never a name; empty for all addresses
    quint16 port = 0;

    /// True if only this machine can connect.
    bool isLoopback() const;
};
Result<ListenAddress> parseListenAddress(const QString& text);

/// The subset of HTTP that a monitor needs: GET and HEAD of a few paths, one request per
/// connection. Rejects requests that are too large or too slow, and connections beyond the limit.
/// Lives in one thread.
class HttpEndpoint final : public QObject
{
    Q_OBJECT

public:
    /// The limits for clients; a client that exceeds them is rejected.
    struct Limits
    {
        qsizetype headerBytes = 8 * 1024;
        int connections = 64;
        int requestMs = 10'000; ///< from the connection to the end of the answer
    };
    /// A status, a Content-Type and the body for GET.
    struct Answer
    {
        int status = 200;
        QByteArray type;
        QByteArray body;
    };
    /// accept: the value of the header Accept.
    using Handler = std::function<Answer(const QByteArray& accept)>;

    explicit HttpEndpoint(Limits limits, QObject* parent = nullptr);
    ~HttpEndpoint() override;

    void add(const QByteArray& path, Handler handler);
    /// Requires the password, by Basic authentication with any user name. Empty: none is required.
    void setPassword(const QByteArray& password) { m_password = password; }
    /// Errors: NotPossible, with the system's text.
    Result<void> listen(const ListenAddress& address);
    quint16 port() const;

private:
    void onConnection();
    bool mayAsk(const QByteArray& header) const;
    void read(QTcpSocket* socket);
    void answer(QTcpSocket* socket, const QByteArray& header);
    void send(QTcpSocket* socket, const Answer& answer, bool withBody) const;

    Limits m_limits;
    QTcpServer* m_server;
    QHash<QByteArray, Handler> m_handlers;
    QByteArray m_password;
    QHash<QTcpSocket*, QByteArray> m_open; ///< the bytes received so far
};

} // namespace lk
