// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

#include <memory>

namespace lk {

// Programs that use queue libraries, in the formats of these. Each lives in the thread that makes
// it.

/// Fills a queue of BullMQ 5 and looks for stalled jobs.
std::unique_ptr<DemoClient> makeBullProducer(const ServerUrl& url, quint32 seed);
/// A worker of that queue, which runs one job at a time.
std::unique_ptr<DemoClient> makeBullWorker(const ServerUrl& url, int number, quint32 seed);
/// Fills a queue of Celery 5 and Kombu whose only worker is gone.
std::unique_ptr<DemoClient> makeCeleryProducer(const ServerUrl& url, quint32 seed);
/// A process of Sidekiq 6.4 with GitLab's reliable fetcher.
std::unique_ptr<DemoClient> makeSidekiqProcess(const ServerUrl& url, quint32 seed);

} // namespace lk
