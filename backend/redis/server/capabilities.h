// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/server/serverinfo.h"

#include <QVersionNumber>

namespace lk {

/// Whose program the server is.
enum class Flavour : quint8 { Unknown, Redis, Valkey, KeyDb, Dragonfly };

/// What not every version has, or not every version survives.
enum class Feature : quint8 {
    NoTouch,   ///< CLIENT NO-TOUCH: reading does not make keys recently used
    Acl,       ///< ACL WHOAMI and named users
    AclDryRun, ///< ACL DRYRUN
};

enum class Support : quint8 {
    Unknown, ///< not in the table, or the server did not tell its version: do without
    No,
    Yes,
    Dangerous, ///< it is there and can take the server down
};

struct ServerVersion
{
    Flavour flavour = Flavour::Unknown;
    QVersionNumber number; ///< the flavour's own: Valkey and Dragonfly keep Redis's beside it

    bool operator==(const ServerVersion&) const = default;
};

/// Out of INFO. Unknown where it was denied, and for programs that only speak the protocol.
ServerVersion serverVersion(const ServerInfo& info);

/// As programs and people call it: "redis", "valkey"; "unknown" for what only speaks the protocol.
QString flavourName(Flavour flavour);
/// The flavour's own version as INFO has it, where redis_version says what it is compatible with.
QString versionText(const ServerInfo& info);

/// Out of one table, in capabilities.cpp.
Support supportOf(const ServerVersion& version, Feature feature);

} // namespace lk
