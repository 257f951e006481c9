// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/link.h"
#include "backend/redis/server/serverinfo.h"

#include <QMetaType>

#include <functional>

namespace lk {

/// What a server, and its permissions for this user, leave to be done at all: as far as it can be
/// asked, and asked before anything is planned. A value.
struct ServerLimits
{
    bool known = false;     ///< false: nobody has asked yet; nothing is known to stand in the way
    ServerInfo info;        ///< role, mode, version; empty where the user may not see them
    bool hasScripts = true; ///< EVAL and EVALSHA are there
    QByteArray user;        ///< who the server says this is; empty where it does not say
    bool dryRuns = false;   ///< ACL DRYRUN tells what this user may run
    bool isPast = false;    ///< what is shown is of another time: nothing is done to it
    QString denied;         ///< what DRYRUN says to a script without keys; empty: it may be run

    /// Why no script can be run there; nothing: it can, as far as that is known.
    std::optional<Error> refusal() const;
};

/// Asks for all but INFO, which the handshake has brought. Only reads, at most two round trips;
/// what the user may not ask counts as allowed. The handler comes once, later, in the connection's
/// thread; not if context is gone. Errors: those of a connection.
void readLimits(Link& connection, QObject* context,
                std::function<void(Result<ServerLimits>)> handler);

/// Why this plan cannot be run, where that is known without asking: what the limits say, and keys
/// in different slots of a cluster. Nothing if it can.
std::optional<Error> preflight(const Plan& plan, const ServerLimits& limits);

/// Why a connection must not act on what another one has shown: a replica answers there, or another
/// server than the one that was read. Both are what the servers said to each connection first.
std::optional<Error> preflightConnection(Link& seen, Link& acting);
/// The same of one node that is acted on.
std::optional<Error> preflightNode(Link& seen, const Link& node);

/// The same as preflight(), and from Redis 7 on what the server says to a dry run of the script
/// with the plan's keys; of a cluster, before that, whether one node has them all: at most two
/// commands. The handler comes once, later; not if context is
/// gone. It gets nothing if nothing speaks against the plan.
void runPreflight(Link& connection, const Plan& plan, const ServerLimits& limits, QObject* context,
                  std::function<void(std::optional<Error>)> handler);

} // namespace lk

Q_DECLARE_METATYPE(lk::ServerLimits)
