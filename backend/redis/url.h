// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

namespace lk {

/// Where a server is and how to get in.
///   redis://[user][:password]@host[:port][/db]      rediss://... the same over TLS
///   unix:///path/to/socket[?db=N]                   redis+unix:// is accepted too
/// Options after "?": db=N, name=CLIENTNAME, and for rediss: ca=FILE, cert=FILE and key=FILE (PEM;
/// this client's own certificate and its key, which may be in one file), sni=NAME. A bare
/// "host:port" or
/// "/path/to/socket" is accepted as redis:// or unix://. User and password are percent-decoded.
struct ServerUrl
{
    enum class Scheme : quint8 { Tcp, Tls, Unix };

    Scheme scheme = Scheme::Tcp;
    QString host = QStringLiteral("127.0.0.1");
    quint16 port = 6379;
    QString path; ///< of the unix socket
    QString user;
    QString password;
    int database = 0;
    QString caFile;     ///< PEM; empty: the system's authorities
    QString certFile;   ///< PEM; empty: the server gets no certificate of this client's
    QString keyFile;    ///< PEM; empty: in certFile
    QString serverName; ///< what the server's certificate is for (SNI); empty: host
    QString clientName; ///< empty: the connection's own

    /// What is shown and logged: "127.0.0.1:6379/0", "[::1]:6379/2", "/run/redis.sock/0".
    /// Never holds user or password.
    QString endpoint() const;
    /// The URL without its password, to be remembered on disk.
    QString withoutPassword() const;

    bool operator==(const ServerUrl&) const = default;
};

/// The error's detail says what is wrong and never repeats the password.
Result<ServerUrl> parseServerUrl(const QString& text);

} // namespace lk
