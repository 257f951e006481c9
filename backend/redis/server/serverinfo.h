// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/snapshot.h"
#include "backend/redis/protocol/reply.h"

#include <QHash>

#include <optional>

namespace lk {

/// The fields of INFO as received: "redis_version" -> "7.0.15".
class ServerInfo
{
public:
    static ServerInfo fromReply(const Reply& info);
    /// Adds the settings from a CONFIG GET reply under their own names, and "<name>_known" = "yes"
    /// for each. Adds nothing if the user may not use CONFIG.
    void addConfig(const Reply& config);
    /// Adds the ROLE reply under INFO's names, for a user who may send ROLE but not INFO.
    void addRole(const Reply& role);

    bool isEmpty() const { return m_fields.isEmpty(); }
    /// Returns the field, made safe to display whatever the server sent; see displayName().
    QString text(const char* field) const;
    std::optional<qint64> number(const char* field) const;
    /// Returns a field that counts seconds, in milliseconds. Bounded to the range of a time,
    /// whatever the server sent.
    std::optional<qint64> milliseconds(const char* field) const;

    QString version() const { return text("redis_version"); }
    ServerMode mode() const { return serverModeFromName(text("redis_mode")); }
    NodeRole role() const { return nodeRoleFromName(text("role")); }
    bool isReplica() const { return role() == NodeRole::Replica; }
    /// Returns true if it reports a cluster's node, or reports nothing because INFO is denied.
    bool mayBeClusterNode() const;
    /// For a replica: its master's endpoint, "10.0.0.1:6379". Empty if not known.
    QString masterEndpoint() const;
    /// Returns true unless both report their processes, and these differ.
    bool mayBeSameProcess(const ServerInfo& other) const;
    /// Returns the facts that a snapshot contains, without its time.
    ServerFacts facts(const QString& endpoint) const;
    /// The server's persistence. The fields from CONFIG are empty before addConfig().
    Durability durability() const;
    /// Returns true if maxmemory-policy is an lru or lfu one. Reads then decide which keys are
    /// evicted.
    bool evictsByUse() const;
    /// Returns true if it lists the loaded modules without this one.
    bool lacksModule(const QByteArray& name) const;
    /// Describes the progress while the server loads its data from disk. Translated. Empty if it is
    /// not loading or does not report it.
    QString loadingText() const;

private:
    QHash<QByteArray, QByteArray> m_fields;
};

/// Returns true for a maxmemory-policy that evicts by use (lru or lfu).
bool evictsKeysByUse(const QString& policy);

/// Returns the time in a TIME reply, in milliseconds since 1970.
std::optional<qint64> timeFromReply(const Reply& time);

/// Returns the better of two measurements of the server's clock. sentMs and receivedMs are local;
/// serverMs is the TIME reply in between. The shorter round trip wins, unless the new measurement
/// contradicts the known offset: a clock has been set or has drifted then.
ServerClock betterClock(const ServerClock& known, qint64 sentMs, qint64 receivedMs,
                        qint64 serverMs);

/// Does the same with a server's replies to TIME and INFO, which were sent and received together.
/// If the user may not send TIME, uses INFO; without either, uses the local clock.
ServerClock clockFrom(const ServerClock& known, qint64 sentMs, qint64 receivedMs, const Reply& time,
                      const ServerInfo& info);

} // namespace lk
