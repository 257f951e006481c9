// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QMap>
#include <QSslConfiguration>
#include <QTcpServer>

#include <memory>
#include <vector>

namespace lk::test {

/// An HTTP server, plain or over TLS, that keeps its requests and sends the answers it is given. In
/// the test's own thread.
class HookServer final
{
public:
    struct Request
    {
        QByteArray line;                      ///< "POST /hook HTTP/1.1"
        QMap<QByteArray, QByteArray> headers; ///< names in lower case
        QByteArray body;
    };

    HookServer();

    bool listen(quint16 port = 0);
    /// PEM files.
    bool listenTls(const QString& certificate, const QString& key);
    void close(); ///< stops listening
    quint16 port() const { return m_port; }

    /// The next answers, one for each request; then 200. Empty: it never answers.
    void answer(const QByteArrayList& statusLines) { m_answers = statusLines; }
    void setHeaders(const QByteArray& lines) { m_headers = lines; }
    const std::vector<Request>& requests() const { return m_requests; }

private:
    void start(std::unique_ptr<QTcpServer> server);
    void read(QTcpSocket* socket);

    std::unique_ptr<QTcpServer> m_server;
    quint16 m_port = 0;
    QByteArrayList m_answers;
    QByteArray m_headers;
    std::vector<Request> m_requests;
};

} // namespace lk::test
