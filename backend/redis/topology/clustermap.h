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

/// Which master of a cluster has which slots, as one of its nodes tells. A value.
class ClusterMap
{
public:
    /// Where a node is, as the cluster announces it.
    struct Address
    {
        QString host;      ///< empty: not told, and nobody knows where it was asked
        quint16 port = 0;  ///< 0: it is not told
        QString endpoint;  ///< "127.0.0.1:7001", for people
        QString name = {}; ///< of the host, where it announces one besides (Redis 7)

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
        QString endpoint; ///< of the address: "127.0.0.1:7001"
        bool myself = false;
        bool failed = false;                     ///< the others cannot reach it
        std::vector<std::pair<int, int>> ranges; ///< of slots, both ends included
        std::vector<Replica> replicas;
        qint64 epoch = 0; ///< grows when it takes a slot or a master's place; 0: it is not told
        int migratingSlots = 0; ///< that it is giving or taking just now
        std::vector<std::pair<int, QByteArray>> gives =
            {};                                   ///< those it gives: to the node of that id
        std::vector<Address> otherAddresses = {}; ///< by which some nodes name it instead

        int slotCount() const;
        bool owns(int slot) const;
        bool isNamed(const QString& endpoint) const; ///< by anybody
        bool operator==(const Node&) const = default;
    };

    static constexpr qsizetype longestHost = 255;
    static constexpr qsizetype longestId = 64; ///< 40 are usual

    /// What to ask a node; the replies go to fromReplies(). A user may lack one or the other.
    static std::vector<Command> commands();
    /// What to ask one that denies the first of these: the reply goes behind theirs. It tells of
    /// masters without slots and of failed nodes, which CLUSTER SLOTS does not; that slots are
    /// being migrated only CLUSTER NODES does.
    static Command shardsCommand();
    /// Nothing where none of the answers tells. askedAt: the host that was asked, which is where
    /// nodes are that do not tell theirs. tls: the port that is for it, where a node tells both.
    static std::optional<ClusterMap> fromReplies(std::span<const Reply> replies,
                                                 const QString& askedAt = {}, bool tls = false);

    /// As told, those without slots too.
    const std::vector<Node>& masters() const { return m_masters; }
    const Node* myself() const; ///< null: a replica
    const Node* ownerOf(int slot) const;
    /// What another node tells of itself is newer than what this one has heard of it; also, only it
    /// tells which of its slots are being migrated.
    void takeOwnSlots(const ClusterMap& others);
    /// Of slots being migrated a map that one node told has only its own. What each of the others
    /// told of itself before holds until its slots are others.
    void keepOwnSlots(const ClusterMap& before);
    /// Nodes may name a third one by different addresses: that is one node all the same.
    void takeAddresses(const ClusterMap& others);
    /// That master is at this address, which somebody else names, or has named.
    void setAddress(const QByteArray& id, const Address& address);
    /// It has no slot yet and is taking its first: some keys of that may be there already.
    bool takesFirst(const Node& master) const;
    /// A part of the data, or all that there is where nobody has a slot.
    bool counts(const Node& master) const;
    /// Those who connect are to use the names of hosts: certificates may be for these alone. Empty:
    /// it was not told.
    const std::optional<bool>& prefersNames() const { return m_prefersNames; }
    UnservedSlots unserved() const;
    OpenSlots openSlots() const;
    bool isWhole() const; ///< this node has every slot that any has
    /// "1 of 3 masters, 5,461 of 16,384 slots"; of a replica "0 of 3 masters ...". Translated.
    QString coverage() const;
    /// "127.0.0.1:7001" or "::1:7001", as a cluster writes it in MOVED and CLUSTER NODES. Of
    /// ":7001" and "?:7001" the host is askedAt. No port: it is no address.
    static Address addressOf(const QByteArray& hostPort, const QString& askedAt = {});
    /// The master of that endpoint.
    const Node* named(const QString& endpoint) const;
    /// The master that has this address, by the number or by the name of its host; else the one
    /// that some nodes name so.
    const Node* at(const Address& address) const;
    /// Another node than that one has it, a master or a replica.
    bool isAddressOfOther(const QString& endpoint, const QByteArray& id) const;
    /// Null: no master has that id.
    const Node* withId(const QByteArray& id) const;

    bool operator==(const ClusterMap& other) const { return m_masters == other.m_masters; }

private:
    static std::optional<ClusterMap> fromNodes(const Reply& nodes, const QString& askedAt);
    void takePreference(const Reply& slots_);
    static std::optional<ClusterMap> fromSlots(const Reply& slots_, const Reply& myId,
                                               const QString& askedAt);
    static std::optional<ClusterMap> fromShards(const Reply& shards, const Reply& myId,
                                                const QString& askedAt, bool tls);

    // A cluster has a thousand nodes at the most, by its makers' advice; ranges are of all of them,
    // each slot by itself.
    static constexpr size_t mostNodes = 2000;
    static constexpr int mostRanges = clusterSlots;
    static constexpr qsizetype shortId = 8;

    std::vector<Node> m_masters;
    std::optional<bool> m_prefersNames;
};

} // namespace lk
