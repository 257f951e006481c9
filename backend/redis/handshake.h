// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/command.h"
#include "backend/redis/reply.h"
#include "backend/redis/url.h"

#include <optional>

namespace lk {

/// What a connection says first, in one write: AUTH, CLIENT SETNAME, CLIENT NO-TOUCH ON (so that
/// looking at keys does not make them recently used; unknown before Redis 7.2), SELECT, PING.
std::vector<Command> handshakeCommands(const ServerUrl& url, const QByteArray& clientName);

/// Why the connection cannot be used after that answer; empty: go on. A user who may not PING or
/// name the connection may still be able to read, so that alone is no reason.
std::optional<Error> handshakeProblem(const Command& sent, const Reply& reply);

/// True if trying again by itself may help. More narrow than isTransient(): while logging in, a
/// missing permission stays missing.
bool mayRetryHandshake(const Error& error);

} // namespace lk
