// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QStringList>

namespace lk {

/// A server that another program knew.
struct ImportedServer
{
    ServerUrl url; ///< with its passwords, which are for a keyring and for no file
    QString name;
    QString environment;
};

/// What another program's export holds of servers.
struct ServerImport
{
    std::vector<ImportedServer> servers; ///< each deployment once
    QStringList notes;                   ///< what was left out and why; without secrets; translated
};

/// Reads what another program has exported, told by its content:
///   - URLs as redis-cli takes them, one a line, "redis-cli -u" before them or not; # is a comment
///   - RedisInsight's JSON
///   - Another Redis Desktop Manager's .ano file: the same kind of JSON in Base64
/// Passwords and keys of SSH and certificates that are in the file itself are left out. Errors:
/// BadArgument, one sentence that repeats nothing of the file.
Result<ServerImport> importServers(const QByteArray& content);

} // namespace lk
