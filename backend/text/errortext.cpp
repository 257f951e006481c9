// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/errortext.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct ErrorText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Error)
};

// The server's message is long, and only a part of it names the error.
QString cannotSaveText(const QString& said)
{
    const QString aof = QStringLiteral("AOF file");
    const qsizetype at = said.indexOf(aof);
    if (at >= 0)
        return ErrorText::tr("The server rejects writes: it cannot write its append-only file (%1)")
            .arg(said.mid(at + aof.size()).remove(QLatin1String(": ")).trimmed());
    return ErrorText::tr("The server rejects writes: its last snapshot failed; see its log");
}

QString movedText(const Error& error)
{
    if (const std::optional<Redirection> to = redirectionOf(error)) {
        const QString key = to->key.isEmpty() ? ErrorText::tr("The key") : to->key;
        return to->migrating
                   ? ErrorText::tr("%1 is on another node, or belongs there: its slot %2 is being "
                                   "migrated to %3 (ASK)")
                         .arg(key, to->slot, to->node)
                   : ErrorText::tr("%1 is on another node of the cluster, %3 (MOVED, slot %2)")
                         .arg(key, to->slot, to->node);
    }
    if (error.detail.startsWith(QLatin1String("TRYAGAIN")))
        return ErrorText::tr("The slot is being migrated and its keys are split between two nodes "
                             "(TRYAGAIN)");
    if (error.detail.startsWith(QLatin1String("CROSSSLOT")))
        return ErrorText::tr("The keys are in different slots of the cluster (CROSSSLOT)");
    return ErrorText::tr("The key is on another node of the cluster: %1").arg(error.detail);
}

QString movedAdvice(const Error& error)
{
    const std::optional<Redirection> to = redirectionOf(error);
    if ((to && to->migrating) || error.detail.startsWith(QLatin1String("TRYAGAIN")))
        return ErrorText::tr("Wait until the slot has been migrated, then connect to that node.");
    if (error.detail.startsWith(QLatin1String("CROSSSLOT")))
        return {};
    return ErrorText::tr(
        "Only this node's keys are shown; connect to the other node for the rest.");
}

// The permission that the user needs, derived from the denied operation.
QString permissionAdvice(const Error& error)
{
    const QString& denied = error.detail;
    if (const std::optional<int> database = deniedDatabaseOf(error))
        return ErrorText::tr("Grant this user the database: ACL SETUSER NAME db=%1").arg(*database);
    if (denied.contains(QLatin1String("eval"), Qt::CaseInsensitive))
        return ErrorText::tr("Actions are scripts: they need a user with +eval +evalsha and the "
                             "commands listed in the plan.");
    if (denied.contains(QLatin1String("key"), Qt::CaseInsensitive))
        return ErrorText::tr("Use a user whose key patterns (~PATTERN) cover this key.");
    return ErrorText::tr("Reading needs a user with +@read +scan +info +time +client ~*");
}

// True if the endpoint is a socket's path.
bool isSocket(const Error& error)
{
    return error.detail.startsWith(QLatin1Char('/'));
}

// True if the server has no password. The password may belong to another user or server.
bool hasNoPassword(const Error& error)
{
    return error.detail.contains(QLatin1String("without any password configured")) ||
           error.detail.contains(QLatin1String("but no password is set")); // before Redis 6
}

} // namespace

