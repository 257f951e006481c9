// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct Prefix
{
    const char* word;
    ErrorCode code;
};

// The first word of an error reply is its class; the server's source contains the list.
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
    Prefix{"NODEDOWN", ErrorCode::NodeDown}, // not from a server: see nodeDownReply()
    Prefix{"CROSSSLOT", ErrorCode::Moved},
    Prefix{"TRYAGAIN", ErrorCode::Moved},
    Prefix{"WRONGTYPE", ErrorCode::WrongType},
    Prefix{"NOSCRIPT", ErrorCode::NoScript},
    Prefix{"OOM", ErrorCode::OutOfMemory},
};

} // namespace

std::optional<Redirection> redirectionOf(const Error& error)
{
    if (error.code != ErrorCode::Moved)
        return std::nullopt;
    // The caller may have put the key's name before the text, and the name may contain anything.
    static const QRegularExpression form(
        QStringLiteral("^(?:(.*): )?(MOVED|ASK) (\\d{1,5}) (\\S+)$"),
        QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = form.match(error.detail);
    if (!match.hasMatch())
        return std::nullopt;
    return Redirection{match.captured(2) == QLatin1String("ASK"), match.captured(1),
                       match.captured(3), match.captured(4)};
}

QByteArray withDeniedDatabase(const QByteArray& text, int database)
{
    const QByteArray words = QByteArrayLiteral("permissions to access database");
    const qsizetype at = text.indexOf(words); // a dry run appends the command
    return at < 0 ? text : text.left(at + words.size()) + ' ' + QByteArray::number(database);
}

std::optional<int> deniedDatabaseOf(const Error& error)
{
    static const QRegularExpression form(
        QStringLiteral("permissions to access database (\\d{1,9})$"));
    const QRegularExpressionMatch match = form.match(error.detail);
    return error.code == ErrorCode::NoPerm && match.hasMatch()
               ? std::optional(match.captured(1).toInt())
               : std::nullopt;
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
    case ErrorCode::SentinelNoAuth:
    case ErrorCode::SentinelWrongPass:
    case ErrorCode::NotInstalled:
    case ErrorCode::FileError:
    case ErrorCode::Replica:
    case ErrorCode::ClusterReplica:
        return false;
    default:
        return true;
    }
}

bool isLogin(ErrorCode code)
{
    return code == ErrorCode::NoAuth || code == ErrorCode::WrongPass || isSentinelLogin(code);
}

bool isSentinelLogin(ErrorCode code)
{
    return code == ErrorCode::SentinelNoAuth || code == ErrorCode::SentinelWrongPass;
}

Error errorFromReply(const QByteArray& text)
{
    // A hostile server may put anything into an error reply, so the text is escaped and truncated.
    // A server that repeats the arguments of an unknown command may repeat a password or a token's
    // name.
    const qsizetype repeated = text.indexOf(", with args beginning with:");
    const QString shown =
        displayName(text.left(repeated < 0 ? 300 : std::min<qsizetype>(repeated, 300)));
    const qsizetype space = text.indexOf(' ');
    const QByteArray word = space < 0 ? text : text.left(space);
    for (const Prefix& p : prefixes) {
        if (word != p.word)
            continue;
        if (p.code == ErrorCode::NodeDown)
            return {p.code, displayName(text.mid(space + 1, 300))};
        // These texts are always the same; other code adds the server's details.
        const bool bare = p.code == ErrorCode::Loading || p.code == ErrorCode::MasterDown ||
                          p.code == ErrorCode::ClusterDown;
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
