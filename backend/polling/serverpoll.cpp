// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/serverpoll.h"

#include <algorithm>
#include <iterator>

namespace lk {

namespace {

// Settings that affect keys, clients and writes and that INFO does not report.
constexpr const char* rareSettings[] = {"notify-keyspace-events", "timeout",
                                        "client-output-buffer-limit", "min-replicas-to-write",
                                        "stop-writes-on-bgsave-error"};
constexpr qint64 settingsEveryMs = 60'000;

bool isRare(const Command& command)
{
    return std::any_of(std::begin(rareSettings), std::end(rareSettings),
                       [&](const char* name) { return command.args().back() == name; });
}

// Denied to this user or, as on managed services, to every user.
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

void ServerPoll::forgetDenied()
{
    m_denied.clear();
    m_settings.clear();
    m_settingsMs.reset();
}

bool ServerPoll::areSettingsDue() const
{
    const qint64 sinceMs = m_clock.nowMs() - m_settingsMs.value_or(0);
    return !m_settingsMs || sinceMs >= settingsEveryMs || sinceMs < 0; // the clock was set back
}

void ServerPoll::ask()
{
    std::vector<Command> wanted{Command{"TIME"}, Command{"INFO"}, Command{"ROLE"},
                                Command{"CONFIG", "GET", "appendfsync"},
                                Command{"CONFIG", "GET", "save"}};
    if (areSettingsDue()) {
        for (const char* name : rareSettings) // one at a time: several require Redis 7
            wanted.push_back(Command{"CONFIG", "GET", name});
    }
    std::vector<Command> commands;
    for (const Command& command : wanted) {
        const QByteArray& name = command.args().front();
        // ROLE returns a part of INFO.
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
    std::vector<Reply> settings;
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
        else if (!isRare(asked[i]))
            info.addConfig(reply);
        else if (!reply.isError())
            settings.push_back(reply);
    }
    if (!settings.empty()) {
        m_settings = std::move(settings);
        m_settingsMs = sentMs;
    }
    // Adds them to every answer; otherwise they would appear to be new each minute.
    for (const Reply& reply : m_settings)
        info.addConfig(reply);
    emit answered(info, time, sentMs);
}

} // namespace lk
