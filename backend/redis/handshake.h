// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/url.h"

#include <optional>

namespace lk {

/// Returns the first commands on a connection, sent in one write: AUTH, CLIENT SETNAME, SELECT,
/// INFO, ROLE and PING. Every server accepts them. INFO identifies the server.
std::vector<Command> handshakeCommands(const ServerUrl& url, const QByteArray& clientName);

/// Returns the setup commands for a connection that only reads: CLIENT NO-TOUCH ON where it does no
/// harm, so that reading does not make keys recently used; READONLY for a replica of a cluster that
/// is viewed on its own, which otherwise redirects readers to its master.
std::vector<Command> readerCommands(const ServerUrl& url, const ServerInfo& info);

/// Returns the reason why the connection cannot be used after that reply, given the INFO before it.
/// Empty if the handshake may go on. A user without permission for PING, INFO or CLIENT SETNAME may
/// still be able to read, so that is not an error. Neither is a full disk (MISCONF), which refuses
/// writes only.
std::optional<Error> handshakeProblem(const Command& sent, const Reply& reply,
                                      const ServerInfo& info);

/// Returns true if an automatic retry may help. Stricter than isTransient(): a permission that is
/// missing during login stays missing.
bool mayRetryHandshake(const Error& error);

} // namespace lk
