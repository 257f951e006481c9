// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/findings/settings.h"
#include "backend/libraries/families/files/tomlheader.h"

namespace lk {

/// What is wrong in a configuration file, and where.
struct ConfigRefusal
{
    toml::source_region at;
    QString what;
};

/// Reads the [check] of a configuration file, strictly as the rest: the first thing that is wrong
/// refuses it.
tl::expected<CheckSettings, ConfigRefusal> readCheck(const toml::node& node);
/// All [[silence]] of it.
tl::expected<std::vector<SilenceRule>, ConfigRefusal> readSilences(const toml::node& node);
/// The keys of all [[ignore]].
tl::expected<QByteArrayList, ConfigRefusal> readIgnored(const toml::node& node);

} // namespace lk
