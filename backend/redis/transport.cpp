// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/transport.h"

#include "backend/platform/sockets.h"
#include "backend/redis/sshtunnel.h"

#include <QFile>
#include <QLocalSocket>
#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>

namespace lk {

namespace {

// Bytes that may wait unread on our side. Beyond that TCP itself slows down the server.
constexpr qint64 readAhead = 1024 * 1024;

constexpr int sshEndsMs = 2000; // time for ssh to report why it closed

} // namespace

Transport::Transport(ServerUrl url, QObject* parent)
    : QObject(parent)
    , m_url(std::move(url))
{}

Transport::~Transport()
{
    abort();
}

void Transport::open()
{
    switch (m_url.scheme) {
    case ServerUrl::Scheme::Tcp:
        return openTcp();
    case ServerUrl::Scheme::Tls:
        return openTls();
    case ServerUrl::Scheme::Unix:
        return openUnix();
    }
}

void Transport::watch(QTcpSocket* socket)
{
    m_tcp = socket;
    m_device = socket;
    socket->setProxy(QNetworkProxy::NoProxy);
    socket->setReadBufferSize(readAhead);
    connect(socket, &QTcpSocket::hostFound, this, &Transport::resolved);
    connect(socket, &QTcpSocket::connected, this, [this, socket] {
        setReached();
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        socket->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    });
    connect(socket, &QTcpSocket::readyRead, this, [this] {
        setReached();
        emit readyRead();
    });
    connect(socket, &QTcpSocket::errorOccurred, this, &Transport::tcpFailed);
    connect(socket, &QTcpSocket::disconnected, this, &Transport::closed);
}

void Transport::setReached()
{
    if (!std::exchange(m_reached, true))
        emit reached();
}

void Transport::openTcp()
{
    auto* socket = new QTcpSocket(this);
    watch(socket);
    connect(socket, &QTcpSocket::connected, this, &Transport::connected);
    if (m_url.sshJump.isEmpty())
        return socket->connectToHost(m_url.host, m_url.port);
    if (startSsh())
        emit connected(); // written bytes wait until ssh is connected
}

// The socket is one end of ssh's forwarding then.
bool Transport::startSsh()
{
    m_ssh = new SshTunnel(m_url.sshJump, {m_url.host, m_url.port}, this);
    connect(m_ssh, &SshTunnel::loggedIn, this, &Transport::setReached);
    const Result<int> end = m_ssh->open();
    if (!end) {
        fail(end.error());
        return false;
    }
    m_tcp->setSocketDescriptor(*end);
    emit resolved();
    return !m_failed && m_tcp->state() == QAbstractSocket::ConnectedState;
}

// Only ssh knows whether the server closed or ssh failed, a moment later.
void Transport::closed()
{
    const auto tell = [this] {
        const Error closed{ErrorCode::ServerClosed, {}};
        fail(m_ssh ? m_ssh->error().value_or(closed) : closed);
    };
    if (!m_ssh || m_ssh->hasEnded())
        return tell();
    connect(m_ssh, &SshTunnel::ended, this, tell);
    QTimer::singleShot(sshEndsMs, this, tell);
}

void Transport::openTls()
{
    if (!QSslSocket::supportsSsl())
        return fail({ErrorCode::TlsUnavailable, {}});
    auto* socket = new QSslSocket(this);
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setPeerVerifyMode(QSslSocket::VerifyPeer);
    if (!m_url.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities = QSslCertificate::fromPath(
            m_url.caFile, QSsl::Pem, QSslCertificate::PatternSyntax::FixedString);
        if (authorities.isEmpty())
            return fail({ErrorCode::TlsFailed, tr("no PEM certificate in %1").arg(m_url.caFile)});
        tls.setCaCertificates(authorities);
    }
    if (const Result<void> added = addOwnCertificate(tls); !added)
        return fail(added.error());
    socket->setSslConfiguration(tls);
    watch(socket);
    connect(socket, &QSslSocket::encrypted, this, &Transport::connected);
    // Stored for the message only. Errors are never ignored, so the handshake fails by itself.
    connect(socket, &QSslSocket::sslErrors, this, [this](const QList<QSslError>& errors) {
        if (!errors.isEmpty())
            m_certificateProblem = errors.first().errorString();
    });
    const QString name = m_url.serverName.isEmpty() ? m_url.host : m_url.serverName;
    if (m_url.sshJump.isEmpty())
        return socket->connectToHostEncrypted(m_url.host, m_url.port, name);
    if (!startSsh())
        return;
    socket->setPeerVerifyName(name);
    socket->startClientEncryption();
}

Result<void> Transport::addOwnCertificate(QSslConfiguration& tls) const
{
    if (m_url.certFile.isEmpty())
        return {};
    const auto read = [](const QString& path) -> Result<QByteArray> {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return failure(ErrorCode::FileError,
                           QStringLiteral("%1: %2").arg(path, file.errorString()));
        return file.readAll();
    };
    const QString keyFile = m_url.keyFile.isEmpty() ? m_url.certFile : m_url.keyFile;
    const Result<QByteArray> certificate = read(m_url.certFile);
    const Result<QByteArray> secret = read(keyFile);
    if (!certificate)
        return tl::unexpected<Error>(certificate.error());
    if (!secret)
        return tl::unexpected<Error>(secret.error());
    const QList<QSslCertificate> chain = QSslCertificate::fromData(*certificate, QSsl::Pem);
    if (chain.isEmpty())
        return failure(ErrorCode::FileError, tr("no PEM certificate in %1").arg(m_url.certFile));
    QSslKey key;
    for (const QSsl::KeyAlgorithm kind : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        if (key.isNull())
            key = QSslKey(*secret, kind, QSsl::Pem, QSsl::PrivateKey);
    }
    if (key.isNull())
        return failure(ErrorCode::FileError,
                       tr("no PEM private key without a passphrase in %1").arg(keyFile));
    tls.setLocalCertificateChain(chain);
    tls.setPrivateKey(key);
    return {};
}

// Only OpenSSL's texts distinguish these failures.
void Transport::tlsFailed(const QString& said)
{
    const auto says = [&said](std::initializer_list<const char*> texts) {
        return std::any_of(texts.begin(), texts.end(), [&said](const char* text) {
            return said.contains(QLatin1String(text));
        });
    };
    if (says({"wrong version number", "packet length too long", "unsupported protocol record"}))
        return fail({ErrorCode::NoTlsThere, m_url.endpoint()});
    if (says({"alert certificate required", "alert unknown ca", "alert bad certificate",
              "alert handshake failure"}))
        return fail({ErrorCode::CertificateWanted, said});
    fail({ErrorCode::TlsFailed, said});
}

void Transport::openUnix()
{
    m_unix = new QLocalSocket(this);
    m_device = m_unix;
    m_unix->setReadBufferSize(readAhead);
    connect(m_unix, &QLocalSocket::connected, this, &Transport::connected);
    connect(m_unix, &QLocalSocket::readyRead, this, &Transport::readyRead);
    connect(m_unix, &QLocalSocket::errorOccurred, this, &Transport::unixFailed);
    connect(m_unix, &QLocalSocket::disconnected, this, [this] {
        fail({ErrorCode::ServerClosed, {}});
    });
    emit resolved();
    m_unix->connectToServer(m_url.path);
}

void Transport::abort()
{
    if (!m_device)
        return;
    m_device->disconnect(this);
    if (m_tcp)
        m_tcp->abort();
    if (m_unix)
        m_unix->abort();
    if (m_ssh) {
        m_ssh->disconnect(this);
        m_ssh->end();
    }
}

void Transport::write(const QByteArray& bytes)
{
    if (!m_device)
        return;
    // The server has sent its reason and closed. A failed write to a local socket would discard
    // unread bytes, so reading handles the rest.
    if (m_unix && m_unix->isOpen() && hasHungUp(int(m_unix->socketDescriptor())))
        return;
    // The socket is closed but has not reported it yet; writing would only warn.
    if (!m_device->isOpen() || m_device->write(bytes) != bytes.size())
        return fail({ErrorCode::Network, m_device->errorString()});
    // Writes at once as much as possible without waiting. Otherwise a socket writes when control
    // returns to the event loop, and the server would be idle until then.
    if (m_tcp)
        m_tcp->flush();
    else if (m_unix)
        m_unix->flush();
}

qint64 Transport::read(char* bytes, qint64 size)
{
    // A local socket stays open slightly longer than its underlying device, which warns on read.
    const bool gone = m_unix && m_unix->bytesAvailable() == 0;
    const bool readable = m_device && m_device->isReadable() && !gone;
    return readable ? std::max(qint64(0), m_device->read(bytes, size)) : 0;
}

void Transport::fail(Error error)
{
    if (std::exchange(m_failed, true))
        return;
    emit failed(error);
}

void Transport::tcpFailed()
{
    switch (m_tcp->error()) {
    case QAbstractSocket::HostNotFoundError:
        return fail({ErrorCode::NameNotFound, m_url.host});
    case QAbstractSocket::ConnectionRefusedError:
        return fail({ErrorCode::Refused, m_url.endpoint()});
    case QAbstractSocket::RemoteHostClosedError:
        return closed();
    case QAbstractSocket::SocketTimeoutError:
        return fail({ErrorCode::Timeout, tr("connecting to %1").arg(m_url.endpoint())});
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        return tlsFailed(m_certificateProblem.isEmpty() ? m_tcp->errorString()
                                                        : m_certificateProblem);
    default:
        return m_ssh ? closed() : fail({ErrorCode::Network, m_tcp->errorString()});
    }
}

void Transport::unixFailed()
{
    switch (m_unix->error()) {
    case QLocalSocket::ServerNotFoundError:
        return fail({ErrorCode::Refused, tr("%1 (no such file)").arg(m_url.path)});
    case QLocalSocket::ConnectionRefusedError:
        return fail({ErrorCode::Refused, m_url.path});
    case QLocalSocket::PeerClosedError:
        return fail({ErrorCode::ServerClosed, {}});
    case QLocalSocket::SocketAccessError:
        return fail({ErrorCode::Network, tr("no permission to use %1").arg(m_url.path)});
    case QLocalSocket::SocketTimeoutError:
        return fail({ErrorCode::Timeout, tr("connecting to %1").arg(m_url.endpoint())});
    default:
        return fail({ErrorCode::Network, m_unix->errorString()});
    }
}

} // namespace lk
