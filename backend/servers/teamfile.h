// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

namespace lk {

/// A server that a team shares; without any password.
struct TeamServer
{
    ServerUrl url;
    QString name;
    QString environment;
    QString group;
    QString configFile; ///< absolute; empty: none

    bool operator==(const TeamServer&) const = default;
};

/// A TOML file of [[server]] tables with url, name, environment, group and config, in the order of
/// the file. A relative config is beside the file. What is wrong, a password above all, refuses the
/// whole file with its line and what would be right, and repeats no password. Errors: BadConfig.
Result<std::vector<TeamServer>> parseTeamFile(const QByteArray& toml, const QString& fileName);
/// Also FileError.
Result<std::vector<TeamServer>> loadTeamFile(const QString& path);
/// ~/.config/lockkeeper/team.toml
QString defaultTeamFile();

} // namespace lk
