// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/reply.h"

#include <QByteArrayList>

#include <vector>

namespace lk {

/// The fields of a CLIENT LIST line that the console uses.
struct ClientEntry
{
    qint64 id = 0;
    QByteArray address; ///< "10.0.0.7:51234", or the path of a unix socket
    QByteArray name;    ///< set by CLIENT SETNAME; empty if there is none
    QByteArray flags;   ///< "b": in a blocking command
    QByteArray command; ///< the last or current command: "brpoplpush"
    int database = 0;
    qint64 idleSeconds = 0; ///< since its last command; while blocked: since it blocked
};

/// Returns the clients of a CLIENT LIST reply; ignores other lines.
std::vector<ClientEntry> clientsFromReply(const Reply& list);

/// Returns true if the client is blocked until a list has an item. CLIENT LIST does not report
/// which list.
bool waitsForList(const ClientEntry& client);

} // namespace lk
