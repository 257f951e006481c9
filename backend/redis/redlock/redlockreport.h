// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/snapshot.h"
#include "backend/redis/redlock/quorum.h"
#include "backend/redis/redlock/redlockgroup.h"

#include <QMetaType>

#include <memory>

namespace lk {

/// A server of a group, as it was read last.
struct RedlockServer
{
    QString endpoint;
    std::optional<Error> error; ///< why it could not be asked
    ServerClock clock;
    QString runId; ///< its process; empty if not known, as are the fields below
    NodeRole role = NodeRole::Unknown;
    QString master; ///< for a replica: "10.0.0.1:6379"
};

/// All locks of one group at a moment. A value; threads share it.
struct RedlockReport
{
    RedlockGroup group;
    std::vector<RedlockServer> servers; ///< in the group's order
    std::vector<RedlockState> locks;    ///< by name
    std::vector<Finding> findings;      ///< those of the group first, then those of its locks
    bool complete = false;              ///< every server that answers was scanned completely
    bool cut = false;                   ///< there are more names than were read
    qint64 readMs = 0;                  ///< local time

    size_t answering() const
    {
        size_t count = 0;
        for (const RedlockServer& server : servers)
            count += server.error ? 0 : 1;
        return count;
    }
};

using RedlockReportPtr = std::shared_ptr<const RedlockReport>;

} // namespace lk

Q_DECLARE_METATYPE(lk::RedlockReportPtr)
