// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/core/task.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/link.h"
#include "backend/redis/server/serverinfo.h"

#include <QMetaType>

namespace lk {

/// The limits that a server, and its permissions for this user, set for all actions. Read before
/// anything is planned, as far as the server reports them. A value.
struct ServerLimits
{
    bool known = false;     ///< false: not read yet, so no limit is known
    ServerInfo info;        ///< role, mode, version; empty where the user may not see them
    bool hasScripts = true; ///< EVAL and EVALSHA are available
    QByteArray user;        ///< as reported by the server; empty if it is not
    bool dryRuns = false;   ///< ACL DRYRUN is available to this user
    bool isPast = false;    ///< a past moment is shown, on which no action is possible
    QString denied;         ///< DRYRUN's answer to a script without keys; empty if allowed

    /// Returns why no script can be run; nothing if, as far as is known, one can.
    std::optional<Error> refusal() const;
};

/// Reads all limits but INFO, which the handshake has read. Only reads, in at most two round trips.
/// A limit that the user may not read counts as allowed. Errors: those of a connection.
Task<Result<ServerLimits>> readLimits(Link& connection, QObject* context);

/// Returns why this plan cannot be run, as far as that is known without a request: from the limits,
/// and from keys in different slots of a cluster. Nothing if it can be run.
std::optional<Error> preflight(const Plan& plan, const ServerLimits& limits);

/// Returns why acting must not be used for data that seen has read: it reaches a replica, or
/// another server than the one that was read. Compares the first answers to each connection.
std::optional<Error> preflightConnection(Link& seen, Link& acting);
/// The same for one node that is acted on.
std::optional<Error> preflightNode(Link& seen, const Link& node);

/// Does the checks of preflight(). On a cluster, also checks that one node has all keys. From Redis
/// 7 on, also does a dry run of the script with the plan's keys. Sends at most two commands.
/// Returns nothing, always later, if the plan can run.
Task<std::optional<Error>> runPreflight(Link& connection, Plan plan, ServerLimits limits,
                                        QObject* context);

} // namespace lk

Q_DECLARE_METATYPE(lk::ServerLimits)
