// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QByteArray>

#include <vector>

namespace lk {

// How Sidekiq's keys are named: queue:<queue>, the sets that all queues share (schedule, retry,
// dead), and those of each process, <host>:<pid>:<nonce>. A namespace may stand before all of them
// (redis-namespace, up to Sidekiq 6). GitLab's fetcher keeps jobs in progress in lists
// working:queue:<queue>:<host>:<pid>:<nonce>, super_fetch of Sidekiq Pro in
// queue:sq|<process>|<queue>, and older versions of it in queue:sq_<process>_<queue>. Checked
// against keys of Sidekiq 6.4 and sidekiq-gitlab-fetcher 0.8.

/// A key's name, taken apart: "queue:default".
struct SidekiqName
{
    bool known = false;
    QByteArray space; ///< the namespace with its colon: "mail:"; empty if there is none
    /// "queue", "working", "schedule", "retry", "dead", "interrupted", "queues", "processes",
    /// "process", "work", "super_processes", "other"
    QByteArray part;
    QByteArray queue;        ///< set for "queue" and "working"
    QByteArray process;      ///< set for "working", "process" and "work": host:pid:nonce
    bool superFetch = false; ///< a "working" list of Sidekiq Pro
};
SidekiqName sidekiqNameOf(const QByteArray& name);
/// See KeyHints::nameParts().
std::vector<QByteArray> sidekiqNameParts(KeyType type);

QByteArray sidekiqQueueKey(const QByteArray& space, const QByteArray& queue);

/// Returns the key that exists while the owner of a working list lives. GitLab's fetcher renews a
/// heartbeat of its own, a process of Sidekiq Pro its identity's hash. Empty if the list has no
/// owner.
QByteArray sidekiqHeartbeatKey(const SidekiqName& working);

} // namespace lk
