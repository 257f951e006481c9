// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/snapshot.h"
#include "backend/redis/protocol/reply.h"

#include <QHash>

#include <optional>

namespace lk {

/// INFO's lines as they came: "redis_version" -> "7.0.15".
class ServerInfo
{
public:
    static ServerInfo fromReply(const Reply& info);
    /// Adds what CONFIG GET told, under the settings' own names, and "<name>_known" = "yes" for
    /// each; nothing where the user may not use CONFIG.
    void addConfig(const Reply& config);
    /// Adds what ROLE told under INFO's names, for a user who may send the one and not the other.
    void addRole(const Reply& role);

    bool isEmpty() const { return m_fields.isEmpty(); }
    /// As a person may be shown it, whatever the server sent; see displayName().
    QString text(const char* field) const;
    std::optional<qint64> number(const char* field) const;
    /// Of a field that counts seconds; within what a time can be, whatever the server sent.
    std::optional<qint64> milliseconds(const char* field) const;

    QString version() const { return text("redis_version"); }
    ServerMode mode() const { return serverModeFromName(text("redis_mode")); }
    NodeRole role() const { return nodeRoleFromName(text("role")); }
    bool isReplica() const { return role() == NodeRole::Replica; }
    /// Says that it is a cluster's node, or nothing at all (INFO is denied).
    bool mayBeClusterNode() const;
    /// Of a replica: whose, as "10.0.0.1:6379"; empty where it is not known.
    QString masterEndpoint() const;
    /// True unless both tell of a process of their own, and not of the same one.
    bool mayBeSameProcess(const ServerInfo& other) const;
    /// All of it that a snapshot tells of; not its time.
    ServerFacts facts(const QString& endpoint) const;
    /// What becomes of its data; the rest of CONFIG's is empty before addConfig().
    Durability durability() const;
    /// True if maxmemory-policy is an lru or lfu one: which keys stay depends on which are read.
    bool evictsByUse() const;
    /// True if it lists the loaded modules, and not this one.
    bool lacksModule(const QByteArray& name) const;
    /// While the data is read from disk: how far that is, translated; empty if it is not, or
    /// untold.
    QString loadingText() const;

private:
    QHash<QByteArray, QByteArray> m_fields;
};

/// A maxmemory-policy that drops what was used least.
bool evictsKeysByUse(const QString& policy);

/// Milliseconds since 1970 out of a TIME reply.
std::optional<qint64> timeFromReply(const Reply& time);

/// Keeps the better of two measurements of the server's clock: sentMs and receivedMs are local,
/// serverMs is what TIME said in between. The shorter round trip wins, unless the
/// new measurement rules the known offset out: then a clock has been set or has drifted.
ServerClock betterClock(const ServerClock& known, qint64 sentMs, qint64 receivedMs,
                        qint64 serverMs);

/// The same with what a server said to TIME and INFO, sent and received together. A user who may
/// not send TIME is helped out by INFO; without either the local clock has to do.
ServerClock clockFrom(const ServerClock& known, qint64 sentMs, qint64 receivedMs, const Reply& time,
                      const ServerInfo& info);

} // namespace lk