QString errorText(const Error& error)
{
    const QString& d = error.detail;
    switch (error.code) {
    case ErrorCode::BadUrl:
        return ErrorText::tr("Invalid address: %1").arg(d);
    case ErrorCode::BadConfig:
    case ErrorCode::BadArgument:
    case ErrorCode::FileError:
    case ErrorCode::NotInstalled:
    case ErrorCode::NotFound:
    case ErrorCode::NotPossible:
        return d;
    case ErrorCode::SessionReadOnly:
        return ErrorText::tr("This session is read-only");
    case ErrorCode::NameNotFound:
        return ErrorText::tr("Host not found: %1").arg(d);
    case ErrorCode::Refused:
        return isSocket(error) ? ErrorText::tr("No server listens on the socket %1").arg(d)
                               : ErrorText::tr("Connection refused by %1").arg(d);
    case ErrorCode::Timeout:
        return ErrorText::tr("Timed out while %1").arg(d);
    case ErrorCode::TlsFailed:
        return ErrorText::tr("TLS certificate not trusted: %1").arg(d);
    case ErrorCode::TlsUnavailable:
        return ErrorText::tr("This Qt installation has no TLS");
    case ErrorCode::TlsWanted:
        return ErrorText::tr("%1 expects TLS").arg(d);
    case ErrorCode::NoTlsThere:
        return ErrorText::tr("%1 does not speak TLS").arg(d);
    case ErrorCode::CertificateWanted:
        return ErrorText::tr("The server requires a client certificate that it trusts (%1)").arg(d);
    case ErrorCode::ServerClosed:
        return d.isEmpty() ? ErrorText::tr("The server closed the connection")
                           : ErrorText::tr("%1 closed the connection without an answer").arg(d);
    case ErrorCode::Network:
        return ErrorText::tr("Connection failed: %1").arg(d);
    case ErrorCode::Protocol:
        return ErrorText::tr("Not a Redis server (%1)").arg(d);
    case ErrorCode::ReplyTooLarge:
        return ErrorText::tr("A reply was too large (%1)").arg(d);
    case ErrorCode::NoAuth:
        return ErrorText::tr("The server requires a password");
    case ErrorCode::WrongPass:
        return hasNoPassword(error)
                   ? ErrorText::tr("A password was given, and the server's default user has none")
                   : ErrorText::tr("Wrong user name or password");
    case ErrorCode::SentinelNoAuth:
        return ErrorText::tr("The Sentinels require a password of their own (%1)").arg(d);
    case ErrorCode::SentinelWrongPass:
        return ErrorText::tr("The Sentinels refuse this user name or password (%1)").arg(d);
    case ErrorCode::NoPerm:
        return ErrorText::tr("Permission denied: %1").arg(d);
    case ErrorCode::Loading:
        return d.isEmpty()
                   ? ErrorText::tr("The server is still loading its data from disk")
                   : ErrorText::tr("The server is still loading its data from disk (%1)").arg(d);
    case ErrorCode::Busy:
        return ErrorText::tr("The server is busy running a script");
    case ErrorCode::MasterDown:
        return d.isEmpty()
                   ? ErrorText::tr("This replica has lost its master and does not serve stale data")
                   : ErrorText::tr(
                         "This replica has lost its master %1 and does not serve stale data")
                         .arg(d);
    case ErrorCode::CannotSave:
        return cannotSaveText(d);
    case ErrorCode::TooManyClients:
        return ErrorText::tr("The server accepts no more clients (maxclients reached)");
    case ErrorCode::ReadOnly:
        return ErrorText::tr("This server is a read-only replica");
    case ErrorCode::Replica:
        return d.isEmpty()
                   ? ErrorText::tr("This server is a replica: run actions on its master")
                   : ErrorText::tr("This server is a replica of %1: run actions there").arg(d);
    case ErrorCode::Moved:
        return movedText(error);
    case ErrorCode::ClusterReplica:
        return d.isEmpty()
                   ? ErrorText::tr("This server is a replica in a cluster, and its master is "
                                   "unknown")
                   : ErrorText::tr("This server is a replica in a cluster; its master is %1")
                         .arg(d);
    case ErrorCode::ClusterDown:
        return d.isEmpty() ? ErrorText::tr("The cluster is down")
                           : ErrorText::tr("The cluster is down: %1").arg(d);
    case ErrorCode::NodeDown:
        return ErrorText::tr("Cluster node %1 does not answer").arg(d);
    case ErrorCode::WrongType:
        return ErrorText::tr("The key has an unexpected type: %1").arg(d);
    case ErrorCode::NoScript:
        return ErrorText::tr("The server no longer has the script");
    case ErrorCode::OutOfMemory:
        return ErrorText::tr("The server is out of memory");
    case ErrorCode::ServerError:
        return ErrorText::tr("Server error: %1").arg(d);
    case ErrorCode::Undecodable:
        return ErrorText::tr("The data does not fit this layout: %1").arg(d);
    case ErrorCode::Cancelled:
        return ErrorText::tr("Cancelled");
    }
    return d;
}

