// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/state.h"
#include "backend/redis/topology/clustermap.h"
#include "widgets/controls/labels/factgrid.h"

namespace lk {

/// Returns the rows that every primitive has: facts that only its layout knows, its keys, since
/// when it is known. A companion key names its role. map: of a cluster that is followed; gives the
/// slot and its node.
std::vector<FactGrid::Row> primitiveFacts(const State& state, const std::optional<ClusterMap>& map,
                                          Codes codes = Codes::Masked);

/// Where all of these keys are, "12182 on 10.0.0.5:6379", or how far they are apart. Translated;
/// empty where there are none.
QString clusterPlace(const std::vector<KeyRole>& keys, const ClusterMap& map);

} // namespace lk
