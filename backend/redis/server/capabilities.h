// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/server/serverinfo.h"

#include <QVersionNumber>

#include <optional>
#include <vector>

namespace lk {

/// Features that some versions lack or do not survive. All other commands of the console exist
/// since Redis 5. The console speaks RESP2 only and so needs no HELLO.
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
    Unknown, ///< not in the table, or the server's version is not known
    No,
    Yes,
    Dangerous, ///< it exists but can take the server down
};

/// The server program and its version.
struct ServerVersion
{
    Flavour flavour = Flavour::Unknown;
    QVersionNumber number; ///< the flavour's own: Valkey and Dragonfly also report a Redis version

    bool operator==(const ServerVersion&) const = default;
};

/// Returns the version from INFO. Unknown if INFO was denied, and for other programs that speak the
/// protocol.
ServerVersion serverVersion(const ServerInfo& info);

/// Returns true if EVAL exists but the engine that it needs does not.
bool lacksLuaEngine(const ServerInfo& info);

/// The program's name as its makers write it: "Valkey".
QString flavourTitle(Flavour flavour);
/// The flavour's own version from INFO, even if redis_version contains the compatible Redis
/// version.
QString versionText(const ServerInfo& info);

/// Looks the feature up in the table in capabilities.cpp.
Support supportOf(const ServerVersion& version, Feature feature);

/// Returns true if the feature may be tried: the table contains it or has no entry. A feature that
/// is dangerous on any version is not tried on an unknown one.
bool mayTry(const ServerVersion& version, Feature feature);

/// Returns the feature that a command needs, by its name and arguments. Empty if every server has
/// it.
std::optional<Feature> featureOf(const Command& command);

/// Returns the indices in the batch of the commands that this version lacks or does not survive.
std::vector<size_t> lackingCommands(const ServerVersion& version,
                                    const std::vector<Command>& commands);

/// Returns the reply of such a server to a command that it does not know.
Reply lackingReply(const Command& command);

} // namespace lk
