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

/// What the operator declared. A value.
struct Config
{
    std::vector<DeclarationPtr> declarations; ///< in the file's order
    QByteArrayList ignored;                   ///< globs over key names: no layout claims these
    CheckSettings check;
    AlertSettings alerts;
    std::vector<RedlockGroup> redlocks; ///< groups of servers, in the file's order
    Retention recording; ///< how fine, for how long, and how large the file may become
};

/// Reads the TOML text of a configuration file. Strict: the first thing that is wrong refuses the
/// whole (BadConfig, "file:line: what is wrong, what would be right"). fileName is for that text.
Result<Config> parseConfig(const QByteArray& toml, const QString& fileName);

/// Reads and parses a file of at most 1 MiB; FileError if it cannot be read.
Result<Config> loadConfig(const QString& path);

/// The path as it means the same file from every folder: absolute, with "~/" spelled out. Links
/// stay links: what they point to may be exchanged. Empty stays empty.
QString absoluteConfigPath(const QString& path);

/// Which file is read where none is given: lockkeeper/lockkeeper.toml in XDG_CONFIG_HOME.
QString defaultConfigPath();

/// What every command and the window work with: the given file; where none is given (empty) the
/// default one; where that does not exist either, nothing is declared. Errors: BadConfig,
/// FileError.
Result<Config> loadConfigOrDefault(const QString& given);

} // namespace lk
