// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"
#include "backend/config/checkconfig.h"

namespace lk {

/// The tables of a configuration file that alerts are described by: alert, alerts, quiet, notify.
const QStringList& alertTableNames();

/// As [[quiet]] names them, Monday first.
const QStringList& configDays();

/// Reads all of them, strictly as the rest: the first thing that is wrong refuses it.
tl::expected<AlertSettings, ConfigRefusal> readAlerts(const toml::table& root);

} // namespace lk
