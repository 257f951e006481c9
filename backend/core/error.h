// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>

#include <optional>

namespace lk {

/// The kind of error, as the user sees it. backend/text/errortext.cpp contains a sentence for each.
enum class ErrorCode : quint8 {
    BadUrl,            ///< detail: what is wrong with it, never the password
    BadConfig,         ///< detail: "file:line: what is wrong, what would be right"
    BadArgument,       ///< detail: the option and what it takes
    NameNotFound,      ///< detail: host
    Refused,           ///< connection refused; detail: endpoint
    Timeout,           ///< no answer within the deadline; detail: what was waited for
    TlsFailed,         ///< detail: the certificate's or handshake's error
    TlsUnavailable,    ///< this Qt has no TLS backend
    TlsWanted,         ///< plain text was spoken to a port that speaks TLS; detail: endpoint
    NoTlsThere,        ///< TLS was spoken to a port that does not; detail: endpoint
    CertificateWanted, ///< the server asks for a client certificate, or for another; detail: TLS's
                       ///< text
    ServerClosed,      ///< the other end closed the connection; detail: endpoint if it said nothing
    Network,           ///< any other socket error; detail: Qt's text
    Protocol,          ///< the reply is not RESP2; detail: the parser's text
    ReplyTooLarge,     ///< a reply passed a cap; detail: which cap
    NoAuth,            ///< NOAUTH: a password is needed
    WrongPass,         ///< WRONGPASS, or ERR invalid password
    NoPerm,            ///< NOPERM; detail: the server's text
    Loading,        ///< LOADING: the dataset is being read from disk; detail: how far, may be empty
    Busy,           ///< BUSY: a script is running
    MasterDown,     ///< MASTERDOWN: a replica without its master; detail: whose, may be empty
    CannotSave,     ///< MISCONF: writes are refused while the disk fails; detail: the server's text
    TooManyClients, ///< maxclients is reached; detail: the server's text
    ReadOnly,       ///< READONLY: a write sent to a replica
    Replica,        ///< an action on a replica; detail: its master's endpoint, may be empty
    Moved,          ///< MOVED, ASK, CROSSSLOT, TRYAGAIN; detail: the server's text
    ClusterReplica, ///< a replica of a cluster's node answers; detail: its master's endpoint, may
                    ///< be empty
    ClusterDown,    ///< CLUSTERDOWN
    NodeDown,       ///< one node of several does not answer; detail: its endpoint
    WrongType,      ///< WRONGTYPE, or a declared key of another type; detail: key and types
    NoScript,       ///< NOSCRIPT
    OutOfMemory,    ///< OOM command not allowed
    ServerError,    ///< any other error reply; detail: the server's text
    Undecodable,    ///< the data is not what the layout expects; detail: what was seen
    Cancelled,      ///< the session was closed or the answer is from an earlier connection
    NotInstalled,   ///< detail: program and how to get it
    FileError,      ///< detail: file and the system's text
    SessionReadOnly, ///< a write was asked for while the session is read-only
    NotFound,        ///< there is no such primitive, key or receipt; detail: which
    NotPossible,     ///< the action makes no sense here; detail: why, a sentence without full stop
    SentinelNoAuth,  ///< Sentinels want a password of their own; detail: which Sentinels
    SentinelWrongPass, ///< they refuse the login that they were given; detail: which Sentinels
};

/// The reason that something was not done or is not known. errorText() returns its text for the
/// user.
struct Error
{
    ErrorCode code = ErrorCode::ServerError;
    QString detail; ///< never holds a secret

    bool operator==(const Error&) const = default;
};

/// The node that a cluster's node redirects a client to for a key that it does not hold.
struct Redirection
{
    bool migrating =
        false;   ///< ASK: the slot is migrating to that node; else MOVED: that node owns it
    QString key; ///< empty: unknown
    QString slot;
    QString node; ///< "127.0.0.1:7001"
};
/// Empty if the error is not a redirection, or names no node.
std::optional<Redirection> redirectionOf(const Error& error);

/// Valkey 9.1 denies a database without naming it: the number follows its words, as in "No
/// permissions to access database 3". Other texts stay as they are.
QByteArray withDeniedDatabase(const QByteArray& text, int database);
/// The number that follows these words; empty if the error is about something else.
std::optional<int> deniedDatabaseOf(const Error& error);

/// True if an automatic retry may help (the network, a loading server); false if the user has to
/// change something first (password, certificate, URL).
bool isTransient(const Error& error);
/// True if a server, or the Sentinels, need a login or a different one, which the user has to
/// enter.
bool isLogin(ErrorCode code);
bool isSentinelLogin(ErrorCode code);

/// Sorts the text of a RESP error reply ("NOAUTH Authentication required.") into a code.
Error errorFromReply(const QByteArray& text);

} // namespace lk

Q_DECLARE_METATYPE(lk::Error)