QString errorAdvice(const Error& error)
{
    switch (error.code) {
    case ErrorCode::BadUrl:
        return ErrorText::tr("Use redis://user:password@host:6379/0, rediss://… or "
                             "unix:///path/to/redis.sock.");
    case ErrorCode::NameNotFound:
        return ErrorText::tr("Check the spelling and that this machine is on the right network.");
    case ErrorCode::Refused:
        return isSocket(error)
                   ? ErrorText::tr(
                         "Check that the server is running and that its unixsocket setting "
                         "has this path.")
                   : ErrorText::tr(
                         "Check that the server is running and that host and port are right.");
    case ErrorCode::Timeout:
        return ErrorText::tr("The server or the network is slow, or a firewall drops the packets.");
    case ErrorCode::TlsFailed:
        return ErrorText::tr(
            "Pass the authority that signed it with ?ca=FILE, or check the host name.");
    case ErrorCode::TlsWanted:
        return ErrorText::tr("Use rediss:// instead of redis://.");
    case ErrorCode::NoTlsThere:
        return ErrorText::tr("If the port is plain text, use redis:// instead of rediss://.");
    case ErrorCode::CertificateWanted:
        return ErrorText::tr("Pass one with ?cert=FILE&key=FILE, signed by an authority that the "
                             "server trusts.");
    case ErrorCode::ServerClosed:
        return error.detail.isEmpty()
                   ? QString()
                   : ErrorText::tr("If the port is TLS, use rediss:// instead of redis://.");
    case ErrorCode::CannotSave:
        return ErrorText::tr("Free disk space on the server; reading continues meanwhile.");
    case ErrorCode::TooManyClients:
        return ErrorText::tr("Close other clients or raise maxclients.");
    case ErrorCode::Protocol:
        return ErrorText::tr("Check the port: another service may be listening there, or TLS is "
                             "required (rediss://).");
    case ErrorCode::WrongPass:
        if (hasNoPassword(error))
            return ErrorText::tr("Connect without a password, or name another user.");
        [[fallthrough]];
    case ErrorCode::NoAuth:
        return ErrorText::tr("Enter the user name and password for this server.");
    case ErrorCode::SentinelNoAuth:
    case ErrorCode::SentinelWrongPass:
        return ErrorText::tr(
            "It is not the servers' password: pass it with "
            "?sentinel_user=NAME&sentinel_password=TEXT, or enter the Sentinels' user "
            "and password when you connect.");
    case ErrorCode::NoPerm:
        return permissionAdvice(error);
    case ErrorCode::Loading:
    case ErrorCode::Busy:
    case ErrorCode::MasterDown:
    case ErrorCode::ClusterDown:
    case ErrorCode::NodeDown:
        return ErrorText::tr("Retrying automatically.");
    case ErrorCode::Replica:
        return ErrorText::tr("Connect to the master to run actions.");
    case ErrorCode::SessionReadOnly:
        return ErrorText::tr("Turn on write mode first; it turns off automatically.");
    case ErrorCode::Moved:
        return movedAdvice(error);
    case ErrorCode::ClusterReplica:
        return ErrorText::tr(
            "Connect to the master: a cluster's replica redirects all reads there.");
    default:
        return {};
    }
}

} // namespace lk
