// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/guiseserver.h"

#include <algorithm>

namespace lk::test {

namespace {

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

QByteArray encoded(const Reply& reply)
{
    switch (reply.type) {
    case Reply::Type::Nil:
        return "$-1\r\n";
    case Reply::Type::Status:
        return '+' + reply.text + "\r\n";
    case Reply::Type::Error:
        return '-' + reply.text + "\r\n";
    case Reply::Type::Integer:
        return ':' + QByteArray::number(reply.integer) + "\r\n";
    case Reply::Type::Bulk:
        return bulk(reply.text);
    case Reply::Type::Array:
        break;
    }
    QByteArray all = '*' + QByteArray::number(qsizetype(reply.items.size())) + "\r\n";
    for (const Reply& item : reply.items)
        all += encoded(item);
    return all;
}

QByteArray word(const Command& command, size_t place)
{
    return place < command.args().size() ? command.args()[place].toUpper() : QByteArray();
}

// "LPOS" is every LPOS; "CLIENT ID" that subcommand; "SET IFEQ" and "XINFO FULL" an option that
// stands fourth.
bool is(const Command& command, const QByteArray& words)
{
    const QByteArrayList parts = words.split(' ');
    return word(command, 0) == parts[0] &&
           (parts.size() == 1 || word(command, 1) == parts[1] || word(command, 3) == parts[1]);
}

bool isAny(const Command& command, const QByteArrayList& all)
{
    return std::any_of(all.begin(), all.end(),
                       [&](const QByteArray& words) { return is(command, words); });
}

} // namespace

GuiseServer::GuiseServer(RedisServer& behind, Guise guise)
    : m_client(behind.socketPath())
    , m_guise(std::move(guise))
{
    m_front.answerAllBy([this](const Command& command) { return answer(command); });
}

QByteArray GuiseServer::answer(const Command& command)
{
    if (isAny(command, m_guise.denies))
        return "-NOPERM this user has no permissions to run the '" + word(command, 0).toLower() +
               "' command\r\n";
    if (isAny(command, m_guise.lacks)) {
        m_unknown << command.display().toUtf8();
        return "-ERR unknown command '" + command.args()[0] + "'\r\n";
    }
    if (const QByteArray known = m_guise.knows ? m_guise.knows(command) : QByteArray();
        !known.isEmpty())
        return known;
    const QByteArray own = ownAnswer(command);
    return own.isEmpty() ? encoded(m_client.run(command)) : own;
}

// Answers the commands that belong to a connection, as there is only one to the real server, and
// those that no Redis 7.0 knows.
QByteArray GuiseServer::ownAnswer(const Command& command)
{
    const QByteArray name = word(command, 0);
    const QByteArray key = command.args().size() > 1 ? command.args()[1] : QByteArray();
    if (name == "INFO")
        return info(command);
    if (name == "SUBSCRIBE" || name == "PSUBSCRIBE" || name == "PUNSUBSCRIBE")
        return "*3\r\n" + bulk(name.toLower()) + bulk(key) + ":1\r\n";
    if (name == "AUTH" || name == "SELECT" || is(command, "CLIENT SETNAME") ||
        is(command, "CLIENT NO-TOUCH") || is(command, "CLIENT TRACKING"))
        return "+OK\r\n";
    if (is(command, "CLIENT ID"))
        return ":7\r\n";
    if (is(command, "COMMAND INFO") && isAny({command.args()[2]}, m_guise.lacks))
        return "*1\r\n*-1\r\n";
    const bool deletes = is(command, "DELIFEQ") || is(command, "DELEX");
    if (!deletes && !is(command, "SET IFEQ"))
        return {};
    const QByteArray seen = name == "DELIFEQ" ? command.args()[2]
                            : name == "DELEX" ? command.args()[3]
                                              : command.args()[4];
    const Reply now = m_client.run({"GET", key});
    if (!now.isText() || now.text != seen)
        return deletes ? ":0\r\n" : "$-1\r\n";
    if (deletes)
        return encoded(m_client.run({"DEL", key}));
    return encoded(
        m_client.run({"SET", key, command.args()[2], command.args()[5], command.args()[6]}));
}

// The real server may be a Redis or a Valkey.
QByteArray GuiseServer::info(const Command& command)
{
    const bool valkey = m_guise.info.contains("valkey_version:");
    // From 8.0 on Valkey calls it server_mode, and so it does on its real releases.
    const QByteArray mode =
        valkey && !m_guise.info.contains("valkey_version:7.") ? "server_mode:" : "redis_mode:";
    QByteArray all;
    for (const QByteArray& line : m_client.run(command).text.split('\n')) {
        constexpr const char* own[]{"redis_version:", "server_name:", "valkey_version:", "module:"};
        if (std::any_of(std::begin(own), std::end(own),
                        [&](const char* field) { return line.startsWith(field); }))
            continue;
        const bool isMode = line.startsWith("redis_mode:") || line.startsWith("server_mode:");
        all +=
            (isMode ? mode + line.mid(line.indexOf(':') + 1).trimmed() : line.trimmed()) + "\r\n";
        if (valkey && line.startsWith("# Modules"))
            all += "module:name=lua,ver=1,api=1\r\n"; // from 9.1 on; no matter before
    }
    return bulk("# Server\r\n" + m_guise.info + "\r\n" + all);
}

int GuiseServer::count(const QByteArray& words) const
{
    return int(std::count_if(received().begin(), received().end(),
                             [&](const Command& command) { return is(command, words); }));
}

int GuiseServer::firstPlace(const QByteArray& words) const
{
    const auto found = std::find_if(received().begin(), received().end(),
                                    [&](const Command& command) { return is(command, words); });
    return found == received().end() ? -1 : int(found - received().begin());
}

} // namespace lk::test
