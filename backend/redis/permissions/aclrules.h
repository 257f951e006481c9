// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/permissions/sentcommands.h"
#include "backend/redis/server/capabilities.h"

#include <QByteArrayList>

#include <vector>

namespace lk {

/// Who a set of permissions is for.
enum class AclPurpose : quint8 {
    Reading, ///< a session that only reads
    Acting,  ///< one that is in write mode now and then
};

/// What such a user sends to a server of that version: what it lacks, or does not survive, is left
/// out. Of an unknown version all.
std::vector<SentCommand> commandsFor(AclPurpose purpose, const ServerVersion& server = {});

/// Commands for redis-cli that make such a user: what every server with users takes first, then
/// lines of their own for what is newer than Redis 6, which an older one refuses alone.
QByteArrayList aclLines(AclPurpose purpose);

/// The same for Sentinels, which have users of their own and take one line.
QByteArrayList sentinelAclLines();

/// One line that gives these to a user.
QByteArray aclGrant(const QByteArray& user, const std::vector<SentCommand>& commands);

} // namespace lk
