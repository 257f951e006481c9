// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// The server's software.
enum class Flavour : quint8 { Unknown, Redis, Valkey, KeyDb, Dragonfly };

/// The kind of deployment that a server is part of.
enum class ServerMode : quint8 { Unknown, Standalone, Sentinel, Cluster };

/// The replication role of a node.
enum class NodeRole : quint8 {
    Unknown,
    Master,
    Replica,
    ActiveReplica, ///< KeyDB only: accepts writes as well
};

// The names in INFO, the snapshot's JSON, metrics and texts: "valkey", "cluster", "master". Empty
// if unknown. Not translated.
QString flavourName(Flavour flavour);
QString serverModeName(ServerMode mode);
QString nodeRoleName(NodeRole role);

// Return Unknown for any other name.
Flavour flavourFromName(QStringView name);
ServerMode serverModeFromName(QStringView name);
/// The protocol's own "slave" is a replica as well.
NodeRole nodeRoleFromName(QStringView name);

} // namespace lk
