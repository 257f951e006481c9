// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/permissions/sentcommands.h"
#include "backend/redis/server/capabilities.h"

#include <QByteArrayList>

#include <vector>

namespace lk {

/// The use for which a set of permissions is made.
enum class AclPurpose : quint8 {
    Reading, ///< a session that only reads
    Acting,  ///< one that is in write mode now and then
};

/// Returns the commands that such a user sends to a server of that version, without those that the
/// version lacks or does not survive. Returns all commands if the version is unknown.
std::vector<SentCommand> commandsFor(AclPurpose purpose, const ServerVersion& server = {});

/// Returns the redis-cli commands that create such a user. The first line contains what every
/// server with users accepts. Features newer than Redis 6 have lines of their own, so that an older
/// server refuses only those.
QByteArrayList aclLines(AclPurpose purpose);

/// The same for Sentinels, which have users of their own and take one line.
QByteArrayList sentinelAclLines();

/// Returns one line that grants these commands to a user.
QByteArray aclGrant(const QByteArray& user, const std::vector<SentCommand>& commands);

} // namespace lk
