// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/server/unservedslots.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <QString>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lk {

inline constexpr int clusterSlots = 16384;

/// Which master of a cluster has which slots, as one of its nodes reports it. A value.
class ClusterMap
{
public:
    /// Where a node is, as the cluster announces it.
    struct Address
    {
        QString host;      ///< empty: not announced, and the asked host is not known either
        quint16 port = 0;  ///< 0: not announced
        QString endpoint;  ///< "127.0.0.1:7001", for people
        QString name = {}; ///< the host's name, if it is announced as well (Redis 7)

        bool operator==(const Address&) const = default;
    };
    /// A replica, as its master's entry lists it.
    struct Replica
    {
        Address address;
        bool failed = false;

        bool operator==(const Replica&) const = default;
    };
    /// A master with its slots and replicas.
    struct Node
    {
        QByteArray id;
        Address address;
        QString endpoint; ///< the address as text: "127.0.0.1:7001"
        bool myself = false;
        bool failed = false;                     ///< the others cannot reach it
        std::vector<std::pair<int, int>> ranges; ///< slot ranges, both ends included
        std::vector<Replica> replicas;
        qint64 epoch = 0;       ///< grows when it takes a slot or a master's place; 0: not reported
        int migratingSlots = 0; ///< slots that it is giving or taking now
        std::vector<std::pair<int, QByteArray>> gives =
            {}; ///< slots that it gives, with the id of the target node
        std::vector<Address> otherAddresses = {}; ///< addresses that some nodes use for it instead

        int slotCount() const;
        bool owns(int slot) const;
        bool isNamed(const QString& endpoint) const; ///< true if any node uses that endpoint for it
        bool operator==(const Node&) const = default;
    };

    static constexpr qsizetype longestHost = 255;
    static constexpr qsizetype longestId = 64; ///< 40 are usual

    /// The commands for a node; pass the replies to fromReplies(). A user may lack permission for
    /// some of them.
    static std::vector<Command> commands();
    /// The command for a node that denies the first of commands(); append its reply to theirs. It
    /// reports masters without slots and failed nodes, which CLUSTER SLOTS does not. Only CLUSTER
    /// NODES reports the migration of slots.
    static Command shardsCommand();
    /// Builds the map from a node's replies. Empty if none of them contains a map. askedAt: the
    /// host that was asked, which replaces hosts that are not announced. tls: whether to use the
    /// TLS port if a node announces both.
    static std::optional<ClusterMap> fromReplies(std::span<const Reply> replies,
                                                 const QString& askedAt = {}, bool tls = false);

    /// The masters as reported, including those without slots.
    const std::vector<Node>& masters() const { return m_masters; }
    const Node* myself() const; ///< null if the node is a replica
    const Node* ownerOf(int slot) const;
    /// Takes another node's report about itself, which is newer than this node's. Only a node
    /// itself reports which of its slots are being migrated.
    void takeOwnSlots(const ClusterMap& others);
    /// Keeps from the map before which slots the other nodes are migrating, as the reported map
    /// contains only those of its own node. They are kept until a node's slots change.
    void keepOwnSlots(const ClusterMap& before);
    /// Adds the addresses that other nodes use for the same node.
    void takeAddresses(const ClusterMap& others);
    /// Sets the address of that master, as another node reports or has reported it.
    void setAddress(const QByteArray& id, const Address& address);
    /// Returns true if the master has no slot yet and is taking its first. Some of that slot's keys
    /// may be there already.
    bool takesFirst(const Node& master) const;
    /// Returns true if the master has a part of the data, or if no master has a slot.
    bool counts(const Node& master) const;
    /// Whether clients should connect by host names, for example because certificates contain only
    /// these. Empty if not reported.
    const std::optional<bool>& prefersNames() const { return m_prefersNames; }
    UnservedSlots unserved() const;
    OpenSlots openSlots() const;
    bool isWhole() const; ///< true if this node has every slot that any node has
    /// "1 of 3 masters, 5,461 of 16,384 slots"; for a replica "0 of 3 masters ...". Translated.
    QString coverage() const;
    /// Parses "127.0.0.1:7001" or "::1:7001", as in MOVED and CLUSTER NODES. askedAt is the host
    /// for ":7001" and "?:7001". Without a port it is no address.
    static Address addressOf(const QByteArray& hostPort, const QString& askedAt = {});
    /// Returns the master with that endpoint.
    const Node* named(const QString& endpoint) const;
    /// Returns the master with this address, by the number or the name of its host; otherwise the
    /// master for which some nodes use this address.
    const Node* at(const Address& address) const;
    /// Returns true if another node than that one has the endpoint, a master or a replica.
    bool isAddressOfOther(const QString& endpoint, const QByteArray& id) const;
    /// Returns the master with that id, or null.
    const Node* withId(const QByteArray& id) const;

    bool operator==(const ClusterMap& other) const { return m_masters == other.m_masters; }

private:
    static std::optional<ClusterMap> fromNodes(const Reply& nodes, const QString& askedAt);
    void takePreference(const Reply& slots_);
    static std::optional<ClusterMap> fromSlots(const Reply& slots_, const Reply& myId,
                                               const QString& askedAt);
    static std::optional<ClusterMap> fromShards(const Reply& shards, const Reply& myId,
                                                const QString& askedAt, bool tls);

    // Redis recommends at most a thousand nodes. The bound on ranges is for all nodes together,
    // each slot being a range of its own.
    static constexpr size_t mostNodes = 2000;
    static constexpr int mostRanges = clusterSlots;
    static constexpr qsizetype shortId = 8;

    std::vector<Node> m_masters;
    std::optional<bool> m_prefersNames;
};

} // namespace lk
