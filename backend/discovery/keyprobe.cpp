// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/keyprobe.h"

#include "backend/layouts/replyvalues.h"

namespace lk {

namespace {

void fillHash(Probe& probe, const Command& command, const Reply& reply)
{
    const auto& args = command.args();
    for (size_t i = 0; i < reply.items.size() && i + 2 < args.size(); ++i) {
        if (reply.items[i].isText())
            probe.fields.emplace_back(args[i + 2], reply.items[i].text);
    }
}

} // namespace

void addProbeCommands(std::vector<Command>& commands, const Probe& probe,
                      const Classifier& classifier)
{
    using namespace probecommands;
    if (probe.type == KeyType::String) {
        commands.push_back(head(probe.name));
    } else if (probe.type == KeyType::ZSet) {
        commands.push_back(lowestMembers(probe.name));
    } else if (probe.type == KeyType::Hash) {
        commands.push_back(hashLength(probe.name));
        commands.push_back(hashFields(probe.name, classifier.hashFields()));
    }
    commands.push_back(ttl(probe.name));
    for (const QByteArray& sibling : classifier.siblings(probe.name, probe.type))
        commands.push_back(Command{QByteArrayLiteral("TYPE"), sibling});
}

std::optional<Error> takeProbeReply(Probe& probe, const Command& command, Reply reply)
{
    const QByteArray& verb = command.args().front();
    if (reply.isError() && verb != "TYPE")
        return errorFromReply(reply.text);
    if (verb == "PTTL") {
        if (reply.integer >= 0)
            probe.ttlMs = reply.integer;
    } else if (verb == "GETRANGE") {
        probe.head = reply.text;
    } else if (verb == "ZRANGE") {
        probe.members = scoredMembersOf(reply);
    } else if (verb == "HLEN") {
        probe.length = reply.integer;
    } else if (verb == "HMGET") {
        fillHash(probe, command, reply);
    } else if (verb == "TYPE") {
        probe.siblings.push_back(
            {command.args()[1], reply.isError() ? KeyType::None : keyTypeFromName(reply.text)});
    }
    probe.replies.push_back(std::move(reply));
    return {};
}

} // namespace lk
