// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/handshake.h"

#include "backend/core/names/keyname.h"
#include "backend/redis/server/capabilities.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct HandshakeText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Handshake)
};

} // namespace

std::vector<Command> handshakeCommands(const ServerUrl& url, const QByteArray& clientName)
{
    std::vector<Command> commands;
    // Send a user without a password too. Otherwise the server would silently use the default user.
    if (!url.user.isEmpty())
        commands.push_back({"AUTH", url.user.toUtf8(), url.password.toUtf8()});
    else if (!url.password.isEmpty())
        commands.push_back({"AUTH", url.password.toUtf8()});
    const QByteArray name = url.clientName.isEmpty() ? clientName : url.clientName.toUtf8();
    if (!name.isEmpty())
        commands.push_back({"CLIENT", "SETNAME", name});
    if (url.database != 0)
        commands.push_back({"SELECT", QByteArray::number(url.database)});
    // PING comes last, as INFO explains best why a server is not ready.
    for (const char* each : {"INFO", "ROLE", "PING"})
        commands.push_back({each});
    return commands;
}

std::vector<Command> readerCommands(const ServerUrl& url, const ServerInfo& info)
{
    std::vector<Command> commands;
    // Only for a node that is viewed on its own. Otherwise the console reads its master.
    if (url.deployment == ServerUrl::Deployment::Node && info.isReplica() &&
        info.number("cluster_enabled").value_or(0) != 0)
        commands.push_back({"READONLY"});
    if (mayTry(serverVersion(info), Feature::NoTouch))
        commands.push_back({"CLIENT", "NO-TOUCH", "ON"});
    return commands;
}

namespace {

// Servers send this instead of the first reply, whatever the command, and then close.
bool isTurnedAway(const QByteArray& text)
{
    return text.startsWith("DENIED ") || text.startsWith("ERR max number of clients");
}

} // namespace

std::optional<Error> handshakeProblem(const Command& sent, const Reply& reply,
                                      const ServerInfo& info)
{
    if (!reply.isError())
        return {};
    if (isTurnedAway(reply.text)) {
        // The rest explains how to set up the server.
        const qsizetype sentence = reply.text.indexOf(". ");
        return errorFromReply(sentence < 0 ? reply.text : reply.text.left(sentence));
    }
    const QByteArray& name = sent.args().front();
    Error error = errorFromReply(
        name == "SELECT" ? withDeniedDatabase(reply.text, sent.args()[1].toInt()) : reply.text);
    if (name == "AUTH") {
        if (error.code == ErrorCode::ServerError)
            error.code = ErrorCode::WrongPass; // servers before 6 report it in several ways
        return error;
    }
    if (name == "SELECT") {
        if (error.code == ErrorCode::ServerError) { // no such database, or a cluster
            error.code = ErrorCode::BadUrl;
            const QString why =
                error.detail.startsWith(QLatin1String("ERR ")) ? error.detail.mid(4) : error.detail;
            error.detail = HandshakeText::tr("the server refuses database %1: %2")
                               .arg(displayName(sent.args()[1]), why);
        }
        return error;
    }
    if (name == "CLIENT")
        return error.code == ErrorCode::NoAuth ? std::optional(error) : std::nullopt;
    // Errors of PING, INFO and ROLE that concern the server, not the command.
    switch (error.code) {
    case ErrorCode::Loading:
        return Error{error.code, info.loadingText()};
    case ErrorCode::MasterDown:
        return Error{error.code, info.masterEndpoint()};
    case ErrorCode::NoAuth:
    case ErrorCode::Busy:
        return error;
    default:
        return std::nullopt;
    }
}

bool mayRetryHandshake(const Error& error)
{
    return isTransient(error) && error.code != ErrorCode::NoPerm;
}

} // namespace lk
