// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/url.h"

#include <QObject>

class QIODevice;
class QLocalSocket;
class QSslConfiguration;
class QTcpSocket;

namespace lk {

class SshTunnel;

/// One try at one socket: TCP, TLS or unix. Lives in the thread that made it; made anew for
/// every try. After failed() nothing more is told; what had come before can still be read.
class Transport final : public QObject
{
    Q_OBJECT

public:
    explicit Transport(ServerUrl url, QObject* parent = nullptr);
    ~Transport() override;

    void open();
    void abort();

    /// True once the host took the connection, whether TLS was agreed on or not; through ssh, once
    /// the jump host did, or something came.
    bool isReached() const { return m_reached; }
    /// Null where the server is reached directly.
    const SshTunnel* tunnel() const { return m_ssh; }

    /// Takes all of it or fails the transport.
    void write(const QByteArray& bytes);
    /// At most size bytes; how many there were, 0 for none.
    qint64 read(char* bytes, qint64 size);

signals:
    void resolved();  ///< the host's address is known, or is the jump host's affair
    void reached();   ///< isReached() became true
    void connected(); ///< bytes can go; over TLS: the certificate was accepted
    void readyRead();
    void failed(const lk::Error& error);

private:
    void openTcp();
    void openTls();
    bool startSsh();
    void setReached();
    void closed();
    Result<void> addOwnCertificate(QSslConfiguration& tls) const; ///< errors: FileError
    void tlsFailed(const QString& said);
    void openUnix();
    void watch(QTcpSocket* socket);
    void fail(Error error);
    void tcpFailed();
    void unixFailed();

    ServerUrl m_url;
    QIODevice* m_device = nullptr; ///< one of the two below, a child
    QTcpSocket* m_tcp = nullptr;
    QLocalSocket* m_unix = nullptr;
    SshTunnel* m_ssh = nullptr; ///< a child; null where none is needed
    QString m_certificateProblem;
    bool m_reached = false;
    bool m_failed = false;
};

} // namespace lk
