// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"
#include "backend/config/checkconfig.h"

namespace lk {

/// The tables of a configuration file that define alerts: alert, alerts, quiet, notify.
const QStringList& alertTableNames();

/// The names of the days in [[quiet]], Monday first.
const QStringList& configDays();

/// Reads these tables. Strict: the first mistake refuses the file.
tl::expected<AlertSettings, ConfigRefusal> readAlerts(const toml::table& root);

} // namespace lk
