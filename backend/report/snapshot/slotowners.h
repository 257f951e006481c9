// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace lk {

class ClusterMap;

/// Where a cluster has its primitives, by the slots that its nodes had when it was scanned.
class SlotOwners
{
public:
    SlotOwners() = default; ///< of what is no cluster
    /// map: null where nobody told.
    explicit SlotOwners(const ClusterMap* map);

    /// It is a cluster: keys have slots.
    bool exist() const { return m_isCluster; }
    /// Somebody told which node has any of them.
    bool areKnown() const { return !m_nodes.isEmpty(); }
    /// Nothing where its keys are in several slots, and where it has none.
    std::optional<int> slotOf(const Primitive& primitive) const;
    /// The endpoint; empty where its keys are on several nodes, and where nobody told.
    QString nodeOf(const Primitive& primitive) const;
    QString nodeOf(int slot) const;

private:
    bool m_isCluster = false;
    QStringList m_nodes;
    std::vector<int> m_owners; ///< of m_nodes, by slot; -1: nobody's
};

} // namespace lk
