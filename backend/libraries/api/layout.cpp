// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/layout.h"

#include "backend/core/redactedname.h"
#include "backend/libraries/api/plannedlayout.h"

#include <algorithm>

namespace lk {

std::vector<QByteArray> Layout::ownersOf(const QByteArray&) const
{
    return {};
}

std::optional<QByteArray> Layout::workerOfClient(const Primitive&, const QByteArray&) const
{
    return std::nullopt;
}

QByteArray Layout::stemOf(const QByteArray&) const
{
    return {};
}

std::vector<Claim> Layout::alsoNamed(const Probe&) const
{
    return {};
}

Read<std::vector<StoredJob>> Layout::readJobs(const Primitive&, JobQuery) const
{
    co_return {};
}

Read<JobDetail> Layout::readJob(const Primitive&, QByteArray, QByteArray) const
{
    co_return {};
}

QByteArray Layout::jobKey(const Primitive&, const QByteArray&, const QByteArray&) const
{
    return {};
}

void Layout::completeDetail(const Primitive&, JobDetail&) const {}

std::vector<QByteArray> Layout::countingKeys(const State& state, qint64) const
{
    std::vector<QByteArray> keys;
    for (const KeyRole& key : state.primitive->keys) {
        if (key.role != "config" && !key.key.isEmpty())
            keys.push_back(key.key);
    }
    return keys;
}

std::function<bool(const QByteArray&)> Layout::furtherKeys(const QByteArray&) const
{
    return {};
}

Claim Layout::declared(const Declaration& declaration, const QByteArray& name) const
{
    Claim claim{{id(), name}, {{mainRole(), name}}, 1.0};
    for (const CompanionRule& rule : declaration.companions)
        claim.keys.push_back({rule.role, declaration.companion(rule.role, name)});
    return claim;
}

bool Layout::bearsOnPayloads(const QByteArray&) const
{
    return true;
}

namespace {

// The key type that a command reads. The server's WRONGTYPE reply names no type.
KeyType typeReadBy(const QByteArray& command)
{
    switch (command.isEmpty() ? '\0' : command.front()) {
    case 'L':
        return KeyType::List;
    case 'H':
        return KeyType::Hash;
    case 'Z':
        return KeyType::ZSet;
    case 'X':
        return KeyType::Stream;
    case 'G':
        return KeyType::String;
    default:
        return command == "SCARD" ? KeyType::Set : KeyType::None;
    }
}

} // namespace

std::optional<Error> errorIn(const Primitive& primitive, std::span<const Command> commands,
                             std::span<const Reply> replies)
{
    for (size_t i = 0; i < replies.size(); ++i) {
        if (!replies[i].isError())
            continue;
        Error error = errorFromReply(replies[i].text);
        if (error.code == ErrorCode::NodeDown)
            return error; // independent of the key
        QByteArray key = primitive.id.name;
        if (i < commands.size() && commands[i].args().size() > 1)
            key = commands[i].args()[1];
        const QString shown = shownKey(primitive.kind, key);
        const KeyType expected =
            i < commands.size() ? typeReadBy(commands[i].args().front()) : KeyType::None;
        if (error.code == ErrorCode::WrongType && expected != KeyType::None) {
            error.detail = LayoutText::tr("%1 is not a %2", "key, expected type")
                               .arg(shown, QString::fromLatin1(keyTypeName(expected)));
            return error;
        }
        error.detail = error.detail.isEmpty() ? shown : shown + QStringLiteral(": ") + error.detail;
        return error;
    }
    return std::nullopt;
}

} // namespace lk
