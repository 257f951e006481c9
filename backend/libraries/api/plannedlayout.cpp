// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/plannedlayout.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"

#include <algorithm>

namespace lk {

namespace {

// True if the plan begins with TYPE of the main key, as for a declared primitive. The type of a
// guessed primitive is already known, so that it does not cost a command each time.
bool asksType(const Primitive& primitive)
{
    return primitive.declaration && !primitive.keys.empty();
}

Error wrongType(const QString& key, KeyType expected, const QByteArray& found)
{
    return {ErrorCode::WrongType,
            LayoutText::tr("%1 must be a %2 and is a %3", "key, expected type, found type")
                .arg(key, QString::fromLatin1(keyTypeName(expected)), displayName(found))};
}

} // namespace

std::vector<Command> PlannedLayout::plan(const Primitive& primitive,
                                         const ReadContext& context) const
{
    std::vector<Command> commands = reads(primitive, context);
    if (asksType(primitive))
        commands.insert(commands.begin(),
                        Command{QByteArrayLiteral("TYPE"), primitive.keys.front().key});
    return commands;
}

std::vector<Command> PlannedLayout::furtherReads(const Primitive&, const ReadContext&,
                                                 std::span<const Reply>) const
{
    return {};
}

std::vector<Command> PlannedLayout::further(const Primitive& primitive, const ReadContext& context,
                                            std::span<const Command> commands,
                                            std::span<const Reply> replies) const
{
    if (commands.size() != replies.size() || problemIn(primitive, commands, replies))
        return {};
    return furtherReads(primitive, context, replies.subspan(asksType(primitive) ? 1 : 0));
}

Result<DecodeResult> PlannedLayout::decode(const Primitive& primitive,
                                           std::span<const Command> commands,
                                           std::span<const Reply> replies,
                                           const ReadContext& context) const
{
    if (commands.size() != replies.size())
        return failure(
            ErrorCode::Undecodable,
            LayoutText::tr("%1 replies for %2 commands").arg(replies.size()).arg(commands.size()));
    if (std::optional<Error> problem = problemIn(primitive, commands, replies))
        return tl::unexpected(std::move(*problem));
    return read(primitive, replies.subspan(asksType(primitive) ? 1 : 0), context);
}

std::optional<DecodeResult> PlannedLayout::decodeProbe(const Primitive& primitive,
                                                       const Probe& probe,
                                                       const ReadContext& context) const
{
    constexpr size_t asked = 2;
    if (!readsAsProbed() || probe.replies.size() < asked)
        return std::nullopt;
    return read(primitive, std::span(probe.replies).first(asked), context);
}

std::optional<Error> PlannedLayout::problemIn(const Primitive& primitive,
                                              std::span<const Command> commands,
                                              std::span<const Reply> replies) const
{
    if (asksType(primitive) && !replies.empty() && replies.front().isText()) {
        const KeyType found = keyTypeFromName(replies.front().text);
        if (found != KeyType::None && found != mainType())
            return wrongType(shownKey(primitive.kind, primitive.keys.front().key), mainType(),
                             replies.front().text);
    }
    // The size of a key is optional: not every user may run MEMORY USAGE.
    const auto isOptional = [&](const Command& command) {
        return command.args().front() == "MEMORY" || mayFail(primitive, command);
    };
    for (size_t i = 0; i < replies.size(); ++i) {
        if (replies[i].isError() && !(i < commands.size() && isOptional(commands[i])))
            return errorIn(primitive, commands.subspan(std::min(i, commands.size())),
                           replies.subspan(i));
    }
    return std::nullopt;
}

} // namespace lk
