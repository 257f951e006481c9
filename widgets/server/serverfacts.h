// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/server/serverinfo.h"
#include "backend/redis/url.h"
#include "widgets/controls/labels/factgrid.h"

namespace lk {

// The contents of INFO in words. Pure; translated.

/// Whether the data is durable: one or two sentences about snapshots, the append-only file and
/// fsync. For a cluster, one paragraph for all masters with the same settings, with their names.
QString durabilityText(const ServerInfo& info, qint64 serverNowMs,
                       const std::vector<NodeFacts>& nodes = {});
/// The same for one node that has reported; and in a word or two: "AOF, everysec", "snapshots".
QString durabilityText(const Durability& durability, qint64 serverNowMs);
QString durabilityWord(const Durability& durability);
/// Returns the role: master of how many replicas, or replica of which master and how far behind.
/// nodes: all nodes of a cluster; info is that of one.
QString replicationText(const ServerInfo& info, const std::vector<NodeFacts>& nodes = {});

/// url: the connected server; a Sentinel group is one, whatever its master reports about itself.
/// recorded: the facts are of a past moment, of which less is known.
std::vector<FactGrid::Row> identityFacts(const ServerInfo& info, const ServerUrl& url,
                                         const std::vector<NodeFacts>& nodes = {},
                                         bool recorded = false);
std::vector<FactGrid::Row> memoryFacts(const ServerInfo& info,
                                       const std::vector<NodeFacts>& nodes = {});
std::vector<FactGrid::Row> persistenceFacts(const ServerInfo& info, qint64 serverNowMs,
                                            const std::vector<NodeFacts>& nodes = {});
std::vector<FactGrid::Row> replicationFacts(const ServerInfo& info,
                                            const std::vector<NodeFacts>& nodes = {});

} // namespace lk
