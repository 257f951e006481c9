// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/topology/router.h"
#include "tests/support/waiting.h"

namespace lk::test {

/// Sentinels do nothing for 30 s after their clock has jumped.
inline constexpr int linkPatienceMs = 60'000;

inline Connection::Options actingOptions()
{
    Connection::Options options;
    options.access = Connection::Access::Acting;
    options.reconnect = false;
    return options;
}

/// Opens it and waits until it is ready.
inline bool opened(Router& router)
{
    router.open();
    return waitUntil([&] { return router.isReady(); }, linkPatienceMs);
}

/// Sends one batch, to a router or to one node, and waits for its outcome.
inline BatchResult ask(Link& link, const std::vector<Command>& commands, bool acting = false)
{
    BatchProbe probe;
    QObject context; // no call into a frame that is gone, should the patience end first
    if (acting)
        link.sendActing(commands, &context, probe.handler());
    else
        link.send(commands, &context, probe.handler());
    waitUntil([&] { return probe.calls > 0; }, linkPatienceMs);
    return std::move(probe.result);
}

} // namespace lk::test
