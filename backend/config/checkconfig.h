// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/findings/settings.h"
#include "backend/libraries/families/files/tomlheader.h"

namespace lk {

/// A mistake in a configuration file, and its location.
struct ConfigRefusal
{
    toml::source_region at;
    QString what;
};

/// Reads [check]. Strict: the first mistake refuses the file.
tl::expected<CheckSettings, ConfigRefusal> readCheck(const toml::node& node);
/// Reads all [[silence]] tables.
tl::expected<std::vector<SilenceRule>, ConfigRefusal> readSilences(const toml::node& node);
/// Reads the keys of all [[ignore]] tables.
tl::expected<QByteArrayList, ConfigRefusal> readIgnored(const toml::node& node);

} // namespace lk
