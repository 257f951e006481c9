// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/server/serverinfo.h"
#include "backend/redis/url.h"
#include "widgets/controls/labels/factgrid.h"

namespace lk {

// What INFO says, in words. Pure; translated.

/// Is what I see durable? One or two sentences about snapshots, the append-only file, fsync. Of a
/// cluster a paragraph for all masters that are alike, and which these are.
QString durabilityText(const ServerInfo& info, qint64 serverNowMs,
                       const std::vector<NodeFacts>& nodes = {});
/// The same of one node, which has told; and in a word or two: "AOF, everysec", "snapshots".
QString durabilityText(const Durability& durability, qint64 serverNowMs);
QString durabilityWord(const Durability& durability);
/// Master of how many, or replica of whom and how far behind.
/// nodes: of a cluster all of them, as info is that of one.
QString replicationText(const ServerInfo& info, const std::vector<NodeFacts>& nodes = {});

/// url: what is connected to; a Sentinel group is one, whatever its master says of itself.
/// recorded: they are of a moment of the past, of which less is known.
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
