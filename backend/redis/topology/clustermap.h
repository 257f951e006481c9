// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <QString>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lk {

inline constexpr int clusterSlots = 16384;

/// Which master of a cluster has which slots, as one of its nodes tells. A value.
class ClusterMap
{
public:
    struct Node
    {
        QByteArray id;
        QString endpoint; ///< "127.0.0.1:7001"
        bool myself = false;
        bool failed = false;                     ///< the others cannot reach it
        std::vector<std::pair<int, int>> ranges; ///< of slots, both ends included

        int slotCount() const;
        bool owns(int slot) const;
    };

    /// What to ask a node; the replies go to fromReplies(). A user may lack one or the other.
    static std::vector<Command> commands();
    /// Nothing where none of the answers tells.
    static std::optional<ClusterMap> fromReplies(std::span<const Reply> replies);

    const std::vector<Node>& masters() const
    {
        return m_masters;
    }                           ///< as told, those without slots too
    const Node* myself() const; ///< null: a replica
    const Node* ownerOf(int slot) const;
    bool isWhole() const; ///< this node has every slot that any has
    /// "1 of 3 masters, 5,461 of 16,384 slots"; of a replica "0 of 3 masters ...". Translated.
    QString coverage() const;

private:
    static std::optional<ClusterMap> fromNodes(const Reply& nodes);
    static std::optional<ClusterMap> fromSlots(const Reply& slots_, const Reply& myId);

    std::vector<Node> m_masters;
};

} // namespace lk
