// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"
#include "backend/core/declaration.h"
#include "backend/core/result.h"
#include "backend/findings/settings.h"
#include "backend/history/retention.h"
#include "backend/redis/redlock/redlockgroup.h"

#include <QString>

namespace lk {

/// The contents of a configuration file. A value.
struct Config
{
    std::vector<DeclarationPtr> declarations; ///< in the file's order
    QByteArrayList ignored;                   ///< globs over key names: no layout claims these
    CheckSettings check;
    AlertSettings alerts;
    std::vector<RedlockGroup> redlocks; ///< groups of servers, in the file's order
    Retention recording;                ///< resolution, duration and the largest file size
};

/// Parses the TOML text of a configuration file. Strict: the first mistake refuses the file
/// (BadConfig, "file:line: what is wrong, what would be right"). fileName is used in that text.
Result<Config> parseConfig(const QByteArray& toml, const QString& fileName);

/// Reads and parses a file of at most 1 MiB; FileError if it cannot be read.
Result<Config> loadConfig(const QString& path);

/// Returns the path in a form that is valid from every folder: absolute, with "~/" expanded. Does
/// not resolve links, because their targets may change. Empty stays empty.
QString absoluteConfigPath(const QString& path);

/// The default file: lockkeeper/lockkeeper.toml in XDG_CONFIG_HOME.
QString defaultConfigPath();

/// Loads the configuration for every command and the window: the given file, or the default file if
/// given is empty. If the default file does not exist, the configuration is empty. Errors:
/// BadConfig, FileError.
Result<Config> loadConfigOrDefault(const QString& given);

} // namespace lk
