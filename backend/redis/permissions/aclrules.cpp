// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclrules.h"

#include "backend/redis/handshake.h"
#include "backend/redis/topology/sentinelreplies.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype lineLength = 96;
const QByteArray setUser = QByteArrayLiteral("ACL SETUSER lockkeeper");

// Returns true if every version with users has the command. Redis 6.0 is the first.
bool isInAll(const SentCommand& command)
{
    const std::optional<Feature> feature = featureOf(bareCommand(command));
    const ServerVersion oldest{Flavour::Redis, QVersionNumber(6, 0, 0)};
    constexpr const char* newer[]{"SPUBLISH"}; // sent by scripts only, which check for it
    const bool isNewer = std::any_of(std::begin(newer), std::end(newer), [&](const char* name) {
        return !qstrcmp(name, command.name);
    });
    return !isNewer && (!feature || supportOf(oldest, *feature) == Support::Yes);
}

} // namespace

std::vector<SentCommand> commandsFor(AclPurpose purpose, const ServerVersion& server)
{
    std::vector<SentCommand> commands(readingCommands().begin(), readingCommands().end());
    if (purpose == AclPurpose::Acting)
        commands.insert(commands.end(), actingCommands().begin(), actingCommands().end());
    std::erase_if(commands, [&](const SentCommand& command) {
        return !lackingCommands(server, {bareCommand(command)}).empty();
    });
    return commands;
}

QByteArrayList aclLines(AclPurpose purpose)
{
    // All key names, since only their values show which keys are locks and queues.
    QByteArrayList lines{setUser + " reset on >PASSWORD ~*"};
    // Redis 6.2 and later, as older versions have no permissions for channels. A reader receives
    // changes on one channel. Users choose the names of the libraries' channels.
    lines << setUser + (purpose == AclPurpose::Acting ? " resetchannels &*"
                                                      : " resetchannels &__redis__:invalidate");
    QByteArray line;
    QByteArrayList newer;
    for (const SentCommand& command : commandsFor(purpose)) {
        const QByteArray rule = ' ' + aclRule(command);
        if (!isInAll(command)) {
            newer << setUser + rule;
            continue;
        }
        if (!line.isEmpty() && line.size() + rule.size() > lineLength)
            lines << std::exchange(line, {});
        line = (line.isEmpty() ? setUser : line) + rule;
    }
    lines << line;
    return lines + newer;
}

QByteArrayList sentinelAclLines()
{
    std::vector<Command> sent = handshakeCommands({}, QByteArrayLiteral("lockkeeper"));
    for (Command& command : SentinelAnswer::commands({}))
        sent.push_back(std::move(command));
    sent.push_back({"SUBSCRIBE"});
    QByteArray line = setUser + " reset on >PASSWORD resetchannels";
    for (const QByteArray& channel : SentinelAnswer::channels())
        line += " &" + channel;
    for (const Command& command : sent) {
        const std::vector<QByteArray>& words = command.args();
        const bool hasSub = words[0] == "SENTINEL" || words[0] == "CLIENT";
        line += " +" + (hasSub ? words[0] + '|' + words[1] : words[0]).toLower();
    }
    return {line};
}

QByteArray aclGrant(const QByteArray& user, const std::vector<SentCommand>& commands)
{
    QByteArray line = "ACL SETUSER " + user;
    for (const SentCommand& command : commands)
        line += ' ' + aclRule(command);
    return line;
}

} // namespace lk
