// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace lk {

class ClusterMap;

/// The nodes of a cluster's primitives, by the slots that its nodes had during the scan.
class SlotOwners
{
public:
    SlotOwners() = default; ///< for a server that is no cluster
    /// map: null if it is not known.
    explicit SlotOwners(const ClusterMap* map);

    /// True if it is a cluster, so that keys have slots.
    bool exist() const { return m_isCluster; }
    /// True if the node of at least one slot is known.
    bool areKnown() const { return !m_nodes.isEmpty(); }
    /// Returns the slot of its keys. Nothing if they are in several slots, or outside of a cluster.
    std::optional<int> slotOf(const Primitive& primitive) const;
    /// Returns the endpoint. Empty if its keys are on several nodes, or if the node is not known.
    QString nodeOf(const Primitive& primitive) const;
    QString nodeOf(int slot) const;

private:
    bool m_isCluster = false;
    QStringList m_nodes;
    std::vector<int> m_owners; ///< indices in m_nodes, by slot; -1 if no node is known
};

} // namespace lk
