// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/serverpoll.h"

namespace lk {

namespace {

// Denied to this user, or, as managed services have it, to every one.
bool isRefusal(const Reply& reply)
{
    return reply.isError() && (errorFromReply(reply.text).code == ErrorCode::NoPerm ||
                               reply.text.startsWith("ERR unknown"));
}

} // namespace

ServerPoll::ServerPoll(Link& control, const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_control(control)
    , m_clock(clock)
{}

void ServerPoll::ask()
{
    std::vector<Command> commands;
    for (const Command& command :
         {Command{"TIME"}, Command{"INFO"}, Command{"ROLE"},
          Command{"CONFIG", "GET", "appendfsync"}, Command{"CONFIG", "GET", "save"}}) {
        const QByteArray& name = command.args().front();
        // ROLE is a little of what INFO tells.
        if (!m_denied.contains(name) && (name != "ROLE" || m_denied.contains("INFO")))
            commands.push_back(command);
    }
    const qint64 sentMs = m_clock.nowMs();
    if (commands.empty())
        return take({}, {}, sentMs);
    m_control.send(commands, this, [this, commands, sentMs](const BatchResult& result) {
        if (result)
            take(commands, *result, sentMs);
    });
}

void ServerPoll::take(const std::vector<Command>& asked, const std::vector<Reply>& replies,
                      qint64 sentMs)
{
    Reply time = Reply::nil();
    ServerInfo info;
    for (size_t i = 0; i < replies.size(); ++i) {
        const QByteArray& name = asked[i].args().front();
        const Reply& reply = replies[i];
        if (isRefusal(reply))
            m_denied.insert(name);
        if (name == "TIME")
            time = reply;
        else if (name == "INFO")
            info = ServerInfo::fromReply(reply);
        else if (name == "ROLE")
            info.addRole(reply);
        else
            info.addConfig(reply);
    }
    emit answered(info, time, sentMs);
}

} // namespace lk
