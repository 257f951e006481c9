// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/keyprobe.h"

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
    for (Command& command : contentCommands(probe))
        commands.push_back(std::move(command));
    for (const QByteArray& sibling : classifier.siblings(probe.name, probe.type))
        commands.push_back(Command{QByteArrayLiteral("TYPE"), sibling});
}

std::vector<Command> contentCommands(const Probe& probe)
{
    using namespace probecommands;
    switch (probe.type) {
    case KeyType::List:
        return {firstElement(probe.name), lastElement(probe.name)};
    case KeyType::Set:
        return {sampleMembers(probe.name)};
    case KeyType::Hash:
        return {fieldNames(probe.name)};
    case KeyType::Stream:
        return {streamGroups(probe.name)};
    default:
        return {};
    }
}

namespace {

std::vector<QByteArray> textsOf(const Reply& reply)
{
    std::vector<QByteArray> texts;
    for (const Reply& item : reply.items) {
        if (item.isText())
            texts.push_back(item.text);
    }
    return texts;
}

// Each group is a list of names and values: name, consumers, pending, ...
std::vector<QByteArray> groupNamesOf(const Reply& reply)
{
    std::vector<QByteArray> names;
    for (const Reply& group : reply.items) {
        for (size_t i = 0; i + 1 < group.items.size(); i += 2) {
            if (group.items[i].text == "name")
                names.push_back(group.items[i + 1].text);
        }
    }
    return names;
}

// What only adds to the proof: a user or a server without the command gets the rest.
bool isOptional(const QByteArray& verb)
{
    return verb == "TYPE" || verb == "HRANDFIELD" || verb == "LRANGE" || verb == "SRANDMEMBER" ||
           verb == "XINFO";
}

} // namespace

std::optional<Error> takeProbeReply(Probe& probe, const Command& command, Reply reply)
{
    const QByteArray& verb = command.args().front();
    if (reply.isError() && !isOptional(verb))
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
    } else if (verb == "HRANDFIELD") {
        probe.fieldNames = textsOf(reply);
    } else if (verb == "LRANGE") {
        (command.args()[2] == "0" ? probe.first : probe.last) =
            reply.items.empty() ? QByteArray() : reply.items.front().text;
    } else if (verb == "SRANDMEMBER") {
        probe.sample = textsOf(reply);
    } else if (verb == "XINFO") {
        probe.groups = groupNamesOf(reply);
    } else if (verb == "TYPE") {
        probe.siblings.push_back(
            {command.args()[1], reply.isError() ? KeyType::None : keyTypeFromName(reply.text)});
    }
    probe.replies.push_back(std::move(reply));
    return {};
}

} // namespace lk
