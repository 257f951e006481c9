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

/// One attempt to connect one socket: TCP, TLS or unix. Each attempt needs a new object. No signal
/// follows failed(); bytes received before can still be read. Lives in the thread that made it.
class Transport final : public QObject
{
    Q_OBJECT

public:
    explicit Transport(ServerUrl url, QObject* parent = nullptr);
    ~Transport() override;

    void open();
    void abort();

    /// True once the host has accepted the connection, before TLS is agreed on. Through ssh: once
    /// the jump host has accepted it, or bytes have arrived.
    bool isReached() const { return m_reached; }
    /// Null if the server is reached directly.
    const SshTunnel* tunnel() const { return m_ssh; }

    /// Writes all bytes or fails the transport.
    void write(const QByteArray& bytes);
    /// Reads at most size bytes and returns their number; 0 if there are none.
    qint64 read(char* bytes, qint64 size);

signals:
    void resolved();  ///< the host's address is known, or the jump host resolves it
    void reached();   ///< isReached() became true
    void connected(); ///< bytes can be sent; over TLS: the certificate was accepted
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
    SshTunnel* m_ssh = nullptr; ///< a child; null without ssh
    QString m_certificateProblem;
    bool m_reached = false;
    bool m_failed = false;
};

} // namespace lk
