// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/server/serverinfo.h"

#include <QVersionNumber>

#include <optional>
#include <vector>

namespace lk {

/// What not every version has, or not every version survives. What the console sends beside these
/// is there from Redis 5 on. It speaks RESP2 only, and so needs no HELLO.
enum class Feature : quint8 {
    NoTouch,        ///< CLIENT NO-TOUCH: reading does not make keys recently used
    Acl,            ///< ACL WHOAMI and named users
    AclDryRun,      ///< ACL DRYRUN
    Tracking,       ///< CLIENT TRACKING with BCAST, PREFIX and REDIRECT
    KeyspaceEvents, ///< notifications of every kind of write, and not of expiry alone
    HashSample,     ///< HRANDFIELD
    ListPosition,   ///< LPOS
    StreamDetails,  ///< XINFO STREAM ... FULL
    ExpiryMoment,   ///< EXPIRETIME and PEXPIRETIME
    FieldExpiry,    ///< HTTL and its like: fields of a hash that expire
    ClusterShards,  ///< CLUSTER SHARDS
    SlotStats,      ///< CLUSTER SLOT-STATS
    DeleteIfEqual,  ///< DELIFEQ
    DeleteExtended, ///< DELEX with IFEQ
    SetIfEqual,     ///< SET with IFEQ
    LuaModule,      ///< EVAL is there always, and works only while the module "lua" is loaded
};

/// Whether a server has a feature, by its version.
enum class Support : quint8 {
    Unknown, ///< not in the table, or the server did not tell its version
    No,
    Yes,
    Dangerous, ///< it is there and can take the server down
};

/// Which program a server is, and its version.
struct ServerVersion
{
    Flavour flavour = Flavour::Unknown;
    QVersionNumber number; ///< the flavour's own: Valkey and Dragonfly keep Redis's beside it

    bool operator==(const ServerVersion&) const = default;
};

/// Out of INFO. Unknown where it was denied, and for programs that only speak the protocol.
ServerVersion serverVersion(const ServerInfo& info);

/// True if EVAL is there, and the engine that it needs is not.
bool lacksLuaEngine(const ServerInfo& info);

/// As its makers write it, for people: "Valkey".
QString flavourTitle(Flavour flavour);
/// The flavour's own version as INFO has it, where redis_version says what it is compatible with.
QString versionText(const ServerInfo& info);

/// Out of one table, in capabilities.cpp.
Support supportOf(const ServerVersion& version, Feature feature);

/// True where it may be tried: the table has it, or does not know. What is dangerous on any version
/// is tried on none that is not known.
bool mayTry(const ServerVersion& version, Feature feature);

/// The feature that a command needs, by its name and its arguments; nothing: every server has it.
std::optional<Feature> featureOf(const Command& command);

/// Commands that this version lacks or does not survive, by their places in the batch.
std::vector<size_t> lackingCommands(const ServerVersion& version,
                                    const std::vector<Command>& commands);

/// What such a server says to a command that it does not know.
Reply lackingReply(const Command& command);

} // namespace lk
