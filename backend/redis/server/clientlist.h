// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/reply.h"

#include <QByteArrayList>

#include <vector>

namespace lk {

/// A line of CLIENT LIST, as far as the console uses it.
struct ClientEntry
{
    qint64 id = 0;
    QByteArray address; ///< "10.0.0.7:51234"; the socket's path where it is one
    QByteArray name;    ///< by CLIENT SETNAME; empty: none
    QByteArray flags;   ///< "b": in a blocking command
    QByteArray command; ///< the last, or the one it is in: "brpoplpush"
    int database = 0;
    qint64 idleSeconds = 0; ///< since it sent its last command; while blocked: for how long it is
};

/// The clients of a CLIENT LIST reply; lines that are not of its kind are left out.
std::vector<ClientEntry> clientsFromReply(const Reply& list);

/// Blocked until an item comes into a list. CLIENT LIST does not say into which.
bool waitsForList(const ClientEntry& client);

} // namespace lk
