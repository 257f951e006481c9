// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/hookserver.h"

#include <QFile>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>

namespace lk::test {

HookServer::HookServer() = default;

void HookServer::start(std::unique_ptr<QTcpServer> server)
{
    m_server = std::move(server);
    QObject::connect(
        m_server.get(), &QTcpServer::pendingConnectionAvailable, m_server.get(), [this] {
            while (QTcpSocket* socket = m_server->nextPendingConnection()) {
                socket->setProperty("received", QByteArray());
                QObject::connect(socket, &QTcpSocket::readyRead, socket,
                                 [this, socket] { read(socket); });
                QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
                read(socket);
            }
        });
}

bool HookServer::listen(quint16 port)
{
    start(std::make_unique<QTcpServer>());
    const bool listens = m_server->listen(QHostAddress::LocalHost, port);
    m_port = m_server->serverPort();
    return listens;
}

bool HookServer::listenTls(const QString& certificate, const QString& key)
{
    QFile certificateFile(certificate);
    QFile keyFile(key);
    if (!certificateFile.open(QIODevice::ReadOnly) || !keyFile.open(QIODevice::ReadOnly))
        return false;
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificateChain(QSslCertificate::fromDevice(&certificateFile));
    tls.setPrivateKey(QSslKey(&keyFile, QSsl::Ec));
    tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    auto server = std::make_unique<QSslServer>();
    server->setSslConfiguration(tls);
    start(std::move(server));
    const bool listens = m_server->listen(QHostAddress::LocalHost);
    m_port = m_server->serverPort();
    return listens;
}

void HookServer::close()
{
    m_server.reset();
}

void HookServer::read(QTcpSocket* socket)
{
    QByteArray all = socket->property("received").toByteArray() + socket->readAll();
    socket->setProperty("received", all);
    const qsizetype end = all.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    Request request;
    const QList<QByteArray> lines = all.left(end).split('\n');
    request.line = lines.front().trimmed();
    for (const QByteArray& line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        request.headers.insert(line.left(colon).toLower(), line.mid(colon + 1).trimmed());
    }
    request.body = all.mid(end + 4);
    if (request.body.size() < request.headers.value("content-length").toLongLong())
        return;
    socket->setProperty("received", QByteArray());
    m_requests.push_back(request);
    const QByteArray status = m_answers.isEmpty() ? QByteArray("200 OK") : m_answers.takeFirst();
    if (status.isEmpty())
        return;
    socket->write("HTTP/1.1 " + status + "\r\n" + m_headers +
                  "Content-Length: 0\r\nConnection: close\r\n\r\n");
    socket->disconnectFromHost();
}

} // namespace lk::test
