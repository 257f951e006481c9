// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QHash>
#include <QObject>

#include <functional>

class QTcpServer;
class QTcpSocket;

namespace lk {

/// ADDRESS:PORT as written on a command line: "127.0.0.1:9877", "[::1]:9877", ":9877" for all
/// addresses. Errors: BadArgument.
struct ListenAddress
{
    QString host; ///< an address, never a name; empty: all there are
    quint16 port = 0;

    /// Reached from this machine alone.
    bool isLoopback() const;
};
Result<ListenAddress> parseListenAddress(const QString& text);

/// The least of HTTP that a monitor needs: GET and HEAD of a few paths, one request a connection.
/// What is too large, too slow or one too many is turned away. Lives in one thread.
class HttpEndpoint final : public QObject
{
    Q_OBJECT

public:
    /// What clients may take; whoever passes it is turned away.
    struct Limits
    {
        qsizetype headerBytes = 8 * 1024;
        int connections = 64;
        int requestMs = 10'000; ///< from the first moment until the answer is taken
    };
    /// A status, a Content-Type and what is sent for GET.
    struct Answer
    {
        int status = 200;
        QByteArray type;
        QByteArray body;
    };
    /// accept: the header of that name.
    using Handler = std::function<Answer(const QByteArray& accept)>;

    explicit HttpEndpoint(Limits limits, QObject* parent = nullptr);
    ~HttpEndpoint() override;

    void add(const QByteArray& path, Handler handler);
    /// Answers only who gives it, by Basic authentication with any user name. Empty: everybody.
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
    QHash<QTcpSocket*, QByteArray> m_open; ///< what each has sent so far
};

} // namespace lk
