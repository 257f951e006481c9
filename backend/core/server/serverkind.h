// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Whose program a server is.
enum class Flavour : quint8 { Unknown, Redis, Valkey, KeyDb, Dragonfly };

/// What a server is part of.
enum class ServerMode : quint8 { Unknown, Standalone, Sentinel, Cluster };

/// What a node does for its data.
enum class NodeRole : quint8 {
    Unknown,
    Master,
    Replica,
    ActiveReplica, ///< KeyDB's: it takes writes as well
};

// As INFO, the snapshot's JSON, metrics and people name them: "valkey", "cluster", "master"; empty:
// unknown. Not translated.
QString flavourName(Flavour flavour);
QString serverModeName(ServerMode mode);
QString nodeRoleName(NodeRole role);

// Unknown for any other name.
Flavour flavourFromName(QStringView name);
ServerMode serverModeFromName(QStringView name);
/// The protocol's own "slave" is a replica as well.
NodeRole nodeRoleFromName(QStringView name);

} // namespace lk
