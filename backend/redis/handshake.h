// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/url.h"

#include <optional>

namespace lk {

/// What a connection says first, in one write: AUTH, CLIENT SETNAME, SELECT, INFO, ROLE and PING.
/// Nothing that not every server takes: what this one is, INFO tells.
std::vector<Command> handshakeCommands(const ServerUrl& url, const QByteArray& clientName);

/// What is said to a server of that kind on a connection that only reads: CLIENT NO-TOUCH ON, so
/// that looking at keys does not make them recently used, where that does no harm; to a replica of
/// a cluster that is looked at by itself READONLY, without which it sends readers to its master.
std::vector<Command> readerCommands(const ServerUrl& url, const ServerInfo& info);

/// Why the connection cannot be used after that answer, with what INFO told before it; empty: go
/// on. A user who may not PING, ask for INFO or name the connection may still be able to read, so
/// that alone is no reason. Nor is a disk that is full (MISCONF): only writes are refused then.
std::optional<Error> handshakeProblem(const Command& sent, const Reply& reply,
                                      const ServerInfo& info);

/// True if trying again by itself may help. More narrow than isTransient(): while logging in, a
/// missing permission stays missing.
bool mayRetryHandshake(const Error& error);

} // namespace lk
