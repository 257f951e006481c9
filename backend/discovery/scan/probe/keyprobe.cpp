// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/probe/keyprobe.h"

#include "backend/libraries/api/layoutindex.h"
#include "backend/libraries/detect/probeanswer.h"
#include "backend/libraries/detect/replyvalues.h"

#include <string_view>
#include <unordered_set>

namespace lk {

namespace {

constexpr qint64 gone = -2; ///< PTTL of a key that does not exist

void fillHash(Probe& probe, const Command& command, const Reply& reply)
{
    const auto& args = command.args();
    for (size_t i = 0; i < reply.items.size() && i + 2 < args.size(); ++i) {
        if (reply.items[i].isText())
            probe.fields.emplace_back(args[i + 2], reply.items[i].text);
    }
}

// Reads names and values, if HRANDFIELD is missing. A small hash returns all of its fields at once.
Command someFields(const QByteArray& key)
{
    return {"HSCAN", key, "0", "COUNT", "6"};
}

Command sampleOfFields(const QByteArray& key, const ServerVersion& server)
{
    return supportOf(server, Feature::HashSample) == Support::Yes ? probecommands::fieldNames(key)
                                                                  : someFields(key);
}

} // namespace

void addProbeCommands(std::vector<Command>& commands, Probe& probe, const ServerVersion& server)
{
    using namespace probecommands;
    if (probe.type == KeyType::String) {
        commands.push_back(head(probe.name));
    } else if (probe.type == KeyType::ZSet) {
        commands.push_back(lowestMembers(probe.name));
    } else if (probe.type == KeyType::Hash) {
        commands.push_back(sampleOfFields(probe.name, server));
        probe.fieldsExpire = supportOf(server, Feature::FieldExpiry) == Support::Yes;
    } else {
        for (Command& command : contentCommands(probe, server))
            commands.push_back(std::move(command));
    }
    commands.push_back(ttl(probe.name)); // last: if it finds the key, the others found it as well
}

namespace {

// Most hashes have none of the fields, and a layout's hash a few. Asking each for all of them would
// dominate the traffic.
void addFields(std::vector<Command>& commands, const Probe& probe, const Classifier& classifier)
{
    using namespace probecommands;
    if (!hasAllFieldNames(probe)) {
        commands.push_back(hashLength(probe.name));
        commands.push_back(hashFields(probe.name, classifier.hashFields()));
        return;
    }
    // Looked up for each field of each hash: Qt's seeded hash would take a tenth of such a scan.
    static const auto known = [&] {
        std::unordered_set<std::string_view> names; // views into a list that stays
        for (const QByteArray& name : classifier.hashFields())
            names.emplace(name.constData(), size_t(name.size()));
        return names;
    }();
    std::vector<QByteArray> args;
    for (const QByteArray& name : probe.fieldNames) {
        if (!known.contains({name.constData(), size_t(name.size())}))
            continue;
        if (args.empty()) {
            args.reserve(2 + probe.fieldNames.size());
            args.push_back(QByteArrayLiteral("HMGET"));
            args.push_back(probe.name);
        }
        args.push_back(name);
    }
    if (!args.empty())
        commands.push_back(Command(std::move(args)));
}

} // namespace

void addFurtherCommands(std::vector<Command>& commands, const Probe& probe,
                        const Classifier& classifier)
{
    if (probe.type == KeyType::Hash)
        addFields(commands, probe, classifier);
    for (const QByteArray& sibling : layoutIndex().siblingsOf(probe))
        commands.push_back(Command{QByteArrayLiteral("TYPE"), sibling});
}

std::vector<Command> contentCommands(const Probe& probe, const ServerVersion& server)
{
    using namespace probecommands;
    switch (probe.type) {
    case KeyType::List:
        return {firstElement(probe.name), lastElement(probe.name)};
    case KeyType::Set:
        return {sampleMembers(probe.name)};
    case KeyType::Hash:
        return {sampleOfFields(probe.name, server)};
    case KeyType::Stream:
        return {streamGroups(probe.name)};
    default:
        return {};
    }
}

namespace {

// Parses a reply to HSCAN: the cursor, then names and values in turn.
std::vector<QByteArray> fieldNamesOf(const Reply& reply)
{
    constexpr size_t most = mostFieldNames; // the same limit as for HRANDFIELD
    std::vector<QByteArray> names;
    if (reply.items.size() != 2)
        return names;
    const std::vector<Reply>& fields = reply.items[1].items;
    for (size_t i = 0; i + 1 < fields.size() && names.size() < most; i += 2)
        names.push_back(fields[i].text);
    return names;
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

// A view, as each reply is compared with a dozen words. Nearly all differ in length, which is
// compared first.
std::string_view viewOf(const QByteArray& text)
{
    return {text.constData(), size_t(text.size())};
}

// True for commands that only add proof. A user or a server without the command gets the other
// results.
bool isOptional(std::string_view verb)
{
    return verb == "TYPE" || verb == "HRANDFIELD" || verb == "HSCAN" || verb == "LRANGE" ||
           verb == "SRANDMEMBER" || verb == "XINFO";
}

} // namespace

std::optional<Error> takeProbeReply(Probe& probe, const Command& command, Reply reply)
{
    const std::string_view verb = viewOf(command.args().front());
    if (reply.isError() && !isOptional(verb))
        return errorFromReply(reply.text);
    if (verb == "PTTL") {
        if (reply.integer == gone)
            return Error{ErrorCode::NotFound, {}};
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
        const bool all = reply.isArray() && reply.items.size() < size_t(mostFieldNames);
        probe.length = all ? qint64(probe.fieldNames.size()) : -1; // HLEN sets it
    } else if (verb == "HSCAN") {
        probe.fieldNames = fieldNamesOf(reply);
        const bool all = reply.items.size() == 2 && reply.items[0].text == "0" &&
                         probe.fieldNames.size() < size_t(mostFieldNames);
        probe.length = all ? qint64(probe.fieldNames.size()) : -1;
        reply = Reply::nil(); // values are not kept
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
