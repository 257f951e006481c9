// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/text/proposal.h"

#include <QStringList>

#include <string_view>

namespace lk {

// The words of the configuration file: its tables and their keys.

/// The key as defined by the layout, or else by its kind; empty if neither has such a key.
std::optional<ConfigField> findConfigField(const Layout& layout, std::string_view name);
/// The ids of the layouts of a kind that have such a key; empty if it is misspelt.
QStringList layoutsWithField(Kind kind, std::string_view name);
/// Empty if there is no such table.
std::optional<Kind> configTableKind(std::string_view name);

QStringList configTableNames();
QStringList configFieldNames(Kind kind);
QStringList layoutNames(Kind kind);

} // namespace lk
