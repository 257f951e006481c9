// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/slotowners.h"

#include "backend/redis/topology/clustermap.h"
#include "backend/redis/topology/keyslot.h"

#include <algorithm>

namespace lk {

SlotOwners::SlotOwners(const ClusterMap* map)
    : m_isCluster(true)
    , m_owners(size_t(clusterSlots), -1)
{
    if (!map)
        return;
    for (const ClusterMap::Node& node : map->masters()) {
        for (const auto& [first, last] : node.ranges)
            std::fill(m_owners.begin() + first, m_owners.begin() + last + 1, int(m_nodes.size()));
        m_nodes << node.endpoint;
    }
}

std::optional<int> SlotOwners::slotOf(const Primitive& primitive) const
{
    std::optional<int> slot;
    for (const KeyRole& role : primitive.keys) {
        if (!m_isCluster || role.key.isEmpty())
            continue;
        const int one = keySlot(role.key);
        if (slot && *slot != one)
            return std::nullopt;
        slot = one;
    }
    return slot;
}

QString SlotOwners::nodeOf(const Primitive& primitive) const
{
    std::optional<int> owner;
    for (const KeyRole& role : primitive.keys) {
        if (!m_isCluster || role.key.isEmpty())
            continue;
        const int one = m_owners[size_t(keySlot(role.key))];
        if (owner && *owner != one)
            return {};
        owner = one;
    }
    return owner.value_or(-1) >= 0 ? m_nodes[*owner] : QString();
}

QString SlotOwners::nodeOf(int slot) const
{
    const int owner = m_isCluster ? m_owners[size_t(slot)] : -1;
    return owner >= 0 ? m_nodes[owner] : QString();
}

} // namespace lk
