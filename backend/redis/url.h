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
    /// The kind of deployment at the address.
    enum class Deployment : quint8 {
        Detect,   ///< as the server reports it: redis://, rediss://, unix://
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
    QString masterName;          ///< the group's name at the Sentinels
    QString path;                ///< the path of the unix socket
    QString user;                ///< the user on the servers that hold the data, as is the password
    QString password;
    QString sentinelUser; ///< the user on the Sentinels, which have users of their own
    QString sentinelPassword;
    int database = 0;
    QString caFile;     ///< PEM; empty: the system's authorities
    QString certFile;   ///< PEM; empty: no client certificate
    QString keyFile;    ///< PEM; empty: in certFile
    QString serverName; ///< the name expected in the server's certificate (SNI); empty: host
    QString clientName; ///< empty: the connection's own
    QString sshJump;    ///< "ops@bastion:22", as ssh takes it; empty: reached directly
    /// Address mappings for servers that announce another address (NAT, tunnels): from the
    /// announced one to the reachable one.
    std::vector<std::pair<Address, Address>> addressMap;

    static constexpr quint16 defaultPort = 6379;
    static constexpr quint16 defaultSentinelPort = 26379;

    /// Host and port, then the others.
    std::vector<Address> addresses() const;
    /// Returns the reachable address of the server that announces that address.
    Address mapped(const Address& announced) const;
    /// Returns the URL of another single server of this deployment by its announced address, with
    /// the same login, TLS, database, client name and options.
    ServerUrl at(const Address& announced) const;
    /// Returns the URL of a single Sentinel at exactly that address, with the Sentinels' login.
    ServerUrl sentinelAt(const Address& reached) const;

    /// The text to show and log: "127.0.0.1:6379/0", "[::1]:6379/2", "/run/redis.sock/0"; for a
    /// cluster its first address; for a Sentinel group "127.0.0.1:26379/mymaster/0". Never contains
    /// user or password.
    QString endpoint() const;
    /// The URL without its passwords, to be remembered on disk.
    QString withoutPassword() const;

    bool operator==(const ServerUrl&) const = default;
};

/// Parses a URL. The error's detail says what is wrong and never repeats a password.
Result<ServerUrl> parseServerUrl(const QString& text);

} // namespace lk
