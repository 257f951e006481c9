// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

#include <memory>

namespace lk {

// The programs of the demo's workload. Each lives in the thread that makes it.

/// Ordinary keys that have nothing to do with coordination: pages, profiles, a stream, a set, a
/// leaderboard. No layout should claim them.
std::unique_ptr<DemoClient> makeOrdinaryKeys(const ServerUrl& url, quint32 seed);
/// Callers of the home-made limiters: rolling windows, tenants' quotas and gates.
std::unique_ptr<DemoClient> makeLimiterClients(const ServerUrl& url, quint32 seed);
/// Callers of shared limiters: Redisson's, and resources with consumers.
std::unique_ptr<DemoClient> makePermitClients(const ServerUrl& url, quint32 seed);
/// Workers that acquire, renew and release locks, and sometimes crash while they hold one.
std::unique_ptr<DemoClient> makeLockWorkers(const ServerUrl& url, quint32 seed);
/// Producers and workers of two queues.
std::unique_ptr<DemoClient> makeQueueWorkers(const ServerUrl& url, quint32 seed);
/// Issues one-time tokens of both kinds.
std::unique_ptr<DemoClient> makeTokenIssuer(const ServerUrl& url, quint32 seed);
/// A site that uses Redis for the smaller patterns.
std::unique_ptr<DemoClient> makePatternClients(const ServerUrl& url, quint32 seed);

} // namespace lk
