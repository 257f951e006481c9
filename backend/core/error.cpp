// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"

#include "backend/core/keyname.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Error)
};

struct Prefix
{
    const char* word;
    ErrorCode code;
};

// The first word of an error reply is its class; see the server's own source for the list.
constexpr std::array prefixes{
    Prefix{"NOAUTH", ErrorCode::NoAuth},
    Prefix{"WRONGPASS", ErrorCode::WrongPass},
    Prefix{"NOPERM", ErrorCode::NoPerm},
    Prefix{"LOADING", ErrorCode::Loading},
    Prefix{"BUSY", ErrorCode::Busy},
    Prefix{"MASTERDOWN", ErrorCode::MasterDown},
    Prefix{"MISCONF", ErrorCode::CannotSave},
    Prefix{"READONLY", ErrorCode::ReadOnly},
    Prefix{"MOVED", ErrorCode::Moved},
    Prefix{"ASK", ErrorCode::Moved},
    Prefix{"CLUSTERDOWN", ErrorCode::ClusterDown},
    Prefix{"CROSSSLOT", ErrorCode::Moved},
    Prefix{"TRYAGAIN", ErrorCode::Moved},
    Prefix{"WRONGTYPE", ErrorCode::WrongType},
    Prefix{"NOSCRIPT", ErrorCode::NoScript},
    Prefix{"OOM", ErrorCode::OutOfMemory},
};

// The server's own words are long, and only one of them names the error.
QString cannotSaveText(const QString& said)
{
    const QString aof = QStringLiteral("AOF file");
    const qsizetype at = said.indexOf(aof);
    if (at >= 0)
        return Text::tr("The server refuses writes: it cannot write its append-only file (%1)")
            .arg(said.mid(at + aof.size()).remove(QLatin1String(": ")).trimmed());
    return Text::tr("The server refuses writes: its last snapshot failed, its log says why");
}

QString movedText(const Error& error)
{
    if (const std::optional<Redirection> to = redirectionOf(error)) {
        const QString key = to->key.isEmpty() ? Text::tr("The key") : to->key;
        return to->migrating
                   ? Text::tr("%1 lives on another node of the cluster, or is to be made there: its "
                              "slot %2 is being migrated to %3 (ASK)")
                         .arg(key, to->slot, to->node)
                   : Text::tr("%1 lives on another node of the cluster, %3 (MOVED, slot %2)")
                         .arg(key, to->slot, to->node);
    }
    if (error.detail.startsWith(QLatin1String("TRYAGAIN")))
        return Text::tr("The slot is being migrated to another node of the cluster, and its keys are "
                        "not all on one of them (TRYAGAIN)");
    if (error.detail.startsWith(QLatin1String("CROSSSLOT")))
        return Text::tr("The keys lie in different slots of the cluster (CROSSSLOT)");
    return Text::tr("The key lives on another node of the cluster: %1").arg(error.detail);
}

QString movedAdvice(const Error& error)
{
    const std::optional<Redirection> to = redirectionOf(error);
    if ((to && to->migrating) || error.detail.startsWith(QLatin1String("TRYAGAIN")))
        return Text::tr("Wait until the slot has been migrated, then connect to that node.");
    if (error.detail.startsWith(QLatin1String("CROSSSLOT")))
        return {};
    return Text::tr("This node's own keys are shown; connect to the other node for the rest.");
}

// What a user has to be allowed, by what was denied.
QString permissionAdvice(const QString& denied)
{
    if (denied.contains(QLatin1String("eval"), Qt::CaseInsensitive))
        return Text::tr("Actions are scripts: ask for a user with +eval +evalsha and the commands "
                        "that the plan lists.");
    if (denied.contains(QLatin1String("key"), Qt::CaseInsensitive))
        return Text::tr("Ask for a user whose key patterns (~PATTERN) cover this key.");
    return Text::tr("Ask for a user that may read: +@read +scan +info +time +client ~*");
}

} // namespace

