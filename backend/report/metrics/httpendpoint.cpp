// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/metrics/httpendpoint.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::HttpEndpoint)
};

QByteArray reasonOf(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    default:
        return "Service Unavailable";
    }
}

QByteArray headerValue(const QByteArray& header, const QByteArray& name)
{
    for (const QByteArray& line : header.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.left(colon).trimmed().toLower() == name)
            return line.mid(colon + 1).trimmed();
    }
    return {};
}

} // namespace

Result<ListenAddress> parseListenAddress(const QString& text)
{
    const auto wrong = [&] {
        return failure(ErrorCode::BadArgument,
                       Text::tr("--listen %1: write ADDRESS:PORT, such as 127.0.0.1:9877, "
                                "[::1]:9877 or :9877")
                           .arg(text));
    };
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    bool isNumber = false;
    const uint port = colon < 0 ? 0 : text.mid(colon + 1).toUInt(&isNumber);
    if (colon < 0 || !isNumber || port > 65535)
        return wrong();
    QString host = text.left(colon);
    if (host.startsWith(QLatin1Char('[')) && host.endsWith(QLatin1Char(']')))
        host = host.mid(1, host.size() - 2);
    else if (host.contains(QLatin1Char(':')))
        return wrong(); // an IPv6 address without brackets, or a port too many
    if (host == QLatin1String("localhost"))
        host = QStringLiteral("127.0.0.1");
    if (!host.isEmpty() && QHostAddress(host).isNull())
        return wrong();
    return ListenAddress{host, quint16(port)};
}

bool ListenAddress::isLoopback() const
{
    return !host.isEmpty() && QHostAddress(host).isLoopback();
}

HttpEndpoint::HttpEndpoint(Limits limits, QObject* parent)
    : QObject(parent)
    , m_limits(limits)
    , m_server(new QTcpServer(this))
{
    connect(m_server, &QTcpServer::newConnection, this, &HttpEndpoint::onConnection);
}

HttpEndpoint::~HttpEndpoint()
{
    for (auto it = m_open.begin(); it != m_open.end(); ++it)
        it.key()->disconnect(this);
}

void HttpEndpoint::add(const QByteArray& path, Handler handler)
{
    m_handlers.insert(path, std::move(handler));
}

Result<void> HttpEndpoint::listen(const ListenAddress& address)
{
    const QHostAddress host =
        address.host.isEmpty() ? QHostAddress(QHostAddress::Any) : QHostAddress(address.host);
    if (!m_server->listen(host, address.port))
        return failure(ErrorCode::NotPossible, Text::tr("cannot listen on %1:%2: %3")
                                                   .arg(address.host)
                                                   .arg(address.port)
                                                   .arg(m_server->errorString()));
    return {};
}

quint16 HttpEndpoint::port() const
{
    return m_server->serverPort();
}

void HttpEndpoint::onConnection()
{
    while (QTcpSocket* socket = m_server->nextPendingConnection()) {
        socket->setParent(this);
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_open.remove(socket);
            socket->deleteLater();
        });
        socket->setReadBufferSize(m_limits.headerBytes + 1);
        m_open.insert(socket, {});
        // However it is spent: on sending the request or on taking the answer.
        QTimer::singleShot(m_limits.requestMs, socket, [socket] { socket->abort(); });
        if (m_open.size() > m_limits.connections) {
            send(socket, {503, "text/plain", "too many connections\n"}, true);
            continue;
        }
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        read(socket);
    }
}

void HttpEndpoint::read(QTcpSocket* socket)
{
    const auto received = m_open.find(socket);
    if (received == m_open.end() || socket->state() != QAbstractSocket::ConnectedState)
        return;
    *received += socket->read(m_limits.headerBytes + 1 - received->size());
    qsizetype end = received->indexOf("\r\n\r\n");
    if (end < 0)
        end = received->indexOf("\n\n");
    if (end < 0 && received->size() <= m_limits.headerBytes)
        return;
    socket->disconnect(this);
    connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
        m_open.remove(socket);
        socket->deleteLater();
    });
    // Discards further input: unread bytes would cut the answer off.
    connect(socket, &QTcpSocket::readyRead, socket, [socket] { socket->readAll(); });
    if (end < 0)
        return send(socket, {431, "text/plain", "header too large\n"}, true);
    answer(socket, received->left(end));
}

bool HttpEndpoint::mayAsk(const QByteArray& header) const
{
    if (m_password.isEmpty())
        return true;
    const QByteArray given = headerValue(header, "authorization");
    if (!given.toLower().startsWith("basic "))
        return false;
    const QByteArray pair = QByteArray::fromBase64(given.mid(6).trimmed());
    const qsizetype colon = pair.indexOf(':');
    // Compares digests, so that the time does not depend on how much of the password is right.
    const auto digest = [](const QByteArray& text) {
        return QCryptographicHash::hash(text, QCryptographicHash::Sha256);
    };
    return colon >= 0 && digest(pair.mid(colon + 1)) == digest(m_password);
}

void HttpEndpoint::answer(QTcpSocket* socket, const QByteArray& header)
{
    const QByteArrayList words =
        header.left(header.indexOf('\n') < 0 ? header.size() : header.indexOf('\n'))
            .trimmed()
            .split(' ');
    if (words.size() != 3 || !words[2].startsWith("HTTP/1.") || !words[1].startsWith('/'))
        return send(socket, {400, "text/plain", "bad request\n"}, true);
    if (!mayAsk(header))
        return send(socket, {401, "text/plain", "password needed\n"}, true);
    const bool head = words[0] == "HEAD";
    if (!head && words[0] != "GET")
        return send(socket, {405, "text/plain", "only GET and HEAD\n"}, true);
    const qsizetype query = words[1].indexOf('?');
    const auto handler = m_handlers.constFind(query < 0 ? words[1] : words[1].left(query));
    if (handler == m_handlers.cend())
        return send(socket, {404, "text/plain", "not found\n"}, !head);
    send(socket, (*handler)(headerValue(header, "accept").toLower()), !head);
}

void HttpEndpoint::send(QTcpSocket* socket, const Answer& answer, bool withBody) const
{
    QByteArray out = "HTTP/1.1 " + QByteArray::number(answer.status) + ' ' +
                     reasonOf(answer.status) + "\r\nContent-Type: " + answer.type +
                     "\r\nContent-Length: " + QByteArray::number(answer.body.size()) +
                     "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                     "Connection: close\r\n";
    if (answer.status == 405)
        out += "Allow: GET, HEAD\r\n";
    if (answer.status == 401)
        out += "WWW-Authenticate: Basic realm=\"lockkeeper\"\r\n";
    socket->write(out + "\r\n" + (withBody ? answer.body : QByteArray()));
    socket->flush();              // a client may have closed its side already
    socket->disconnectFromHost(); // once all of it is written
}

} // namespace lk
