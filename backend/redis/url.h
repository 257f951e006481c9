// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace lk {

/// Where a server, a Sentinel group or a cluster is and how to get in.
///   redis://[user][:password]@host[:port][/db]      rediss://... the same over TLS
///   unix:///path/to/socket[?db=N]                   redis+unix:// is accepted too
///   redis-sentinel://[user][:password]@host[:port][,host[:port]...]/MASTER[/db]
///   redis-cluster://[user][:password]@host[:port][,host[:port]...]
/// rediss-sentinel:// and rediss-cluster:// are these over TLS. A Sentinel's port is 26379 where
/// none is given, any other's 6379. A bare "host:port" or "/path/to/socket" is accepted as redis://
/// or unix://. User and password are percent-decoded.
/// Options after "?": db=N, name=CLIENTNAME; over TLS: ca=FILE, cert=FILE and key=FILE (PEM; this
/// client's own certificate and its key, which may be in one file), sni=NAME; cluster=no;
/// sentinel_user=NAME and sentinel_password=TEXT; map=ANNOUNCED=REACHED[,...], each a host:port;
/// ssh=[USER@]HOST[:PORT], the jump host that all of it is reached through.
/// ssh://[user@]jump[:port]/ADDRESS is the same, ADDRESS being any of the above; without one it is
/// 127.0.0.1:6379 as the jump host sees it.
struct ServerUrl
{
    enum class Scheme : quint8 { Tcp, Tls, Unix };
    /// What stands behind the address.
    enum class Deployment : quint8 {
        Detect,   ///< what the server says that it is: redis://, rediss://, unix://
        Node,     ///< that server alone, even if it belongs to a cluster: ?cluster=no
        Cluster,  ///< redis-cluster://: the servers are some of its nodes
        Sentinel, ///< redis-sentinel://: the servers are Sentinels, which know the master
    };

    /// A host and its port.
    struct Address
    {
        QString host;
        quint16 port = 0;

        QString text() const; ///< "10.0.0.5:6379", "[::1]:7"
        bool operator==(const Address&) const = default;
    };

    Scheme scheme = Scheme::Tcp;
    Deployment deployment = Deployment::Detect;
    QString host = QStringLiteral("127.0.0.1");
    quint16 port = 6379;
    std::vector<Address> others; ///< further Sentinels, or nodes of the cluster
    QString masterName;          ///< what the Sentinels call the group
    QString path;                ///< of the unix socket
    QString user;                ///< of the servers that hold the data, and so is the password
    QString password;
    QString sentinelUser; ///< Sentinels have users of their own
    QString sentinelPassword;
    int database = 0;
    QString caFile;     ///< PEM; empty: the system's authorities
    QString certFile;   ///< PEM; empty: the server gets no certificate of this client's
    QString keyFile;    ///< PEM; empty: in certFile
    QString serverName; ///< what the server's certificate is for (SNI); empty: host
    QString clientName; ///< empty: the connection's own
    QString sshJump;    ///< "ops@bastion:22", as ssh takes it; empty: reached directly
    /// Where servers are reached that announce another address (NAT, tunnels): that one first.
    std::vector<std::pair<Address, Address>> addressMap;

    static constexpr quint16 defaultPort = 6379;
    static constexpr quint16 defaultSentinelPort = 26379;

    /// Host and port, then the others.
    std::vector<Address> addresses() const;
    /// Where to reach what announces itself with that address.
    Address mapped(const Address& announced) const;
    /// Another server of this deployment, alone, by the address that it announces: with the same
    /// login, TLS, database, client name and options.
    ServerUrl at(const Address& announced) const;
    /// One of the Sentinels, alone, at exactly that address, with the login that they have.
    ServerUrl sentinelAt(const Address& reached) const;

    /// What is shown and logged: "127.0.0.1:6379/0", "[::1]:6379/2", "/run/redis.sock/0"; of a
    /// cluster its first address; of a Sentinel group "127.0.0.1:26379/mymaster/0".
    /// Never holds user or password.
    QString endpoint() const;
    /// The URL without its passwords, to be remembered on disk.
    QString withoutPassword() const;

    bool operator==(const ServerUrl&) const = default;
};

/// The error's detail says what is wrong and never repeats a password.
Result<ServerUrl> parseServerUrl(const QString& text);

} // namespace lk