std::optional<Redirection> redirectionOf(const Error& error)
{
    if (error.code != ErrorCode::Moved)
        return std::nullopt;
    // Whoever read it may have put the key's name before it, which may look like anything.
    static const QRegularExpression form(QStringLiteral("^(?:(.*): )?(MOVED|ASK) (\\d{1,5}) (\\S+)$"),
                                         QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = form.match(error.detail);
    if (!match.hasMatch())
        return std::nullopt;
    return Redirection{match.captured(2) == QLatin1String("ASK"), match.captured(1),
                       match.captured(3), match.captured(4)};
}

QString errorText(const Error& error)
{
    const QString& d = error.detail;
    switch (error.code) {
    case ErrorCode::BadUrl:
        return Text::tr("The address cannot be used: %1").arg(d);
    case ErrorCode::BadConfig:
    case ErrorCode::BadArgument:
    case ErrorCode::FileError:
    case ErrorCode::NotInstalled:
    case ErrorCode::NotFound:
    case ErrorCode::NotPossible:
        return d;
    case ErrorCode::SessionReadOnly:
        return Text::tr("This session is read-only");
    case ErrorCode::NameNotFound:
        return Text::tr("No such host: %1").arg(d);
    case ErrorCode::Refused:
        return Text::tr("Nothing accepts connections at %1").arg(d);
    case ErrorCode::Timeout:
        return Text::tr("No answer in time while %1").arg(d);
    case ErrorCode::TlsFailed:
        return Text::tr("The TLS connection was not trusted: %1").arg(d);
    case ErrorCode::TlsUnavailable:
        return Text::tr("This installation of Qt has no TLS");
    case ErrorCode::TlsWanted:
        return Text::tr("%1 speaks TLS, and was spoken to in plain text").arg(d);
    case ErrorCode::NoTlsThere:
        return Text::tr("%1 did not answer in TLS").arg(d);
    case ErrorCode::CertificateWanted:
        return Text::tr("The server did not accept this client without a certificate that it "
                        "trusts (%1)")
            .arg(d);
    case ErrorCode::ServerClosed:
        return d.isEmpty() ? Text::tr("The server closed the connection")
                           : Text::tr("%1 closed the connection before it answered").arg(d);
    case ErrorCode::Network:
        return Text::tr("The connection failed: %1").arg(d);
    case ErrorCode::Protocol:
        return Text::tr("What answers there does not speak the Redis protocol (%1)").arg(d);
    case ErrorCode::ReplyTooLarge:
        return Text::tr("A reply was larger than this console reads (%1)").arg(d);
    case ErrorCode::NoAuth:
        return Text::tr("The server asks for a password");
    case ErrorCode::WrongPass:
        return Text::tr("The server refused the user name or password");
    case ErrorCode::NoPerm:
        return Text::tr("This user may not do that: %1").arg(d);
    case ErrorCode::Loading:
        return d.isEmpty() ? Text::tr("The server is still loading its data from disk")
                           : Text::tr("The server is still loading its data from disk (%1)").arg(d);
    case ErrorCode::Busy:
        return Text::tr("The server is busy running a script");
    case ErrorCode::MasterDown:
        return d.isEmpty()
                   ? Text::tr("This replica has lost its master and does not serve stale data")
                   : Text::tr("This replica has lost its master %1 and does not serve stale data")
                         .arg(d);
    case ErrorCode::CannotSave:
        return cannotSaveText(d);
    case ErrorCode::TooManyClients:
        return Text::tr("The server takes no more clients (maxclients is reached)");
    case ErrorCode::ReadOnly:
        return Text::tr("This server is a read-only replica");
    case ErrorCode::Replica:
        return d.isEmpty() ? Text::tr("This server is a replica: actions go to its master")
                           : Text::tr("This server is a replica of %1: actions go to its master")
                                 .arg(d);
    case ErrorCode::Moved:
        return movedText(error);
    case ErrorCode::ClusterReplica:
        return d.isEmpty() ? Text::tr("This server is a replica of a cluster's node, and its master is "
                                      "not known")
                           : Text::tr("This server is a replica of a cluster's node; its master is %1")
                                 .arg(d);
    case ErrorCode::ClusterDown:
        return Text::tr("The cluster is down");
    case ErrorCode::WrongType:
        return Text::tr("The key holds another type than expected: %1").arg(d);
    case ErrorCode::NoScript:
        return Text::tr("The server no longer knows the script");
    case ErrorCode::OutOfMemory:
        return Text::tr("The server is out of memory");
    case ErrorCode::ServerError:
        return Text::tr("The server answered: %1").arg(d);
    case ErrorCode::Undecodable:
        return Text::tr("The data is not what this layout stores: %1").arg(d);
    case ErrorCode::Cancelled:
        return Text::tr("Cancelled");
    }
    return d;
}

QString errorAdvice(const Error& error)
{
    switch (error.code) {
    case ErrorCode::BadUrl:
        return Text::tr("Write it as redis://user:password@host:6379/0, rediss://… or "
                        "unix:///path/to/redis.sock.");
    case ErrorCode::NameNotFound:
        return Text::tr("Check the spelling and whether this machine is on the right network.");
    case ErrorCode::Refused:
        return Text::tr("Check that the server runs and that host and port are right.");
    case ErrorCode::Timeout:
        return Text::tr("The server or the way to it is slow; a firewall may drop the packets.");
    case ErrorCode::TlsFailed:
        return Text::tr("Give the authority that signed it with ?ca=FILE, or check the host name.");
    case ErrorCode::TlsWanted:
        return Text::tr("Write rediss:// in place of redis://.");
    case ErrorCode::NoTlsThere:
        return Text::tr("If the port speaks plain text, write redis:// in place of rediss://.");
    case ErrorCode::CertificateWanted:
        return Text::tr("Give one with ?cert=FILE&key=FILE, signed by an authority of the server's.");
    case ErrorCode::ServerClosed:
        return error.detail.isEmpty()
                   ? QString()
                   : Text::tr("If the port speaks TLS, write rediss:// in place of redis://.");
    case ErrorCode::CannotSave:
        return Text::tr("Free space on the server's disk; reading goes on meanwhile.");
    case ErrorCode::TooManyClients:
        return Text::tr("Close other clients or raise maxclients.");
    case ErrorCode::Protocol:
        return Text::tr("Check the port: another service may listen there, or TLS is needed "
                        "(rediss://).");
    case ErrorCode::NoAuth:
    case ErrorCode::WrongPass:
        return Text::tr("Enter the user name and password for this server.");
    case ErrorCode::NoPerm:
        return permissionAdvice(error.detail);
    case ErrorCode::Loading:
    case ErrorCode::Busy:
    case ErrorCode::MasterDown:
    case ErrorCode::ClusterDown:
        return Text::tr("Nothing to do here: it is tried again by itself.");
    case ErrorCode::Replica:
        return Text::tr("Connect to the master to act.");
    case ErrorCode::SessionReadOnly:
        return Text::tr("Arm it first; it ends by itself.");
    case ErrorCode::Moved:
        return movedAdvice(error);
    case ErrorCode::ClusterReplica:
        return Text::tr("Connect to the master: a replica sends whoever reads its keys there.");
    default:
        return {};
    }
}

bool isTransient(const Error& error)
{
    switch (error.code) {
    case ErrorCode::BadUrl:
    case ErrorCode::BadConfig:
    case ErrorCode::BadArgument:
    case ErrorCode::SessionReadOnly:
    case ErrorCode::NotFound:
    case ErrorCode::NotPossible:
    case ErrorCode::TlsFailed:
    case ErrorCode::TlsUnavailable:
    case ErrorCode::TlsWanted:
    case ErrorCode::CertificateWanted:
    case ErrorCode::NoAuth:
    case ErrorCode::WrongPass:
    case ErrorCode::NotInstalled:
    case ErrorCode::FileError:
    case ErrorCode::Replica:
    case ErrorCode::ClusterReplica:
        return false;
    default:
        return true;
    }
}

Error errorFromReply(const QByteArray& text)
{
    // A hostile server may put anything into an error reply: escaped and cut before it is shown. What an
    // honest one repeats of a command that it does not know may be a password or a token's name.
    const qsizetype repeated = text.indexOf(", with args beginning with:");
    const QString shown = displayName(text.left(repeated < 0 ? 300 : std::min<qsizetype>(repeated, 300)));
    const qsizetype space = text.indexOf(' ');
    const QByteArray word = space < 0 ? text : text.left(space);
    for (const Prefix& p : prefixes) {
        if (word != p.word)
            continue;
        // Those two always say the same, and who sees more of the server says how it stands.
        const bool bare = p.code == ErrorCode::Loading || p.code == ErrorCode::MasterDown;
        return {p.code, bare ? QString() : shown};
    }
    if (text.startsWith("ERR max number of clients"))
        return {ErrorCode::TooManyClients, shown};
    // Before Redis 6 a wrong password is a plain ERR.
    if (text.startsWith("ERR invalid password") || text.startsWith("ERR AUTH "))
        return {ErrorCode::WrongPass, shown};
    return {ErrorCode::ServerError, shown};
}

} // namespace lk
